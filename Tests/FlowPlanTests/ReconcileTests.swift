import Diagnostics
import FlowPlan
import TestKit
import Testing
import Values

@Suite("reconcile: what became of a request of which nobody knows")
struct ReconcileTests {
  private let lookUp = "- id: look_up\n          get: /orders/17\n          outputs: { id: \"${{ response.body.id }}\" }"

  /// A request that gives an id, its `reconcile`, and what comes behind it.
  private func order(
    _ reconcile: String, rest: String = "  - get: /orders/${{ steps.order.outputs.id }}", action: String = "post: /orders",
    head: String = ""
  ) -> String {
    plain(
      "  - id: order\n    \(action)\n    outputs: { id: \"${{ response.body.id }}\" }\n    reconcile:\n\(reconcile)\n\(rest)", head: head)
  }

  private func found(
    _ delivered: String, outputs: String = "      outputs: { id: \"${{ steps.look_up.outputs.id }}\" }", rest: String? = nil
  ) -> String {
    let text = "      steps:\n        \(lookUp)\n      delivered: \(delivered)\n\(outputs)"
    return rest.map { order(text, rest: $0) } ?? order(text)
  }

  private let status = "steps.look_up.response.status == 200"

  @Test func `what may have one`() throws {
    let text = "      steps: [ { id: look_up, get: /orders/17 } ]\n      delivered: \(status)\n      outputs: { id: 17 }"
    try expectGolden(
      transcript([
        "a GET": order(text, action: "get: /orders"),
        "a PUT": order(text, action: "put: /orders"),
        "a POST that may be sent again": order(text, action: "post: /orders\n    effect: idempotent"),
        "a POST with a key": order(text, action: "post: /orders\n    idempotency_key: order-17"),
        "a typed step that only reads": signedIn(
          "  - uses: rapidsos/fetch-profile\n    reconcile: { steps: [ { id: a, uses: rapidsos/fetch-profile } ], delivered: steps.a.outputs.id > 0 }"
        ),
        "a group": plain("  - group: [ { post: /a } ]\n    reconcile: { steps: [ { get: /a } ], delivered: \"null\" }"),
        "a misspelt key": plain(
          "  - post: /a\n    reconcil: { steps: [ { id: b, get: /b } ], delivered: steps.b.response.status == 200 }"),
        "misspelt keys in it": plain("  - post: /a\n    reconcile: { step: [ { get: /b } ], deliverd: \"null\" }"),
        "nothing to look up with": plain("  - post: /a\n    reconcile: { steps: [], delivered: error.sent == 'maybe' }"),
        "no word of what was found": plain("  - post: /a\n    reconcile: { steps: [ { get: /b } ] }"),
      ]), "reconcile-where.txt")
    for action in [
      "post: /orders", "post: /orders\n    effect: once", "post: /orders\n    effect: unsafe", "patch: /orders/17",
      "put: /orders/17\n    effect: once", "post: /orders\n    effect: once\n    idempotency_key: order-17",
    ] {
      let checked = Checked(order(text, action: action))
      #expect(checked.text == "no findings\n", "\(action)")
      #expect(checked.plan?.steps[0].reconcile?.steps.map(\.id) == ["look_up"])
    }
  }

  @Test func `what was found`() throws {
    try expectGolden(
      transcript([
        "a text": found("steps.look_up.outputs.id + ''"),
        "a number": found("steps.look_up.response.status"),
        "a number that may be null": found("\"error.http == null ? null : 7\""),
        "always the same": found("true"),
        "never known": found("\"null\""),
        "marks inside": found("a ${{ steps.look_up.response.status }}"),
        "of a step that there is not": found("steps.look_upp.response.status == 200"),
        "of the step itself": found("response.status == 200"),
        "of the step itself, by its name": found("steps.order.outputs.id == 17"),
        "of a later step": found(status, rest: "  - id: later\n    get: /a").replacing(status, with: "steps.later.response.status == 200"),
      ]), "reconcile-delivered.txt")
    for delivered in [
      status, "${{ \(status) }}", "\"steps.look_up.response.status == 200 ? true : null\"", "steps.look_up.response.body.found",
      "\"steps.look_up.response.status == 404 ? false : (error.sent == 'maybe' ? null : true)\"",
    ] {
      #expect(Checked(found(delivered)).text == "no findings\n", "\(delivered)")
    }
  }

