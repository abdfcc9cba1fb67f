import JSONSchema
import Testing
import Values

@Suite struct SchemaTypeTests {
  @Test(arguments: [
    (#"true"#, ValueType.dyn), (#"{}"#, .dyn), (#"{"type": "string", "format": "phone"}"#, .string), (#"{"type": "integer"}"#, .int),
    (#"{"type": "number"}"#, .double), (#"{"type": "boolean"}"#, .bool), (#"{"type": "null"}"#, .null),
    (#"{"type": ["string", "null"]}"#, .nullable(.string)), (#"{"type": ["string", "integer"]}"#, .dyn),
    (#"{"type": ["integer", "number"]}"#, .double), (#"{"type": "array"}"#, .list(.dyn)),
    (#"{"type": "array", "items": {"type": "integer"}}"#, .list(.int)), (#"{"type": "object"}"#, .map(.string, .dyn)),
    (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, .map(.string, .int)),
    (#"{"enum": ["a", "b"]}"#, .string), (#"{"enum": ["a", null]}"#, .nullable(.string)), (#"{"const": 3}"#, .int),
    (#"{"enum": ["a", 1]}"#, .dyn), (#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, .nullable(.string)),
    (##"{"$defs": {"a": {"type": "integer"}}, "$ref": "#/$defs/a"}"##, .int),
  ])
  func readsTypes(_ schema: String, _ type: ValueType) throws {
    #expect(try Schema.compile(JSON.parse(schema)).valueType == type)
  }

  @Test func propertiesMakeARecord() throws {
    let schema = try Schema.compile([
      "properties": [
        "id": ["type": "integer", "description": "Its number."], "tags": ["type": "array", "items": ["type": "string"]],
        "owner": ["properties": ["login": ["type": "string"]], "additionalProperties": true],
      ],
      "required": ["id"],
    ])
    let owner = RecordType("`owner` of the body", [.init("login", .string, isOptional: true)], isOpen: true)
    #expect(
      schema.valueType(named: "the body")
        == .record(
          RecordType(
            "the body",
            [
              .init("id", .int, about: "Its number."), .init("tags", .list(.string), isOptional: true),
              .init("owner", .record(owner), isOptional: true),
            ])))
  }

  @Test func allOfJoinsRecords() throws {
    let schema = try Schema.compile([
      "title": "pet", "type": "object", "properties": ["a": ["type": "string"]], "required": ["b"],
      "allOf": [["properties": ["b": ["type": "integer"]]]],
    ])
    #expect(schema.valueType == .record(RecordType("pet", [.init("a", .string, isOptional: true), .init("b", .int)])))
  }

  @Test func recursionIsUnknown() throws {
    let schema = try Schema.compile(["title": "node", "properties": ["next": ["$ref": "#"]]])
    #expect(schema.valueType == .record(RecordType("node", [.init("next", .dyn, isOptional: true)])))
  }
}
