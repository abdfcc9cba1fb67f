import StepKit
import Values

/// What a token endpoint refuses, in the codes of flows (RFC 6749 §5.2, RFC 8628 §3.5).
enum OAuthRefusal {
  static let invalidClient = StepError(
    "auth.invalid_client", "the client id or the client secret is not accepted",
    help: "compare `client_id`, `client_secret` and `client_auth` with the client's page at the provider")
  static let invalidGrant = StepError(
    "auth.invalid_grant", "the credentials, the code or the refresh token are not accepted",
    help: "a code and a refresh token are good for one use, and both expire")
  static let denied = StepError("auth.denied", "the server does not give this client such a token")
  static let pending = StepError(
    "auth.pending", "the person has not agreed yet",
    help: "ask again with `retry: { when: auth.pending }`, no faster than the server's `interval`")

  static let interaction = StepError(
    "auth.interaction", "a person has to sign in, or to agree, at the server",
    help:
      "let them open the address in a browser, and give the one that it leads back to to `oauth/parse-redirect`; or use a device code")
  static let wrongState = StepError(
    "auth.state", "the redirect answers another request than this one",
    help: "ask for the consent again; a redirect that somebody else sent must not be used")

  /// What a token endpoint refuses.
  static let all = [invalidClient, invalidGrant, denied, pending]

  /// The failure for an answer that holds no token.
  static func failure(_ reply: HTTPReply) -> StepFailure {
    let code = reply.body["error"]?.exposed.stringValue
    let description = reply.body["error_description"]?.exposed.stringValue
    let detail = [code.map { "`\($0)`" }, description].compactMap { $0 }.joined(separator: ": ")
    switch code {
    case "invalid_client": return invalidClient.failure(reply, detail: detail)
    case "invalid_grant", "expired_token", "bad_verification_code": return invalidGrant.failure(reply, detail: detail)
    case "access_denied", "unauthorized_client", "unsupported_token_type": return denied.failure(reply, detail: detail)
    case "authorization_pending", "slow_down": return pending.failure(reply, detail: detail)
    default:
      // A 401 here is about the client, whatever words the server has for it.
      if reply.status == 401 { return invalidClient.failure(reply, detail: detail) }
      guard reply.isSuccess else { return .http(reply, detail: detail) }
      return StepFailure(
        "decode", title: "the answer cannot be read", detail: "the server answered \(reply.status) with the error \(detail)", sent: .yes,
        isRejected: true, answer: reply.answer)
    }
  }
}
