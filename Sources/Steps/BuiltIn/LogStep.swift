package import StepKit
import Values

/// Shows a line to whoever watches the run.
package enum LogStep: StepHandler {
  package static let about = About("log", "Shows a line to whoever watches the run; a secret shows as `[secret]`.", effect: .read)
  package static let example = Example(with: #"{"message": "the caller is registered"}"#, outputs: "{}")

  package struct Input: Sendable { let message: Value }

  package struct Output: Sendable {}

  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    if case .string(let text) = input.message.redacted { ports.log(text) } else { ports.log(input.message.json()) }
    return Output()
  }
}

extension LogStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    message = field("message", "A text, or any value, which is shown as JSON.")
  }
}

extension LogStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {}
}
