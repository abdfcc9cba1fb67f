import Values

/// The pieces of which the schemas are built: keywords that draft-07 and 2020-12 both know, since editors know the
/// one and the published files are the other.
extension Value {
  /// The dialect of the published schemas.
  static let dialect: Value = "https://json-schema.org/draft/2020-12/schema"

  static func ref(_ name: String) -> Value { ["$ref": .string("#/$defs/\(name)")] }

  static func texts(_ texts: [String]) -> Value { .list(texts.map { .string($0) }) }

  static func choice(_ words: [String]) -> Value { ["type": "string", "enum": .texts(words)] }

  static func anyOf(_ schemas: Value...) -> Value { ["anyOf": .list(schemas)] }

  static func list(of item: Value) -> Value { ["type": "array", "minItems": 1, "items": item] }

  /// One or a list of at least one.
  static func oneOrMore(_ item: Value) -> Value { .anyOf(item, .list(of: item)) }

  /// A map with names of the author's choice.
  static func named(_ member: Value) -> Value { ["type": "object", "additionalProperties": member] }

  /// An object that has no other members than these.
  static func closed(_ properties: Value, required: [String] = []) -> Value {
    var map = object(properties, required: required).mapValue ?? ValueMap()
    map["additionalProperties"] = false
    return .map(map)
  }

  /// An object with these members and maybe others.
  static func object(_ properties: Value, required: [String] = []) -> Value {
    var map = ValueMap()
    map["type"] = "object"
    map["properties"] = properties
    if !required.isEmpty { map["required"] = .texts(required) }
    return .map(map)
  }

  /// Where the member has this value, the second schema holds too.
  static func when(_ member: String, is value: Value, then: Value) -> Value { ["if": has(member, value), "then": then] }

  /// An object whose member has this value.
  static func has(_ member: String, _ value: Value) -> Value {
    ["properties": .map(member, ["const": value]), "required": [.string(member)]]
  }

  static func required(_ names: String...) -> Value { ["required": .texts(names)] }

  /// A value for which some of these hold, as a condition.
  static func any(_ schemas: [Value]) -> Value { schemas.count == 1 ? schemas[0] : ["anyOf": .list(schemas)] }

  /// An object that has none of these members.
  static func lacks(_ names: String...) -> Value { lacks(names) }

  static func lacks(_ names: [String]) -> Value {
    var properties = ValueMap()
    for name in names { properties[name] = false }
    return ["properties": .map(properties)]
  }

  /// By the shape of what stands there, so that editors show what is wrong inside of a map.
  static func whereMap(_ map: Value, else other: Value) -> Value { .where(["type": "object"], map, else: other) }

  static func `where`(_ condition: Value, _ then: Value, else other: Value) -> Value {
    ["if": condition, "then": then, "else": other]
  }

  static func description(_ text: String) -> Value { ["description": .string(text)] }

  static func definitions(_ definitions: [(String, Value)]) -> Value {
    var map = ValueMap()
    for (name, schema) in definitions { map[name] = schema }
    return .map(map)
  }

  static func integer(from least: Int, _ text: String) -> Value {
    ["description": .string(text), "type": "integer", "minimum": .int(Int64(least))]
  }

  static func flag(_ text: String) -> Value { ["description": .string(text), "type": "boolean"] }

  /// `baton: 1`
  static var version: Value { ["description": "The version of the language: 1. May be left out.", "const": 1] }

  static var tags: Value { ["type": "array", "items": .ref("text")] }

  static func map(_ name: String, _ value: Value) -> Value {
    var map = ValueMap()
    map[name] = value
    return .map(map)
  }

  /// The schema with what an editor shows beside it, which stands first.
  func described(_ text: String) -> Value {
    var map = ValueMap()
    map["description"] = .string(text)
    return .map(map).joined(with: self)
  }

  func with(_ keyword: String, _ value: Value) -> Value { joined(with: .map(keyword, value)) }

  /// The members of both; those of the second win.
  func joined(with other: Value) -> Value {
    var map = mapValue ?? ValueMap()
    for (key, value) in other.mapValue ?? ValueMap() { map[key] = value }
    return .map(map)
  }
}
