import Synchronization
package import Values

/// The session of one connection in one run: fetches tokens on first need, again before they expire, and once for all
/// who wait; keeps them in a store where the connection has one.
///
/// What it does stands in four parts: `HeldTokens` knows who is signed in, by which tokens; `Flights` and
/// `ConnectionSession+Flights` make one fetch of many wishes; `+Errands` is what a fetch does; `+Store` keeps in step what
/// outlives the run.
package actor ConnectionSession: SessionPort {
  let issuer: (any TokenIssuer)?
  let settings: ValueMap
  let http: any HTTPPort
  let clock: any ClockPort
  let activity: any ActivityPort
  /// Keeps tokens beyond the run; `store(for:)` gives it where it is this user's.
  let anyStore: (any SessionStore)?
  let hide: @Sendable ([String]) -> Void
  private let memory: ConnectionMemory?
  private let waysIn: @Sendable () -> [String]
  private let namesUser: Bool

  var tokens: HeldTokens
  var flights = Flights()
  package internal(set) var storeFailure: StepFailure?
  /// Read before anything else is.
  private let recalled = Mutex<PastSession?>(nil)

  /// - Parameters:
  ///   - http: carries the session's own requests; adds no token itself.
  ///   - credentials: a user who needs no log-in step.
  ///   - waysIn: the steps and settings by which somebody signs in, for messages (`SystemDescription.waysIn`).
  ///   - activity: told that a fetch is under way, and that its callers only wait for it.
  ///   - store: keeps tokens beyond the run.
  ///   - memory: whose cookies belong to the user.
  ///   - hide: told of each token before it is used: a server may send it back in an error.
  package init(
    issuer: (any TokenIssuer)?, settings: ValueMap, http: any HTTPPort, clock: any ClockPort, credentials: Credentials? = nil,
    waysIn: @escaping @Sendable () -> [String] = { [] }, activity: any ActivityPort = NoActivity(),
    store: (any SessionStore)? = nil, memory: ConnectionMemory? = nil, hide: @escaping @Sendable ([String]) -> Void = { _ in }
  ) {
    self.issuer = issuer
    self.settings = settings
    self.http = http
    self.clock = clock
    self.waysIn = waysIn
    self.activity = activity
    anyStore = store
    self.memory = memory
    self.hide = hide
    let tokens = HeldTokens(configured: credentials, given: issuer?.given(settings) ?? [:])
    namesUser = tokens.namesUser
    self.tokens = tokens
  }

  package var classes: [TokenClass] { issuer?.classes(settings) ?? [] }

  // MARK: a token for a request

  package func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    absorb()
    // While one is renewed, the one before may have been refused already.
    if !flights.isUnderWay(tokenClass), let token = tokens[tokenClass], isFresh(token) { return token }
    return try await fetched(.renewal(of: tokens[tokenClass], tokenClass, .due))
  }

  package func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    absorb()
    if let current = tokens[tokenClass], current.accessToken != rejected.accessToken { return try await token(tokenClass) }
    if !flights.isUnderWay(tokenClass), tokens.hasEnded(rejected, tokenClass) {
      throw .sessionExpired(detail: "the token was refused, and its session has ended; \(mend)", cause: nil)
    }
    return try await fetched(.renewal(of: rejected, tokenClass, .refused))
  }

  package func renew(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    absorb()
    return try await fetched(.renewal(of: tokens[tokenClass], tokenClass, .forced))
  }

  package func held(_ tokenClass: TokenClass) async -> Token? {
    absorb()
    guard let store = store(for: tokenClass), let stored = (try? await store.load())?.tokens[tokenClass] else { return tokens[tokenClass] }
    hide(stored.secretTexts)
    // Another process may have renewed it since; what could not be stored is newer.
    guard let own = tokens[tokenClass], let made = own.issued, stored.issued.map({ $0 < made }) ?? true else { return stored }
    return own
  }

  // MARK: signing in and out

  package func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token {
    absorb()
    // A fetch for the user before would land after this one and put them back.
    try await untilLanded(grant.tokenClass)
    var person: Credentials?
    if case .user(let credentials) = grant { person = credentials }
    tokens.replace(grant.tokenClass, by: person)
    return try await fetched(.signIn(grant, over: http))
  }

  package func adopt(_ token: Token, _ tokenClass: TokenClass) async throws(StepFailure) {
    hide(token.secretTexts)
    absorb()
    try await untilLanded(tokenClass)
    tokens.replace(tokenClass, by: nil)
    _ = try await fetched(.adoption(of: token, tokenClass))
  }

  package func forget(_ tokenClass: TokenClass) async {
    absorb()
    let token = tokens[tokenClass]
    tokens.end(tokenClass)
    await purge(tokenClass, token)
  }

  package func forget(_ tokenClass: TokenClass, refused: Token) async {
    guard let current = tokens[tokenClass] else {
      if tokens.noteEnded(refused, tokenClass) { await purge(tokenClass, refused) }
      return
    }
    guard current.accessToken == refused.accessToken else { return }
    tokens.end(tokenClass)
    await purge(tokenClass, refused)
  }

  package func signOut() async {
    try? await untilLanded(.user)
    absorb()
    let store = store(for: .user)
    tokens.signOut(by: RunningStep.id)
    memory?.forgetCookies()
    // Whoever has renewed it meanwhile has renewed the same user's. Not a child: who stops the run still signs out.
    await Task { await self.purge(.user, nil, from: store) }.value
  }

  // MARK: what is known

  /// Takes on how an earlier process of this run has left the session: its steps are not done again.
  ///
  /// Where the connection has a store it holds that token, or the one after it, and a sign-in does nothing here; but somebody
  /// else than the user of the settings is not in the store, and must not become that user.
  package nonisolated func recall(_ session: PastSession) {
    if case .signedIn(let token) = session {
      guard anyStore == nil || namesUser else { return }
      hide(token.secretTexts)
    }
    recalled.withLock { $0 = session }
  }

  private func absorb() {
    let token: Token
    switch recalled.withLock({ $0.take() }) {
    case nil: return
    case .signedOut(let step): return tokens.signOut(by: step)
    case .signedIn(let last): token = last
    }
    let classes = classes
    guard let tokenClass = classes.count == 1 ? classes.first : classes.first(where: { $0 == .user }) else { return }
    tokens.replace(tokenClass, by: nil)
    tokens.keep(token, tokenClass)
  }

  func keep(_ token: Token, _ tokenClass: TokenClass) {
    hide(token.secretTexts)
    tokens.keep(token, tokenClass)
  }

  func isFresh(_ token: Token) -> Bool { token.isFreshOnArrival(at: clock.now()) }

  /// Why there is no token of a user, and who signs one in.
  var nobody: StepFailure { .nobodySignedIn(tokens.standing, waysIn: allWaysIn) }
  var mend: String { StepFailure.mend(allWaysIn) }
  private var allWaysIn: [String] { waysIn() + (issuer?.waysIn(settings) ?? []) }
}
