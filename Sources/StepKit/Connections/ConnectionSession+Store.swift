/// What outlives the run is read before anybody is asked, and written before anybody has the new token.
extension ConnectionSession {
  /// The store, where it keeps this class: somebody else than the user of the settings is nobody's to find there.
  func store(for tokenClass: TokenClass) -> (any SessionStore)? { tokenClass != .user || tokens.isOpenToSettings ? anyStore : nil }

  private func store(for errand: Errand) -> (any SessionStore)? {
    switch errand {
    case .signIn(_, _), .adoption: errand.tokenClass != .user || tokens.isOfSettings ? anyStore : nil
    case .renewal: store(for: errand.tokenClass)
    }
  }

  /// Does an errand; where there is a store, nobody else is in it meanwhile.
  func run(_ errand: Errand, _ id: Int, _ issuer: any TokenIssuer) async throws(StepFailure) -> Token {
    let tokenClass = errand.tokenClass
    guard let store = store(for: errand) else { return try await perform(errand, id, issuer, stored: nil) }
    // What others have got serves without their lock; only who needs a new one waits for it.
    if case .renewal(nil, _, .due) = errand, let token = try await store.load().tokens[tokenClass], isFresh(token) {
      return token
    }
    return try await store.withLease { (lease) throws(StepFailure) in try await self.perform(errand, id, issuer, under: lease) }
  }

  /// Does the errand and stores what comes of it. The store is read first: one that fails loses nothing.
  private func perform(
    _ errand: Errand, _ id: Int, _ issuer: any TokenIssuer, under lease: any SessionStoreLease
  ) async throws(StepFailure) -> Token {
    let tokenClass = errand.tokenClass
    var stored = try await lease.load()
    let there = stored.tokens[tokenClass]
    // A server that refuses a token may name it.
    if let there { hide(there.secretTexts) }
    if case .renewal(let old, _, let reason) = errand, let there, isFresh(there),
      old.map({ $0.accessToken != there.accessToken }) ?? (reason != .forced)
    {
      return there
    }
    do throws(StepFailure) {
      let token = try await perform(errand, id, issuer, stored: there)
      guard flights.isWaitedFor(id, tokenClass) else { throw .cancelled }
      stored.tokens[tokenClass] = token
      // It is good for this run whatever becomes of the store.
      keep(token, tokenClass)
      try await lease.save(stored)
      return token
    } catch {
      if let there, errand.spends(there), there.isSpent(after: error) {
        stored.tokens[tokenClass] = nil
        try await lease.save(stored)
      }
      throw error
    }
  }

  /// Removes a token from the store; whoever has put another one there keeps it. Nil is whichever is there.
  func purge(_ tokenClass: TokenClass, _ token: Token?) async { await purge(tokenClass, token, from: store(for: tokenClass)) }

  func purge(_ tokenClass: TokenClass, _ token: Token?, from store: (any SessionStore)?) async {
    guard let store else { return }
    do throws(StepFailure) {
      try await store.withLease { (lease) throws(StepFailure) in
        var stored = try await lease.load()
        guard let there = stored.tokens[tokenClass], token.map({ $0.accessToken == there.accessToken }) ?? true else { return }
        stored.tokens[tokenClass] = nil
        try await lease.save(stored)
      }
    } catch {
      storeFailure = error
    }
  }
}

extension ConnectionSession.Errand {
  /// Whether it asks for the token after this one. Who signs in anew says nothing of who is signed in elsewhere.
  fileprivate func spends(_ stored: Token) -> Bool {
    switch self {
    case .renewal: true
    case .signIn(.refresh(let token, _), _): token.refreshToken == stored.refreshToken
    case .signIn(_, _), .adoption: false
    }
  }
}

extension Token {
  /// Whether a failed renewal says that it is good for nothing any more. A client that was refused says nothing of its tokens:
  /// another run may name itself rightly.
  fileprivate func isSpent(after failure: StepFailure) -> Bool {
    failure.code.hasPrefix("auth.") && (refreshToken == nil || (failure.cause ?? failure).code != "auth.invalid_client")
  }
}

extension SessionStore {
  /// Does something while nobody else has the entry.
  fileprivate func withLease<T: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: (any SessionStoreLease) async throws(StepFailure) -> T
  ) async throws(StepFailure) -> T {
    let lease = try await acquire()
    let outcome: Result<T, StepFailure>
    do throws(StepFailure) {
      outcome = .success(try await body(lease))
    } catch {
      outcome = .failure(error)
    }
    await lease.release()
    return try outcome.get()
  }
}
