import FlowPlan
import TestKit
import Testing

@Suite("undo: what takes back what a step did")
struct UndoTests {
  private func flow(_ undo: String, _ rest: String = "") -> String {
    plain(
      "  - id: before\n    get: /before\n  - id: make\n    post: /things\n    outputs: { id: \"${{ response.body.id }}\" }\n    undo:\n\(undo)\n  - id: after\n    get: /after\n\(rest)"
    )
  }

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript([
        "a later step": flow("      - delete: /things/${{ steps.after.response.status }}"),
        "an output that the step does not have": flow("      - delete: /things/${{ steps.make.outputs.idd }}"),
        "the end of the flow": flow("      - end: passed"),
        "the end of the flow, in a branch": flow(
          "      - delete: /things/1\n        on_error: [ { when: http.404, then: end, verdict: passed } ]"),
        "a step of it, seen from outside": flow(
          "      - id: gone\n        delete: /things/1", "  - get: /${{ steps.gone.response.status }}"),
        "the end of the run, outside": flow("      - delete: /things/1", "  - get: /${{ run.verdict }}"),
        "an undo of what takes back": flow("      - delete: /things/1\n        undo: [ { get: /a } ]"),
        "an undo in `finally`": plain("  - get: /a\nfinally:\n  - post: /b\n    undo: [ { delete: /b } ]"),
        "the answer of a step that is to fail": plain(
          "  - id: make\n    post: /things\n    expect: { error: http.409 }\n    undo: [ { get: \"/${{ steps.make.response.status }}\" } ]"),
      ]), "undo.txt")
  }

  @Test func `it sees what was certain when its step had succeeded, and how the run ended`() throws {
    let checked = Checked(
      flow(
        "      - if: run.verdict == 'failed'\n        delete: /things/${{ steps.make.outputs.id }}/${{ steps.before.response.status }}"
      ))
    #expect(checked.text == "no findings\n")
    let undo = try #require(checked.plan?.steps[1].undo)
    #expect(!undo.isAlways && undo.steps[0].id == "make.undo[0]")
  }
}
