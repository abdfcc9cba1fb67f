import HTTPTypes
package import StepKit
package import Values

/// `POST /oauth/token` of the tenant (Auth0): a token for the code of a consent, and the next one for a refresh token.
///
/// A refresh token stays good until it is revoked, and no new one comes with an access token.
package struct OstelcoTokenIssuer: TokenIssuer {
  package init() {}

  package func token(
    for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort
  ) async throws(StepFailure) -> Token {
    let answer = try await Self.answer(to: grant, Ostelco.Settings(valid: settings), http)
    guard case .refresh(let earlier, _) = grant else { return answer.token(at: clock.now()) }
    return answer.token(at: clock.now(), after: earlier)
  }

  /// - Throws: `auth.*` for what the tenant refuses: 403 `invalid_grant` for a code or a refresh token that is not good.
  static func answer(
    to grant: TokenGrant, _ settings: Ostelco.Settings, _ http: any HTTPPort
  ) async throws(StepFailure) -> TokenAnswer {
    let endpoint = try settings.tenant("/oauth/token")
    switch grant {
    case .client, .user: throw .grantRefused("the tenant gives tokens to people who agree in a browser, and for refresh tokens")
    case .code:
      let client = OAuthClient(id: settings.clientID.exposed, secret: nil, authentication: .form)
      return try TokenAnswer(try await http.send(client.tokenRequest(to: endpoint, form: grant.form ?? [], effect: grant.effect)))
    case .refresh(let token, _):
      guard let refresh = token.refreshToken else { throw OAuthRefusal.invalidGrant.local(detail: "there is no refresh token") }
      // The refresh token stays the same, so that asking twice does no harm.
      return try TokenAnswer(
        try await http.send(
          HTTPCall(
            .post, endpoint,
            body: .json([
              "grant_type": "refresh_token", "client_id": .string(settings.clientID.exposed),
              "refresh_token": Value.string(refresh).hidden(),
            ]), token: TokenClass.none, effect: .idempotent, secretMembers: TokenAnswer.secretMembers, isTextSecret: true)))
    }
  }
}
