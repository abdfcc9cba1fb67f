package import Values

extension Schema {
  /// The type that expressions see in a value of this schema; `dyn` where the schema does not tell.
  ///
  /// An object with `properties` is a record (open only where the schema says that more may follow), a free-form one a
  /// map from text; a type or null is nullable; a recursive part is `dyn`.
  package var valueType: ValueType { valueType(named: nil) }

  /// The same, with the name that diagnostics give to the record at its root.
  package func valueType(named name: String?) -> ValueType {
    var reading = TypeReading(schema: self)
    return reading.type(of: root, named: name)
  }
}

private struct TypeReading {
  let schema: Schema
  /// The nodes on the way from the root, to end recursion.
  private var path: Set<Int> = []

  init(schema: Schema) { self.schema = schema }

  mutating func type(of index: Int, named name: String?) -> ValueType {
    guard path.insert(index).inserted else { return .dyn }
    defer { path.remove(index) }
    let node = schema.nodes[index]
    let name = node.title ?? name ?? "object"
    var types: SchemaTypes?
    var values: [Value] = []
    var shape = Shape()
    var combined: [ValueType] = []
    for keyword in node.keywords {
      switch keyword {
      case .type(let named): types = named
      case .enumeration(let members): values = members
      case .constant(let value): values = [value]
      case .properties(let rules): shape.rules = rules
      case .required(let names): shape.required.formUnion(names)
      case .items(let item, let from): if from == 0 { shape.item = item }
      case .prefixItems: shape.hasPrefix = true
      case .reference(let target), .dynamicReference(let target, _): combined.append(type(of: target, named: name))
      case .allOf(let nodes): combined += nodes.map { type(of: $0, named: name) }
      case .anyOf(let nodes), .oneOf(let nodes): combined.append(union(nodes.map { type(of: $0, named: name) }))
      default: break
      }
    }
    if types == nil, !values.isEmpty { types = commonTypes(of: values) }
    if types == nil, shape.rules != nil, combined.isEmpty { types = .object }
    let own = types.map { self.type(of: $0, shape, named: name) }
    return intersection((own.map { [$0] } ?? []) + combined, required: shape.required, named: name)
  }

  private struct Shape {
    var rules: SchemaKeyword.PropertyRules?
    var required: Set<String> = []
    var item: Int?
    var hasPrefix = false
  }

  private mutating func type(of types: SchemaTypes, _ shape: Shape, named name: String) -> ValueType {
    let isNullable = types.contains(.null)
    let plain: ValueType
    switch types.subtracting(.null) {
    case .string: plain = .string
    case .integer: plain = .int
    case .number, [.number, .integer]: plain = .double
    case .boolean: plain = .bool
    case .array: plain = .list(shape.hasPrefix ? .dyn : shape.item.map { type(of: $0, named: "an item of \(name)") } ?? .dyn)
    case .object: plain = object(shape, named: name)
    case []: return isNullable ? .null : .dyn
    default: return .dyn
    }
    return isNullable ? .nullable(plain) : plain
  }

  private mutating func object(_ shape: Shape, named name: String) -> ValueType {
    let additional = shape.rules?.additional
    guard let rules = shape.rules, !rules.named.isEmpty else {
      let isTyped = shape.rules?.patterns.isEmpty ?? true
      return .map(.string, isTyped ? additional.map { type(of: $0, named: "a member of \(name)") } ?? .dyn : .dyn)
    }
    let fields = rules.named.map { property in
      RecordType.Field(
        property.name, type(of: property.node, named: "`\(property.name)` of \(name)"), isOptional: !shape.required.contains(property.name),
        about: schema.nodes[property.node].about ?? "")
    }
    // Without a word on further members the record is what people mean to describe.
    let isOpen = additional.map { schema.nodes[$0].verdict != false } ?? false
    return .record(RecordType(name, fields, isOpen: isOpen))
  }

  /// The type of `enum` and `const`, if their values share one.
  private func commonTypes(of values: [Value]) -> SchemaTypes? {
    var types: SchemaTypes = []
    for value in values {
      let own = SchemaTypes(of: value)
      types.insert(own.contains(.integer) ? .integer : own)
    }
    return types
  }

  /// What may be any of several types.
  private func union(_ types: [ValueType]) -> ValueType {
    var plain: [ValueType] = []
    var isNullable = false
    for type in types {
      switch type {
      case .null: isNullable = true
      case .nullable(let inner):
        isNullable = true
        if !plain.contains(inner) { plain.append(inner) }
      default: if !plain.contains(type) { plain.append(type) }
      }
    }
    guard let first = plain.first else { return isNullable ? .null : .dyn }
    guard plain.count == 1, first != .dyn else { return .dyn }
    return isNullable ? .nullable(first) : first
  }

  /// What is all of several types at once: records join their fields, else the first that tells anything.
  private func intersection(_ types: [ValueType], required: Set<String>, named name: String) -> ValueType {
    let telling = types.filter { $0 != .dyn }
    let records = telling.compactMap { type -> RecordType? in
      if case .record(let record) = type { record } else { nil }
    }
    guard let first = records.first, records.count > 1 || !required.isEmpty else { return telling.first ?? .dyn }
    var joined = RecordType(records.count == 1 ? first.name : name, [], isOpen: records.allSatisfy(\.isOpen))
    for field in records.flatMap(\.fields) {
      if let position = joined.fields.firstIndex(where: { $0.name == field.name }) {
        joined.fields[position].isOptional = joined.fields[position].isOptional && field.isOptional
      } else {
        joined.fields.append(field)
      }
    }
    for position in joined.fields.indices where required.contains(joined.fields[position].name) {
      joined.fields[position].isOptional = false
    }
    return .record(joined)
  }
}
