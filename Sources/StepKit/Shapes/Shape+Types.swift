package import Values

extension Shape {
  /// The type that expressions see.
  package func valueType(named name: String) -> ValueType {
    switch self {
    case .any, .numberOrText: .dyn
    case .string, .choice: .string
    case .int: .int
    case .number: .double
    case .bool: .bool
    case .list(let element): .list(element.valueType(named: "an item of \(name)"))
    case .map(let member): .map(.string, member.valueType(named: "a member of \(name)"))
    case .record(let record): .record(record.recordType(named: name))
    case .nullable(let shape): .nullable(shape.valueType(named: name))
    case .secret(let shape): shape.valueType(named: name)
    }
  }

  /// The JSON Schema (2020-12) of the shape.
  package var jsonSchema: Value {
    switch self {
    case .any: return [:]
    case .string(let rules):
      var map: ValueMap = ValueMap()
      map["type"] = "string"
      map["minLength"] = rules.minLength.map { .int(Int64($0)) }
      map["maxLength"] = rules.maxLength.map { .int(Int64($0)) }
      map["format"] = rules.format.map { .string($0.rawValue) }
      return .map(map)
    case .int(let rules): return rules.jsonSchema(type: "integer")
    case .number(let rules): return rules.jsonSchema(type: "number")
    case .numberOrText: return ["type": ["number", "string"]]
    case .bool: return ["type": "boolean"]
    case .choice(let choices): return ["enum": .list(choices.map { .string($0) })]
    case .list(let element): return ["type": "array", "items": element.jsonSchema]
    case .map(let member): return ["type": "object", "additionalProperties": member.jsonSchema]
    case .record(let record): return record.jsonSchema
    case .nullable(let shape): return ["anyOf": [shape.jsonSchema, ["type": "null"]]]
    case .secret(let shape): return shape.jsonSchema
    }
  }
}

extension NumberRules {
  fileprivate func jsonSchema(type: String) -> Value {
    var map = ValueMap()
    map["type"] = .string(type)
    map["minimum"] = minimum.map { .double($0) }
    map["maximum"] = maximum.map { .double($0) }
    return .map(map)
  }
}

extension RecordShape.Field {
  /// The JSON Schema that its value must satisfy, where it is given as one.
  fileprivate var schemaSource: Value? {
    switch constraint {
    case .conforms(let schema): schema.source
    case .written(let form): form.stated(in: shape.jsonSchema)
    case .membersAreSchemas, nil: nil
    }
  }
}

extension RecordShape {
  /// The type that expressions see; a field without fallback that need not be given is optional.
  package func recordType(named name: String) -> RecordType {
    RecordType(
      name,
      fields.map {
        RecordType.Field(
          $0.name, $0.shape.valueType(named: "`\($0.name)` of \(name)"), isOptional: !$0.isRequired && $0.fallback == nil, about: $0.about)
      },
      isOpen: isOpen)
  }

  /// The JSON Schema (2020-12) of the record.
  package var jsonSchema: Value {
    var properties = ValueMap()
    for field in fields {
      var schema = field.schemaSource?.mapValue ?? field.shape.jsonSchema.mapValue ?? ValueMap()
      if !field.about.isEmpty { schema["description"] = .string(field.about) }
      schema["default"] = field.fallback
      properties[field.name] = .map(schema)
    }
    var map = ValueMap()
    map["type"] = "object"
    map["properties"] = .map(properties)
    let required = fields.filter(\.isRequired).map { Value.string($0.name) }
    if !required.isEmpty { map["required"] = .list(required) }
    if !isOpen { map["additionalProperties"] = false }
    return .map(map)
  }
}
