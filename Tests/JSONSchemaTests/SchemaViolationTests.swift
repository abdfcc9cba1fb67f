import JSONSchema
import TestKit
import Testing
import Values

@Suite struct SchemaViolationTests {
  private func messages(_ schema: Value, _ value: Value) throws -> [String] {
    try Schema.compile(schema).validate(value).map(\.message)
  }

  private static func property(_ schema: Value) -> Value { ["properties": ["x": schema]] }

  @Test(
    arguments: [
      (["type": "string"], 1, "`x` must be a string, not an integer"),
      (["type": ["string", "null"]], 1.5, "`x` must be a string or null, not a number"),
      (["type": "integer"], "1", "`x` must be an integer, not a string"),
      (["enum": ["digits", 2]], "morse", "`x` must be one of `digits`, `2`"), (["const": true], false, "`x` must be `true`"),
      (["minLength": 7], "short", "`x` must be at least 7 characters"), (["maxLength": 1], "no", "`x` must be at most 1 character"),
      (["pattern": "^a+$"], "b", "`x` must match `^a+$`"), (["minimum": 1], 0, "`x` must be at least 1"),
      (["exclusiveMaximum": 0.5], 0.5, "`x` must be less than 0.5"), (["multipleOf": 0.01], 0.015, "`x` must be a multiple of 0.01"),
      (["minItems": 1], [], "`x` must have at least 1 item"),
      (["uniqueItems": true], [1, 2, 1.0], "`x` must not hold one item twice, as at 0 and 2"),
      (["items": false, "prefixItems": [true]], [1, 2], "`x` must have at most 1 item"),
      (["contains": ["type": "string"]], [1], "`x` must hold at least 1 item of the form under `contains`, not 0"),
      (["required": ["y"]], [:], "`x.y` is missing"),
      (["dependentRequired": ["a": ["b"]]], ["a": 1], "`x.b` is missing; it is needed with `a`"),
      (["additionalProperties": false], ["y": 1], "unknown key `y` in `x`"),
      (["unevaluatedProperties": false], ["y": 1], "unknown key `y` in `x`"),
      (["propertyNames": ["maxLength": 1]], ["yy": 1], "the name `yy` is not allowed: `yy` must be at most 1 character"),
      (["items": ["properties": ["name": ["type": "string"]]]], [["name": 1]], "`x[0].name` must be a string, not an integer"),
      (["not": ["type": "string"]], "", "`x` has a form that is not allowed"), (false, 1, "`x` is not allowed"),
      (
        ["anyOf": [["type": "string"], ["minimum": 5]]], 3,
        "`x` matches none of its 2 forms; the closest says: `x` must be a string, not an integer"
      ),
      (["oneOf": [["type": "integer"], ["minimum": 2]]], 3, "`x` matches 2 forms of which exactly one is allowed"),
      (["format": "phone"], "12", "`x` is not a valid phone number"),
      (["format": "date"], "2026-02-29", "`x` is not a valid date, such as `2026-01-31`"),
    ] as [(Value, Value, String)])
  func saysWhatIsWrong(_ schema: Value, _ value: Value, _ message: String) throws {
    #expect(try messages(Self.property(schema), ["x": value]) == [message])
  }

  @Test func namesAllPlaces() throws {
    let schema = try Schema.compile([
      "$defs": ["id": ["type": "integer"]],
      "properties": ["a/b": ["items": ["$ref": "#/$defs/id"]], "c": ["minLength": 2]], "required": ["d"], "additionalProperties": false,
    ])
    let violations = schema.validate(["a/b": [1, "x"], "c": "", "e": 1])
    #expect(violations.map(\.instancePath) == ["", "/a~1b/1", "/c", "/e"])
    #expect(violations.map(\.schemaPath) == ["#/required", "#/$defs/id/type", "#/properties/c/minLength", "#/additionalProperties"])
    #expect(violations.last?.knownKeys == ["a/b", "c"])
  }

  @Test func aSecretIsCheckedAndNeverShown() throws {
    let schema = try Schema.compile(["properties": ["pin": ["type": "string", "minLength": 4, "enum": ["aaaa"]]]])
    let violations = schema.validate(["pin": Value.string("1234").hidden()])
    #expect(violations.map(\.message) == ["`pin` must be one of `aaaa`"])
  }

  @Test(arguments: [
    (
      #"{"type": "text"}"#, "unknown type `text`; the types are `string`, `integer`, `number`, `boolean`, `array`, `object`, `null`",
      "/type"
    ),
    (#"{"minLength": -1}"#, "`minLength` must be a whole number, 0 or more", "/minLength"),
    (#"{"properties": {"a": {"pattern": "("}}}"#, "`(` is not a valid regular expression", "/properties/a/pattern"),
    (##"{"$ref": "#/$defs/x"}"##, "`#/$defs/x` refers to nothing", "/$ref"),
    (#"{"$ref": "https://example.test/x"}"#, "`https://example.test/x` refers to a document that is not known", "/$ref"),
    (
      ##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}"##, "the schema refers to itself without end",
      "/$defs/a/allOf/0"
    ),
    (#"{"items": 3}"#, "a schema must be an object or a bool", "/items"),
    (
      #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#,
      "the dialect `http://json-schema.org/draft-07/schema#` is not known; schemas are draft 2020-12", "/$schema"
    ),
  ])
  func aBadSchemaIsRefused(_ text: String, _ message: String, _ pointer: String) throws {
    let schema = try JSON.parse(text)
    #expect(throws: SchemaError(message, at: pointer)) { try Schema.compile(schema) }
  }

  @Test func aRecursiveSchemaTakesADeepValue() throws {
    let schema = try Schema.compile(["properties": ["next": ["$ref": "#"]], "additionalProperties": false])
    var value: Value = [:]
    for _ in 0..<127 { value = ["next": value] }
    #expect(schema.accepts(value))
  }

  @Test func largeNumbersAreExact() throws {
    let schema = try Schema.compile(JSON.parse(#"{"maximum": 9007199254740993, "multipleOf": 0.1}"#))
    #expect(schema.accepts(.int(9_007_199_254_740_993)))
    #expect(!schema.accepts(.int(9_007_199_254_740_994)))
    #expect(!schema.accepts(try JSON.parse("9007199254740993.0000000001")))
    #expect(try Schema.compile(["multipleOf": 0.5]).accepts(1e308))
  }
}
