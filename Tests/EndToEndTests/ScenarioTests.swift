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
    #expect(run.stdout.contains("--> cases.csv:3:1"), "\(run)")
    try workspace.write("cases.csv", "name,inputs.id\n")
    let empty = try await workspace.baton("test", "user.scenarios.yaml")
    #expect(empty.code == 2 && empty.stdout.contains("cannot-fail"), "\(empty)")
  }

  @Test func theReportsNameTheRowOfATable() async throws {
    let workspace = try Self.plain(
      """
      flow: user.flow.yaml
      defaults: { routes: [ { route: "GET /users/{id}", json: { name: Ada } } ] }
      cases: csv('cases.csv')
      """)
    try workspace.write("cases.csv", "name,inputs.id,expect.outputs.name\none,1,Ada\ntwo,2,Bob\n")
    _ = try await workspace.baton("test", ".", "--report", "junit=report.xml", "--report", "json=report.json")
    let cases = try XMLChecker(try workspace.read("report.xml")).elements("testcase")
    #expect(cases.map { $0.attributes["line"] } == ["2", "3"])
    #expect(cases.allSatisfy { $0.attributes["file"] == "./cases.csv" && $0.attributes["classname"] == "./user.scenarios.yaml" })
    let runs = try JSONValue(try workspace.read("report.json"))["runs"]?.items ?? []
    #expect(runs.map { $0["line"]?.int } == [2, 3] && runs.allSatisfy { $0["table"]?.text == "./cases.csv" })
    #expect(runs.last?["expectations"]?.items.allSatisfy { $0["line"]?.int == 3 } == true)
  }

  @Test func wrongNamesOfColumnsAreToldOnceWhereTheyStand() async throws {
    let workspace = try Self.plain("flow: user.flow.yaml\ncases: csv('cases.csv')")
    try workspace.write("cases.csv", "name,inputs.idd,expect.outputs.nam,nmae\none,1,x,y\ntwo,2,x,y\n")
    let run = try await workspace.baton("test", "user.scenarios.yaml")
    #expect(run.code == 2)
    for text in ["the flow has no input `idd`", "the flow has no output `nam`", "a case has no key `nmae`"] {
      #expect(run.stdout.split(separator: "\n").count { $0.contains(text) } == 1, "\(run)")
    }
    #expect(run.stdout.split(separator: "\n").count { $0.contains("--> cases.csv:1:1") } == 3, "\(run)")
  }

  /// It would go to real hosts, and nobody has asked for that.
  @Test(arguments: ["user.scenarios.yaml", "other.scenarios.yaml"])
  func aFlowOfAnUnreadableFileDoesNotRunAlone(_ name: String) async throws {
    let server = try RawServer.answering { _ in answer("200 OK") }
    let workspace = try Workspace()
    try workspace.write("user.flow.yaml", "steps:\n  - get: \(server.origin)/users\n")
    try workspace.write(name, "flow: user.flow.yaml   # the one\ncases:\n  - { name: one\n")
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 2 && run.stdout.contains("✗ ./\(name)  refused"), "\(run)")
    #expect(!run.stdout.contains("user.flow.yaml  "), "\(run)")
    #expect(run.stdout.contains("failed  1 file refused"), "\(run)")
  }

  @Test func aCalleeIsSkippedAndAFlowWithInputsNamesTheMend() async throws {
    let workspace = try Workspace()
    try workspace.write("callee.flow.yaml", "connections: { rapidsos: borrowed }\nsteps:\n  - uses: rapidsos/fetch-profile\n")
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 0, "\(run)")
    #expect(run.stdout.contains("↷ ./callee.flow.yaml  skipped: another flow calls it, and lends it the connection `rapidsos`"), "\(run)")
    try workspace.write("user.flow.yaml", Self.flow)
    let second = try await workspace.baton("test", ".")
    #expect(second.code == 2 && second.stdout.contains("or write a `*.scenarios.yaml` beside the flow, whose cases give it"), "\(second)")
  }

  @Test func aFilterThatMatchesNothingSuggestsTheNearest() async throws {
    let workspace = try Self.plain(Self.passing)
    let tag = try await workspace.baton("test", ".", "--tag", "smokee")
    #expect(tag.code == 2 && tag.stderr.contains("did you mean `--tag smoke`?"), "\(tag)")
    let name = try await workspace.baton("test", ".", "--case", "thre")
    #expect(name.code == 2 && name.stderr.contains("did you mean `--case 'three'`?"), "\(name)")
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
        - name: a fault that hits some of the requests
          sandbox: { faults: [ { route: "GET /users/{id}", status: 500, match: request.path == '/users/8' } ] }
          inputs: { id: 8 }
          expect: { code: http.500 }
        - name: no route
          routes: [ { route: GET /other, status: 204 } ]
          expect: { code: config.refused }
      """)
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 0, "\(run)")
    #expect(run.duration < .seconds(20), "one of the times was waited for")
  }

  /// A case whose fault hits nothing has not tested what it says.
  @Test func aFaultThatNeverHappensIsAnExpectationUnmet() async throws {
    let workspace = try Self.plain(
      """
      flow: user.flow.yaml
      \(Self.defaults)
      cases:
        - name: too late
          sandbox:
            faults:
              - { route: "GET /users/{id}", status: 503, after: 3 }
          expect: { verdict: passed }
        - name: another request
          sandbox: { faults: [ { route: "GET /users/{id}", status: 503, match: request.path == '/users/8' } ] }
          expect: { verdict: passed }
      """)
    let run = try await workspace.baton("test", "user.scenarios.yaml")
    #expect(run.code == 1, "\(run)")
    #expect(run.stdout.contains("case `too late` did not meet `fault on GET /users/{id}`"), "\(run)")
    #expect(run.stdout.contains("--> user.scenarios.yaml:7:11"), "\(run)")
    #expect(run.stdout.contains("expected to be met, actual never, though 1 such request came"), "\(run)")
    #expect(run.stdout.contains("expected to be met, actual no such request came"), "\(run)")
  }

  /// At the sandbox's own address too: what a case states wins.
  @Test func routesAndFaultsWinOverTheSandboxAtItsAddress() async throws {
    let workspace = try Workspace()
    try workspace.write(
      "local.flow.yaml",
      """
      connections: { api: { system: http, base_url: "http://127.0.0.1:4010" } }
      steps:
        - id: job
          get: /job
        - id: health
          get: /health
          expect: { body: { status: up } }
      outputs: { job: "${{ steps.job.response.body }}" }
      """)
    try workspace.write(
      "local.scenarios.yaml",
      """
      flow: local.flow.yaml
      defaults: { routes: [ { route: GET /job, json: done } ] }
      cases:
        - name: the sandbox answers what has no route
          expect: { outputs: { job: done }, requests: { GET /job: 1, GET /health: 1 } }
        - name: a route wins
          routes: [ { route: GET /job, json: 1 }, { route: GET /health, json: { status: down } } ]
          expect: { code: assertion, that: [ run.error.step == 'health' ] }
        - name: a fault hits the route
          sandbox: { faults: [ { route: GET /job, status: 503 } ] }
          expect: { code: http.503, that: [ run.error.step == 'job', run.error.http.status == 503 ] }
        - name: a fault hits the sandbox
          sandbox: { faults: [ { route: GET /health, status: 500 } ] }
          expect: { code: http.500, steps: { job: succeeded } }
      """)
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 0, "\(run)")
  }

  /// Nor has one whose event nobody could see.
  @Test func anEventThatNothingFollowsIsAnExpectationUnmet() async throws {
    let workspace = try Workspace()
    try workspace.write(
      "pin.flow.yaml",
      """
      secrets: [client_id, client_secret]
      connections:
        rapidsos: { client_id: "${{ secrets.client_id }}", client_secret: "${{ secrets.client_secret }}" }
      steps:
        - id: first
          uses: rapidsos/reset-password
          with: { email: a@example.test }
          expect: { error: rapidsos.not_found }
        - id: second
          uses: rapidsos/reset-password
          with: { email: b@example.test }
          expect: { error: rapidsos.not_found }
      """)
    try workspace.write(
      "pin.scenarios.yaml",
      """
      flow: pin.flow.yaml
      cases:
        - name: seen
          sandbox: { events: [ { after: first, do: { rapidsos: { expire: client } } } ] }
          expect: { verdict: passed, requests: { POST /oauth/token: 2 } }
        - name: unseen
          sandbox: { events: [ { after: second, do: { rapidsos: { expire: client } } } ] }
          expect: { verdict: passed }
      """)
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 1 && run.stdout.contains("failed  1 passed, 1 failed"), "\(run)")
    #expect(run.stdout.contains("nothing was sent after the step `second`, so nobody has seen the change"), "\(run)")
  }

  /// Each case would see the users, PINs and tokens of the one before, if any of its world were shared.
  /// The clock jumps although three steps wait: they do nothing but wait for the one token that is late.
  @Test func whoWaitsForATokenHoldsNoClock() async throws {
    let workspace = try Workspace()
    try workspace.write(
      "reset.flow.yaml",
      """
      secrets: [client_id, client_secret]
      connections:
        rapidsos: { client_id: "${{ secrets.client_id }}", client_secret: "${{ secrets.client_secret }}" }
      steps:
        - for_each: { in: [1, 2, 3], concurrency: 3 }
          steps:
            - uses: rapidsos/reset-password
              with: { email: "a${{ item }}@example.test" }
              expect: { error: rapidsos.not_found }
      """)
    try workspace.write(
      "reset.scenarios.yaml",
      """
      flow: reset.flow.yaml
      cases:
        - name: the token is late
          sandbox: { faults: [ { route: "POST /oauth/token", delay: 10s } ] }
          expect: { verdict: passed, requests: { "POST /oauth/token": 1 }, that: [ "run.duration >= duration('10s')" ] }
      """)
    let run = try await workspace.baton("test", "reset.scenarios.yaml")
    #expect(run.code == 0, "\(run)")
  }

  /// Whatever shape a secret input has, a server that sends a part of it back shows it to nobody.
  @Test func aPartOfASecretInputIsHidden() async throws {
    let workspace = try Workspace()
    try workspace.write(
      "echo.flow.yaml",
      """
      inputs: { login: { type: object, secret: true } }
      connections: { api: { system: http, base_url: "https://api.example.test" } }
      steps:
        - get: /echo
          expect: [ response.body.said == 'nothing' ]
      """)
    try workspace.write(
      "echo.scenarios.yaml",
      """
      flow: echo.flow.yaml
      cases:
        - name: echoes
          inputs: { login: { word: canary-77aa } }
          routes: [ { route: "GET /echo", json: { said: canary-77aa } } ]
          expect: { verdict: passed }
      """)
    let run = try await workspace.baton("test", "echo.scenarios.yaml")
    #expect(run.code == 1)
    #expect(run.everything.contains("[secret]") && !run.everything.contains("canary-77aa"), "\(run)")
  }

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
