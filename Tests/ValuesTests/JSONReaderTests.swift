import TestKit
import Testing
import Values

@Suite struct JSONReaderTests {
  @Test func keepsTheOrderOfNames() throws {
    let value = try JSON.parse(#"{"z": 1, "a": [true, null, "x"], "m": {}}"#)
    #expect(value.mapValue?.map(\.key.text) == ["z", "a", "m"])
    #expect(value == ["z": 1, "a": [true, .null, "x"], "m": [:]])
  }

  @Test(arguments: [
    ("0", Value.int(0)), ("-7", .int(-7)), ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("1.0", .double(1)), ("1e2", .double(100)), ("0.1", .double(0.1)), ("-2.5E-3", .double(-0.0025)),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("5e-324", .double(.leastNonzeroMagnitude)), ("0e999", .double(0)),
    ("1000000000000000000000000", .double(1e24)), ("0.30000000000000004", .double(0.1 + 0.2)),
    // What neither holds keeps its lexeme.
    ("9223372036854775808", .decimal("9223372036854775808")), ("1e400", .decimal("1e400")), ("1e-400", .decimal("1e-400")),
    ("0.1000000000000000055", .decimal("0.1000000000000000055")), ("3.14159265358979323846", .decimal("3.14159265358979323846")),
  ])
  func losesNoNumber(_ text: String, _ expected: Value) throws {
    #expect(try JSON.parse(text) == expected)
  }

  @Test(arguments: [
    (#""\u00e9\"\\\/\b\f\n\r\t""#, "é\"\\/\u{8}\u{C}\n\r\t"), (#""\ud83d\ude00 x""#, "😀 x"), (#""naïve \u0000""#, "naïve \0"),
    (#""""#, ""),
  ])
  func readsEscapes(_ text: String, _ expected: String) throws {
    #expect(try JSON.parse(text) == .string(expected))
  }

  @Test(arguments: [
    ("[1, 1️⃣]", "expected a value"), ("[1 1️⃣2]", "expected `,` or `]`"), (#"{1️⃣a: 1}"#, "expected a name in double quotes"),
    (#"{"a" 1️⃣1}"#, "expected `:`"), (#"{"a": 1, 1️⃣}"#, "expected a name in double quotes"), ("1️⃣nul", "expected `null`"),
    ("1️⃣", "the text ends where a value should stand"), ("true 1️⃣x", "the text goes on after its value"),
    ("1️⃣01", "a number must not start with a zero"), ("1.1️⃣", "expected a digit"), (#"1️⃣"abc"#, "the string is not closed"),
    (#"1️⃣"a\n"#, "the string is not closed"), (#""a1️⃣\x""#, "unknown escape in a string"),
    ("\"a1️⃣\n\"", "a control character in a string must be escaped"), (#""1️⃣\ud800 ""#, "half of a surrogate pair in a string"),
    (#""1️⃣\u12g4""#, "`\\u` needs four hexadecimal digits"),
  ])
  func saysWhereItStopped(_ marked: String, _ message: String) {
    let text = MarkedText(marked)
    #expect(throws: JSONError(message, at: text["1️⃣"])) { try JSON.parse(text.text) }
  }

  @Test func refusesInvalidUTF8() {
    #expect(throws: JSONError("invalid UTF-8", at: 1)) { try JSON.parse([0x22, 0xFF, 0x22]) }
  }

  @Test func refusesANameThatStandsTwice() {
    let text = MarkedText(#"{"x": {1️⃣"a": {"a": [2]}, "b": 2, 2️⃣"\u0061": 3}}"#)
    let error = JSONError("the name `a` stands twice in one object", at: text["2️⃣"], firstOffset: text["1️⃣"])
    #expect(throws: error) { try JSON.parse(text.text) }
  }

  @Test func namesThatOnlyLookAlikeAreTwo() throws {
    // é as one scalar and as two: canonically equivalent, and equal for Swift's own strings.
    #expect(try JSON.parse("{\"\u{E9}\": 1, \"e\u{301}\": 2}").mapValue?.count == 2)
  }

  @Test func theLastOfTwoNamesWinsWhereTolerated() throws {
    #expect(try JSON.parse(#"{"a": 1, "b": 2, "a": 3}"#, options: .tolerant) == ["a": 3, "b": 2])
  }

  @Test func nestingEndsInAnErrorAndNotInACrash() throws {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError("more than 128 levels of nesting", at: 128)) { try JSON.parse(deep) }
    let allowed = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(throws: Never.self) { try JSON.parse(allowed) }
  }
}
