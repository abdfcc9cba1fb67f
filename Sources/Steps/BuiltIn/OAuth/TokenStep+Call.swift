import HTTPTypes
import StepKit
import Values

extension OAuthTokenStep.Input {
  /// - Throws: `schema.input` where the grant lacks something, `config.header` for an id that no header holds.
  func call() throws(StepFailure) -> HTTPCall {
    var form = try grantForm()
    if let scope { form.append(("scope", scope)) }
    if let audience { form.append(("audience", audience)) }
    let client = OAuthClient(id: clientID.exposed, secret: clientSecret?.exposed, authentication: clientAuth)
    return client.tokenRequest(to: tokenURL, form: form, effect: effect)
  }

  /// Asking twice for these changes nothing; the others are the step's own.
  private var effect: Effect? {
    switch grant {
    case .clientCredentials, .password: .idempotent
    case .refreshToken, .authorizationCode, .deviceCode: nil
    }
  }

  private func grantForm() throws(StepFailure) -> [(name: String, value: String)] {
    switch grant {
    case .clientCredentials:
      _ = try needed(clientSecret, "client_secret")
      return [("grant_type", "client_credentials")]
    case .password:
      guard legacy else { throw .input("`grant: password` needs `legacy: true`: OAuth 2.1 leaves this grant out") }
      return [
        ("grant_type", "password"), ("username", try needed(username, "username")), ("password", try needed(password, "password")),
      ]
    case .refreshToken: return [("grant_type", "refresh_token"), ("refresh_token", try needed(refreshToken, "refresh_token"))]
    case .authorizationCode:
      var form = [("grant_type", "authorization_code"), ("code", try needed(code, "code"))]
      if let redirectURI { form.append(("redirect_uri", redirectURI)) }
      if let codeVerifier { form.append(("code_verifier", try verifier(codeVerifier.exposed))) }
      return form.map { (name: $0, value: $1) }
    case .deviceCode:
      return [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", try needed(deviceCode, "device_code")),
      ]
    }
  }

  private func needed(_ field: Secret<String>?, _ name: String) throws(StepFailure) -> String {
    guard let text = field?.exposed, !text.isEmpty else { throw .input("`grant: \(grant.rawValue)` needs `\(name)`") }
    return text
  }

  /// 43 to 128 unreserved characters (RFC 7636 §4.1).
  private func verifier(_ text: String) throws(StepFailure) -> String {
    guard (43...128).contains(text.utf8.count), PercentEncoding.component(text) == text else {
      throw .input("`code_verifier` must have 43 to 128 characters, only letters, digits, `-`, `.`, `_` and `~`")
    }
    return text
  }
}
