/// A runtime value: JSON, CEL and secrecy in one type.
///
/// Secrecy is a case and not a flag, so that code which matches `.string` never sees a secret by accident.
/// Equality and order of *expressions* are CEL's; `==` here is structural (used by tests and assertions on data).
package enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  /// A JSON number that neither int64 nor a double holds exactly; the lexeme as it was written.
  indirect case decimal(String)
  case string(String)
  case bytes([UInt8])
  case list([Value])
  case map(ValueMap)
  case timestamp(Timestamp)
  case duration(TimeSpan)
  case type(String)
  indirect case optional(Value?)
  /// Never nested directly in another `.secret`; made by `hidden()`.
  indirect case secret(Value)
}

extension Value {
  /// The value marked secret; marking twice changes nothing.
  package func hidden() -> Value {
    if case .secret = self { return self }
    return .secret(self)
  }

  /// The value without its own mark; marks inside lists and maps stay.
  package var exposed: Value {
    if case .secret(let inner) = self { return inner }
    return self
  }

  /// The value without any mark, at any depth: for the wire alone.
  package var fullyExposed: Value {
    switch self {
    case .secret(let inner): inner.fullyExposed
    case .list(let items) where containsSecret: .list(items.map(\.fullyExposed))
    case .map(let map) where containsSecret: .map(map.mapValues(\.fullyExposed))
    case .optional(let inner?): .optional(inner.fullyExposed)
    default: self
    }
  }

  /// Whether it, or anything inside it, is secret.
  package var containsSecret: Bool {
    switch self {
    case .secret: true
    case .list(let items): items.contains(where: \.containsSecret)
    case .map(let map): map.contains { $0.value.containsSecret }
    case .optional(let inner?): inner.containsSecret
    default: false
    }
  }

  /// The value as reports show it: secrets replaced by the text `[secret]`.
  package var redacted: Value {
    switch self {
    case .secret: .string("[secret]")
    case .list(let items) where containsSecret: .list(items.map(\.redacted))
    case .map(let map) where containsSecret: .map(map.mapValues(\.redacted))
    case .optional(let inner?): inner.redacted
    default: self
    }
  }

  /// The name of its type, as diagnostics show it.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double, .decimal: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .list: "list"
    case .map: "map"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .type: "type"
    case .optional: "optional"
    case .secret(let inner): inner.typeName
    }
  }

  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var intValue: Int64? {
    switch self {
    case .int(let number): number
    case .uint(let number): Int64(exactly: number)
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }

  package var boolValue: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  package var listValue: [Value]? {
    if case .list(let items) = self { items } else { nil }
  }

  package var mapValue: ValueMap? {
    if case .map(let map) = self { map } else { nil }
  }

  /// The member of a map under a string key; nil for anything else.
  package subscript(_ key: String) -> Value? {
    if case .map(let map) = self { map[key] } else { nil }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .int(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(arrayLiteral elements: Value...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, Value)...) {
    var map = ValueMap()
    for (key, value) in elements { map[key] = value }
    self = .map(map)
  }
}
