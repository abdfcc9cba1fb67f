import TestKit
import Testing

@Suite("Definite assignment: no use of an output that may not be there")
struct AssignmentTests {
  /// A step `a` with an output `x`, with what is added to it, and what comes after it.
  private func flow(_ modifiers: String = "", _ rest: String, head: String = "inputs: { go: boolean, n: integer }\n") -> String {
    plain("  - id: a\n    get: /a\n    outputs: { x: \"${{ response.text }}\" }\n\(modifiers)\(rest)", head: head)
  }

  private let skipped = "    if: inputs.go\n"
  private let recovered = "    on_error: [ { when: http.404, then: continue } ]\n"
  private let supplied = "    on_error: [ { when: http.404, then: continue, outputs: { x: none } } ]\n"

  private func use(_ path: String = "steps.a.outputs.x", _ condition: String? = nil) -> String {
    "  - uses: log\n    with: { message: \"${{ \(path) }}\" }" + (condition.map { "\n    if: \"\($0)\"" } ?? "")
  }

  @Test func `what may be missing`() throws {
    try expectGolden(
      transcript([
        "a step that may be skipped": flow(skipped, use()),
        "under another condition": flow(skipped, use("steps.a.outputs.x", "inputs.n > 1")),
        "under the opposite condition": flow(skipped, use("steps.a.outputs.x", "!inputs.go")),
        "a step that may go on without it": flow(recovered, use()),
        "one of two branches supplies it": flow(
          "    on_error:\n      - { when: http.404, then: continue, outputs: { x: none } }\n      - { when: http.409, then: continue }\n",
          use()),
        "the response after a branch that supplies the outputs": flow(supplied, use("steps.a.response.status")),
        "a later step": plain(use() + "\n  - id: a\n    get: /a\n    outputs: { x: 1 }"),
        "the status of a later step": plain(use("steps.a.status") + "\n  - id: a\n    get: /a"),
        "the step itself": plain("  - id: a\n    get: /a\n    outputs: { x: 1 }\n    expect: [ steps.a.outputs.x == 1 ]"),
        "the step that has failed": flow(
          "    on_error:\n      - when: http\n        then: fail\n        code: user.a\n        message: \"${{ steps.a.response.text }}\"\n",
          use()),
        "a step inside a group": plain("  - id: g\n    group:\n      - id: a\n        get: /a\n        outputs: { x: 1 }\n" + use()),
        "an output of a group made of one that may be missing": plain(
          "  - id: g\n    group:\n      - id: a\n        if: inputs.go\n        get: /a\n        outputs: { x: 1 }\n    outputs: { y: \"${{ steps.a.outputs.x }}\" }",
          head: "inputs: { go: boolean }\n"),
        "a step of a branch, seen behind it": flow(
          "    on_error:\n      - when: http.404\n        do:\n          - id: b\n            get: /b\n        then: continue\n        outputs: { x: y }\n",
          use("steps.b.response.text")),
        "has() asks inside of what may be missing": flow(skipped, use("has(steps.a.response.body.y) ? 'yes' : 'no'")),
        "an index inside of default()": flow(skipped, use("default({'b': 'c'}[steps.a.outputs.x], '')")),
        "a step that succeeds by failing": signedIn(
          "  - id: me\n    uses: rapidsos/fetch-profile\n    expect: { error: rapidsos.not_found }\n"
            + use("steps.me.outputs.id", "steps.me.status == 'succeeded'")),
        "an output that is not declared": signedIn(
          "  - id: me\n    uses: rapidsos/fetch-profile\n    expect: [ outputs.idd > 0, outputs.shoe_size > 40 ]\n"
            + use("steps.me.outputs.shoe_size")),
        "a condition that differs each time": flow("    if: random_int(0, 1) == 1\n", use("steps.a.outputs.x", "random_int(0, 1) == 1")),
      ]), "assignment-missing.txt")
  }

  @Test func `where the flow ends early`() throws {
    try expectGolden(
      transcript([
        "the outputs of a flow that may end before": plain(
          """
            - if: inputs.dry
              end: passed
            - id: a
              get: /a
              outputs: { x: 1 }
          outputs:
            x: ${{ steps.a.outputs.x }}
          """, head: "inputs: { dry: boolean }\n"),
        "that may end in a branch": plain(
          """
            - id: a
              get: /a
              outputs: { x: 1 }
              on_error: [ { when: http.404, then: end, verdict: passed } ]
            - id: b
              get: /b
              outputs: { x: 1 }
          outputs:
            x: ${{ steps.a.outputs.x }}
            y: ${{ steps.b.outputs.x }}
            z: ${{ default(steps.b.outputs.x, 0) }}
          """),
        "a step behind the end": plain("  - get: /a\n  - end: passed\n  - get: /b\n  - get: /c"),
        "a step behind a failure in a group": plain("  - group:\n      - fail: { code: user.no }\n      - id: b\n        get: /b"),
        "in finally, nothing is certain": plain(
          """
            - id: a
              get: /a
              outputs: { x: 1 }
          finally:
            - get: /${{ steps.a.outputs.x }}
            - end: passed
          """),
      ]), "assignment-ends.txt")
  }

