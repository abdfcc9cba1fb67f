import Synchronization
package import Values

/// The session of one connection in one run: fetches tokens on first need, again before they expire, and once for all
/// who wait; keeps them in a store where the connection has one.
///
/// A caller that is cancelled leaves alone; the fetch goes on for the others, and ends when nobody waits any more. A
/// refresh goes on all the same: its token is good for one use, and whoever drops the answer loses the session.
package actor ConnectionSession: SessionPort {
  private struct Flight {
    let id: Int
    let task: Task<Void, Never>
    var waiting: [Int: CheckedContinuation<Result<Token, StepFailure>, Never>] = [:]
    /// Whether it has sent what cannot be sent again.
    var isPastReturn = false
  }

  let issuer: (any TokenIssuer)?
  let settings: ValueMap
  let http: any HTTPPort
  let clock: any ClockPort
  private let activity: any ActivityPort
  private let store: (any SessionStore)?
  private let memory: ConnectionMemory?
  let hide: @Sendable ([String]) -> Void
  /// Of the connection's settings: the user who needs no log-in, until they are refused.
  var configured: Credentials?
  /// Tokens that the settings hold themselves.
  let given: [TokenClass: Token]
  private let namesUser: Bool
  /// Of whoever has signed in by a step.
  var credentials: Credentials?
  /// Whether the user is the one of the settings, where they name one: nobody takes their place behind a flow's back.
  private(set) var isOfSettings = true
  private var tokens: [TokenClass: Token] = [:]
  /// The tokens that the present ones have renewed, the latest last.
  private var earlier: [TokenClass: [String]] = [:]
  /// The tokens of the session that was refused last: whoever comes with one of them comes too late.
  private var ended: [TokenClass: Set<String>] = [:]
  private var flights: [TokenClass: Flight] = [:]
  private var lastID = 0
  /// Read before anything else is.
  private let recalled = Mutex<Token?>(nil)
  package private(set) var storeFailure: StepFailure?

  /// - Parameters:
  ///   - http: carries the session's own requests; adds no token itself.
  ///   - credentials: a user who needs no log-in step.
  ///   - activity: told that a fetch is under way, and that its callers only wait for it.
  ///   - store: keeps tokens beyond the run.
  ///   - memory: whose cookies belong to the user.
  ///   - hide: told of each token before it is used: a server may send it back in an error.
  package init(
    issuer: (any TokenIssuer)?, settings: ValueMap, http: any HTTPPort, clock: any ClockPort, credentials: Credentials? = nil,
    activity: any ActivityPort = NoActivity(), store: (any SessionStore)? = nil, memory: ConnectionMemory? = nil,
    hide: @escaping @Sendable ([String]) -> Void = { _ in }
  ) {
    self.issuer = issuer
    self.settings = settings
    self.http = http
    self.clock = clock
    self.activity = activity
    self.store = store
    self.memory = memory
    self.hide = hide
    configured = credentials
    given = issuer?.given(settings) ?? [:]
    namesUser = credentials != nil || given[.user] != nil
  }

  package func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    absorb()
    // While one is renewed, the one before may have been refused already.
    if flights[tokenClass] == nil, let token = tokens[tokenClass], isFresh(token) { return token }
    return try await fetched(tokenClass, insteadOf: tokens[tokenClass])
  }

  package func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    absorb()
    if let current = tokens[tokenClass], current.accessToken != rejected.accessToken { return try await token(tokenClass) }
    if flights[tokenClass] == nil, ended[tokenClass]?.contains(rejected.accessToken) == true {
      throw .sessionExpired(detail: "the session of this token has ended", cause: nil)
    }
    return try await fetched(tokenClass, insteadOf: rejected)
  }

  package func renew(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    absorb()
    if flights[tokenClass] == nil { try start(.renewal(of: tokens[tokenClass], tokenClass, isForced: true)) }
    return try await landing(of: tokenClass)
  }

  package func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token {
    absorb()
    // A fetch for the user before would land after this one and put them back.
    try await untilLanded(grant.tokenClass)
    var person: Credentials?
    if case .user(let credentials) = grant { person = credentials }
    replace(grant.tokenClass, by: person)
    try start(.signIn(grant, over: http ?? self.http))
    return try await landing(of: grant.tokenClass)
  }

  package func adopt(_ token: Token, _ tokenClass: TokenClass) async throws(StepFailure) {
    hide(token.secretTexts)
    absorb()
    try await untilLanded(tokenClass)
    replace(tokenClass, by: nil)
    try start(.adoption(of: token, tokenClass))
    _ = try await landing(of: tokenClass)
  }

  package func held(_ tokenClass: TokenClass) async -> Token? {
    absorb()
    guard let store = store(for: tokenClass), let stored = (try? await store.load())?.tokens[tokenClass] else { return tokens[tokenClass] }
    hide(stored.secretTexts)
    // Another process may have renewed it since; what could not be stored is newer.
    guard let own = tokens[tokenClass], let made = own.issued, stored.issued.map({ $0 < made }) ?? true else { return stored }
    return own
  }

  package var classes: [TokenClass] { issuer?.classes(settings) ?? [] }

  package func forget(_ tokenClass: TokenClass) async {
    absorb()
    let token = tokens[tokenClass]
    end(tokenClass)
    await purge(tokenClass, token)
  }

  package func forget(_ tokenClass: TokenClass, refused: Token) async {
    guard let current = tokens[tokenClass] else {
      if ended[tokenClass, default: []].insert(refused.accessToken).inserted { await purge(tokenClass, refused) }
      return
    }
    guard current.accessToken == refused.accessToken else { return }
    end(tokenClass)
    await purge(tokenClass, refused)
  }

  package func signOut() async {
    try? await untilLanded(.user)
    absorb()
    end(.user)
    memory?.forgetCookies()
    // Whoever has renewed it meanwhile has renewed the same user's. Not a child: who stops the run still signs out.
    await Task { await self.purge(.user, nil) }.value
    isOfSettings = false
  }
}

