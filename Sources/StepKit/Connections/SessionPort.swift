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
