package import Values

/// The session of one connection in one run: fetches tokens on first need, again when they have expired, and once for
/// all who wait.
///
/// A caller that is cancelled leaves alone; the fetch goes on for the others, and ends when nobody waits any more.
package actor ConnectionSession: SessionPort {
  private struct Flight {
    let id: Int
    let task: Task<Void, Never>
    var waiting: [Int: CheckedContinuation<Result<Token, StepFailure>, Never>] = [:]
  }

  private let issuer: (any TokenIssuer)?
  private let settings: ValueMap
  private let http: any HTTPPort
  private let clock: any ClockPort
  private let activity: any ActivityPort
  private var tokens: [TokenClass: Token] = [:]
  /// Of whoever is signed in.
  private var credentials: Credentials?
  /// Of the connection's settings: these need no log-in.
  private let configured: Credentials?
  private var flights: [TokenClass: Flight] = [:]
  private var lastID = 0

  /// - Parameters:
  ///   - http: carries the session's own requests; adds no token itself.
  ///   - credentials: a user who needs no log-in step.
  ///   - activity: told that a fetch is under way, and that its callers only wait for it.
  package init(
    issuer: (any TokenIssuer)?, settings: ValueMap, http: any HTTPPort, clock: any ClockPort, credentials: Credentials? = nil,
    activity: any ActivityPort = NoActivity()
  ) {
    self.issuer = issuer
    self.settings = settings
    self.http = http
    self.clock = clock
    self.credentials = credentials
    configured = credentials
    self.activity = activity
  }

  package func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    if let token = tokens[tokenClass], token.isFresh(at: clock.now()) { return token }
    return try await fetched(tokenClass)
  }

  package func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    if let current = tokens[tokenClass], current.accessToken != rejected.accessToken { return try await token(tokenClass) }
    return try await fetched(tokenClass)
  }

  package func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token {
    let tokenClass = grant.tokenClass
    // A fetch for the user before would land after this one and put them back.
    while flights[tokenClass] != nil {
      _ = try? await landing(of: tokenClass)
      if Task.isCancelled { throw StepFailure("cancelled", title: "cancelled") }
    }
    tokens[tokenClass] = nil
    if tokenClass == .user { credentials = nil }
    try start(grant, over: http ?? self.http)
    return try await landing(of: tokenClass)
  }

  package func forget(_ tokenClass: TokenClass) {
    tokens[tokenClass] = nil
    if tokenClass == .user { credentials = configured }
  }

  package func held(_ tokenClass: TokenClass) -> Token? { tokens[tokenClass] }

  package func adopt(_ token: Token, _ tokenClass: TokenClass) {
    tokens[tokenClass] = token
    if tokenClass == .user { credentials = nil }
  }

  package func renew(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { try await fetched(tokenClass) }

  package func signOut() {
    tokens[.user] = nil
    credentials = nil
  }
}

// MARK: one fetch at a time

extension ConnectionSession {
  /// How many callers wait for the fetch of a class.
  package func waitingCount(_ tokenClass: TokenClass) -> Int { flights[tokenClass]?.waiting.count ?? 0 }

  private func fetched(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    if flights[tokenClass] == nil { try start(grant(for: tokenClass), over: http) }
    return try await landing(of: tokenClass)
  }

  private func grant(for tokenClass: TokenClass) throws(StepFailure) -> TokenGrant {
    if let token = tokens[tokenClass], token.refreshToken != nil { return .refresh(token, tokenClass) }
    switch tokenClass {
    case .client: return .client
    case .user:
      guard let credentials else {
        throw .sessionExpired(detail: "nobody is signed in on this connection; run a step that signs in first", cause: nil)
      }
      return .user(credentials)
    case .none: throw StepFailure("config.token", title: "no token can be had", detail: "the request asks for none")
    }
  }

  private func start(_ grant: TokenGrant, over http: any HTTPPort) throws(StepFailure) {
    guard let issuer else {
      throw StepFailure("config.token", title: "no token can be had", detail: "the connection's system gives out no tokens")
    }
    lastID += 1
    let id = lastID
    // Not a child of the first caller: it outlives that one's cancellation.
    activity.began()
    let task = Task { [settings, clock, activity] in
      defer { activity.ended() }
      let outcome: Result<Token, StepFailure>
      do throws(StepFailure) {
        outcome = .success(try await issuer.token(for: grant, settings: settings, http: http, clock: clock))
      } catch {
        outcome = .failure(error)
      }
      self.land(id, grant, outcome)
    }
    flights[grant.tokenClass] = Flight(id: id, task: task)
  }

  private func land(_ id: Int, _ grant: TokenGrant, _ outcome: Result<Token, StepFailure>) {
    let tokenClass = grant.tokenClass
    guard let flight = flights[tokenClass], flight.id == id else { return }
    flights[tokenClass] = nil
    let result = settle(grant, outcome)
    for waiter in flight.waiting.values { resume(waiter, with: result) }
  }

  /// Keeps what came of a fetch, and says what its callers get: a renewal that is refused is the end of the session.
  private func settle(_ grant: TokenGrant, _ outcome: Result<Token, StepFailure>) -> Result<Token, StepFailure> {
    switch outcome {
    case .success(let token):
      tokens[grant.tokenClass] = token
      if case .user(let person) = grant { credentials = person }
      return outcome
    case .failure(let failure) where failure.code.hasPrefix("auth."):
      let wasRenewal = tokens.removeValue(forKey: grant.tokenClass) != nil
      if grant.tokenClass == .user { credentials = nil }
      guard wasRenewal else { return outcome }
      return .failure(.sessionExpired(detail: "the token could not be renewed", cause: failure))
    case .failure: return outcome
    }
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
    guard let flight = flights[tokenClass], flight.waiting.isEmpty else { return }
    flights[tokenClass] = nil
    flight.task.cancel()
  }
}