// MARK: who is signed in

extension ConnectionSession {
  /// Takes a token that an earlier process of this run has signed in with: its step is not done again.
  ///
  /// Where the connection has a store it holds that token, or the one after it, and this does nothing; but somebody else than the
  /// user of the settings is not in the store, and must not become that user.
  package nonisolated func recall(_ token: Token) {
    guard store == nil || namesUser else { return }
    hide(token.secretTexts)
    recalled.withLock { $0 = token }
  }

  private func absorb() {
    guard let token = recalled.withLock({ $0.take() }) else { return }
    let classes = issuer?.classes(settings) ?? []
    guard let tokenClass = classes.count == 1 ? classes.first : classes.first(where: { $0 == .user }) else { return }
    replace(tokenClass, by: nil)
    tokens[tokenClass] = token
  }

  /// A step signs somebody in: nobody is, from here to its end.
  private func replace(_ tokenClass: TokenClass, by person: Credentials?) {
    tokens[tokenClass] = nil
    earlier[tokenClass] = nil
    guard tokenClass == .user else { return }
    credentials = nil
    isOfSettings = !namesUser || person != nil && person == configured
  }

  func end(_ tokenClass: TokenClass) {
    if let token = tokens.removeValue(forKey: tokenClass) { earlier[tokenClass, default: []].append(token.accessToken) }
    if let past = earlier.removeValue(forKey: tokenClass), !past.isEmpty { ended[tokenClass] = Set(past) }
    if tokenClass == .user { credentials = nil }
  }

  func keep(_ token: Token, _ tokenClass: TokenClass) {
    hide(token.secretTexts)
    if let old = tokens[tokenClass], old.accessToken != token.accessToken {
      earlier[tokenClass] = (earlier[tokenClass] ?? []).suffix(31) + [old.accessToken]
    }
    tokens[tokenClass] = token
  }

  func isFresh(_ token: Token) -> Bool { token.isFreshOnArrival(at: clock.now()) }

  /// The store, where it keeps this class: somebody else than the user of the settings is nobody's to find there.
  func store(for tokenClass: TokenClass) -> (any SessionStore)? { tokenClass != .user || isOfSettings ? store : nil }

  /// Removes a token from the store; whoever has put another one there keeps it.
  private func purge(_ tokenClass: TokenClass, _ token: Token?) async {
    guard let store = store(for: tokenClass) else { return }
    do throws(StepFailure) {
      let lease = try await store.acquire()
      do throws(StepFailure) {
        var stored = try await lease.load()
        if let there = stored.tokens[tokenClass], token.map({ $0.accessToken == there.accessToken }) ?? true {
          stored.tokens[tokenClass] = nil
          try await lease.save(stored)
        }
      } catch {
        storeFailure = error
      }
      await lease.release()
    } catch {
      storeFailure = error
    }
  }
}

// MARK: one fetch at a time

