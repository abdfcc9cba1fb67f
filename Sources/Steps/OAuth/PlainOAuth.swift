package import StepKit
package import Values

/// `oauth` in the settings of a plain connection: how it gets its token (RFC 6749).
package struct PlainOAuth: Sendable {
  /// How a connection gets its first token by itself.
  enum Grant: String, Choice {
    case clientCredentials = "client_credentials"
    case password
    case refreshToken = "refresh_token"
  }

  let tokenURL: String
  /// Nil is none: a step signs in.
  let grant: Grant?
  let clientID: Secret<String>
  let clientSecret: Secret<String>?
  let clientAuth: OAuthClient.Authentication
  let scope: String?
  let audience: String?
  let username: Secret<String>?
  let password: Secret<String>?
  let legacy: Bool
  let refreshToken: Secret<String>?
  let revocationURL: String?

  /// Of a connection's settings; nil where they have none.
  package init?(in settings: ValueMap) {
    guard let own = settings["oauth"]?.exposed.mapValue, own["token_url"]?.exposed.stringValue != nil else { return nil }
    self.init(valid: own)
  }

  var client: OAuthClient { OAuthClient(id: clientID.exposed, secret: clientSecret?.exposed, authentication: clientAuth) }

  /// The one class of token that such a connection has.
  var tokenClass: TokenClass { grant == .clientCredentials ? .client : .user }

  /// The person of `grant: password`.
  var credentials: Credentials? {
    guard grant == .password, let username, let password else { return nil }
    return Credentials(username: username.exposed, password: password.exposed)
  }

  /// - Throws: `config.credentials` for a grant without what it needs, and for a connection that has no place for a token.
  static func check(_ settings: ValueMap) throws(StepFailure) {
    guard let own = PlainOAuth(in: settings) else { return }
    if let other = ["bearer", "basic", "digest"].first(where: { settings[$0].map { $0.exposed != .null } ?? false }) {
      throw unfit("one kind of credentials goes out: `oauth` and `\(other)` are given")
    }
    guard settings["base_url"]?.exposed.stringValue != nil else { throw unfit("`oauth` needs `base_url`, whose requests carry the token") }
    for (name, isGiven) in own.needs where !isGiven { throw unfit("`grant: \(own.grant?.rawValue ?? "")` needs `\(name)`") }
    if own.grant == .password, !own.legacy { throw unfit("`grant: password` needs `legacy: true`: OAuth 2.1 leaves this grant out") }
  }

  private var needs: [(name: String, isGiven: Bool)] {
    switch grant {
    case .clientCredentials: [("client_secret", clientSecret != nil)]
    case .password: [("username", username != nil), ("password", password != nil)]
    case .refreshToken: [("refresh_token", refreshToken != nil)]
    case nil: []
    }
  }

  private static func unfit(_ detail: String) -> StepFailure {
    StepFailure("config.credentials", title: "the connection's `oauth` cannot be used", detail: detail)
  }
}

extension PlainOAuth: DescribedRecord {
  package init(_ field: inout Fields) {
    tokenURL = field("token_url", "The token endpoint: an absolute URL, or a path below the base URL.", minLength: 1)
    grant = field("grant", "How the first token is got; without it a step signs in, such as `oauth/token` with `keep: true`.")
    clientID = field("client_id", "The client's id.")
    clientSecret = field("client_secret", "Its secret; a public client has none.")
    clientAuth = field(
      "client_auth", "Whether id and secret go as HTTP Basic or in the form; a client without secret uses the form.", default: .basic)
    scope = field("scope", "The scopes asked for, with spaces between them.")
    audience = field("audience", "For whom the token is, where the server asks for it.")
    username = field("username", "The person's name, where `grant` is `password`.")
    password = field("password", "Their password, where `grant` is `password`.")
    legacy = field("legacy", "Must be true where `grant` is `password`, which OAuth 2.1 leaves out.", default: false)
    refreshToken = field("refresh_token", "The token to begin with, where `grant` is `refresh_token`.")
    revocationURL = field("revocation_url", "Where tokens are given back (RFC 7009); `oauth/sign-out` uses it.")
  }
}

/// Gets the tokens of plain connections with `oauth`.
package struct PlainTokenIssuer: TokenIssuer {
  package init() {}

  package func classes(_ settings: ValueMap) -> [TokenClass] { PlainOAuth(in: settings).map { [$0.tokenClass] } ?? [] }

  package func given(_ settings: ValueMap) -> [TokenClass: Token] {
    guard let own = PlainOAuth(in: settings), own.grant == .refreshToken, let refresh = own.refreshToken?.exposed else { return [:] }
    return [.user: Token(accessToken: "", expires: Timestamp(seconds: 0), refreshToken: refresh)]
  }

  package func waysIn(_ settings: ValueMap) -> [String] {
    ["`oauth/token` and `keep: true`", "a `grant` in the connection's `oauth`"]
  }

  package func token(
    for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort
  ) async throws(StepFailure) -> Token {
    guard let own = PlainOAuth(in: settings) else { throw .grantRefused("the connection has no `oauth`") }
    guard var form = grant.form else {
      throw OAuthRefusal.invalidGrant.local(detail: "a user name and a password are needed, and one is empty")
    }
    var earlier: Token?
    switch grant {
    case .client, .user: form += OAuthClient.scopeForm(own.scope, own.audience)
    case .refresh(let token, _): earlier = token
    case .code: break
    }
    let reply = try await http.send(own.client.tokenRequest(to: own.tokenURL, form: form, effect: grant.effect))
    return try TokenAnswer(reply).token(at: clock.now(), after: earlier)
  }
}
