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
}

extension TokenIssuer {
  package func classes(_ settings: ValueMap) -> [TokenClass] { [.client, .user] }
  package func given(_ settings: ValueMap) -> [TokenClass: Token] { [:] }
}

extension StepFailure {
  /// The system knows no such grant; nothing was sent.
  package static func grantRefused(_ detail: String) -> StepFailure {
    StepFailure("config.token", title: "no token can be had", detail: detail)
  }
}

/// The session of a connection: who is signed in, and with which tokens.
package protocol SessionPort: Sendable {
  /// A fresh token, fetched or refreshed where needed; one fetch serves all who wait.
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token
  /// Signs in by a grant and keeps its token and, for a user, the credentials. Replaces who was signed in, from the
  /// start: after a refusal nobody is. The request goes over `http`, such as the port of the step that signs in, or
  /// over the session's own port where it is nil.
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token
  /// A token after `rejected` was refused with 401: a new one, or the one that somebody else got since.
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token
  /// Forgets the tokens of a class, those that outlive the run too, and who could get new ones without a log-in.
  func forget(_ tokenClass: TokenClass) async
  /// Forgets them where they are still those that were refused: somebody else may have got new ones since.
  func forget(_ tokenClass: TokenClass, refused: Token) async

  /// The token that is held, or stored for this connection, fresh or not; asks nobody. Nil where there is none.
  func held(_ tokenClass: TokenClass) async -> Token?
  /// Takes a token that was got elsewhere, such as by a redirect: the connection uses it from now on. For a user it replaces
  /// who was signed in.
  func adopt(_ token: Token, _ tokenClass: TokenClass) async throws(StepFailure)
  /// Renews the token of a class now, whether or not it is still good; one request serves all who wait.
  /// - Throws: `auth.expired` where nothing is held that could be renewed, or the provider refuses.
  func renew(_ tokenClass: TokenClass) async throws(StepFailure) -> Token
  /// Forgets all that belongs to the user: their tokens, those that outlive the run too, their credentials, their cookies.
  func signOut() async
  /// The classes of token that it can have; none where there is no connection.
  var classes: [TokenClass] { get async }
  /// Why what outlives the run could not be forgotten; nil where it was, or nothing does.
  var storeFailure: StepFailure? { get async }
}

extension SessionPort {
  package func forget(_ tokenClass: TokenClass, refused: Token) async { await forget(tokenClass) }
  package var classes: [TokenClass] { [.client, .user] }
  package var storeFailure: StepFailure? { nil }
  package func held(_ tokenClass: TokenClass) async -> Token? { nil }
  package func adopt(_ token: Token, _ tokenClass: TokenClass) async throws(StepFailure) { throw .grantRefused("there is no connection") }
  package func renew(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw .grantRefused("there is no connection") }
  package func signOut() async { await forget(.user) }

  /// Signs in over the session's own port.
  package func signIn(_ grant: TokenGrant) async throws(StepFailure) -> Token { try await signIn(grant, over: nil) }
}
