import TestKit
import Testing

/// The commands that tell about the language.
@Suite(.timeLimit(.minutes(5))) struct CatalogueTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test func theStepsInAList() async throws {
    let run = try await workspace.baton("steps")
    #expect(run.code == 0)
    try expectGolden(run.stdout, "steps.txt")
  }

  @Test func thePageOfAStep() async throws {
    let run = try await workspace.baton("steps", "rapidsos/trigger-call-flow")
    #expect(run.code == 0)
    try expectGolden(run.stdout, "trigger-call-flow.txt")
  }

  @Test func theStepsForAProgram() async throws {
    let list = try await workspace.baton("steps").stdout.split(separator: "\n").filter { $0.hasPrefix("  ") }.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    let run = try await workspace.baton("steps", "--json")
    let steps = try JSONValue(run.stdout).items
    #expect(run.code == 0)
    #expect(steps.compactMap { $0["name"]?.text } == list.sorted())
    #expect(steps.first { $0["name"]?.text == "rapidsos/trigger-call-flow" }?["emergency"] == .bool(true))
  }

  /// What a page shows as an example is a step that the checker takes.
  @Test func theExampleOfAPageIsValid() async throws {
    let page = try await workspace.baton("steps", "rapidsos/trigger-call-flow").stdout
    let example = try #require(page.split(separator: "example\n", maxSplits: 1).last)
    try workspace.write(
      "example.flow.yaml", "connections:\n  rapidsos: { client_id: an-id, client_secret: a-secret }\nsteps:\n\(example)")
    let run = try await workspace.baton("check", "example.flow.yaml")
    #expect(run.code == 0, "\(run)")
  }

  @Test func aStepThatIsUnknown() async throws {
    let run = try await workspace.baton("steps", "rapidsos/regster")
    #expect(run.code == 2)
    #expect(run.stderr == "error[unknown-step]: unknown step `rapidsos/regster`\n  = help: did you mean `rapidsos/register`?\n")
  }

  @Test(arguments: [
    (["rapidsos"], "rapidsos: RapidSOS "), (["built-in"], "Built in ("), (["jpeg", "PICTURE"], "rapidsos/upload-photo  "),
    (["wrong-pin"], "rapidsos/validate-pin  "), (["validation_code pin"], "error["),
  ])
  func aSystemOrWords(_ words: [String], _ start: String) async throws {
    let run = try await workspace.baton(["steps"] + words)
    #expect(run.code == (start == "error[" ? 2 : 0))
    #expect((run.stdout + run.stderr).hasPrefix(start), "\(run)")
  }

  /// Nothing is cut, and nothing wraps: each step has one line, however long it is.
  @Test func aPipeGetsWholeLines() async throws {
    let narrow = try await workspace.baton(["steps"], environment: ["COLUMNS": "20"]).stdout
    #expect(narrow == (try await workspace.baton("steps").stdout))
  }

  @Test func thePagesForTheDocs() async throws {
    let run = try await workspace.baton("steps", "--markdown", "pages/steps")
    #expect(run.code == 0)
    #expect(run.stdout.hasPrefix("pages/steps/README.md\n"))
    #expect(try workspace.read("pages/steps/rapidsos.md").contains("\n### rapidsos/register\n"))
    let misused = try await workspace.baton("steps", "rapidsos", "--markdown", "pages")
    #expect(misused.code == 2)
  }

  @Test(arguments: [
    (["1 + 2"], "3\n"), (["'a' + 'b'"], "\"ab\"\n"), (["[1, 2].map(x, x * 2)"], "[\n  2,\n  4\n]\n"), (["--type", "1.5"], "double\n"),
    (["--data", "data.yaml", "order.lines.filter(l, l.amount > 5).size()"], "1\n"),
  ])
  func anExpression(_ arguments: [String], _ value: String) async throws {
    try workspace.write("data.yaml", "order:\n  number: \"007\"\n  lines:\n    - amount: 5\n    - amount: 10\n")
    let run = try await workspace.baton(["eval"] + arguments)
    #expect(run.code == 0)
    #expect(run.stdout == value)
    #expect(run.stderr == "")
  }

  /// The data is there, and so are its types: there is nothing to warn of.
  @Test func aTextOfTheData() async throws {
    try workspace.write("data.yaml", "number: \"007\"\n")
    let run = try await workspace.baton("eval", "--data", "data.yaml", "number == '007'")
    #expect(run.code == 0)
    #expect(run.stdout == "true\n")
    #expect(run.stderr == "")
  }

  @Test(arguments: [
    ("1 +", "error[invalid-expression]: the expression ends where a value should stand\n --> expression:1:4\n"),
    ("inputs.x", "error[unknown-name]: unknown name `inputs`\n --> expression:1:1\n"), ("1 + 'a'", "error["), ("size(", "error["),
  ])
  func anExpressionThatFails(_ expression: String, _ message: String) async throws {
    let run = try await workspace.baton("eval", expression)
    #expect(run.code == 2)
    #expect(run.stdout == "")
    #expect(run.stderr.contains(message))
    #expect(run.stderr.contains("^"))
  }

  /// As `expr.*` of a run: there is no usable answer.
  @Test func anExpressionWithoutAValue() async throws {
    let run = try await workspace.baton("eval", "1 / 0")
    #expect(run.code == 3)
    #expect(run.stdout == "")
    #expect(run.stderr.hasPrefix("failure[invalid-expression]: division by zero\n --> expression:1:1\n"))
  }

  @Test func thousandsOfBrackets() async throws {
    let run = try await workspace.baton("eval", String(repeating: "(", count: 20_000) + "1")
    #expect(run.code == 2)
    #expect(run.stderr.contains("error[invalid-expression]"))
  }
}
