/// One fetch of a class at a time, for all who want its token.
///
/// A caller that is cancelled leaves alone; the fetch goes on for the others, and ends when nobody waits any more. A
/// refresh goes on all the same: its token is good for one use, and whoever drops the answer loses the session.
extension ConnectionSession {
  /// How many callers wait for the fetch of a class.
  package func waitingCount(_ tokenClass: TokenClass) -> Int { flights.waitingCount(tokenClass) }

  /// What the fetch that is under way brings, else that of an errand of one's own.
  func fetched(_ errand: Errand) async throws(StepFailure) -> Token {
    if !flights.isUnderWay(errand.tokenClass) { try start(errand) }
    return try await landing(of: errand.tokenClass)
  }

  func untilLanded(_ tokenClass: TokenClass) async throws(StepFailure) {
    while flights.isUnderWay(tokenClass) {
      _ = try? await landing(of: tokenClass)
      if Task.isCancelled { throw .cancelled }
    }
  }

  /// From here on the fetch goes on, whoever leaves.
  func passReturn(_ id: Int, _ tokenClass: TokenClass) throws(StepFailure) {
    guard !Task.isCancelled, flights.isWaitedFor(id, tokenClass) else { throw .cancelled }
    flights.passReturn(tokenClass)
  }

  private func start(_ errand: Errand) throws(StepFailure) {
    let issuer = try issuer(for: errand.tokenClass)
    let id = flights.nextID()
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
    flights.begin(id, errand.tokenClass, task)
  }

  /// - Throws: `config.token` where the connection has no such token, and what a store has failed with before.
  private func issuer(for tokenClass: TokenClass) throws(StepFailure) -> any TokenIssuer {
    guard let issuer else { throw .grantRefused("the connection's system gives out no tokens") }
    if let failure = storeFailure {
      storeFailure = nil
      throw failure
    }
    guard issuer.classes(settings).contains(tokenClass) else {
      throw .grantRefused(
        tokenClass == .none ? "the request asks for none" : "the connection has no \(tokenClass.rawValue) token")
    }
    return issuer
  }

  private func land(_ id: Int, _ tokenClass: TokenClass, _ outcome: Result<Token, StepFailure>) {
    guard let waiting = flights.land(id, tokenClass) else { return }
    if case .success(let token) = outcome { keep(token, tokenClass) }
    for waiter in waiting { resume(waiter, with: outcome) }
  }

  /// Waits for the fetch that is under way; no suspension may stand between its start and this call.
  private func landing(of tokenClass: TokenClass) async throws(StepFailure) -> Token {
    let id = flights.nextID()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Flights.Waiter) in
        flights.board(waiter, as: id, tokenClass)
        activity.ended()
        if Task.isCancelled { leave(id, tokenClass) }
      }
    } onCancel: {
      Task { await self.leave(id, tokenClass) }
    }
    return try outcome.get()
  }

  private func leave(_ id: Int, _ tokenClass: TokenClass) {
    if let waiter = flights.leave(id, tokenClass) { resume(waiter, with: .failure(.cancelled)) }
  }

  /// Counts the caller as busy again before it can be: between the two, a clock would find nothing under way.
  private func resume(_ waiter: Flights.Waiter, with result: Result<Token, StepFailure>) {
    activity.began()
    waiter.resume(returning: result)
  }
}

extension StepFailure {
  /// Nothing has gone wrong: nobody waits any more.
  static let cancelled = StepFailure("cancelled", title: "cancelled")
}
