package import Values

/// An access token with its life.
package struct Token: Hashable, Sendable {
  /// For the wire alone.
  package var accessToken: String
  /// On the connection's clock; nil where the provider says nothing.
  package var expires: Timestamp?
  /// When the provider says that it made it.
  package var issued: Timestamp?
  /// As the provider calls it, such as `BearerToken`.
  package var type: String?
  /// Trades for the next token, for the wire alone; nil where the provider gives none, or Baton does not use it.
  package var refreshToken: String?
  /// The scopes that were granted, as the provider writes them.
  package var scope: String?

  package init(
    accessToken: String, expires: Timestamp?, issued: Timestamp? = nil, type: String? = nil, refreshToken: String? = nil,
    scope: String? = nil
  ) {
    self.accessToken = accessToken
    self.expires = expires
    self.issued = issued
    self.type = type
    self.refreshToken = refreshToken
    self.scope = scope
  }

  /// Whether it may still be used: expired is `now >= expires`.
  package func isFresh(at now: Timestamp) -> Bool {
    expires.map { now < $0 } ?? true
  }

  /// Whether it will still be good when a request that is made now arrives: a hundredth of its life is left for the way,
  /// five seconds at most.
  package func isFreshOnArrival(at now: Timestamp) -> Bool {
    guard let expires, let issued, expires.seconds - issued.seconds > 0 else { return isFresh(at: now) }
    let margin = min((expires.seconds - issued.seconds) * 10, 5000)
    let milliseconds = Int64(now.nanoseconds) / 1_000_000 + margin
    let arrival = Timestamp(
      seconds: now.seconds + milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
    return isFresh(at: arrival)
  }

  /// What nothing may show.
  var secretTexts: [String] { [accessToken, refreshToken].compactMap { $0 }.filter { !$0.isEmpty } }
}

/// A person's name and password at a provider.
package struct Credentials: Hashable, Sendable {
  package var username: String
  package var password: String

  package init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}

/// A code that a person's consent has given, and what proves that it is ours (RFC 6749 §4.1.3, RFC 7636 §4.5).
package struct AuthorizationCode: Hashable, Sendable {
  package var code: String
  package var redirectURI: String?
  package var codeVerifier: String?

  package init(code: String, redirectURI: String? = nil, codeVerifier: String? = nil) {
    self.code = code
    self.redirectURI = redirectURI
    self.codeVerifier = codeVerifier
  }
}

/// What a token is asked for with.
package enum TokenGrant: Hashable, Sendable {
  case client
  case user(Credentials)
  /// A person's token, by a code of theirs.
  case code(AuthorizationCode)
  /// The token after this one, by its refresh token.
  case refresh(Token, TokenClass)

  /// The class of the token that it gives.
  package var tokenClass: TokenClass {
    switch self {
    case .client: .client
    case .user, .code: .user
    case .refresh(_, let tokenClass): tokenClass
    }
  }
}

/// Gets tokens from one system's token endpoint.
///
/// Conformers keep true: a refusal is an `auth.*` failure, everything else is not; a grant that the system does not know is
/// refused with `StepFailure.grantRefused`; after `.refresh` the answer holds the refresh token to use from then on, which is
/// the old one where the provider gives no new one.
package protocol TokenIssuer: Sendable {
  /// - Throws: `auth.invalid_client`, `auth.invalid_grant`, and what the request raises.
  func token(for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort) async throws(StepFailure) -> Token
  /// The classes of token that a connection with such settings has. Where it is one, plain requests carry it without saying so.
  func classes(_ settings: ValueMap) -> [TokenClass]
  /// Tokens that the settings hold themselves, such as a refresh token that was got elsewhere.
  func given(_ settings: ValueMap) -> [TokenClass: Token]
  /// How somebody signs in on a connection with such settings, beside the steps and settings of its system; each as messages
  /// show it, such as "`oauth/token` with `keep: true`".
  func waysIn(_ settings: ValueMap) -> [String]
}

extension TokenIssuer {
  package func classes(_ settings: ValueMap) -> [TokenClass] { [.client, .user] }
  package func given(_ settings: ValueMap) -> [TokenClass: Token] { [:] }
  package func waysIn(_ settings: ValueMap) -> [String] { [] }
}

extension StepFailure {
  /// The system knows no such grant; nothing was sent.
  package static func grantRefused(_ detail: String) -> StepFailure {
    StepFailure("config.token", title: "no token can be had", detail: detail)
  }
}
