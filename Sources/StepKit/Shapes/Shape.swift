package import Values

/// The shape of a value as a step declares it: one source for validation, JSON Schema, the types of expressions
/// and the catalogue.
package indirect enum Shape: Hashable, Sendable {
  /// Any JSON value.
  case any
  case string(TextRules)
  case int(NumberRules)
  case number(NumberRules)
  case bool
  case choice([String])
  case list(Shape)
  /// Keys are text.
  case map(Shape)
  case record(RecordShape)
  /// The shape, or null.
  case nullable(Shape)
  /// The shape; its value may be secret, and stays so.
  case secret(Shape)
  /// A number or a text that reads as one; providers disagree with themselves.
  case numberOrText
}

/// Bounds in Unicode scalars, and a format.
package struct TextRules: Hashable, Sendable {
  package var minLength: Int?
  package var maxLength: Int?
  package var format: TextFormat?

  package init(minLength: Int? = nil, maxLength: Int? = nil, format: TextFormat? = nil) {
    self.minLength = minLength
    self.maxLength = maxLength
    self.format = format
  }
}

/// Formats that a shape asserts.
package enum TextFormat: String, Hashable, Sendable {
  case email
  case uri
  case phone
  case dateTime = "date-time"
}

/// Bounds, both included.
package struct NumberRules: Hashable, Sendable {
  package var minimum: Double?
  package var maximum: Double?

  package init(minimum: Double? = nil, maximum: Double? = nil) {
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// An object with named fields.
package struct RecordShape: Hashable, Sendable {
  /// One member that the record names.
  package struct Field: Hashable, Sendable {
    package var name: String
    /// One sentence for the catalogue and editors.
    package var about: String
    package var shape: Shape
    /// Whether it must be given.
    package var isRequired: Bool
    /// What stands in for it where it is left out.
    package var fallback: Value?
    /// What it asks of its value beside the shape.
    package var constraint: FieldConstraint?

    package init(
      _ name: String, _ about: String, _ shape: Shape, isRequired: Bool, fallback: Value? = nil, constraint: FieldConstraint? = nil
    ) {
      self.name = name
      self.about = about
      self.shape = shape
      self.isRequired = isRequired
      self.fallback = fallback
      self.constraint = constraint
    }
  }

  package var fields: [Field]
  /// Whether further members are let through unread.
  package var isOpen: Bool

  package init(_ fields: [Field], isOpen: Bool = false) {
    self.fields = fields
    self.isOpen = isOpen
  }

  /// The field of this name; nil where there is none.
  package func field(_ name: String) -> Field? { fields.first { $0.name == name } }

  /// The same record with a constraint on one of its fields.
  package func constraining(_ name: String, by constraint: FieldConstraint) -> RecordShape {
    var copy = self
    if let index = copy.fields.firstIndex(where: { $0.name == name }) { copy.fields[index].constraint = constraint }
    return copy
  }

  /// The same record with another shape for one of its fields.
  package func replacing(_ name: String, with shape: Shape) -> RecordShape {
    var copy = self
    if let index = copy.fields.firstIndex(where: { $0.name == name }) { copy.fields[index].shape = shape }
    return copy
  }
}
