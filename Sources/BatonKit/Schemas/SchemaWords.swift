import Values

/// The scalars that the schemas of flows, scenarios and projects share: literals, templates and bare expressions.
enum SchemaWords {
  /// For `$defs` of each schema: literals, lengths of time and conditions.
  static var literals: [(String, Value)] { [("text", text), ("literal", literal), ("literals", .named(.ref("literal")))] }
  static var expressions: [(String, Value)] { [("expression", expression), ("duration", duration)] }
  static var templates: [(String, Value)] {
    [
      ("template", template), ("text", text), ("templateText", ["type": "string", "minLength": 1]), ("name", name),
      ("durationOrTemplate", .anyOf(.ref("duration"), .ref("template"))),
    ]
  }

  private static var template: Value {
    [
      "description": "A text with expressions in `${{ }}`; one expression alone keeps its type.", "type": "string",
      "pattern": #"\$\{\{"#,
    ]
  }

  /// A literal: no expression may stand in it.
  private static var text: Value { ["type": "string", "minLength": 1, "not": ["pattern": #"\$\{\{"#]] }

  /// Data without an expression anywhere in it.
  private static var literal: Value {
    [
      "if": ["type": "string"], "then": ["not": ["pattern": #"\$\{\{"#]], "items": .ref("literal"),
      "additionalProperties": .ref("literal"),
    ]
  }

  /// YAML reads `true` and `0` as what they are, and both are CEL. One `${{ }}` around the whole is allowed.
  private static var expression: Value {
    [
      "description": "A CEL expression, without `${{ }}`.", "type": ["string", "boolean", "number"], "minLength": 1,
      "if": ["type": "string", "pattern": #"\$\{\{"#], "then": ["pattern": #"^\s*\$\{\{[\s\S]*\}\}\s*$"#],
    ]
  }

  private static var duration: Value {
    [
      "description": "A length of time with its unit: `500ms`, `30s`, `5m`, `1h`, `1m30s`.", "type": "string", "minLength": 1,
      "pattern": #"^([0-9]+(\.[0-9]+)?h)?([0-9]+(\.[0-9]+)?m)?([0-9]+(\.[0-9]+)?s)?([0-9]+(\.[0-9]+)?ms)?$"#,
    ]
  }

  /// What stands after a dot in expressions.
  private static var name: Value { ["type": "string", "pattern": "^[a-z][a-z0-9_]*$"] }
}