  @Test func `what the step then gives`() throws {
    try expectGolden(
      transcript([
        "nothing, and it is used": found(status, outputs: ""),
        "nothing, and a branch gives it": found(
          status, outputs: "    on_error: [ { when: indeterminate, then: continue, outputs: { id: 0 } } ]"),
        "an output that the step does not have": found(status, outputs: "      outputs: { idd: 17 }", rest: "  - get: /a"),
        "an output of another type": signedIn(
          "  - id: pin\n    uses: rapidsos/register\n    with: { username: ada.lovelace, password: \"${{ secrets.password }}\", email: a@example.test }\n    reconcile: { steps: [ { id: a, uses: rapidsos/fetch-profile } ], delivered: steps.a.outputs.id > 0, outputs: { username: 17 } }"
        ),
        "an output of a step that may be skipped": found(status).replacing(
          "get: /orders/17", with: "if: error.attempt > 1\n          get: /orders/17"),
        "the answer of the request": found(status, rest: "  - get: /orders/${{ steps.order.response.body.id }}"),
      ]), "reconcile-outputs.txt")
    let fine = [
      // Not used, asked for, with a fallback, or only where the step itself succeeded.
      found(status, outputs: "", rest: "  - get: /a"),
      found(status, outputs: "", rest: "  - get: /orders/${{ default(steps.order.outputs.id, 17) }}"),
      found(status, outputs: "", rest: "  - if: steps.order.status == 'succeeded'\n    get: /orders/${{ steps.order.outputs.id }}"),
      found(status, outputs: "", rest: "  - if: has(steps.order.outputs.id)\n    get: /orders/${{ steps.order.outputs.id }}"),
      // It is asked for where it was delivered.
      found(
        "steps.look_up.status == 'succeeded' && \(status)"
      ).replacing("get: /orders/17", with: "if: error.attempt > 1\n          get: /orders/17"),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
  }

  @Test func `what a look-up may do`() throws {
    func looking(_ steps: String, head: String = "") -> String {
      plain("  - post: /a\n    reconcile:\n      steps:\n\(steps)\n      delivered: error.sent == 'maybe'", head: head)
    }
    let trigger =
      "uses: rapidsos/trigger-call-flow\n          dedupe_key: a\n          with: { call_flow: kronos_contacts, variables: { location: { latitude: 42.6, longitude: -73.7 }, user: { full_name: Dana, phone_number: '2345678888' } } }"
    try expectGolden(
      transcript(
        [
          "what must happen once": looking("        - post: /b\n          effect: once"),
          "the same, deep inside": looking(
            "        - group:\n            - get: /b\n              on_error: [ { when: http, do: [ { id: again, post: /c, effect: once } ], then: continue } ]"
          ),
          "an emergency": rapidsos(
            "  - post: /a\n    with: { token: none }\n    reconcile:\n      steps:\n        - \(trigger)\n      delivered: error.sent == 'maybe'"
          ),
          "a flow with what must happen once": looking("        - call: once.flow.yaml"),
          "the end of the flow": looking("        - end: passed"),
          "the end of the flow, in a branch": looking(
            "        - get: /b\n          on_error: [ { when: http, then: end, verdict: passed } ]"),
          "an id that there is already": looking("        - { id: b, get: /b }\n        - { id: b, get: /b }"),
          "a later step of it": looking("        - get: /${{ steps.c.response.status }}\n        - { id: c, get: /c }"),
          "a step of it, seen from outside": found(status, rest: "  - get: /${{ steps.look_up.response.status }}"),
          "a step of it, seen from a branch": found(
            status,
            rest:
              "    on_error: [ { when: indeterminate, do: [ { get: \"/${{ steps.look_up.response.status }}\" } ], then: fail } ]\n  - get: /a"
          ),
          "a secret in what it asks": looking(
            "        - get: /b\n          with: { query: { key: \"${{ secrets.key }}\" } }", head: "secrets: [key]\n"),
          "a secret in what it gives": found(status, outputs: "      outputs: { id: \"${{ secrets.key }}\" }").replacing(
            "connections:", with: "secrets: [key]\nconnections:"),
        ], files: ["once.flow.yaml": "steps:\n  - post: https://a.example.test/b\n    effect: once\n"]), "reconcile-steps.txt")
    #expect(Checked(looking("        - uses: prompt\n          with: { text: Is it there? }")).text == "no findings\n")
  }

  @Test func `what a look-up sets or signs in is not certain behind it`() throws {
    let logIn = "uses: rapidsos/authenticate, with: { grant: password, username: ada, password: \"${{ secrets.password }}\" }"
    func request(_ step: String, _ rest: String) -> String {
      rapidsos(
        "  - id: a\n    post: /a\n    with: { token: none }\n    reconcile: { steps: [ \(step) ], delivered: error.sent == 'maybe' }\n\(rest)"
      )
    }
    let signsIn = request("{ \(logIn) }", "  - uses: rapidsos/fetch-profile")
    let sets = request("{ set: { seen: true } }", "  - if: vars.seen\n    wait: 1s")
    #expect(Checked(signsIn).diagnostics.map(\.kind) == [.notAuthenticated])
    #expect(Checked(sets).diagnostics.map(\.kind) == [.outputMayBeMissing])
    // A log-in that may be refused forgets the one before it.
    let again = request(
      "{ \(logIn) }", "    on_error: [ { when: indeterminate, do: [ { uses: rapidsos/fetch-profile } ], then: fail } ]")
    let before = again.replacing("steps:\n  - id: a", with: "steps:\n  - { \(logIn) }\n  - id: a")
    #expect(Checked(before).diagnostics.map(\.kind) == [.notAuthenticated])
    #expect(Checked(before.replacing("{ \(logIn) } ], delivered", with: "{ wait: 1s } ], delivered")).text == "no findings\n")
  }

  @Test func `beside others, a look-up that signs in has a session of its own`() throws {
    let plan = try #require(
      Checked(
        rapidsos(
          """
            - parallel:
                branches:
                  a:
                    - post: /a
                      with: { token: none }
                      reconcile:
                        steps: [ { uses: rapidsos/authenticate, with: { grant: password, username: ada, password: "${{ secrets.password }}" } } ]
                        delivered: error.sent == 'maybe'
                  b: [ { wait: 1s } ]
          """)
      ).plan)
    guard case .parallel(let parallel) = plan.steps[0].action else { throw Unexpected() }
    #expect(parallel.branches.map(\.body.ownSessions) == [[0], []])
  }

