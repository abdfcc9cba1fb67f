import HTTPTypes
package import StepKit

/// Who asks at a token endpoint (RFC 6749 §2.3.1).
package struct OAuthClient: Sendable {
  /// Where id and secret go.
  package enum Authentication: String, Choice { case basic, form }

  package var id: String
  /// Nil is a public client, which shows its id in the form alone.
  package var secret: String?
  package var authentication: Authentication

  package init(id: String, secret: String?, authentication: Authentication) {
    self.id = id
    self.secret = secret
    self.authentication = authentication
  }

  private static let secretNames: Set<String> = [
    "client_secret", "password", "code", "code_verifier", "refresh_token", "device_code", "token", "assertion", "client_assertion",
  ]

  /// A request to a token endpoint, or to another one that takes forms from clients; tokens in its answer are secret.
  /// - Parameter effect: nil is the step's own.
  package func tokenRequest(to target: String, form: [(name: String, value: String)], effect: Effect?) -> HTTPCall {
    var form = form
    // Some servers answer in a form unless asked for JSON.
    var headers: HTTPFields = [.accept: "application/json"]
    switch (authentication, secret) {
    case (.basic, let secret?):
      // Both are encoded as in a form before they become a pair (RFC 6749 §2.3.1).
      headers[.authorization] = HTTPFields.basicAuthorization(username: Self.encoded(id), password: Self.encoded(secret))
    case (.form, let secret?): form += [("client_id", id), ("client_secret", secret)]
    case (_, nil): form.append(("client_id", id))
    }
    var call = HTTPCall(
      .post, target, headers: headers, body: .form(form), token: TokenClass.none, effect: effect, secretMembers: TokenAnswer.secretMembers)
    // Such an endpoint sends nobody elsewhere; whoever is sent would take a secret along.
    call.options.redirects = 0
    call.isBodySecret = true
    call.isTextSecret = true
    // Not all of them were secret to whoever has them, such as a token of the store; servers send back what they refuse.
    call.secrets = form.filter { Self.secretNames.contains($0.name) }.map(\.value)
    return call
  }

  /// The pairs for what is asked for beside a grant.
  package static func scopeForm(_ scope: String?, _ audience: String? = nil) -> [(name: String, value: String)] {
    [("scope", scope), ("audience", audience)].compactMap { name, value in value.map { (name: name, value: $0) } }
  }

  /// A blank becomes `%20`, which those who decode forms and those who decode URLs read alike.
  private static func encoded(_ text: String) -> String { PercentEncoding.component(text) }
}

extension TokenGrant {
  /// The pairs of a token request for this grant, without the client's own (RFC 6749 §4, §6); nil for a password's empty half,
  /// or a token that cannot be renewed.
  package var form: [(name: String, value: String)]? {
    switch self {
    case .client: return [("grant_type", "client_credentials")]
    case .user(let person):
      guard !person.username.isEmpty, !person.password.isEmpty else { return nil }
      return [("grant_type", "password"), ("username", person.username), ("password", person.password)]
    case .code(let code):
      var form = [("grant_type", "authorization_code"), ("code", code.code)]
      if let redirect = code.redirectURI { form.append(("redirect_uri", redirect)) }
      if let verifier = code.codeVerifier { form.append(("code_verifier", verifier)) }
      return form.map { (name: $0, value: $1) }
    case .refresh(let token, _):
      guard let refresh = token.refreshToken else { return nil }
      return [("grant_type", "refresh_token"), ("refresh_token", refresh)]
    }
  }

  /// How often the request may be sent: a code and a refresh token may be good for one use, and whoever sends one twice may
  /// lose the session (RFC 9700 §4.14.2).
  package var effect: Effect {
    switch self {
    case .client, .user: .idempotent
    case .code, .refresh: .unsafe
    }
  }
}
