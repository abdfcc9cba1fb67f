package import StepKit
package import Values

/// Asks a person for a value, or whatever stands in for one.
package enum PromptStep: StepHandler {
  package static let about = About("prompt", "Asks for a value: a text, yes or no, or one of several choices.", effect: .read)
  package static let example = Example(
    with: #"{"text": "Which environment?", "kind": "choice", "choices": ["staging", "production"]}"#, outputs: #"{"value": "*"}"#)

  package struct Input: Sendable {
    let text: String
    let kind: PromptKind
    let choices: [String]
    let smsTo: String?
    let mailTo: String?
    let secret: Bool
  }

  package struct Output: Sendable { let value_: Value }

  /// A confirmation is a bool, anything else a text; secret where the input says so or may say so.
  package static func refineOutput(_ shape: RecordShape, literals: ValueMap) -> RecordShape {
    let value: Shape =
      switch literals["kind"].map({ $0.stringValue.flatMap(PromptKind.init(rawValue:)) }) {
      case nil: .string(TextRules())
      case .some(.text), .some(.choice): .string(TextRules())
      case .some(.confirm): .bool
      case .some(nil): .any
      }
    let isPlain = literals["secret"].map { $0.boolValue == false } ?? true
    return shape.replacing("value", with: isPlain ? value : .secret(value))
  }

  /// - Throws: `schema.input` for a choice without choices, `config.answer` after three answers that do not fit, and
  ///   what the prompt raises.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    guard input.kind != .choice || !input.choices.isEmpty else { throw .input("`choices` must name at least one") }
    var request = PromptRequest(
      stepID: ports.stepID, text: input.text, kind: input.kind, choices: input.choices, isSecret: input.secret, smsTo: input.smsTo,
      mailTo: input.mailTo)
    for _ in 0..<3 {
      let answer = try await ports.prompt.answer(request)
      if let value = input.value(of: answer) { return Output(value_: input.secret ? value.hidden() : value) }
      request.complaint = input.expectation
    }
    throw StepFailure(
      "config.answer", title: "the answer does not fit", detail: "`\(ports.stepID)` was asked three times: \(input.expectation)")
  }
}

extension PromptStep.Input {
  /// What an answer means; nil where it means nothing.
  fileprivate func value(of answer: String) -> Value? {
    switch kind {
    case .text: return .string(answer)
    case .choice: return choices.contains(answer) ? .string(answer) : nil
    case .confirm:
      switch answer.lowercased() {
      case "y", "yes", "true": return true
      case "n", "no", "false": return false
      default: return nil
      }
    }
  }

  fileprivate var expectation: String {
    switch kind {
    case .text: "answer with a text"
    case .confirm: "answer `yes` or `no`"
    case .choice: "answer one of \(choices.map { "`\($0)`" }.joined(separator: ", "))"
    }
  }
}

extension PromptStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    text = field("text", "The question.")
    kind = field("kind", "What kind of answer it takes.", default: .text)
    choices = field("choices", "The answers to choose from, where `kind` is `choice`.", default: [])
    smsTo = field("sms_to", "A phone number: in the sandbox the newest SMS to it answers.")
    mailTo = field("mail_to", "An e-mail address: in the sandbox the code in the newest mail to it answers.")
    secret = field("secret", "Whether the answer is a secret.", default: false)
  }
}

extension PromptStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    value_ = field("value", "The answer: a bool for a confirmation, else a text.")
  }
}
