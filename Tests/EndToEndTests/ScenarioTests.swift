import TestKit
import Testing

/// `baton test` over scenarios: cases around one flow, each in a world of its own.
@Suite(.timeLimit(.minutes(2))) struct ScenarioTests {
  // MARK: - the table

  @Test func theShippedScenariosPass() async throws {
    let workspace = try Self.onboarding(try Workspace.shipped("flows/rapidsos/onboarding.scenarios.yaml"))
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 0, "\(run)")
    #expect(run.stdout.contains("✓ ./onboarding.scenarios.yaml  a new caller"), "\(run)")
    #expect(!run.stdout.contains("onboarding.flow.yaml"), "a flow that has scenarios runs through them alone")
  }

  @Test func whatIsNotSoIsShownInTheLineThatStatesIt() async throws {
    let workspace = try Self.onboarding(Self.failing)
    let run = try await workspace.baton("test", "onboarding.scenarios.yaml", "--report", "junit=report.xml", "--report", "json=report.json")
    #expect(run.code == 1)
    try expectGolden(masked(run.everything), "scenarios-failed.txt")

    let report = try XMLChecker(try workspace.read("report.xml"))
    let suite = try #require(report.elements("testsuite").first)
    #expect(suite.attributes["tests"] == "4" && suite.attributes["failures"] == "3" && suite.attributes["skipped"] == "1")
    #expect(report.elements("testcase").map { $0.attributes["line"] } == ["5", "12", "16", "19"])
    #expect(report.elements("failure").allSatisfy { $0.attributes["type"] == "expectation-not-met" })
    #expect(report.elements("skipped").first?.attributes["message"] == "waits for refunds")
    #expect(report.elements("property").contains { $0.attributes["name"] == "tag" && $0.attributes["value"] == "accounts" })
    #expect(report.elements("system-out").first?.text.contains("POST http://127.0.0.1:4010/rapidsos/v1/rain/user") == true)

    let runs = try JSONValue(try workspace.read("report.json"))["runs"]?.items ?? []
    #expect(runs.map { $0["case"]?.text } == ["the account exists", "the service is down", "too few answers", "later"])
    #expect(runs.first?["expectations"]?.items.first?["line"]?.int == 9)
  }

  @Test func aTableOfCases() async throws {
    let workspace = try Self.plain(
      """
      flow: user.flow.yaml
      defaults: { routes: [ { route: "GET /users/{id}", json: { name: Ada } } ] }
      cases: csv('cases.csv')
      """)
    try workspace.write("cases.csv", "name,tags,inputs.id,expect.outputs.name\nthe first,\"smoke, quick\",1,Ada\nthe second,,2,Bob\n")
    let run = try await workspace.baton("test", "user.scenarios.yaml")
    #expect(run.code == 1)
    #expect(run.stdout.contains("✓ user.scenarios.yaml  the first"), "\(run)")
    #expect(run.stdout.contains(#"expected "Bob", actual "Ada""#), "\(run)")
    try workspace.write("cases.csv", "name,inputs.id\n")
    let empty = try await workspace.baton("test", "user.scenarios.yaml")
    #expect(empty.code == 2 && empty.stdout.contains("cannot-fail"), "\(empty)")
  }

  @Test func aFileThatIsWrongHidesNoOther() async throws {
    let workspace = try Self.onboarding(Self.failing.replacing("skip: waits", with: "skipp: waits"))
    try workspace.write("user.flow.yaml", Self.flow)
    try workspace.write("user.scenarios.yaml", Self.passing)
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 2)
    #expect(run.stdout.contains("✗ ./onboarding.scenarios.yaml  refused"))
    #expect(run.stdout.contains("✓ ./user.scenarios.yaml  one"))
    let check = try await workspace.baton("check", ".")
    #expect(check.code == 2 && check.stderr.contains("skipp"), "\(check)")
  }

  // MARK: - which run

  @Test func tags() async throws {
    let workspace = try Self.plain(Self.passing)
    #expect(try await names(workspace, "--tag", "smoke") == ["one", "two"])
    #expect(try await names(workspace, "--tag", "smoke", "--tag", "!slow") == ["one"])
    #expect(try await names(workspace, "--case", "three") == ["three"])
    let none = try await workspace.baton("test", ".", "--tag", "smokee")
    #expect(none.code == 2 && none.stderr.contains("cannot-fail"), "a filter that leaves nothing is no success: \(none)")
  }

  @Test func shardsTogetherAreAllOnce() async throws {
    let cases = (1...20).map { "  - { name: case \($0), expect: { verdict: passed } }\n" }.joined()
    let workspace = try Self.plain("flow: user.flow.yaml\n\(Self.defaults)\ncases:\n\(cases)")
    var seen: [String] = []
    for index in 1...3 { seen += try await names(workspace, "--shard", "\(index)/3") }
    #expect(seen.sorted() == (1...20).map { "case \($0)" }.sorted())
    let wrong = try await workspace.baton("test", ".", "--shard", "4/3")
    #expect(wrong.code == 2)
  }

  @Test func theFirstFailureEndsItIfAsked() async throws {
    let workspace = try Self.plain(
      """
      flow: user.flow.yaml
      \(Self.defaults)
      cases:
        - { name: one, expect: { verdict: failed } }
        - { name: two, expect: { verdict: passed } }
      """)
    #expect(try await names(workspace, "--fail-fast", "--jobs", "1") == ["one"])
    #expect(try await names(workspace, "--jobs", "1") == ["one", "two"])
  }

  @Test func theOrderIsThatOfTheFile() async throws {
    let cases = (1...30).map { "  - { name: case \($0), expect: { verdict: passed } }\n" }.joined()
    let workspace = try Self.plain("flow: user.flow.yaml\n\(Self.defaults)\ncases:\n\(cases)")
    let expected = (1...30).map { "case \($0)" }
    #expect(try await names(workspace, "--jobs", "8") == expected)
    let shown = try await workspace.baton("test", ".", "--jobs", "8").stdout
    #expect(shown.split(separator: "\n").compactMap { $0.firstMatch(of: /case \d+/).map { String($0.output) } } == expected)
  }

  // MARK: - worlds

  @Test func anHourEndsAtOnce() async throws {
    let workspace = try Self.plain(
      """
      flow: user.flow.yaml
      \(Self.defaults)
      cases:
        - name: an hour
          expect: { that: [ "run.duration >= duration('1h')" ], max_duration: 1h }
        - name: a late answer counts
          sandbox: { faults: [ { route: "GET /users/{id}", delay: 20s } ] }
          expect: { that: [ "run.duration == duration('1h20s')" ] }
        - name: an answer that comes too late
          sandbox: { faults: [ { route: "GET /users/{id}", delay: 2m } ] }
          expect: { verdict: errored, code: timeout.attempt }
        - name: a lost answer
          sandbox: { faults: [ { route: "GET /users/{id}", drop: before_response } ] }
          expect: { verdict: errored, code: network.reset, requests: { "GET /users/{id}": 1 } }
        - name: a fault that hits another request
          sandbox: { faults: [ { route: "GET /users/{id}", status: 500, match: request.path == '/users/8' } ] }
          expect: { verdict: passed }
        - name: no route
          routes: [ { route: GET /other, status: 204 } ]
          expect: { code: config.refused }
      """)
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 0, "\(run)")
    #expect(run.duration < .seconds(15))
  }

  /// Each case would see the users, PINs and tokens of the one before, if any of its world were shared.
  @Test func noCaseSeesAnother() async throws {
    let cases = (1...12).map {
      """
        - name: case \($0)
          expect:
            verdict: passed
            outputs: { registered: true, profile_id: 1 }
            that: [ sandbox.rapidsos.users.size() == 1, sandbox.sms.size() == 1, "requests.size() == 6 || requests.size() == 7" ]

      """
    }.joined()
    let workspace = try Self.onboarding("flow: onboarding.flow.yaml\ncases:\n\(cases)")
    let run = try await workspace.baton("test", ".", "--jobs", "8")
    #expect(run.code == 0, "\(run)")
  }

  @Test func aSecondRunSeesTheFirst() async throws {
    let workspace = try Self.onboarding(
      """
      flow: onboarding.flow.yaml
      cases:
        - name: twice
          expect: { outputs: { registered: true } }
          then: { run: { expect: { outputs: { registered: false }, steps: { register: recovered } } } }
      """)
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 0, "\(run)")
  }

  // MARK: - parts

  private func names(_ workspace: Workspace, _ options: String...) async throws -> [String] {
    let run = try await workspace.baton(["test", ".", "--json"] + options)
    return try JSONValue(run.stdout)["runs"]?.items.compactMap { $0["case"]?.text } ?? []
  }

  private static func onboarding(_ scenarios: String) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("onboarding.flow.yaml", try Workspace.shipped("flows/rapidsos/onboarding.flow.yaml"))
    try workspace.write("onboarding.scenarios.yaml", scenarios)
    return workspace
  }

  private static func plain(_ scenarios: String) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("user.flow.yaml", flow)
    try workspace.write("user.scenarios.yaml", scenarios)
    return workspace
  }

  private static let flow = """
    connections: { api: { system: http, base_url: https://api.example.test } }
    inputs: { id: integer }
    steps:
      - id: user
        get: /users/{id}
        with: { path: { id: "${{ inputs.id }}" } }
        outputs: { name: "${{ response.body.name }}" }
      - wait: 1h
    outputs: { name: "${{ steps.user.outputs.name }}" }
    """

  private static let defaults = """
    defaults: { inputs: { id: 7 }, routes: [ { route: "GET /users/{id}", json: { name: Ada } } ] }
    """

  private static let passing = """
    flow: user.flow.yaml
    \(defaults)
    cases:
      - { name: one, tags: [smoke], expect: { outputs: { name: Ada } } }
      - { name: two, tags: [smoke, slow], expect: { verdict: passed } }
      - { name: three, expect: { requests: { "GET /users/{id}": 1 } } }
    """

  private static let failing = """
    flow: onboarding.flow.yaml
    defaults:
      inputs: { username: ada.lovelace, email: ada@example.test, phone: "(234) 567-8888" }
    cases:
      - name: the account exists
        tags: [accounts]
        sandbox: { given: { rapidsos: { users: [ { username: ada.lovelace } ] } } }
        expect:
          outputs: { registered: true }
          steps: { register: succeeded }
          requests: { POST /v1/rain/caller-ids: 3 }
      - name: the service is down
        sandbox:
          faults: [ { route: POST /v1/rain/caller-ids, status: 503 } ]
        expect: { verdict: passed }
      - name: too few answers
        answers: { pin: ["000000"] }
        expect: { code: user.pin_rejected, that: [ run.requests == 3 ] }
      - name: later
        skip: waits for refunds
        expect: { verdict: passed }
    """
}