  @Test func `its steps have slots and names, and count as requests`() throws {
    let flow = found(status, rest: "    on_error: [ { when: http.429, then: retry, max: 2 } ]\n  - get: /a").replacing(
      "id: look_up\n          ", with: ""
    ).replacing("steps.look_up.response.status == 200", with: "error.sent == 'maybe'").replacing(
      "steps.look_up.outputs.id", with: "17")
    let checked = Checked(flow)
    let plan = try #require(checked.plan, "\(checked.text)")
    let steps = plan.steps.flatMap(\.withInner)
    #expect(steps.map(\.id) == ["order", "order.reconcile[0]", "steps[1]"])
    #expect(Set(steps.map(\.slots.first)).count == 3 && steps[1].depth == 1)
    // Sent three times at most, each time looked up.
    #expect(plan.worstCase.requests == 7)
  }

  @Test func `where it cannot tell, the doubt may be answered`() {
    let branch = "    on_error: [ { when: indeterminate, do: [ { uses: log, with: { message: \"${{ error.code }}\" } } ], then: fail } ]"
    #expect(Checked(found(status, rest: branch)).text == "no findings\n")
    #expect(Checked(plain("  - post: /a\n\(branch)")).diagnostics.map(\.kind) == [.impossibleCode])
  }
}
