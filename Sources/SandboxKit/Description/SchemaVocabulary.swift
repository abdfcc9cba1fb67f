package import Values

/// The words of JSON Schema that descriptions are written in, for a type that adopts it: `text`, `list(of:)`, `object(…)`.
package protocol SchemaVocabulary {}

extension SchemaVocabulary {
  package static var text: Value { ["type": "string"] }
  /// A text that is not empty.
  package static var filled: Value { ["type": "string", "minLength": 1] }
  package static var maybeText: Value { ["type": ["string", "null"]] }
  package static var flag: Value { ["type": "boolean"] }
  package static var whole: Value { ["type": "integer"] }
  /// A whole number that is not negative.
  package static var count: Value { ["type": "integer", "minimum": 0] }
  /// Any object.
  package static var free: Value { ["type": "object"] }
  package static var time: Value { ["type": "string", "format": "date-time"] }
  package static var maybeTime: Value { ["type": ["string", "null"], "format": "date-time"] }
  /// What `GivenMap.span` reads.
  package static var duration: Value { ["type": ["string", "number"]] }

  /// A list; `about` says of what.
  package static func list(of item: Value, _ about: String? = nil) -> Value {
    let list: Value = ["type": "array", "items": item]
    return about.map { list.described($0) } ?? list
  }

  /// One of the names that an enumeration has.
  package static func names<Name: RawRepresentable & CaseIterable>(_: Name.Type, _ about: String) -> Value where Name.RawValue == String {
    ["enum": .list(Name.allCases.map { .string($0.rawValue) }), "description": .string(about)]
  }

  /// An object with these members and no others; all must be there but those whose name ends in `?`.
  /// - Parameter required: the names that must be there, where the names do not say it.
  package static func object(_ members: [(String, Value)], required: [String]? = nil) -> Value {
    var properties = ValueMap()
    var unmarked: [String] = []
    for (name, schema) in members {
      let isOptional = name.hasSuffix("?")
      properties[isOptional ? String(name.dropLast()) : name] = schema
      if !isOptional { unmarked.append(name) }
    }
    var map = ValueMap()
    map["type"] = "object"
    map["properties"] = .map(properties)
    let names = required ?? unmarked
    if !names.isEmpty { map["required"] = .list(names.map { .string($0) }) }
    map["additionalProperties"] = false
    return .map(map)
  }

  /// The same with further members beside them.
  package static func open(_ members: [(String, Value)], required: [String]? = nil) -> Value {
    guard case .map(var map) = object(members, required: required) else { return free }
    map["additionalProperties"] = nil
    return .map(map)
  }

  /// An object with some of these members and no others.
  package static func closed(_ members: [(String, Value)], required: [String] = []) -> Value { object(members, required: required) }
}

extension Value {
  /// A schema with what it means.
  package func described(_ about: String) -> Value {
    guard case .map(var map) = self else { return self }
    map["description"] = .string(about)
    return .map(map)
  }
}
