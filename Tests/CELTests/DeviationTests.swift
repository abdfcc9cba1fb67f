import CEL
import Testing
import Values

/// Where the profile departs from CEL, all of it for JSON; `body` is slot 3, `user` slot 4.
@Suite struct DeviationTests {
  @Test(
    arguments: [
      ("1 + 1.5", 2.5), ("2.5 * 2", 5.0), ("7 / 2.0", 3.5), ("10u - 0.5", 9.5), ("7 / 2", 3),
      ("1 < 1.5", true), ("2.0 == 2", true), ("1u <= 1.0", true),
    ] as [(String, Value)])
  func mixedNumbers(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source) == expected)
  }

  @Test(
    arguments: [
      ("string(123456789.0)", "123456789"), ("string(0.1)", "0.1"), ("string(1e21)", "1e+21"), ("string(-1.5e-9)", "-1.5e-9"),
      ("string(9007199254740993)", "9007199254740993"),
    ] as [(String, Value)])
  func doublesPrintAsInECMAScript(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source) == expected)
  }

  @Test func undeclaredNumbersOfJSON() throws {
    let body = try JSON.parse(#"{"count": 41, "id": 9223372036854775807, "price": 1.5, "huge": 18446744073709551616}"#)
    #expect(try Sample.evaluate("body.count + 1", [3: body]) == 42)
    #expect(try Sample.evaluate("string(body.id)", [3: body]) == "9223372036854775807")
    #expect(try Sample.evaluate("body.price * 2", [3: body]) == 3.0)
    #expect(try Sample.evaluate("body.huge > 1e19", [3: body]) == true)
  }

  @Test(
    arguments: [
      ("default(body.owner.login, 'nobody')", "nobody"),
      ("default(body.missing.login, 'nobody')", "nobody"),
      ("default(body.list[7].name, 'nobody')", "nobody"),
      ("default(body['list'][0], 'nobody')", "a"),
      ("default(body.zero, 5)", 0),
      ("default(username, 'nobody')", "nobody"),
      ("default(user.nickname, user.name)", "Ann"),
      ("default(user.email, 'none')", "none"),
      ("default(user.address.city, 'none')", "none"),
      ("default(body.?owner.?name, 'none')", "none"),
      ("items.map(i, i) == [] ? 1 : default(body.list[0], 'b') == 'a' ? 2 : 3", 2),
      ("[{'a': 1}, {}].map(x, default(x.a, 0))", [1, 0]),
    ] as [(String, Value)])
  func fallback(source: String, expected: Value) throws {
    let body: Value = ["owner": .null, "list": ["a"], "zero": 0]
    #expect(try Sample.evaluate(source, [3: body, 4: ["name": "Ann", "age": 3, "email": .null], 5: [1]]) == expected)
  }

  /// As `null` in a file of data, or `type: "null"` in a schema.
  @Test(arguments: [
    "default(nothing.a, 'none')", "default(nothing.a.b[0], 'none')", "default(nothing['a'], 'none')", "default(nothing, 'none')",
  ])
  func fallbackOfWhatIsAlwaysNull(source: String) throws {
    let environment = Environment(variables: [Variable(name: "nothing", type: .null, slot: 0)])
    let compilation = environment.compile(source)
    #expect(compilation.issues == [])
    #expect(try compilation.program?.evaluate([.null]) == "none")
  }

  /// The declared type rules: what a `number` holds is a double, and so divides, whatever its lexeme.
  @Test func declaredNumbers() throws {
    #expect(try Sample.program("ratio / 4").type == .double)
    #expect(try Sample.evaluate("ratio / 4", [2: 10.0]) == 2.5)
    #expect(try Sample.evaluate("ratio / 4", [2: 10]) == 2.5)
    #expect(try Sample.evaluate("4 / ratio", [2: 8]) == 0.5)
    #expect(try Sample.evaluate("amount / 4", [1: 10]) == 2)
  }

  @Test func fallbackOfWhatIsNoMapFails() {
    #expect(throws: EvaluationError.self) { try Sample.evaluate("default(body.a, 1)", [3: "text"]) }
  }
}
