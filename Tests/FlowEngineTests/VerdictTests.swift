import FlowEvents
import StepKit
import Testing

@testable import FlowEngine

@Suite("The verdict of an error")
struct VerdictTests {
  @Test(
    "is that of its code",
    arguments: [
      ("assertion", Verdict.failed), ("schema.input", .failed), ("schema.response", .failed), ("http.400", .failed), ("http.404", .failed),
      ("http.301", .failed), ("auth.invalid_client", .failed), ("auth.invalid_grant", .failed), ("auth.denied", .failed),
      ("poll.failed", .failed),
      ("repeat.exhausted", .failed), ("user.pin_rejected", .failed), ("rapidsos.wrong_pin", .failed), ("network.connect", .errored),
      ("network.reset", .errored), ("tls.certificate", .errored), ("timeout.attempt", .errored), ("timeout.step", .errored),
      ("timeout.poll", .errored),
      ("timeout.prompt", .errored), ("timeout.connect", .errored), ("decode", .errored), ("decode.too_large", .errored),
      ("auth.expired", .errored),
      ("auth.pending", .errored), ("http.500", .errored), ("http.503", .errored), ("http.429", .errored), ("budget.time", .errored),
      ("budget.requests", .errored), ("expr.failed", .errored), ("config.url", .errored), ("indeterminate", .indeterminate),
      ("cancelled", .cancelled),
    ])
  func table(code: String, verdict: Verdict) {
    #expect(StepFailure(code, title: "").verdict == verdict)
  }

  @Test("a stated status that did not come is failed, whatever it is")
  func statedStatus() {
    #expect(StepFailure("http.503", title: "", tags: ["assertion", "expect.status"]).verdict == .failed)
    #expect(StepFailure("http.503", title: "", tags: ["assertion"]).verdict == .errored)
    #expect(StepFailure("indeterminate", title: "", tags: ["http.503", "expect.status"]).verdict == .indeterminate)
  }
}
