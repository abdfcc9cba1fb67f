import FlowPlan
import TestKit
import Testing
import Values

@Suite("set: names for the rest of the flow, and what lasts between runs")
struct VariableTests {
  private let head =
    "inputs: { go: boolean, who: string }\nstate:\n  cursor: { type: string, default: \"\", maxLength: 5 }\n  count: { type: integer, default: 0 }\n"

  private func flow(_ steps: String) -> String { plain(steps, head: head) }

  private let use = "  - get: /${{ vars.n }}"

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript([
        "read before it is set": flow("\(use)\n  - set: { n: 1 }"),
        "set under a condition": flow("  - if: inputs.go\n    set: { n: 1 }\n\(use)"),
        "set in one case": flow("  - switch:\n      - if: inputs.go\n        steps: [ { set: { n: 1 } } ]\n      - else: []\n\(use)"),
        "set in a step that may fail": flow(
          "  - group:\n      - get: /a\n      - set: { n: 1 }\n    on_error: [ { when: http, then: continue } ]\n\(use)"),
        "another type": flow("  - set: { n: 1 }\n  - set: { n: one }\n\(use)"),
        "a misspelt name": flow("  - set: { total: 1 }\n  - get: /${{ vars.totl }}"),
        "a dotted name": flow("  - set: { a.b: 1 }"),
        "a secret, logged": rapidsos("  - set: { key: \"${{ secrets.key }}\" }\n  - uses: log\n    with: { message: \"${{ vars.key }}\" }"),
        "a misspelt state": flow("  - set: { state.curser: a }"),
        "a state of another type": flow("  - set: { state.count: many }"),
        "a state that is not valid": flow("  - set: { state.cursor: abcdef }"),
        "a secret in the state":
          "secrets: [key]\nstate: { cursor: { type: string, default: \"\" } }\nsteps:\n  - set: { state.cursor: \"${{ secrets.key }}\" }\n",
        "a state without a default": "state: { cursor: string }\nsteps:\n  - wait: 1s\n",
        "a state that is secret": "state: { cursor: { type: string, default: \"\", secret: true } }\nsteps:\n  - wait: 1s\n",
        "a key over what is not known": "state: { n: { type: integer, default: 0 } }\nstate_key: ${{ run.id }}\nsteps:\n  - wait: 1s\n",
        "a key without a state": "inputs: { who: string }\nstate_key: ${{ inputs.who }}\nsteps:\n  - wait: 1s\n",
      ]), "variables.txt")
  }

  @Test func `what is right`() {
    let fine: [String] = [
      flow("  - set: { n: 1 }\n\(use)\n  - set: { n: \"${{ vars.n + 1 }}\", state.cursor: abc, state.count: \"${{ state.count + 1 }}\" }"),
      flow("  - if: inputs.go\n    set: { n: 1 }\n  - if: inputs.go\n    get: /${{ vars.n }}\n  - get: /${{ default(vars.n, 0) }}"),
      flow("  - switch:\n      - if: inputs.go\n        steps: [ { set: { n: 1 } } ]\n      - else: [ { set: { n: 2 } } ]\n\(use)"),
      flow(
        "  - switch:\n      - if: inputs.go\n        steps: [ { set: { n: 1 } } ]\n      - else: [ { fail: { code: user.no } } ]\n\(use)"),
      flow("  - set: { n: 1 }\n  - if: inputs.go\n    set: { n: 2 }\n\(use)"),
      flow("  - set: { n: null }\n  - set: { n: 5 }\n  - if: default(vars.n, 0) > 4\n    get: /a"),
      flow("  - for_each: { in: [a, b] }\n    steps: [ { set: { last: \"${{ item }}\" } } ]\n  - get: /${{ vars.last }}"),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
  }

  @Test func `a condition over a name is another one once the name is set anew`() {
    let read = "  - id: a\n    if: vars.n == 0\n    get: /a\n"
    let use = "  - if: vars.n == 0\n    get: /${{ steps.a.response.status }}"
    let stale = [
      "  - set: { n: 1 }\n\(read)  - set: { n: 0 }\n\(use)",
      "  - set: { n: 1 }\n\(read)  - if: inputs.go\n    set: { n: 0 }\n\(use)",
      "  - set: { n: 1 }\n\(read)  - for_each: { in: [a, b] }\n    steps: [ { set: { n: 0 } } ]\n\(use)",
      // The second round begins with what the first has set.
      "  - set: { n: 1 }\n\(read)  - repeat: { max: 2 }\n    steps:\n      - if: vars.n == 0\n        get: /${{ steps.a.response.status }}\n      - set: { n: 0 }",
      "  - id: a\n    if: state.count == 0\n    get: /a\n  - set: { state.count: 0 }\n  - if: state.count == 0\n    get: /${{ steps.a.response.status }}",
      // What is carried is another value once the round is over.
      "  - repeat:\n      max: 3\n      carry: { n: 0 }\n      until: \"loop.n == 0 && steps.a.response.status == 200\"\n    steps: [ { id: a, if: loop.n == 0, get: /a } ]\n    next: { n: \"${{ loop.n + 1 }}\" }",
    ]
    for steps in stale { #expect(Checked(flow(steps)).text.contains("output-may-be-missing"), "\(steps)") }
    let standing = [
      "  - set: { n: 1 }\n\(read)  - set: { m: 0 }\n\(use)",
      "  - set: { n: 1 }\n\(read)  - if: vars.n == 0\n    group:\n      - set: { n: 2 }\n      - get: /${{ steps.a.response.status }}",
      "  - set: { n: 0 }\n  - if: vars.n == 0\n    group:\n      - set: { n: 1 }\n      - switch:\n          - if: vars.n != 0\n            steps: [ { get: /a } ]\n          - else: []",
    ]
    for steps in standing { #expect(Checked(flow(steps)).text == "no findings\n", "\(steps)") }
  }

  @Test func `a run begins with the state before the first one`() throws {
    let plan = try #require(Checked("state: { ratio: { type: number, default: 1 } }\nsteps:\n  - set: { state.ratio: 2 }\n").plan)
    let run = try #require(plan.prepare(RunGivens()).run)
    #expect(run.state == ["ratio": 1.0])
  }
}
