/// A static type, as the checker of expressions sees it.
package indirect enum ValueType: Hashable, Sendable {
  /// Known only at run time.
  case dyn
  case null
  case bool
  case int
  case uint
  case double
  case string
  case bytes
  case timestamp
  case duration
  case list(ValueType)
  case map(ValueType, ValueType)
  /// A map with known fields.
  case record(RecordType)
  /// The type or null.
  case nullable(ValueType)
  case optional(ValueType)
  /// A type as a value; nil is any type.
  case type(ValueType?)
  /// A type parameter of a function's signature.
  case parameter(String)
  /// Any other named type with its parameters.
  case abstract(String, [ValueType])
  /// The type of an expression that is already reported; silences what follows from it.
  case error
}

/// A map type whose fields are known by name.
package struct RecordType: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package var name: String
    package var type: ValueType
    /// Whether a value may lack it; reading it without a guard is a check error.
    package var isOptional: Bool
    package var about: String

    package init(_ name: String, _ type: ValueType, isOptional: Bool = false, about: String = "") {
      self.name = name
      self.type = type
      self.isOptional = isOptional
      self.about = about
    }
  }

  /// What diagnostics call it, such as ``the output of `rapidsos/register` ``.
  package var name: String
  package var fields: [Field]
  /// Whether values may hold further fields, of any type.
  package var isOpen: Bool

  package init(_ name: String, _ fields: [Field], isOpen: Bool = false) {
    self.name = name
    self.fields = fields
    self.isOpen = isOpen
  }

  package func field(_ name: String) -> Field? { fields.first { $0.name == name } }
}

extension ValueType: CustomStringConvertible {
  package var description: String {
    switch self {
    case .dyn: "dyn"
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list(let element): "list(\(element))"
    case .map(let key, let value): "map(\(key), \(value))"
    case .record(let record): record.name
    case .nullable(let type): "\(type) or null"
    case .optional(let type): "optional(\(type))"
    case .type(let type): type.map { "type(\($0))" } ?? "type"
    // A variable of the checker that stands for nothing yet.
    case .parameter(let name): name.hasPrefix("%") ? "dyn" : name
    case .abstract(let name, let parameters):
      parameters.isEmpty ? name : "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
    case .error: "error"
    }
  }
}

extension Value {
  /// Its type: of lists and maps no more than that they are one.
  package var staticType: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double, .decimal: .double
    case .string: .string
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .duration: .duration
    case .type: .type(nil)
    case .list: .list(.dyn)
    case .map: .map(.dyn, .dyn)
    case .optional: .optional(.dyn)
    case .secret(let inner): inner.staticType
    }
  }

  /// Its type with all that its members tell: a map with text keys is a record, open to further members.
  package func describedType(named name: String) -> ValueType {
    switch self {
    case .map(let map) where map.allSatisfy({ if case .string = $0.key { true } else { false } }):
      .record(RecordType(name, map.map { RecordType.Field($0.key.text, $0.value.describedType(named: "`\($0.key.text)`")) }))
    case .secret(let inner): inner.describedType(named: name)
    default: staticType
    }
  }
}
