import Diagnostics
import FlowPlan
import StepKit
import TestKit
import Testing
import Values

@Suite("call: another flow, held to what it declares")
struct CallTests {
  private let files = [
    "user.flow.yaml": """
    inputs:
      name: { type: string, minLength: 3 }
      phone: { type: string, format: phone, region: US, optional: true }
      pin: { type: string, secret: true, optional: true }
    secrets: [key]
    connections: { api: { system: http, base_url: https://users.example.test, bearer: "${{ secrets.key }}" } }
    steps:
      - id: make
        post: /users
        with: { json: { name: "${{ inputs.name }}" } }
      - if: steps.make.response.status == 202
        fail: { code: user.late }
      - id: ask
        uses: prompt
        with: { text: Word? }
    outputs:
      id: ${{ steps.make.response.status }}
      key: { value: "${{ secrets.key }}", secret: true }

    """,
    "log-in.flow.yaml": """
    inputs: { user: string }
    secrets: [password]
    connections: { rapidsos: borrowed }
    steps:
      - uses: rapidsos/authenticate
        with: { grant: password, username: "${{ inputs.user }}", password: "${{ secrets.password }}" }

    """,
    "log-in-aside.flow.yaml": """
    inputs: { user: string }
    secrets: [password]
    connections: { rapidsos: borrowed }
    steps:
      - parallel:
          branches:
            one:
              - uses: rapidsos/authenticate
                with: { grant: password, username: "${{ inputs.user }}", password: "${{ secrets.password }}" }
              - end: passed
            other: [ { wait: 1s } ]

    """,
    "ends.flow.yaml": """
    connections: { api: { system: http, base_url: https://ends.example.test } }
    steps:
      - post: /a
        on_error: [ { when: http.409, then: end, verdict: failed, code: user.taken }, { when: http.404, then: end, verdict: failed } ]
    finally: [ { fail: { code: user.untidy } } ]

    """,
    "profile.flow.yaml": """
    connections: { rapidsos: borrowed }
    steps:
      - id: me
        uses: rapidsos/fetch-profile
    outputs: { id: "${{ steps.me.outputs.id }}" }

    """,
    "wrong.flow.yaml": "steps:\n  - get: ${{ inputs.nothing }}\n", "form.flow.yaml": "stepz: []\n",
    "round.flow.yaml": "steps:\n  - call: trip.flow.yaml\n", "trip.flow.yaml": "steps:\n  - call: round.flow.yaml\n",
    "self.flow.yaml": "steps:\n  - call: case.flow.yaml\n", "case.flow.yaml": "steps:\n  - call: self.flow.yaml\n",
  ]

  private let head = "inputs: { who: string, n: integer }\nsecrets: [key, password, other]\n"

  private func call(_ path: String, _ rest: String = "    with: { name: Ada }\n    secrets: [key]") -> String {
    head + "connections: { api: { system: http, base_url: https://a.test } }\nsteps:\n  - id: made\n    call: \(path)\n\(rest)\n"
  }

  private func lending(_ steps: String) -> String {
    "inputs: { user: string }\nsecrets: [id, key, password]\nconnections:\n  sos: { system: rapidsos, client_id: \"${{ secrets.id }}\", client_secret: \"${{ secrets.key }}\" }\n  api: { system: http, base_url: https://a.test }\nsteps:\n\(steps)\n"
  }

  private let logIn =
    "  - call: log-in.flow.yaml\n    with: { user: \"${{ inputs.user }}\" }\n    secrets: [password]\n    connections: { rapidsos: sos }\n"