extension ConnectionSession {
  /// What a flight is for.
  enum Errand: Sendable {
    case signIn(TokenGrant, over: any HTTPPort)
    case adoption(of: Token, TokenClass)
    /// Of the token that is held or was refused; forced is whether it is still good or not.
    case renewal(of: Token?, TokenClass, isForced: Bool)

    var tokenClass: TokenClass {
      switch self {
      case .signIn(let grant, _): grant.tokenClass
      case .adoption(_, let tokenClass), .renewal(_, let tokenClass, _): tokenClass
      }
    }
  }

  /// How many callers wait for the fetch of a class.
  package func waitingCount(_ tokenClass: TokenClass) -> Int { flights[tokenClass]?.waiting.count ?? 0 }

  private func fetched(_ tokenClass: TokenClass, insteadOf token: Token?) async throws(StepFailure) -> Token {
    if flights[tokenClass] == nil { try start(.renewal(of: token, tokenClass, isForced: false)) }
    return try await landing(of: tokenClass)
  }

  private func untilLanded(_ tokenClass: TokenClass) async throws(StepFailure) {
    while flights[tokenClass] != nil {
      _ = try? await landing(of: tokenClass)
      if Task.isCancelled { throw StepFailure("cancelled", title: "cancelled") }
    }
  }

  private func start(_ errand: Errand) throws(StepFailure) {
    guard let issuer else {
      throw StepFailure("config.token", title: "no token can be had", detail: "the connection's system gives out no tokens")
    }
    if let failure = storeFailure {
      storeFailure = nil
      throw failure
    }
    guard issuer.classes(settings).contains(errand.tokenClass) else {
      let what = errand.tokenClass == .none ? "the request asks for none" : "the connection has no \(errand.tokenClass.rawValue) token"
      throw StepFailure("config.token", title: "no token can be had", detail: what)
    }
    lastID += 1
    let id = lastID
    // Not a child of the first caller: it outlives that one's cancellation.
    activity.began()
    let task = Task { [activity] in
      defer { activity.ended() }
      let outcome: Result<Token, StepFailure>
      do throws(StepFailure) {
        outcome = .success(try await self.run(errand, id, issuer))
      } catch {
        outcome = .failure(error)
      }
      self.land(id, errand.tokenClass, outcome)
    }
    flights[errand.tokenClass] = Flight(id: id, task: task)
  }

  private func land(_ id: Int, _ tokenClass: TokenClass, _ outcome: Result<Token, StepFailure>) {
    guard let flight = flights[tokenClass], flight.id == id else { return }
    flights[tokenClass] = nil
    if case .success(let token) = outcome { keep(token, tokenClass) }
    for waiter in flight.waiting.values { resume(waiter, with: outcome) }
  }

  /// Whether a fetch is still the one that its class waits for.
  func isWaitedFor(_ id: Int, _ tokenClass: TokenClass) -> Bool { flights[tokenClass]?.id == id }

  /// From here on the fetch goes on, whoever leaves.
  func passReturn(_ id: Int, _ tokenClass: TokenClass) throws(StepFailure) {
    guard !Task.isCancelled, isWaitedFor(id, tokenClass) else { throw StepFailure("cancelled", title: "cancelled") }
    flights[tokenClass]?.isPastReturn = true
  }

  /// Waits for the fetch that is under way; no suspension may stand between its start and this call.
  private func landing(of tokenClass: TokenClass) async throws(StepFailure) -> Token {
    lastID += 1
    let id = lastID
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: CheckedContinuation<Result<Token, StepFailure>, Never>) in
        flights[tokenClass]?.waiting[id] = waiter
        activity.ended()
        if Task.isCancelled { leave(tokenClass, id) }
      }
    } onCancel: {
      Task { await self.leave(tokenClass, id) }
    }
    return try outcome.get()
  }

  /// Counts the caller as busy again before it can be: between the two, a clock would find nothing under way.
  private func resume(_ waiter: CheckedContinuation<Result<Token, StepFailure>, Never>, with result: Result<Token, StepFailure>) {
    activity.began()
    waiter.resume(returning: result)
  }

  private func leave(_ tokenClass: TokenClass, _ id: Int) {
    guard let waiter = flights[tokenClass]?.waiting.removeValue(forKey: id) else { return }
    resume(waiter, with: .failure(StepFailure("cancelled", title: "cancelled")))
    guard let flight = flights[tokenClass], flight.waiting.isEmpty, !flight.isPastReturn else { return }
    flights[tokenClass] = nil
    flight.task.cancel()
  }
}
