import Diagnostics
import FlowEvents
import Reporters
import Testing

/// What is said below a failure, each thing once.
@Suite("the notes of a failure")
struct FailureNotesTests {
  private static let item = StepIdentity(id: "charge", depth: 1, place: Sample.place("charge"), keys: ["ada"])

  private func failures(
    _ action: String, _ step: StepIdentity = item, detail: String = "", help: String = "", problems: [(String, String)] = []
  ) -> [Diagnostic] {
    var error = Sample.error("shop.refused", "the shop refuses it", detail, in: step, sent: "no")
    error.help = help
    error.problems = problems.map { ErrorReport.Problem(field: $0.0, message: $0.1) }
    return Sample.run("x", .failed, error: error, [.stepEnded(Sample.done(step, action, .failed, error: error))]).report.failures()
  }

  @Test("the headline names the item")
  func item() {
    #expect(failures("shop/charge").map(\.message) == ["step `charge[ada]` failed with `shop.refused`: the shop refuses it"])
  }

  @Test(
    "that nothing was sent is said of steps that send",
    arguments: [("shop/charge", true), ("POST /v1/charges", true), ("prompt", false), ("fail", false), ("set", false)])
  func sending(action: String, isSaid: Bool) {
    #expect(failures(action).flatMap(\.notes).contains("the request of this step was not sent") == isSaid)
  }

  @Test(
    "problems that the detail tells are not told again",
    arguments: [
      ("email: is wrong; age: is low.", ["`email`: is wrong", "`age`: is low"]),
      ("", ["`email`: is wrong", "`age`: is low"]),
      ("2 of 5 fields are wrong", ["2 of 5 fields are wrong", "`email`: is wrong", "`age`: is low"]),
      ("the email is wrong, says the shop", ["the email is wrong, says the shop", "`age`: is low"]),
    ])
  func once(detail: String, notes: [String]) {
    let found = failures("prompt", detail: detail, problems: [("email", "is wrong"), ("age", "is low")])
    #expect(found.flatMap(\.notes) == notes)
  }

  @Test("a message that names its field stands alone")
  func named() {
    let found = failures("prompt", detail: "`age` is low", problems: [("age", "`age` is low")])
    #expect(found.flatMap(\.notes) == ["`age` is low"])
  }

  @Test("what can be done about it is said last, where that is known")
  func help() throws {
    #expect(failures("shop/charge").map(\.help) == [[]])
    #expect(failures("shop/charge", help: "use another card").map(\.help) == [["use another card"]])
  }
}
