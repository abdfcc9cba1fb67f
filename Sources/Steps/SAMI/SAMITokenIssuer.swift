import HTTPTypes
package import StepKit
package import Values

/// `POST /token` of the accounts host: the application's token, a person's by a code, and the next one of a person's.
package struct SAMITokenIssuer: TokenIssuer {
  package init() {}

  package func token(
    for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort
  ) async throws(StepFailure) -> Token {
    let reply = try await http.send(try request(for: grant, settings: SAMI.Settings(valid: settings)))
    if let refusal = Self.refusal(reply, grant) { throw refusal }
    let answer = try TokenAnswer(reply)
    switch grant {
    case .client, .user, .code: return answer.token(at: clock.now())
    case .refresh(let earlier, _):
      var token = answer.token(at: clock.now(), after: earlier)
      // The next one is renewed as this one was.
      if TokenKind(earlier) == .implicit { token.type = TokenKind.implicit.rawValue }
      return token
    }
  }

  private func request(for grant: TokenGrant, settings: SAMI.Settings) throws(StepFailure) -> HTTPCall {
    if case .user = grant { throw .grantRefused("SAMI takes no passwords from applications; run `sami/authorize`") }
    guard let form = grant.form else {
      throw .sessionExpired(detail: "the token has no refresh token; run `sami/authorize` again", cause: nil)
    }
    let target = try settings.accounts("/token")
    guard case .refresh(let token, _) = grant, TokenKind(token) == .implicit else {
      return try settings.client().tokenRequest(to: target, form: form, effect: grant.effect)
    }
    // An application of the implicit grant has no secret: its old token proves who asks.
    var headers: HTTPFields = [.accept: "application/json"]
    guard HTTPField.isValidValue(token.accessToken) else { throw .input("the access token has characters that no header takes") }
    headers[.authorization] = "bearer \(token.accessToken)"
    var call = HTTPCall(
      .post, target, headers: headers, body: .form(form), token: TokenClass.none, effect: grant.effect,
      secretMembers: TokenAnswer.secretMembers)
    call.secretHeaders = [.authorization]
    call.isBodySecret = true
    call.isTextSecret = true
    call.secrets = [token.accessToken] + (token.refreshToken.map { [$0] } ?? [])
    return call
  }

  /// SAMI has few words for what it refuses: `invalid_request` is also a code or a refresh token that is not good any more.
  static func refusal(_ reply: HTTPReply, _ grant: TokenGrant) -> StepFailure? {
    guard !reply.isSuccess else { return nil }
    let code = reply.body["error"]?.exposed.stringValue
    let detail = code.map { "`\($0)`" } ?? SAMIRefusal(reply).text
    switch (reply.status, code, grant) {
    case (400, "server_error", _): return .http(reply, detail: detail)
    case (400, "invalid_request", .code), (400, "invalid_request", .refresh), (401, _, .refresh):
      return OAuthRefusal.invalidGrant.failure(reply, detail: detail)
    default: return OAuthRefusal.failure(reply)
    }
  }
}

/// How a person's token was got, which decides how it is renewed. The session keeps it as the token's type.
enum TokenKind: String {
  /// Renewed with the application's id and secret.
  case code = "bearer"
  /// Renewed with the old token, and no secret.
  case implicit = "bearer (implicit)"

  init(_ token: Token) { self = token.type == Self.implicit.rawValue ? .implicit : .code }
}
