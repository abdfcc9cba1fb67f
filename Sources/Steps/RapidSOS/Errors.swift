import StepKit
import Values

/// What RapidSOS's three error envelopes say: a text, messages by field, or a fault of its gateway.
struct Refusal {
  /// Empty where the answer has no text of its own.
  let text: String
  let problems: [StepFailure.Problem]
  let isGatewayFault: Bool

  init(_ reply: HTTPReply) {
    let fault = reply.body["fault"]?["faultstring"]?.stringValue
    isGatewayFault = fault != nil
    let detail = reply.body["detail"]
    problems = Self.problems(detail?.mapValue ?? ValueMap())
    text = fault ?? detail?.stringValue ?? problems.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
  }

  private static func problems(_ fields: ValueMap) -> [StepFailure.Problem] {
    fields.flatMap { field, messages in
      (messages.listValue ?? [messages]).map { .init(field: field.text, message: $0.stringValue ?? $0.json()) }
    }
  }
}

extension RapidSOS {
  static let validationFailed = StepError(
    "rapidsos.validation_failed", "RapidSOS refuses some of the fields", help: "`error.errors` names each field and why")
  static let badNumber = StepError(
    "rapidsos.bad_number", "RapidSOS does not take this phone number", help: "give a number of North America, ten digits or eleven from 1")
  static let notFound = StepError("rapidsos.not_found", "RapidSOS has no such thing")

  /// The failure of an answer that is not 2xx: the step's own error for the status, else what any step may meet.
  static func failure(_ reply: HTTPReply, _ declared: [Int: StepError] = [:]) -> StepFailure {
    let refusal = Refusal(reply)
    if let error = declared[reply.status] { return error.failure(reply, detail: refusal.text, problems: refusal.problems) }
    if reply.status == 400, !refusal.problems.isEmpty {
      return validationFailed.failure(reply, detail: refusal.text, problems: refusal.problems)
    }
    if reply.status == 404 { return notFound.failure(reply, detail: refusal.text) }
    return .http(reply, detail: refusal.text)
  }
}
