import HTTPTypes
import StepKit
import Values

extension SAMI {
  static let validationFailed = StepError(
    "sami.validation_failed", "SAMI refuses some of the fields", help: "`error.errors` names each field and why")
  static let forbidden = StepError(
    "sami.forbidden", "the token does not give this right", help: "use a token of the one whose data it is, or of the device itself")
  static let notFound = StepError("sami.not_found", "SAMI has no such thing")
  static let deviceTypeUnknown = StepError(
    "sami.device_type_unknown", "SAMI has no such device type", help: "look its id up with `sami/find-device-types`")
  static let userUnknown = StepError("sami.user_unknown", "SAMI has no such user", help: "take the id from `sami/get-self`")
  static let rateLimited = StepError(
    "sami.rate_limited", "too many calls in a minute, or in a day",
    help: "`retry: { when: sami.rate_limited, max_delay: 2m }` waits until SAMI takes calls again")
  static let messageTooLarge = StepError(
    "sami.message_too_large", "a message is larger than 10 KB", help: "send it in parts, or leave something out")
  static let tokenRefused = StepError(
    "sami.token_refused", "the device's token is not accepted",
    help: "a device's token is good until it is deleted; make a new one with `sami/create-device-token`")

  /// What every call of the API may be answered.
  static let usual = [validationFailed, forbidden, notFound, deviceTypeUnknown, userUnknown, rateLimited]

  /// The failure of an answer that is not 2xx.
  static func failure(_ reply: HTTPReply) -> StepFailure {
    let refusal = SAMIRefusal(reply)
    let error: StepError? =
      switch (reply.status, refusal.code) {
      case (400, 4001): validationFailed
      // The connection answers a 401 to its own tokens; what is left is a device's.
      case (401, _): tokenRefused
      case (403, _): forbidden
      case (404, 1101): deviceTypeUnknown
      case (404, 1201): userUnknown
      case (404, _): notFound
      case (413, _): messageTooLarge
      case (429, _): rateLimited
      default: nil
      }
    guard let error else { return .http(reply, detail: refusal.text) }
    var failure = error.failure(reply, detail: refusal.text, problems: refusal.problems)
    guard reply.status == 429, let reset = RateLimit(reply)?.nextReset else { return failure }
    // A `retry` waits until then.
    failure.retryAt = Timestamp(seconds: reset)
    failure.detail += "; calls are taken again from \(Value.timestamp(Timestamp(seconds: reset)).scalarText ?? "") on"
    return failure
  }
}

/// What SAMI's error envelope says: `{"error": {"code", "message", "errors": [{"field", "messages"}]}}`.
struct SAMIRefusal {
  /// SAMI's own code, which need not be the status.
  let code: Int64?
  let text: String
  let problems: [StepFailure.Problem]

  init(_ reply: HTTPReply) {
    let error = reply.body["error"]
    code = error?["code"]?.intValue
    problems = Self.problems(error?["errors"] ?? .null)
    let message = error?["message"]?.stringValue ?? error?.stringValue ?? ""
    text = problems.isEmpty ? message : problems.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
  }

  /// For an invalid rule the list stands in a list of its own.
  private static func problems(_ errors: Value) -> [StepFailure.Problem] {
    (errors.listValue ?? []).flatMap { entry -> [StepFailure.Problem] in
      if case .list = entry { return problems(entry) }
      let field = entry["field"]?.stringValue ?? ""
      return (entry["messages"]?.listValue ?? []).map { .init(field: field, message: $0.stringValue ?? $0.json()) }
    }
  }
}
