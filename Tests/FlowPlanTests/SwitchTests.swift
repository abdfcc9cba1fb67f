import TestKit
import Testing

@Suite("switch: one of several ways, and what all of them give")
struct SwitchTests {
  private let head = "inputs: { kind: string, go: boolean }\n"

  private func use(_ path: String) -> String { "  - uses: log\n    with: { message: \"${{ \(path) }}\" }" }

  private func choice(_ cases: String, _ rest: String = "") -> String {
    plain("  - id: pick\n    switch:\n\(cases)\n\(rest)", head: head)
  }

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript([
        "an output that one case lacks": choice(
          "      - if: inputs.go\n        steps: [ { wait: 1s } ]\n        outputs: { n: 1 }\n      - else: []"),
        "an output of two types": choice(
          "      - if: inputs.go\n        steps: []\n        outputs: { n: 1 }\n      - else: []\n        outputs: { n: one }"),
        "an output that may be null": choice(
          "      - if: inputs.go\n        steps: []\n        outputs: { n: 1 }\n      - else: []\n        outputs: { n: null }",
          "  - if: steps.pick.outputs.n > 0\n    get: /a"),
        "no else": choice("      - if: inputs.go\n        steps: [ { wait: 1s } ]"),
        "a condition that is always the same": choice("      - if: 1 < 2\n        steps: [ { wait: 1s } ]\n      - else: []"),
        "the same condition twice": choice(
          "      - if: inputs.kind == 'a'\n        steps: [ { wait: 1s } ]\n      - if: inputs.kind == 'a'\n        steps: []\n      - else: []"
        ),
        "a condition that a case above rules out": choice(
          "      - if: inputs.go\n        steps: [ { wait: 1s } ]\n      - if: inputs.go && inputs.kind == 'b'\n        steps: []\n      - else: []"
        ),
        "a step of one case seen from another": choice(
          "      - if: inputs.go\n        steps: [ { id: a, get: /a } ]\n      - else:\n          - get: /${{ steps.a.response.status }}"),
        "a step of a case seen from outside": choice(
          "      - if: inputs.go\n        steps: [ { id: a, get: /a } ]\n      - else: []", use("steps.a.response.text")),
        "a step behind cases that all end the flow": choice(
          "      - if: inputs.go\n        steps: [ { end: passed } ]\n      - else: [ { fail: { code: user.no } } ]", "  - get: /b"),
        "a code of nobody": choice(
          "      - if: inputs.go\n        steps: [ { fail: { code: user.one } } ]\n      - else: []",
          "    on_error: [ { when: user.two, then: fail } ]"),
      ]), "switch.txt")
  }

  @Test func `what is right`() {
    let fine: [String] = [
      choice(
        "      - if: inputs.go\n        steps: [ { id: a, get: /a } ]\n        outputs: { n: \"${{ steps.a.response.status }}\" }\n      - else: []\n        outputs: { n: 0 }",
        "  - if: steps.pick.outputs.n > 0\n    get: /b"),
      // A case that ends the flow gives nothing.
      choice(
        "      - if: inputs.go\n        steps: []\n        outputs: { n: 1 }\n      - else: [ { fail: { code: user.no } } ]",
        "    on_error: [ { when: user.no, then: fail, code: user.never } ]\n" + use("steps.pick.outputs.n")),
      // The cases below see the conditions above as false.
      plain(
        """
          - id: a
            if: "!inputs.go"
            get: /a
          - switch:
              - if: inputs.go
                steps: []
                outputs: { text: "" }
              - else: []
                outputs: { text: "${{ steps.a.response.text }}" }
        """, head: head),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
  }

  @Test func `behind cases that end the flow, the conditions of the others hold`() {
    func flow(_ cases: String, then more: String = "") -> String {
      plain(
        "  - id: a\n    if: inputs.go\n    get: /a\n  - switch:\n\(cases)\n\(more)" + use("steps.a.response.text"), head: head)
    }
    let fine = [
      flow("      - if: \"!inputs.go\"\n        steps: [ { end: passed } ]\n      - else: []"),
      flow("      - if: inputs.go\n        steps: [ { get: /b } ]\n      - else: [ { fail: { code: user.no } } ]"),
      flow(
        "      - if: \"!inputs.go\"\n        steps: [ { end: passed } ]\n      - if: inputs.kind == 'b'\n        steps: [ { get: /b } ]\n      - else: []"
      ),
      flow(
        "      - if: inputs.kind == 'b'\n        steps: [ { end: passed } ]\n      - if: inputs.go\n        steps: []\n      - else: [ { end: failed } ]"
      ),
      plain(
        "  - id: a\n    if: inputs.go\n    get: /a\n  - group:\n      - if: \"!inputs.go\"\n        end: passed\n      - get: /b\n"
          + use("steps.a.response.text"), head: head),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
    let wrong = [
      // The case that ends stands behind one that goes on.
      flow(
        "      - if: inputs.kind == 'b'\n        steps: []\n      - if: \"!inputs.go\"\n        steps: [ { end: passed } ]\n      - else: []"
      ),
      // What ends the case is caught.
      flow(
        "      - if: \"!inputs.go\"\n        steps: [ { fail: { code: user.no } } ]\n      - else: []",
        then: "    on_error: [ { when: user.no, then: continue } ]\n"),
      // The switch may be skipped.
      flow(
        "      - if: \"!inputs.go\"\n        steps: [ { end: passed } ]\n      - else: []", then: "    if: inputs.kind == 'b'\n"),
    ]
    for flow in wrong { #expect(Checked(flow).text.contains("output-may-be-missing"), "\(flow)") }
  }

  @Test func `a log-in in every case is a log-in`() {
    let logIn = "{ uses: rapidsos/authenticate, with: { grant: password, username: ada, password: \"${{ secrets.password }}\" } }"
    func flow(_ other: String) -> String {
      rapidsos(
        "  - switch:\n      - if: inputs.go\n        steps: [ \(logIn) ]\n      - else: [ \(other) ]\n  - uses: rapidsos/fetch-profile",
        head: head)
    }
    #expect(Checked(flow(logIn)).text == "no findings\n")
    #expect(Checked(flow("{ wait: 1s }")).text.contains("not every way here signs one in"))
  }
}
