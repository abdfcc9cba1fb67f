import Diagnostics
import FlowPlan
import FrontEnds
import SourceText
import Steps
import Testing
import Values

/// A scenarios file is held against its flow and its sandbox before anything runs.
@Suite struct ScenarioPlanTests {
  @Test func everyNameIsChecked() {
    let found = Self.messages(
      """
      flow: case.flow.yaml
      cases:
        - name: names
          inputs: { count: 1, nmae: x }
          secrets: { kye: x }
          answers: { cod: "1" }
          sandbox:
            given: { shopp: {} }
            faults: [ { route: GET /v1/cart, status: 503 } ]
            events: [ { after: ordre, do: { shop: { close: now } } } ]
          expect:
            steps: { oder: failed }
            code: user.to_late
            that: [ run.verdct == 'failed' ]
      """)
    #expect(
      found == [
        "unknown-name: the flow has no input `nmae`", "unknown-name: the flow has no secret `kye`",
        "unknown-name: the flow has no prompt `cod`", "unknown-name: the sandbox has no system `shopp`",
        "unknown-name: the sandbox has no route `GET /v1/cart`", "unknown-name: the flow has no step `ordre`",
        "unknown-name: the flow has no step `oder`", "impossible-code: this flow can never end with `user.to_late`",
        "unknown-name: no field `verdct` in the run of a case",
      ])
  }

  @Test(arguments: [
    ("inputs: { count: many }", "invalid-value: the input `count` is not valid: the value must be an integer, not a string"),
    ("inputs: { count: 1, name: 7 }", "quote-this-number: the input `name` is text: a number here must be quoted"),
    ("inputs: {}", "missing-input: the case `x` gives no `count`, which the flow needs"),
    ("inputs: { count: 1 }\n    sandbox: { given: { shop: { carts: 1 } } }", "unknown-key: `given.shop`: unknown key `carts`"),
  ])
  func whatACaseGives(_ lines: String, _ message: String) {
    let found = Self.messages(
      "flow: case.flow.yaml\ncases:\n  - name: x\n    expect: { verdict: passed }\n    answers: { code: \"1\" }\n    \(lines)\n")
    #expect(found == [message] || found.dropLast() == [message], "\(found)")
  }

  @Test(arguments: [
    ("", "cannot-fail: the case `x` expects nothing, so it cannot fail"),
    ("expect: { that: [ 1 == 1 ] }", "cannot-fail: this check is the same at every run"),
    ("expect: { that: [ run.requests ] }", "type-mismatch: a check must be a bool, not an int"),
    ("expect: { verdict: failed, outputs: { total: 1 } }", "invalid-value: only a run that passed has outputs"),
    ("expect: { outputs: { totl: 1 } }", "unknown-name: the flow has no output `totl`"),
    ("expect: { that: [ run.error.cod == 'x' ] }", "unknown-name: no field `cod` in the error of the run"),
    ("expect: { that: [ run.error.http.status == 'x' ] }", "type-mismatch: cannot compare `int` with `string`"),
    ("expect: { requests: { GET /v1/nothing: 1 } }", "unknown-name: the sandbox has no route `GET /v1/nothing`"),
  ])
  func whatACaseExpects(_ line: String, _ message: String) {
    let found = Self.messages(
      "flow: case.flow.yaml\ncases:\n  - name: x\n    inputs: { count: 1 }\n    answers: { code: \"1\" }\n    \(line)\n")
    #expect(found == [message])
  }

  @Test func defaultsFillWhatACaseLeavesOut() throws {
    let plan = try #require(
      Self.plan(
        """
        flow: case.flow.yaml
        tags: [all]
        defaults:
          inputs: { count: 1, name: Ada }
          answers: { code: "1" }
          sandbox: { given: { shop: { open: true } } }
          expect: { verdict: passed, outputs: { total: 1 }, steps: { order: succeeded } }
        cases:
          - name: as it is
          - name: its own
            tags: [own]
            inputs: { count: 2 }
            sandbox: { given: { shop: { stock: 3 } } }
            expect: { outputs: { total: 2 } }
          - name: another end
            expect: { code: user.too_late }
        """
      ).plan)
    #expect(plan.cases.map(\.name) == ["as it is", "its own", "another end"])
    let (first, second, third) = (plan.cases[0].runs[0].expect, plan.cases[1], plan.cases[2].runs[0].expect)
    #expect(first.verdict?.value == "passed" && first.outputs.map(\.value) == [1] && first.steps.map(\.title) == ["order"])
    #expect(second.tags == ["all", "own"] && second.runs[0].expect.outputs.map(\.value) == [2])
    #expect(second.world.given == ["shop": ["open": true, "stock": 3]])
    #expect(second.runs[0].inputs.keys.sorted() == ["count", "name"])
    // Who states a code says nothing of outputs, and not that it passes.
    #expect(third.verdict == nil && third.code?.value.text == "user.too_late" && third.outputs.isEmpty)
  }

  /// Those of the defaults are for many cases, not each of which they must hit.
  @Test func aCaseAnswersForItsOwnFaultsAlone() throws {
    let plan = try #require(
      Self.plan(
        """
        flow: case.flow.yaml
        defaults:
          inputs: { count: 1 }
          answers: { code: "1" }
          sandbox: { faults: [ { route: GET /v1/carts, delay: 1s } ] }
          expect: { verdict: passed }
        cases:
          - name: slow
          - name: down
            sandbox: { faults: [ { route: GET /v1/carts, status: 503 } ] }
        """
      ).plan)
    #expect(plan.cases.map { $0.world.faults.map(\.isOwn) } == [[false], [true]])
  }

  // MARK: - runs that are killed

  private static let killed = """
    flow: case.flow.yaml
    defaults:
      inputs: { count: 1 }
      answers: { code: "1" }
      expect: { verdict: passed, outputs: { total: 1 } }
    cases:
      - name: killed
        sandbox: { faults: [ { route: GET /v1/carts, kill: KILL, times: 1 } ] }
        expect: { steps: { order: not_run } }
        then: { resume: { expect: { verdict: passed, outputs: { total: 1 } } } }
    """

  /// The verdict of the defaults is for runs that end.
  @Test(arguments: [("before_send", ScenarioKill.beforeSend), ("after_send", .afterSend)])
  func aRunThatIsKilledHasNoEnd(_ word: String, _ kill: ScenarioKill) throws {
    let (plan, findings) = Self.plan(Self.killed.replacing("KILL", with: word))
    let scenario = try #require(plan?.cases.first, "\(findings.map(\.message))")
    #expect(scenario.world.faults.map(\.kill) == [kill])
    #expect(scenario.runs.map(\.isKilled) == [true, false] && scenario.runs.map(\.isResume) == [false, true])
    let (first, second) = (scenario.runs[0], scenario.runs[1])
    #expect(first.expect.verdict == nil && first.expect.code == nil && first.expect.outputs.isEmpty)
    #expect(first.expect.steps.map(\.status) == ["not_run"])
    #expect(second.expect.verdict?.value == "passed" && second.expect.outputs.map(\.value) == [1])
    #expect(second.inputs.keys.sorted() == ["count"] && second.answers == ["code": .always("1")])
  }

  @Test func whatIsKilledIsWhatAResumeTakesUp() throws {
    let text = Self.killed.replacing("KILL", with: "after_send").replacing(
      "then: {", with: "then: [ resume: { expect: { that: [ run.requests == 1 ] } }, run,"
    ).replacing(
      "} } } }", with: "} } } ]"
    ).replacing("expect: { steps: { order: not_run } }\n", with: "tags: [a]\n")
    let (plan, findings) = Self.plan(text)
    let runs = try #require(plan?.cases.first, "\(findings.map(\.message))\n\(text)").runs
    #expect(runs.map(\.isResume) == [false, true, false, true])
    #expect(runs.map(\.isKilled) == [true, false, true, false])
    #expect(runs.map { $0.expect.verdict?.value } == [nil, "passed", nil, "passed"])
  }

  @Test(arguments: [
    ("expect: { verdict: passed }", "invalid-value: a run that is killed has no `verdict`"),
    ("expect: { code: user.too_late }", "invalid-value: a run that is killed has no `code`"),
    ("expect: { outputs: { total: 1 } }", "invalid-value: a run that is killed has no `outputs`"),
  ])
  func nobodyKnowsTheEndOfARunThatIsKilled(_ expect: String, _ message: String) {
    let text = Self.killed.replacing("KILL", with: "after_send").replacing("expect: { steps: { order: not_run } }", with: expect)
    #expect(Self.messages(text) == [message])
  }

  @Test func aResumeNeedsAKillAndAKillAResume() {
    let killed = Self.killed.replacing("KILL", with: "after_send")
    let spared = killed.replacing("kill: after_send", with: "status: 503")
    #expect(Self.messages(spared) == ["invalid-value: nothing stops the run that this is to take up"])
    let lost = killed.replacing("then: { resume:", with: "then: { run:")
    #expect(Self.messages(lost) == ["invalid-value: this kills the run, and nothing takes it up again"])
    // A run that is taken up is a test only if it expects something.
    let silent = killed.replacing(": { expect: { verdict: passed, outputs: { total: 1 } } } }", with: ": }").replacing(
      "expect: { steps: { order: not_run } }", with: "tags: [a]")
    #expect(Self.messages(silent) == ["cannot-fail: the case `killed`, `then: resume` expects nothing, so it cannot fail"])
    // A kill is a fault like others: its route is one of the sandbox.
    #expect(
      Self.messages(killed.replacing("GET /v1/carts", with: "GET /v1/cart")) == ["unknown-name: the sandbox has no route `GET /v1/cart`"])
    #expect(Self.messages(Self.killed.replacing("KILL", with: "afer_send")) == ["invalid-value: `kill` cannot be `afer_send`"])
    #expect(Self.messages(killed.replacing("resume:", with: "resum:")) == ["unknown-key: `then` has no key `resum`"])
  }

  @Test func withoutAnEndItMustPass() throws {
    let plan = try #require(
      Self.plan(
        """
        flow: case.flow.yaml
        cases:
          - name: x
            inputs: { count: 1 }
            answers: { code: ["1", "2"] }
            expect: { steps: { order: succeeded } }
        """
      ).plan)
    #expect(plan.cases[0].runs[0].expect.verdict?.value == "passed")
    #expect(plan.cases[0].runs[0].answers == ["code": .each(["1", "2"])])
  }

  /// A document's table often leaves out what every path begins with.
  @Test(arguments: [
    ("GET /live", "did you mean `GET /v1.1/live`?"), ("sami GET /live", "did you mean `GET /v1.1/live`?"),
    ("GET /users/{id}", "did you mean one of `GET /v1.1/users/{id}`, `GET /v2/users/{id}`?"),
    ("GET /v1.1/lvie", "did you mean `GET /v1.1/live`?"),
    ("POST /live", "a route is a method and a whole path, such as `GET /v1.1/live`"),
  ])
  func aRouteIsFoundByItsEnd(_ route: String, _ help: String) {
    var sandbox = Self.shop
    sandbox.route = { _ in .unknown(known: ["GET /v1.1/live", "GET /v1.1/users/{id}", "GET /v2/users/{id}"]) }
    let text = """
      flow: case.flow.yaml
      cases:
        - name: a
          inputs: { count: 1 }
          answers: { code: "1" }
          sandbox: { faults: [ { route: "\(route)", status: 503 } ] }
          expect: { verdict: passed }
      """
    #expect(Self.plan(text, sandbox).diagnostics.map(\.help) == [[help]])
  }

  // MARK: - parts

  private static let flow = """
    inputs: { count: integer, name: { type: string, optional: true } }
    secrets: [key]
    connections: { rapidsos: { client_id: "${{ secrets.key }}", client_secret: "${{ secrets.key }}" } }
    steps:
      - id: code
        uses: prompt
        with: { text: "Code?" }
      - id: order
        uses: log
        with: { message: "${{ steps.code.outputs.value }}" }
      - if: inputs.count > 5
        fail: { code: user.too_late, message: no more }
    outputs: { total: "${{ inputs.count }}" }
    """

  private static func plan(_ text: String, _ sandbox: SandboxSurface = shop) -> (plan: ScenariosPlan?, diagnostics: [Diagnostic]) {
    let (flow, flaws) = NativeFrontEnd.flow(from: SourceFile(path: "case.flow.yaml", text: flow))
    let (document, form) = NativeFrontEnd.scenarios(from: SourceFile(path: "case.scenarios.yaml", text: text))
    guard let flow, let document, let plan = Planner.plan(flow, catalogue: .standard).plan else { return (nil, flaws + form) }
    let (scenarios, findings) = ScenarioPlanner.plan(document, rows: nil, isWhole: !form.hasErrors, flow: plan, sandbox: sandbox)
    return (scenarios, (form + findings).sortedByPlace())
  }

  private static func messages(_ text: String) -> [String] { plan(text).diagnostics.map { "\($0.kind.rawValue): \($0.message)" } }

  /// A sandbox with one system and one route.
  private static let shop = SandboxSurface(
    systems: ["shop"],
    givenSchema: { _ in ["type": "object", "properties": ["open": [:], "stock": [:]], "additionalProperties": false] },
    changeSchema: { _ in ["type": "object"] }, givenProblem: { _ in nil }, faultProblem: { _ in nil }, stubProblem: { _, _ in nil },
    route: { $0 == "GET /v1/carts" ? .known : .unknown(known: ["GET /v1/carts"]) }, routesOverlap: { $0 == $1 })
}
