/// What a fetch does: asks the issuer, and keeps the store in step.
extension ConnectionSession {
  func run(_ errand: Errand, _ id: Int, _ issuer: any TokenIssuer) async throws(StepFailure) -> Token {
    let tokenClass = errand.tokenClass
    guard let store = store(for: tokenClass) else { return try await perform(errand, id, issuer, stored: nil) }
    // What others have got serves without their lock; only who needs a new one waits for it.
    if case .renewal(nil, _, isForced: false) = errand, let token = try await store.load().tokens[tokenClass], isFresh(token) {
      return token
    }
    let lease = try await store.acquire()
    let outcome: Result<Token, StepFailure>
    do throws(StepFailure) {
      outcome = .success(try await perform(errand, id, issuer, under: lease))
    } catch {
      outcome = .failure(error)
    }
    await lease.release()
    return try outcome.get()
  }

  /// Does the errand and stores what comes of it. The store is read first: one that fails loses nothing.
  private func perform(
    _ errand: Errand, _ id: Int, _ issuer: any TokenIssuer, under lease: any SessionStoreLease
  ) async throws(StepFailure) -> Token {
    let tokenClass = errand.tokenClass
    var stored = try await lease.load()
    // A server that refuses a token may name it.
    if let token = stored.tokens[tokenClass] { hide(token.secretTexts) }
    if case .renewal(let old, _, let isForced) = errand, let theirs = stored.tokens[tokenClass], isFresh(theirs),
      old.map({ $0.accessToken != theirs.accessToken }) ?? !isForced
    {
      return theirs
    }
    do throws(StepFailure) {
      let token = try await perform(errand, id, issuer, stored: stored.tokens[tokenClass])
      guard isWaitedFor(id, tokenClass) else { throw StepFailure("cancelled", title: "cancelled") }
      stored.tokens[tokenClass] = token
      // It is good for this run whatever becomes of the store.
      keep(token, tokenClass)
      try await lease.save(stored)
      return token
    } catch {
      // After a log-in that failed nobody is signed in, whatever the reason.
      var isOver = error.code.hasPrefix("auth.")
      if case .signIn = errand { isOver = true }
      if isOver, stored.tokens.removeValue(forKey: tokenClass) != nil { try await lease.save(stored) }
      throw error
    }
  }

  private func perform(
    _ errand: Errand, _ id: Int, _ issuer: any TokenIssuer, stored: Token?
  ) async throws(StepFailure) -> Token {
    switch errand {
    case .adoption(let token, _): return token
    case .signIn(let grant, let http):
      return try await ask(grant, id, issuer, over: http)
    case .renewal(let old, let tokenClass, _): return try await renewal(of: stored ?? old, tokenClass, id, issuer)
    }
  }

  /// The token after one that is held; two requests at most.
  private func renewal(
    of old: Token?, _ tokenClass: TokenClass, _ id: Int, _ issuer: any TokenIssuer
  ) async throws(StepFailure) -> Token {
    var refusal: StepFailure?
    for grant in grants(after: old, tokenClass).prefix(2) {
      do throws(StepFailure) {
        return try await ask(grant, id, issuer, over: http)
      } catch {
        guard error.code.hasPrefix("auth.") else { throw error }
        // A password that is refused is not tried again.
        if grant == configured.map(TokenGrant.user) { configured = nil }
        refusal = error
      }
    }
    if isWaitedFor(id, tokenClass) { end(tokenClass) }
    guard let refusal else {
      throw .sessionExpired(detail: "nobody is signed in on this connection; run a step that signs in first", cause: nil)
    }
    if old == nil, given[tokenClass] == nil { throw refusal }
    throw .sessionExpired(detail: "the token could not be renewed", cause: refusal)
  }

  /// How the token after this one may be asked for, in this order: by its refresh token, then by what the settings hold.
  /// Credentials that a step handed in renew what they got, where nothing else does.
  private func grants(after old: Token?, _ tokenClass: TokenClass) -> [TokenGrant] {
    var grants: [TokenGrant] = []
    if let old, old.refreshToken != nil { grants.append(.refresh(old, tokenClass)) }
    if tokenClass == .user, grants.isEmpty, let credentials { return [.user(credentials)] }
    guard tokenClass != .user || isOfSettings else { return grants }
    if let token = given[tokenClass], token.refreshToken != old?.refreshToken { grants.append(.refresh(token, tokenClass)) }
    switch tokenClass {
    case .client: grants.append(.client)
    case .user: if let configured { grants.append(.user(configured)) }
    case .none: break
    }
    return grants
  }

  private func ask(_ grant: TokenGrant, _ id: Int, _ issuer: any TokenIssuer, over http: any HTTPPort) async throws(StepFailure) -> Token {
    switch grant {
    case .refresh, .code: try passReturn(id, grant.tokenClass)
    case .client, .user: break
    }
    let token = try await issuer.token(for: grant, settings: settings, http: http, clock: clock)
    if case .user(let person) = grant, isWaitedFor(id, .user) { credentials = person }
    return token
  }
}
