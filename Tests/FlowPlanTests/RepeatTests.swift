import FlowPlan
import TestKit
import Testing

@Suite("repeat: a loop with feedback")
struct RepeatTests {
  private func loop(_ carry: String, _ body: String, _ next: String, _ rest: String = "", until: String = "loop.n > 3") -> String {
    plain(
      "  - id: pages\n    repeat:\n      max: 5\n      until: \"\(until)\"\n      carry: { \(carry) }\n    steps:\n\(body)\n    next: { \(next) }\n\(rest)"
    )
  }

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript([
        "a value that changes its type": loop("n: 0", "      - get: /a", "n: more"),
        "a value that is not carried": loop("n: 0", "      - get: /${{ loop.m }}", "n: \"${{ loop.n + 1 }}\""),
        "a next of nothing": loop("n: 0", "      - get: /a", "n: \"${{ loop.n + 1 }}\", m: 1"),
        "a name that the loop has": loop("n: 0, index: 1", "      - get: /a", "n: \"${{ loop.n + 1 }}\""),
        "no bound": plain("  - repeat: { carry: { n: 0 } }\n    steps: [ { get: /a } ]"),
        "a first value that may be null": loop(
          "n: 0, cursor: null", "      - id: a\n        get: /${{ loop.cursor }}",
          "n: \"${{ loop.n + 1 }}\", cursor: \"${{ steps.a.response.text }}\""),
        "a secret on the way": rapidsos(
          """
            - repeat: { max: 2, carry: { token: "" } }
              steps:
                - uses: log
                  with: { message: "${{ loop.token }}" }
              next: { token: "${{ secrets.key }}" }
          """),
        "a code that it cannot raise": plain(
          "  - repeat: { max: 2 }\n    steps: [ { get: /a } ]\n    on_error: [ { when: repeat.exhausted, then: fail } ]"),
        "its values outside": loop("n: 0", "      - get: /a", "n: \"${{ loop.n + 1 }}\"", "  - get: /${{ loop.n }}"),
      ]), "repeat.txt")
  }

  @Test func `what is right`() {
    let fine: [String] = [
      loop(
        "n: 0", "      - get: /${{ loop.index }}/${{ loop.n }}", "n: \"${{ loop.n + 1 }}\"",
        "    on_error: [ { when: repeat.exhausted, then: fail } ]\n  - if: steps.pages.outputs.n > 1\n    get: /b"),
      // What begins as null has the type of what follows it.
      loop(
        "n: 0, cursor: null", "      - id: a\n        get: /${{ default(loop.cursor, 'first') }}",
        "n: \"${{ loop.n + 1 }}\", cursor: \"${{ steps.a.response.text }}\"",
        "    outputs: { last: \"${{ steps.a.response.status }}\" }\n  - if: default(steps.pages.outputs.cursor, '').size() > steps.pages.outputs.last\n    get: /b"
      ),
      // A text that holds the word, a field and a whole name.
      loop("n: 0", "      - get: /a", "n: \"${{ {'loop': loop.n}.loop + size('loop') }}\""),
      // It runs at least once.
      rapidsos(
        """
          - repeat: { max: 3 }
            steps:
              - uses: rapidsos/authenticate
                with: { grant: password, username: ada, password: "${{ secrets.password }}" }
          - uses: rapidsos/fetch-profile
        """),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
  }
}
