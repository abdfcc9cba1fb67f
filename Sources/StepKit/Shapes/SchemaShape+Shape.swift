import Values

extension FieldConstraint {
  /// What is known of the shape before the value is; nil where the field's own shape says all of it.
  package var knownShape: Shape? {
    switch self {
    case .conforms(let schema): Shape(schema.valueType(named: "the schema"), source: schema.source)
    case .membersAreSchemas, .written: nil
    }
  }
}

extension Shape {
  /// The part of a JSON Schema that data with expressions can be checked against: members, and the types of leaves.
  fileprivate init(_ type: ValueType, source: Value?) {
    switch type {
    case .string: self = .string(TextRules())
    case .int: self = .int(NumberRules())
    case .double: self = .number(NumberRules())
    case .bool: self = .bool
    case .list(let element): self = .list(Shape(element, source: source?["items"]))
    case .map(_, let member): self = .map(Shape(member, source: source?["additionalProperties"]))
    case .nullable(let inner): self = .nullable(Shape(inner, source: source))
    case .record(let record):
      let fields = record.fields.map { field in
        RecordShape.Field(
          field.name, field.about, Shape(field.type, source: source?["properties"]?[field.name]), isRequired: !field.isOptional)
      }
      // JSON Schema lets further members through unless it says otherwise, whatever expressions may read.
      self = .record(RecordShape(fields, isOpen: source?["additionalProperties"] != false))
    case .dyn, .null, .uint, .bytes, .timestamp, .duration, .optional, .type, .parameter, .abstract, .error: self = .any
    }
  }
}
