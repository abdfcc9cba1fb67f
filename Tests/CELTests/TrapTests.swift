import CEL
import Testing
import Values

/// What implementations of CEL get wrong; `docs/expressions.md` names them.
@Suite("Where implementations go wrong")
struct TrapTests {
  @Test(
    "texts are compared and counted by code points",
    arguments: [
      ("'\\u00e9' == 'e\\u0301'", false), ("'e\\u0301'.contains('\\u00e9')", false), ("'\\U0001F469\\u200d\\U0001F4BB'.size()", 3),
      // Swift's own order has it the other way round, by UTF-16 it is, too.
      ("'\\uffff' < '\\U00010000'", true), ("{'\\u00e9': 1, 'e\\u0301': 2}.size()", 2), ("'\\r\\n'.size()", 2),
      ("'abc'.endsWith('bc') && !'bc'.endsWith('abc') && 'abc'.startsWith('') && 'abc'.contains('')", true),
      ("'aaaaaaaaaaaaaaaaaaab'.contains('aaaaaaaaaaaaaaaaaab') && !'aab'.contains('aba')", true),
    ] as [(String, Value)])
  func texts(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source) == expected)
  }

  @Test(
    "numbers are compared across types, and found as keys",
    arguments: [
      ("9223372036854775807 < 9223372036854775808.0", false), ("1u == 1.0 && 1 == 1u", true), ("{1: 'a'}[1.0]", "a"), ("{1: 'a'}[1u]", "a"),
      ("1.0 in {1: 'a'}", true), ("1.5 in {1: 'a'}", false), ("-9223372036854775808 < 0", true),
    ] as [(String, Value)])
  func numbers(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source) == expected)
  }

  @Test(
    "what decides wins over an error on the other side",
    arguments: [
      ("1 / 0 == 1 || true", true), ("false && 1 / 0 == 1", false), ("1 / 0 == 1 && false", false), ("dyn('x') || true", true),
      ("[0, 1].exists(i, 1 / i == 1)", true), ("[0, 2].all(i, 1 / i == 1)", false), ("has({'foo': optional.none()}.foo.bar)", false),
      ("duration('1.5s').getMilliseconds()", 500), ("'aGk'.size() == 3 ? string(base64.decode('aGk')) : ''", "hi"),
    ] as [(String, Value)])
  func absorbed(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source) == expected)
  }

  @Test(
    "some errors are not to be swallowed",
    arguments: [
      "{0: 1, 0u: 2}", "{'a': 1, 'a': 2}", "{3: 'a'}[3.1]", "[0, 1].exists_one(i, 1 / i == 1)", "[0].map(i, 1 / i)",
      "[0].filter(i, 1 / i == 1)", "9223372036854775807 + 1", "18446744073709551615u + 1u", "0u - 1u", "1 / 0", "1 % 0", "1u / 0u",
      "-(-9223372036854775808)", "'x'.indexOf('a', 30)", "timestamp('9999-12-31T23:59:59Z') + duration('1s')",
      "timestamp('0001-01-01T00:00:00Z') - duration('1ns')", "duration('9223372036s') + duration('1s')",
    ])
  func errors(source: String) {
    #expect(throws: EvaluationError.self) { try Sample.evaluate(source) }
  }

  @Test("an expression may be as large as people write them")
  func capacity() throws {
    let ones = Array(repeating: "1", count: 40)
    #expect(try Sample.evaluate("[\(ones.joined(separator: ", "))].size()") == 40)
    #expect(try Sample.evaluate("{\((0..<40).map { "\($0): 1" }.joined(separator: ", "))}.size()") == 40)
    #expect(try Sample.evaluate("math.greatest(\(ones.joined(separator: ", ")))") == 1)
    #expect(try Sample.evaluate(ones.joined(separator: " + ")) == 40)
    #expect(try Sample.evaluate(ones.map { "\($0) == 1" }.joined(separator: " && ")) == true)
    #expect(try Sample.evaluate(String(repeating: "amount == 1 ? 2 : ", count: 24) + "3", [1: 0]) == 3)
    #expect(try Sample.evaluate(String(repeating: "[", count: 12) + "7" + String(repeating: "][0]", count: 12)) == 7)
    #expect(try Sample.evaluate((0..<12).reduce("items") { inner, _ in "\(inner).map(i, i + 1)" } + "[0]", [5: [1]]) == 13)
  }

  @Test("a field whose name is no identifier is quoted")
  func quoted() throws {
    #expect(try Sample.evaluate("body.`content-type`", [3: ["content-type": "text/plain"]]) == "text/plain")
    #expect(try Sample.evaluate("has(body.`content-type`)", [3: [:]]) == false)
  }

  @Test("an unknown type is told as such")
  func unknownElement() throws {
    #expect(Sample.environment.compile("[].x").issues.map(\.message) == ["a value of type `list(dyn)` has no fields"])
  }
}
