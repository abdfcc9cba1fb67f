import HTTPTypes
package import StepKit
import Values

extension Ostelco {
  /// `ostelco/login`: the tenant's consent without a browser, for somebody whom it lets through without a page.
  ///
  /// Whoever was signed in before is not any more, whatever comes of it.
  package enum Login: StepHandler {
    package static let about = About(
      "ostelco/login", "Signs a person in on the connection, by a code with PKCE.", effect: .idempotent, signsIn: true, needs: ["auth_url"])
    static let loginNeeded = StepError(
      "ostelco.login_needed", "the tenant wants to show a page to a person",
      help: "log in with the app, and sign in here with `ostelco/refresh-token` and its `refresh_token`")
    package static let errors = [loginNeeded, OAuthRefusal.wrongState] + OAuthRefusal.all
    package static let example = Example(
      with: #"{"login_hint": "mei@example.test"}"#,
      outputs: """
        {"access_token": "*", "refresh_token": "*", "id_token": "*", "token_type": "Bearer", "expires_in": 7200, "expires_at": "*",
         "scope": "openid profile email offline_access"}
        """)

    package struct Input: DescribedRecord {
      let loginHint: String?

      package init(_ field: inout Fields) {
        loginHint = field("login_hint", "Whom the tenant should sign in, by their address; the sandbox agrees for them.")
      }
    }

    package typealias Output = SignedIn

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      await ports.session.signOut()
      let settings = Settings(valid: ports.settings)
      let key = ProofKey(ports.random)
      let state = Base64URL.encoded(ports.random.bytes(16))
      let code = try await consent(input, settings, key, state, ports)
      let answer = try await OstelcoTokenIssuer.answer(
        to: .code(AuthorizationCode(code: code, redirectURI: settings.redirectURI, codeVerifier: key.verifier)), settings, ports.http)
      return try await SignedIn.adopting(answer, ports)
    }

    /// The code of the redirect, which is read and not followed.
    private static func consent(
      _ input: Input, _ settings: Settings, _ key: ProofKey, _ state: String, _ ports: Ports
    ) async throws(StepFailure) -> String {
      var query = [
        ("response_type", "code"), ("client_id", settings.clientID.exposed), ("redirect_uri", settings.redirectURI),
        ("connection", settings.connection), ("audience", settings.audience), ("scope", settings.scope), ("state", state),
        ("code_challenge", key.challenge), ("code_challenge_method", "S256"),
      ]
      if let hint = input.loginHint { query.append(("login_hint", hint)) }
      var call = HTTPCall(
        .get, try settings.tenant("/authorize"), query: query.map { (name: $0, value: $1) }, token: TokenClass.none, effect: .read,
        hidden: [settings.clientID.exposed, state])
      // A redirect that is followed would hand the code to whoever listens there.
      call.options.redirects = 0
      call.secretParameters = AuthorizationRedirect.secretNames
      let reply = try await ports.http.send(call)
      guard (300..<400).contains(reply.status), let location = reply.headers[.location] else {
        throw reply.isSuccess ? loginNeeded.failure(reply, detail: "it answers with a page") : OAuthRefusal.failure(reply)
      }
      guard AuthorizationRedirect.address(of: location) == AuthorizationRedirect.address(of: settings.redirectURI) else {
        throw loginNeeded.failure(reply, detail: "it leads to a page of its own, and not to the redirect address")
      }
      let redirect = AuthorizationRedirect(location)
      try redirect.check(state: state)
      guard let code = redirect["code"], !code.isEmpty else {
        throw loginNeeded.failure(reply, detail: "the redirect brings neither a code nor an error")
      }
      return code
    }
  }

  /// The token that somebody is signed in with; the connection uses it already.
  package struct SignedIn: Sendable {
    let accessToken: Secret<String>
    let refreshToken: Secret<String>?
    let idToken: Secret<String>?
    let tokenType: String?
    let expiresIn: Int?
    let expiresAt: String?
    let scope: String?
  }
}

extension Ostelco.SignedIn {
  /// Takes the token over for the connection's user.
  static func adopting(_ answer: TokenAnswer, after earlier: Token? = nil, _ ports: Ports) async throws(StepFailure) -> Self {
    let token = answer.token(at: ports.clock.now(), after: earlier)
    try await ports.session.adopt(token, .user)
    return Self(token, idToken: answer.idToken)
  }

  init(_ token: Token, idToken: Secret<String>? = nil) {
    accessToken = Secret(token.accessToken)
    refreshToken = token.refreshToken.map { Secret($0) }
    self.idToken = idToken
    tokenType = token.type
    expiresAt = token.expires.flatMap { Value.timestamp($0).scalarText }
    if let issued = token.issued, let expires = token.expires {
      expiresIn = Int(expires.seconds - issued.seconds)
    } else {
      expiresIn = nil
    }
    scope = token.scope
  }
}

extension Ostelco.SignedIn: DescribedRecord {
  package init(_ field: inout Fields) {
    accessToken = field("access_token", "The token; the connection already uses it.")
    refreshToken = field("refresh_token", "Gets the next one, until it is revoked.")
    idToken = field("id_token", "Who signed in; absent where the connection renewed its own token.")
    tokenType = field("token_type", "`Bearer`.")
    expiresIn = field("expires_in", "Its life in seconds.")
    expiresAt = field("expires_at", "When it ends, in UTC.", format: .dateTime)
    scope = field("scope", "What was granted.")
  }
}