  @Test func `what branches supply`() throws {
    try expectGolden(
      transcript([
        "an output of another type": signedIn(
          "  - id: me\n    uses: rapidsos/fetch-profile\n    on_error: [ { when: rapidsos.not_found, then: continue, outputs: { id: none } } ]"
        ),
        "an output that the step does not have": flow(
          "    on_error: [ { when: http.404, then: continue, outputs: { xx: none } } ]\n", use("'x'")),
        "all outputs at once, and one is not supplied": plain(
          "  - id: a\n    get: /a\n    outputs: { x: a, y: 1 }\n    on_error: [ { when: http.404, then: continue, outputs: { x: b } } ]\n"
            + use("json.encode(steps.a.outputs)")),
        "all outputs at once, and several are not supplied": plain(
          "  - id: a\n    get: /a\n    outputs: { x: a, y: 1, z: 2 }\n    on_error: [ { when: http.404, then: continue, outputs: { x: b } } ]\n"
            + use("json.encode(steps.a.outputs)")),
        "all outputs at once, and all are supplied": flow(supplied, use("json.encode(steps.a.outputs)")),
        "all outputs of a step that may be skipped": flow(skipped + supplied, use("json.encode(steps.a.outputs)")),
        "an optional one in a sum is one mistake":
          "connections: { ostelco: { client_id: a } }\nsteps:\n  - uses: ostelco/login\n  - id: a\n    uses: ostelco/get-scan\n    with: { scan_id: s-1 }\n"
          + use("steps.a.outputs.country_code + 'x'"),
        "null makes it nullable": signedIn(
          "  - id: me\n    uses: rapidsos/fetch-profile\n    on_error: [ { when: rapidsos.not_found, then: continue, outputs: { id: null } } ]\n  - if: steps.me.outputs.id > 0\n    get: https://a.test/"
        ),
      ]), "assignment-supplied.txt")
  }

  @Test(arguments: [
    "default(steps.a.outputs.x, '')",
    "steps.a.status == 'succeeded' ? steps.a.outputs.x : ''",
    "steps.a.status != 'succeeded' ? '' : steps.a.outputs.x",
    "steps.a.status == 'skipped' ? '' : steps.a.outputs.x",
    "has(steps.a.outputs.x) ? steps.a.outputs.x : ''",
    "'x' in steps.a.outputs ? steps.a.outputs.x : ''",
    "inputs.go ? steps.a.outputs.x : ''",
    "!inputs.go ? '' : steps.a.outputs.x",
    "inputs.go && steps.a.outputs.x == 'y' ? 'y' : 'n'",
    "!inputs.go || steps.a.outputs.x == 'y' ? 'y' : 'n'",
    "steps.a.outputs.?x.orValue('')",
    "steps.a.status",
  ])
  func `a guard inside the expression makes it certain`(expression: String) {
    #expect(Checked(flow(skipped, use(expression))).text == "no findings\n")
  }

  @Test(arguments: [
    "inputs.go", "inputs.go == true && inputs.go", "has(steps.a.outputs.x)", "steps.a.status == 'succeeded'", "inputs.n > 1 && inputs.go",
  ])
  func `a guard on the step makes it certain`(condition: String) {
    #expect(Checked(flow(skipped, use("steps.a.outputs.x", condition))).text == "no findings\n")
  }

  @Test func `what is certain is not asked for twice`() {
    let fine: [String] = [
      flow("", use()),
      flow(supplied, use()),
      flow(recovered, use("default(steps.a.outputs.x, '')")),
      flow(recovered, use("steps.a.outputs.x", "steps.a.status == 'succeeded'")),
      // A condition of several parts holds where all of them do.
      flow("    if: inputs.go && inputs.n > 1\n", use("steps.a.outputs.x", "inputs.n > 1 && inputs.go")),
      // Behind a step that ends the flow, its condition is false.
      flow(skipped, "  - if: \"!inputs.go\"\n    fail: { code: user.stop }\n" + use()),
      flow(skipped, "  - if: steps.a.status != 'succeeded'\n    end: failed\n" + use()),
      // A condition holds in everything under its step.
      flow(skipped, "  - if: inputs.go\n    group:\n    \(use().replacing("\n", with: "\n    "))"),
      flow(
        skipped,
        "  - if: inputs.go\n    get: /b\n    on_error: [ { when: http, then: fail, code: user.b, message: \"${{ steps.a.outputs.x }}\" } ]"),
      // The outputs of a group see its steps; those of a branch see its steps.
      plain(
        """
          - id: g
            group:
              - id: a
                get: /a
                outputs: { x: "${{ response.text }}" }
            outputs: { y: "${{ steps.a.outputs.x }}" }
            on_error:
              - when: http.404
                do:
                  - id: b
                    get: /b
                then: continue
                outputs: { y: "${{ steps.b.response.text }}" }
        \(use("steps.g.outputs.y"))
        """),
      // What a step is expected to fail with is there behind it.
      plain("  - id: a\n    get: /a\n    expect: { error: http.404, that: [ error.http != null ] }\n" + use("steps.a.error.code")),
      // A steps's own answer.
      plain("  - get: /a\n    outputs: { n: \"${{ response.status }}\" }\n    expect: [ outputs.n == 200, response.body.ok == true ]"),
      // What is not known before the end is known in `finally`.
      plain(
        "  - id: a\n    get: /a\nfinally:\n  - if: run.verdict != 'passed' && steps.a.status == 'succeeded'\n    delete: /${{ steps.a.response.text }}"
      ),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
  }
}
