import JSONSchema
import Values

/// `inputs`: a type's name, or a JSON Schema with a few keys of our own.
extension FlowSchema {
  var inputs: Value {
    Value.named(.ref("input")).with("allOf", [.ref("literals")]).described(
      "What the flow is given, by name: a type such as `string`, or a JSON Schema. Read as `inputs.NAME`; required unless it has a `default` or is `optional`."
    )
  }

  var state: Value {
    Value.named(.ref("state")).with("allOf", [.ref("literals")]).described(
      "What lasts between runs, by name, with its type: `cursor: { type: string, default: \"\" }`. Read as `state.NAME`, set by `set: { state.NAME: … }`; `baton state` shows it."
    )
  }

  var inputParts: [(String, Value)] {
    let region: Value = [
      "region": [
        "description": "With `format: phone`: where numbers without a country's code belong. `US` takes ten digits, or eleven from 1.",
        "type": "string", "examples": ["US"],
      ]
    ]
    let own: Value = [
      "optional": .flag("Whether it may be left out without a default; the flow tests it with `has(inputs.NAME)`."),
      "secret": .flag("Whether its value is hidden in everything that is shown."),
    ]
    return [
      ("input", .anyOf(Self.typeName, .closed(keywords.joined(with: own).joined(with: region)))),
      // It has a value before the first run, and no file that holds secrets.
      (
        "state",
        Value.closed(keywords.joined(with: region), required: ["default"]).described(
          "A JSON Schema with the `default` that stands before the first run.")
      ),
      ("objectSchema", ["description": "A JSON Schema (2020-12).", "type": "object", "properties": keywords]),
      ("schema", ["description": "A JSON Schema (2020-12).", "type": ["object", "boolean"], "properties": keywords]),
    ]
  }

  private static let types = ["string", "integer", "number", "boolean", "object", "array", "null"]
  private static let typeName = Value.choice(types).described("The type of the value.")

  /// Those that flows use are described; the others of JSON Schema are known by name.
  private var keywords: Value {
    var members = Self.described.mapValue ?? ValueMap()
    for keyword in Schema.keywords.sorted() where members[keyword] == nil { members[keyword] = [:] }
    return .map(members)
  }

  private static let described: Value = [
    "type": Value.anyOf(.choice(types), .list(of: .choice(types))).described("The type of the value, or several."),
    "description": ["description": "What it is, for whoever runs the flow.", "type": "string"],
    "default": ["description": "What it is where it is not given; it must satisfy the schema."],
    "enum": ["description": "The values that it may have.", "type": "array"],
    "const": ["description": "The one value that it may have."],
    "format": [
      "description": "The form of a text. `phone` takes any notation and makes it E.164.", "type": "string",
      "examples": ["email", "phone", "uri", "uuid", "date", "time", "date-time", "ipv4", "ipv6", "hostname"],
    ],
    "pattern": ["description": "A regular expression that a text must match (RE2).", "type": "string"],
    "minLength": ["description": "The least number of characters.", "type": "integer", "minimum": 0],
    "maxLength": ["description": "The greatest number of characters.", "type": "integer", "minimum": 0],
    "minimum": ["description": "The least number.", "type": "number"],
    "maximum": ["description": "The greatest number.", "type": "number"],
    "items": Value.ref("schema").described("The schema of each item of a list."),
    "minItems": ["description": "The least number of items.", "type": "integer", "minimum": 0],
    "maxItems": ["description": "The greatest number of items.", "type": "integer", "minimum": 0],
    "properties": Value.named(.ref("schema")).described("The schemas of an object's members, by name."),
    "required": ["description": "The members that an object must have.", "type": "array", "items": ["type": "string"]],
    "additionalProperties": Value.ref("schema").described("The schema of members that `properties` does not name; `false` for none."),
  ]
}
