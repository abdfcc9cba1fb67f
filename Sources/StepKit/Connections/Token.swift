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

  package init(accessToken: String, expires: Timestamp?, issued: Timestamp? = nil, type: String? = nil) {
    self.accessToken = accessToken
    self.expires = expires
    self.issued = issued
    self.type = type
  }

  /// Whether it may still be used: expired is `now >= expires`.
  package func isFresh(at now: Timestamp) -> Bool {
    expires.map { now < $0 } ?? true
  }
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

/// What a token is asked for.
package enum TokenGrant: Hashable, Sendable {
  case client
  case user(Credentials)

  /// The class of the token that it gives.
  package var tokenClass: TokenClass {
    switch self {
    case .client: .client
    case .user: .user
    }
  }
}

/// Gets tokens from one system's token endpoint.
package protocol TokenIssuer: Sendable {
  /// - Throws: `auth.invalid_client`, `auth.invalid_grant`, and what the request raises.
  func token(for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort) async throws(StepFailure) -> Token
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
  /// Forgets the tokens of a class.
  func forget(_ tokenClass: TokenClass) async
}

extension SessionPort {
  /// Signs in over the session's own port.
  package func signIn(_ grant: TokenGrant) async throws(StepFailure) -> Token { try await signIn(grant, over: nil) }
}
