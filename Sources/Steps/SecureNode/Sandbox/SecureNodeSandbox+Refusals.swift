import HTTPTypes
import SandboxKit
import Values

extension SecureNodeSandbox {
  /// The error envelope. Assumed: The texts, and the codes but `device_not_registered`.
  enum Refusal {
    static func error(_ status: Int, _ code: String, _ text: String) -> SandboxReply {
      .json(["success": false, "error": .string(text), "code": .string(code)], status: status)
    }

    static func invalid(_ text: String) -> SandboxReply { error(400, "invalid_request", text) }

    static let deviceNotRegistered = error(404, "device_not_registered", "Device not registered")
    static let debugNotPermitted = error(403, "not_permitted", "Debug upload is not permitted or has expired")
    static let nonceReplayed = error(409, "nonce_replay", "Nonce has been used")
    static let tooLarge = error(413, "payload_too_large", "Logs are too large")
  }

  /// The key of a request; empty where it has none.
  static func apiKey(of request: SandboxRequest) -> String { HTTPField.Name("X-API-Key").flatMap { request.headers[$0] } ?? "" }

  /// Checks the key of a request.
  static func checkKey(_ request: SandboxRequest, _ switches: Switches) throws(SandboxReply) {
    let key = apiKey(of: request)
    guard key.isEmpty || !(switches.keys?.contains(key) ?? true) else { return }
    throw switches.badKeyStatus == 403
      ? Refusal.error(403, "forbidden", "Forbidden") : Refusal.error(401, "unauthorized", "Invalid or missing API key")
  }

  /// The body of a request, once key and form are right.
  static func body(_ call: SandboxCall, _ form: BodyForm, _ switches: Switches) throws(SandboxReply) -> Value {
    try checkKey(call.request, switches)
    guard let body = call.request.json else { throw Refusal.invalid("The body is not valid JSON") }
    if let problem = form.problem(in: body, at: "body") { throw Refusal.invalid(problem) }
    return body
  }
}
