import StepKit
import Values

extension OAuthTokenStep.Input {
  /// - Throws: `schema.input` where the grant lacks something, `config.header` for an id that no header holds.
  func call(_ party: OAuthParty) throws(StepFailure) -> HTTPCall {
    let client = try party.client(clientID, clientSecret, clientAuth)
    if grant == .clientCredentials, client.secret ?? "" == "" { throw lacking("client_secret") }
    let form = try grantForm() + OAuthClient.scopeForm(scope, audience)
    return client.tokenRequest(to: try OAuthParty.needed(tokenURL ?? party.own?.tokenURL, "token_url"), form: form, effect: effect)
  }

  /// Asking twice for these changes nothing; the others are the step's own.
  private var effect: Effect? {
    switch grant {
    case .clientCredentials, .password: .idempotent
    case .refreshToken, .authorizationCode, .deviceCode: nil
    }
  }

  private func grantForm() throws(StepFailure) -> [(name: String, value: String)] {
    let asked: TokenGrant
    switch grant {
    case .clientCredentials: asked = .client
    case .password:
      guard legacy else { throw .input("`grant: password` needs `legacy: true`: OAuth 2.1 leaves this grant out") }
      asked = .user(Credentials(username: try needed(username, "username"), password: try needed(password, "password")))
    case .refreshToken:
      asked = .refresh(Token(accessToken: "", expires: nil, refreshToken: try needed(refreshToken, "refresh_token")), .user)
    case .authorizationCode:
      let verifier = try codeVerifier.map { (text: Secret<String>) throws(StepFailure) in try checked(text.exposed) }
      asked = .code(AuthorizationCode(code: try needed(code, "code"), redirectURI: redirectURI, codeVerifier: verifier))
    case .deviceCode:
      // RFC 8628 §3.4
      return [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", try needed(deviceCode, "device_code")),
      ]
    }
    return asked.form ?? []
  }

  private func needed(_ field: Secret<String>?, _ name: String) throws(StepFailure) -> String {
    guard let text = field?.exposed, !text.isEmpty else { throw lacking(name) }
    return text
  }

  private func lacking(_ name: String) -> StepFailure { .input("`grant: \(grant.rawValue)` needs `\(name)`") }

  /// 43 to 128 unreserved characters (RFC 7636 §4.1).
  private func checked(_ verifier: String) throws(StepFailure) -> String {
    guard (43...128).contains(verifier.utf8.count), PercentEncoding.component(verifier) == verifier else {
      throw .input("`code_verifier` must have 43 to 128 characters, only letters, digits, `-`, `.`, `_` and `~`")
    }
    return verifier
  }
}
