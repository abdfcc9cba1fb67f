import CEL
import Testing
import Values

/// A hostile expression ends in an error; `items` is slot 5, `username` slot 0.
@Suite struct BudgetTests {
  private static let long = Value.string(String(repeating: "a", count: 100_000))
  private static let many = Value.list((0..<1000).map { .int($0) })

  @Test(arguments: [
    "items.exists(a, items.exists(b, items.exists(c, a + b + c < 0)))",
    "items.map(a, items.map(b, items.map(c, a + b + c)))",
    "items.all(a, items.all(b, items.map(c, c) == items.map(c, c)))",
    "lists.range(1000000000)",
    "lists.range(100000).distinct()",
    "username.replace('', username)",
    "items.map(i, username + string(i))",
    "items.map(i, username.replace('a', 'bb'))",
    "items.map(i, username.matches('(.*b|a)'))",
    "regex.replace(username, '(.*b|a)', 'x')",
    "regex.extractAll(username, '(.*b|a)')",
    "items.map(i, matches('a', string(i) + '(x{100}){9}'))",
    "items.map(i, json.encode(items))",
    "sets.equivalent(items.map(i, i + 5000), lists.range(100000))",
    Self.doubling,
  ])
  func hostileExpressionEnds(source: String) {
    let error = #expect(throws: EvaluationError.self) {
      try Sample.evaluate(source, [0: Self.long, 5: Self.many], budget: Budget(steps: 50_000, outputBytes: 2 << 20))
    }
    #expect(error?.reason == .exhausted)
  }

  /// `[x, x]` thirty times over: a billion elements that share their memory.
  private static let doubling =
    (0..<30).map { "cel.bind(x\($0 + 1), [x\($0), x\($0)], " }.joined().replacing("[x0, x0]", with: "[1, 1]") + "json.encode(x30)"
    + String(repeating: ")", count: 30)

  @Test func exhaustionIsNotAbsorbed() {
    let error = #expect(throws: EvaluationError.self) {
      try Sample.evaluate("items.all(a, a >= 0) || true", [5: Self.many], budget: Budget(steps: 100))
    }
    #expect(error?.reason == .exhausted)
  }

  @Test func ordinaryWorkFits() throws {
    let source = "items.filter(i, i % 2 == 0).map(i, {'id': i, 'name': 'item ' + string(i)}).size()"
    #expect(try Sample.evaluate(source, [5: Self.many]) == 500)
  }

  @Test(arguments: [
    String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
    String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000),
    String(repeating: "!", count: 5000) + "true",
    String(repeating: "-", count: 5001) + "amount",
    "1" + String(repeating: " + 1", count: 5000),
    "body" + String(repeating: ".a", count: 5000),
    "body" + String(repeating: "[0]", count: 5000),
    String(repeating: "true ? 1 : ", count: 5000) + "2",
    String(repeating: "{'a': ", count: 5000) + "1" + String(repeating: "}", count: 5000),
    String(repeating: "f(", count: 5000) + String(repeating: ")", count: 5000),
  ])
  func depthIsAnError(source: String) throws {
    let issue = try #require(Sample.environment.compile(source).issues.first)
    #expect(issue.message == "the expression is nested too deeply")
  }

  @Test func capacity() throws {
    #expect(try Sample.evaluate("1" + String(repeating: " + 1", count: 200)) == 201)
    #expect(try Sample.evaluate("false" + String(repeating: " || false", count: 2000) + " || true") == true)
    #expect(try Sample.evaluate(String(repeating: "(", count: 60) + "1" + String(repeating: ")", count: 60)) == 1)
  }
}
