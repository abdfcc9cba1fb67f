import TestKit
import Testing

/// `baton eval`: an expression, with the roots that a file gives.
@Suite(.timeLimit(.minutes(5))) struct EvalTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("data.yaml", "secrets: { key: cnry-4711 }\nitems: [{ n: 1 }, { n: 2 }]\nempty:\n")
    try workspace.write("data.json", #"{"big": 12345678901234567890123, "exact": 0.1, "text": "é"}"#)
  }

  private func eval(_ expression: String, _ arguments: String...) async throws -> Ended {
    try await workspace.baton(["eval", expression] + arguments)
  }

  @Test(arguments: [
    ("items.map(i, i.n)", "[\n  1,\n  2\n]\n"), ("empty == null", "true\n"), ("has(items[0].n)", "true\n"),
    ("'\\u001b]52;c;aGk=\\u0007'", "\"\\u001b]52;c;aGk=\\u0007\"\n"),
    ("timestamp('2026-01-02T03:04:05Z') + duration('1h')", "\"2026-01-02T04:04:05Z\"\n"),
    ("secrets.key", "\"[secret]\"\n"), ("{'a': [secrets.key + '!']}", "{\n  \"a\": [\n    \"[secret]\"\n  ]\n}\n"),
    ("secrets.key == 'x'", "false\n"),
  ])
  func aValue(_ expression: String, _ output: String) async throws {
    let run = try await eval(expression, "--data", "data.yaml")
    #expect(run.code == 0, "\(run)")
    #expect(run.stdout == output)
    #expect(!run.everything.contains("cnry-4711"))
  }

  @Test func numbersOfJSONAreExact() async throws {
    #expect(try await eval("big", "--data", "data.json").stdout == "12345678901234567890123\n")
    #expect(try await eval("[exact, text]", "--data", "data.json").stdout == "[\n  0.1,\n  \"é\"\n]\n")
  }

  @Test(arguments: [("items", "list"), ("1 + 2", "int"), ("secrets.key", "string"), ("1 / 0", "int")])
  func aType(_ expression: String, _ type: String) async throws {
    let run = try await eval(expression, "--data", "data.yaml", "--type")
    #expect(run.code == 0)
    #expect(run.stdout.hasPrefix(type))
  }

  /// As in a run: an expression without a value is exit 3, one that cannot have any is exit 2.
  @Test(arguments: [
    ("1 / 0", 3, "failure[invalid-expression]: division by zero"), ("items[7]", 3, "failure[invalid-expression]: index 7 is out of range"),
    ("int(secrets.key)", 3, "an operand is secret, so no more is told"), ("random_int(5, 1)", 3, "needs a ≤ b"),
    ("items + 1", 2, "error["), ("nothing", 2, "error[unknown-name]: unknown name `nothing`"), ("items[0].m", 3, "no field `m`"),
    ("omit", 2, "unknown name `omit`"), ("", 2, "error[invalid-expression]"),
  ])
  func noValue(_ expression: String, _ code: Int32, _ message: String) async throws {
    let run = try await eval(expression, "--data", "data.yaml")
    #expect(run.code == code, "\(run)")
    #expect(run.stdout == "")
    #expect(run.stderr.contains(message))
    #expect(!run.stderr.contains("cnry-4711"))
  }

  @Test(arguments: [
    ("missing.yaml", "error[missing-file]: `missing.yaml` cannot be read: there is no such file"),
    ("/proc/self/fd", "error[missing-file]: `/proc/self/fd` is a directory"), ("broken.json", "--> broken.json:1:2"),
    ("list.json", "the file must hold an object of names and values"), ("list.yaml", "the file must hold a map of names and values"),
  ])
  func dataThatIsNone(_ name: String, _ message: String) async throws {
    try workspace.write("broken.json", "{")
    try workspace.write("list.json", "[1]")
    try workspace.write("list.yaml", "- 1\n")
    let run = try await eval("1", "--data", name)
    #expect(run.code == 2)
    #expect(run.stderr.contains(message), "\(run)")
  }

  @Test func whatDiffersEachTime() async throws {
    let (first, second) = (try await eval("uuid()"), try await eval("uuid()"))
    #expect(first.stdout != second.stdout)
    #expect(first.stdout.count == 39)
    #expect(try await eval("random_int(7, 7)").stdout == "7\n")
    #expect(try await eval("now() > timestamp('2024-01-01T00:00:00Z')").stdout == "true\n")
  }

  @Test func aLoopWithoutEnd() async throws {
    let list = "[1,2,3,4,5,6,7,8,9,10]"
    let nested = (0..<12).reduce("1") { inner, depth in "\(list).map(x\(depth), \(inner))" }
    let run = try await eval(nested)
    #expect(run.code == 3 || run.code == 2)
  }
}
