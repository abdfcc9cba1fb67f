import Values

/// One compiled subschema. Others are meant by their index in `Schema.nodes`, so that recursion needs no references.
struct SchemaNode: Sendable {
  /// Its place in its document, as a JSON Pointer.
  var pointer: String
  /// The index of the schema resource it belongs to.
  var resource: Int
  /// The answer of a boolean schema.
  var verdict: Bool?
  /// In the order of evaluation; `unevaluated…` come last.
  var keywords: [SchemaKeyword] = []
  var title: String?
  var about: String?
}

enum SchemaKeyword: Sendable {
  case type(SchemaTypes)
  case enumeration([Value])
  case constant(Value)
  case bound(Bound, Value)
  case multipleOf(ExactDecimal, Value)
  case minLength(Int)
  case maxLength(Int)
  case pattern(SchemaPattern)
  case format(SchemaFormat, region: String?)
  case minItems(Int)
  case maxItems(Int)
  case uniqueItems
  case contains(Int, atLeast: Int, atMost: Int?)
  case prefixItems([Int])
  case items(Int, from: Int)
  case minProperties(Int)
  case maxProperties(Int)
  case required([String])
  case dependentRequired([(name: String, required: [String])])
  case properties(PropertyRules)
  case propertyNames(Int)
  case dependentSchemas([(name: String, node: Int)])
  case reference(Int)
  /// The node it means at first, and the anchor that a resource further out may have taken over.
  case dynamicReference(Int, anchor: String)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case conditional(test: Int, then: Int?, otherwise: Int?)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)

  enum Bound: String, Sendable {
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum
  }

  /// `properties`, `patternProperties` and `additionalProperties`, which need each other.
  struct PropertyRules: Sendable {
    var named: [(name: String, node: Int)] = []
    var patterns: [(pattern: SchemaPattern, node: Int)] = []
    var additional: Int?
    private var index: [ValueMap.Key: Int] = [:]

    mutating func add(_ name: String, _ node: Int) {
      named.append((name, node))
      index[.string(name)] = node
    }

    func node(of name: ValueMap.Key) -> Int? { index[name] }
  }
}

/// The types that `type` names.
struct SchemaTypes: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let object = SchemaTypes(rawValue: 4)
  static let array = SchemaTypes(rawValue: 8)
  static let number = SchemaTypes(rawValue: 16)
  static let string = SchemaTypes(rawValue: 32)
  static let integer = SchemaTypes(rawValue: 64)

  static let named: [(name: String, type: SchemaTypes, phrase: String)] = [
    ("string", .string, "a string"), ("integer", .integer, "an integer"), ("number", .number, "a number"), ("boolean", .boolean, "a bool"),
    ("array", .array, "a list"), ("object", .object, "an object"), ("null", .null, "null"),
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init?(name: String) {
    guard let entry = Self.named.first(where: { $0.name == name }) else { return nil }
    self = entry.type
  }

  /// The types that a value has; a whole number is an integer, however it was written.
  init(of value: Value) {
    switch value {
    case .null, .optional(nil): self = .null
    case .bool: self = .boolean
    case .int, .uint: self = [.integer, .number]
    case .double, .decimal:
      guard let number = ExactDecimal(value) else { self = []; return }
      self = number.isInteger ? [.integer, .number] : .number
    case .string, .bytes, .timestamp, .duration, .type: self = .string
    case .list: self = .array
    case .map: self = .object
    case .optional(let inner?), .secret(let inner): self.init(of: inner)
    }
  }

  /// Such as `a string or null`.
  var phrase: String {
    let phrases = Self.named.filter { contains($0.type) }.map(\.phrase)
    guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "nothing" }
    return phrases.dropLast().joined(separator: ", ") + " or " + last
  }
}
