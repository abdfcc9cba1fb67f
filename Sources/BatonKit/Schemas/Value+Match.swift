import Values

extension Value {
  /// Data in which matchers may stand for values: `expect.body` of a step, `expect.outputs` of a case.
  static var match: Value {
    // A misspelt matcher would be compared as a text; `$5` is a text.
    let word: Value = ["type": "string", "pattern": "^\\$[a-z_]+$"]
    return Value.description(matchText).joined(with: [
      "examples": .texts(plainMatchers),
      "if": word, "then": ["enum": .texts(plainMatchers)],
      "properties": [
        "$regex": ["description": "A regular expression that a text must match, such as `{ $regex: \"^A-[0-9]+$\" }`.", "type": "string"],
        "$between": [
          "description": "The least and the greatest number, both included, such as `{ $between: [1, 100] }`.", "type": "array",
          "minItems": 2, "maxItems": 2, "items": .anyOf(["type": "number"], ["type": "string", "pattern": #"\$\{\{"#]),
        ],
      ],
      "propertyNames": ["if": word, "then": ["enum": .texts(keyedMatchers)]],
      "allOf": [["if": .any(keyedMatchers.map { .required($0) }), "then": ["maxProperties": 1]]],
      "additionalProperties": .ref("match"), "items": .ref("match"),
    ])
  }

  private static let plainMatchers = ["$any", "$string", "$number", "$uuid", "$absent"]
  private static let keyedMatchers = ["$regex", "$between"]

  static let matchText =
    "What there must be: objects match as a subset, lists exactly. A matcher may stand for a value: `$any`, `$string`, `$number`, `$uuid`, `$absent` (no such member), `{ $regex: PATTERN }`, `{ $between: [LEAST, GREATEST] }`."
}
