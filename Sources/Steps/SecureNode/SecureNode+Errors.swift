import StepKit
import Values

extension SecureNode {
  static let invalidRequest = StepError(
    "securenode.invalid_request", "SecureNode refuses the request as it is",
    help: "`error.detail` says what is wrong; sending it again helps nothing")
  static let badKey = StepError(
    "securenode.bad_key", "SecureNode does not take the API key",
    help: "compare `api_key` with the one in the portal; there is no token to renew")
  static let notPermitted = StepError(
    "securenode.not_permitted", "SecureNode does not permit this", help: "check the API key and what its account may do")
  static let noSuchOperation = StepError(
    "securenode.no_such_operation", "neither below `/api` nor at the root of the host is there such an operation",
    help: "compare `base_url` with the one in the portal")
  static let rateLimited = StepError(
    "securenode.rate_limited", "SecureNode has had too many requests", help: "wait, or state `rate` on the connection")
  static let deviceNotRegistered = StepError(
    "securenode.device_not_registered", "SecureNode does not know the device", help: "go on to `securenode/register-device`")
  static let nonceReplayed = StepError(
    "securenode.nonce_replayed", "SecureNode has had this nonce already", help: "an upload with it has arrived; a new one needs a new nonce"
  )
  static let tooLarge = StepError("securenode.too_large", "SecureNode does not take so much", help: "send fewer lines of the log")
  static let snapshotCorrupt = StepError(
    "securenode.snapshot_corrupt", "the snapshot is not what was written",
    help: "write it again; the one before stays in use until that is done")

  /// What any request may be answered.
  static let commonErrors = [invalidRequest, badKey, notPermitted, noSuchOperation, rateLimited]

  /// What SecureNode's error envelope says: `{"success": false, "error": …, "code": …}`.
  struct Refusal {
    /// Its text, else the first 120 characters of whatever came.
    let text: String
    let code: String?
    let isEnvelope: Bool

    init(_ reply: HTTPReply) {
      isEnvelope = reply.body["success"] == false
      code = reply.body["code"]?.exposed.stringValue.flatMap { $0.isEmpty ? nil : $0 }
      text = reply.body["error"]?.exposed.stringValue ?? String(reply.text.prefix(120))
    }

    /// Whether it speaks of a thing that is not there, so that the path itself is: a code of its own.
    var namesWhatIsMissing: Bool { isEnvelope && code.map { $0 != "not_found" } ?? false }
  }

  /// The failure of an answer that is not 2xx: the step's own error for the status, else what any step may meet.
  static func failure(_ reply: HTTPReply, _ declared: [Int: StepError] = [:]) -> StepFailure {
    let detail = Refusal(reply).text
    if let error = declared[reply.status] { return error.failure(reply, detail: detail) }
    switch reply.status {
    case 400, 422: return invalidRequest.failure(reply, detail: detail)
    case 401: return badKey.failure(reply, detail: detail)
    case 403: return notPermitted.failure(reply, detail: detail)
    case 404, 405: return noSuchOperation.failure(reply, detail: detail)
    case 429: return rateLimited.failure(reply, detail: detail)
    default: return .http(reply, detail: detail)
    }
  }
}
