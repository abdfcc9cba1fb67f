import FlowPlan
import SandboxKit
import StepKit
import Synchronization

/// Answers the prompts of one run of a case.
final class ScenarioPrompts: PromptPort {
  private let answers: [String: ScenarioAnswer]
  private let sandbox: Sandbox
  /// How often each prompt has asked.
  private let asked = Mutex<[String: Int]>([:])

  init(_ answers: [String: ScenarioAnswer], sandbox: Sandbox) {
    self.answers = answers
    self.sandbox = sandbox
  }

  func answer(_ request: PromptRequest) async throws(StepFailure) -> String {
    let earlier = asked.withLock { asked in
      defer { asked[request.stepID, default: 0] += 1 }
      return asked[request.stepID, default: 0]
    }
    switch answers[request.stepID] {
    case .always(let text):
      if let complaint = request.complaint { throw .noAnswer("the answer to `\(request.stepID)` does not fit: \(complaint)") }
      return text
    case .each(let texts):
      guard texts.indices.contains(earlier) else {
        let count = texts.count == 1 ? "one answer" : "\(texts.count) answers"
        throw .noAnswer("`\(request.stepID)` asked \(earlier + 1) times, and the case has \(count)")
      }
      return texts[earlier]
    case .outbox, nil:
      guard request.smsTo != nil || request.mailTo != nil else { throw .noAnswer("the case has no answer for `\(request.stepID)`") }
      guard let code = sandbox.code(for: request) else {
        throw .noAnswer("no message with a code went out to where `\(request.stepID)` reads")
      }
      return code
    }
  }
}

extension Sandbox {
  /// The code in the newest message to the number or the address that a prompt reads.
  func code(for request: PromptRequest) -> String? {
    let found =
      (request.smsTo.map { messages(.sms, to: $0) } ?? []) + (request.mailTo.map { messages(.mail, to: $0) } ?? [])
    return found.last { $0.code != nil }?.code
  }
}

extension StepFailure {
  fileprivate static func noAnswer(_ detail: String) -> StepFailure {
    StepFailure("config.answer", title: "a prompt has no answer", detail: detail)
  }
}