  private func members(_ map: Value) -> ValueMap { map.mapValue ?? ValueMap() }

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript(
        [
          "a flow that is not there": call("usr.flow.yaml"),
          "a flow that is wrong itself": call("wrong.flow.yaml", ""),
          "a flow that cannot be read": call("form.flow.yaml", ""),
          "flows that call each other": call("round.flow.yaml", ""),
          "a flow that calls this one": call("self.flow.yaml", ""),
          "an input that is missing, and one that is misspelt": call("user.flow.yaml", "    with: { nam: Ada }\n    secrets: [key]"),
          "inputs of other types": call("user.flow.yaml", "    with: { name: \"${{ inputs.n }}\", phone: 12 }\n    secrets: [key]"),
          "inputs that are not valid": call("user.flow.yaml", "    with: { name: Al, phone: \"12\" }\n    secrets: [key]"),
          "a secret in an input that is none": call("user.flow.yaml", "    with: { name: \"${{ secrets.other }}\" }\n    secrets: [key]"),
          "a secret that is not given": call("user.flow.yaml", "    with: { name: Ada }"),
          "secrets of nobody": call("user.flow.yaml", "    with: { name: Ada }\n    secrets: { kye: key, key: othr }"),
          "a secret that cannot be inherited": call("log-in.flow.yaml", "    with: { user: a }\n    secrets: inherit").replacing(
            "password, other", with: "other"),
          "an output that it does not have": call(
            "user.flow.yaml", "    with: { name: Ada }\n    secrets: [key]\n  - get: /${{ steps.made.outputs.idd }}"),
          "an output that is secret": call(
            "user.flow.yaml", "    with: { name: Ada }\n    secrets: [key]\n  - get: /${{ steps.made.outputs.key }}"),
          "a code that it never raises": call(
            "user.flow.yaml", "    with: { name: Ada }\n    secrets: [key]\n    on_error: [ { when: user.lte, then: fail } ]"),
          "a connection that is not lent": lending("  - call: profile.flow.yaml"),
          "a connection of another system": lending("  - call: profile.flow.yaml\n    connections: { rapidsos: api }"),
          "a connection that it does not borrow": lending(
            "  - call: user.flow.yaml\n    with: { name: Ada }\n    secrets: [key]\n    connections: { api: api }"),
          "a connection that nobody has": lending("  - call: profile.flow.yaml\n    connections: { rapidso: soss, rapidsos: soss }"),
          "nobody is signed in": lending("  - call: profile.flow.yaml\n    connections: { rapidsos: sos }"),
          "a log-in that may be skipped": lending(
            logIn.replacing("- call", with: "- if: inputs.user != ''\n    call") + "  - uses: rapidsos/fetch-profile"),
        ], files: files), "call.txt")
  }

  @Test func `what is right`() {
    let fine: [String] = [
      call(
        "user.flow.yaml",
        "    with: { name: \"${{ inputs.who }}\", phone: (234) 567-8888, pin: \"${{ secrets.other }}\" }\n    secrets: { key: other }\n    on_error: [ { when: [user.late, http.404, schema.input], then: fail } ]\n  - if: steps.made.outputs.id == 201\n    get: /a"
      ),
      call(
        "user.flow.yaml",
        "    with: { name: Ada }\n    secrets: inherit\n  - call: user.flow.yaml\n    with: { name: Ada }\n    secrets: [key]"),
      // It may end itself as failed, and its `finally` may fail.
      call("ends.flow.yaml", "    on_error: [ { when: [user.taken, user.ended, user.untidy], then: fail } ]"),
      // A log-in inside counts behind the call, and one before it counts inside.
      lending(logIn + "  - uses: rapidsos/fetch-profile\n  - call: profile.flow.yaml\n    connections: { rapidsos: sos }"),
    ]
    for flow in fine { #expect(Checked(flow, files: files).text == "no findings\n", "\(flow)") }
  }

  @Test func `a called flow that only reads keeps the user of the branch that calls it`() {
    let each =
      "  - for_each: { in: [a, b], concurrency: 2 }\n    steps:\n      - call: profile.flow.yaml\n        connections: { rapidsos: sos }"
    #expect(Checked(lending(logIn + each), files: files).text == "no findings\n")
    // One that signs in has a session of its own there, and nobody has signed in on it before.
    let aside =
      "  - for_each: { in: [a, b], concurrency: 2 }\n    steps:\n      - { call: profile.flow.yaml, connections: { rapidsos: sos } }\n"
      + "      - call: log-in.flow.yaml\n        with: { user: \"${{ inputs.user }}\" }\n        secrets: [password]\n        connections: { rapidsos: sos }\n"
    let text = Checked(lending(logIn + aside), files: files).text
    #expect(text.contains("nobody has signed in on `sos`") && text.contains("has a session of its own"))
  }

  @Test func `a log-in in a branch of a called flow is none for the caller, though the flow ends there`() {
    let call = logIn.replacing("log-in.flow", with: "log-in-aside.flow")
    #expect(Checked(lending(call + "  - uses: rapidsos/fetch-profile"), files: files).text.contains("nobody has signed in on `sos`"))
  }

  @Test func `a called flow is planned once, and asks its prompts`() throws {
    let twice = "    with: { name: Ada }\n    secrets: [key]\n  - call: user.flow.yaml\n    with: { name: Eve }\n    secrets: [key]"
    let plan = try #require(Checked(call("user.flow.yaml", twice), files: files).plan)
    guard case .call(let first) = plan.steps[0].action, case .call(let second) = plan.steps[1].action else { throw Unexpected() }
    #expect(first.flow.file === second.flow.file)
    #expect(plan.prompts.map(\.stepID) == ["ask"])
  }

  @Test func `a flow that borrows does not run by itself`() throws {
    let plan = try #require(Checked(files["profile.flow.yaml"] ?? "", files: files).plan)
    let (run, diagnostics) = plan.prepare(RunGivens())
    #expect(run == nil)
    #expect(diagnostics.map(\.message) == ["the connection `rapidsos` is borrowed: this flow runs only where another calls it"])
  }

  @Test func `inputs are validated and normalised before the called flow runs`() throws {
    let plan = try #require(Checked(call("user.flow.yaml"), files: files).plan)
    var givens = RunGivens()
    givens.inputs = ["who": .text("Ada"), "n": .text("1")]
    givens.secrets = ["key": "k", "password": "p", "other": "o"]
    givens.connections = ["api": members(["base_url": "https://elsewhere.test"])]
    givens.answers = ["ask"]
    let run = try #require(plan.prepare(givens).run)
    guard case .call(let call) = run.plan.steps[0].action else { throw Unexpected() }
    let given: Value = ["name": "Ada", "phone": "(234) 567-8888", "pin": .secret("1")]
    let inner = try run.prepared(call, inputs: members(given), secrets: members(["key": "k"]))
    #expect(inner.inputs == ["name": "Ada", "phone": "+12345678888", "pin": .secret("1")])
    #expect(inner.secrets == ["key": .secret("k")])
    #expect(inner.settings[0]["base_url"] == "https://elsewhere.test")
    let refused = #expect(throws: StepFailure.self) {
      try run.prepared(call, inputs: members(["name": "Al", "phone": "12"]), secrets: members(["key": "k"]))
    }
    #expect(refused?.code == "schema.input" && refused?.problems.count == 2)
  }
}
