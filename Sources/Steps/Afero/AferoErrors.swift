import HTTPTypes
import StepKit
import Values

/// What Afero's error envelope says: a name, a description, and what is wrong with each field.
struct AferoRefusal {
  /// In lower case; empty where the answer names none. Afero's names are compared without case.
  let name: String
  let text: String
  let problems: [StepFailure.Problem]

  init(_ reply: HTTPReply) {
    name = (reply.body["error"]?.exposed.stringValue ?? "").lowercased()
    problems = (reply.body["fieldErrors"]?.exposed.listValue ?? []).map { item in
      let message = item["error_description"]?.exposed.stringValue ?? item["error"]?.exposed.stringValue ?? item.redacted.json()
      return .init(field: item["field"]?.exposed.stringValue ?? "", message: message)
    }
    let description = reply.body["error_description"]?.exposed.stringValue ?? ""
    let fields = problems.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
    text = fields.isEmpty ? description : fields
  }
}

extension Afero {
  static let validationFailed = StepError(
    "afero.validation_failed", "Afero refuses some of the fields", help: "`error.errors` names each field and why")
  static let badRequest = StepError("afero.bad_request", "Afero refuses the request")
  static let alreadyExists = StepError(
    "afero.already_exists", "somebody has this address already", help: "go on to `afero/sign-in`, or choose another address")
  static let unauthorized = StepError("afero.unauthorized", "Afero refuses the token, or misses one", help: "sign in again")
  static let forbidden = StepError(
    "afero.forbidden", "the person may not do this", help: "`account_access[].privileges` of `afero/get-account-info` tells what they may")
  static let notFound = StepError("afero.not_found", "Afero has no such thing")
  static let deviceOffline = StepError("afero.device_offline", "the device is not reachable", help: "ask again later")
  static let deviceLinking = StepError("afero.device_linking", "the device is being linked", help: "ask again in a moment")
  static let alreadyAssociated = StepError("afero.already_associated", "the device belongs to an account already")
  static let transferVerificationNeeded = StepError(
    "afero.transfer_verification_needed", "the device belongs to another account, and its transfer must be confirmed",
    help: "once its owner agrees, associate it with `verified: true`")
  static let badID = StepError("afero.bad_id", "an id cannot stand in a URL", help: "give the id of the answer that created or listed it")

  /// What any step with a token may meet.
  static let common = [badRequest, badID, forbidden, notFound, validationFailed]

  /// The failure of an answer that is not 2xx: the step's own error for the status, else what any step may meet.
  static func failure(_ reply: HTTPReply, _ declared: [Int: StepError] = [:]) -> StepFailure {
    let refusal = AferoRefusal(reply)
    guard let error = error(reply, refusal, declared) else { return .http(reply, detail: refusal.text) }
    return error.failure(reply, detail: refusal.text, problems: refusal.problems)
  }

  private static func error(_ reply: HTTPReply, _ refusal: AferoRefusal, _ declared: [Int: StepError]) -> StepError? {
    switch (refusal.name, reply.status) {
    case ("validationfailure", 400): return validationFailed
    case ("alreadyexists", 400): return declared[409] ?? badRequest
    case (_, 403) where needsVerification(reply): return declared[403] ?? forbidden
    case (_, 403): return forbidden
    case (_, let status) where declared[status] != nil: return declared[status]
    case (_, 400): return badRequest
    case (_, 404): return notFound
    default: return nil
    }
  }

  private static func needsVerification(_ reply: HTTPReply) -> Bool {
    guard let name = HTTPField.Name("transfer-verification-enabled") else { return false }
    return reply.headers[name]?.lowercased() == "true"
  }
}
