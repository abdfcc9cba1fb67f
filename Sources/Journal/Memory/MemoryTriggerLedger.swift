import Synchronization

/// A ledger of triggers that ends with its object, for test cases against a sandbox: never for live requests.
///
/// One object is one ledger: whoever must not send what another has sent shares it. Nothing waits, `markSent` neither.
package final class MemoryTriggerLedger: TriggerLedger {
  private let table = Mutex(MemoryTriggerTable())
  private let locks = MemoryLocks<TriggerKey>()
  private let clock: LedgerClock

  package init(clock: LedgerClock) {
    self.clock = clock
  }

  private func read<T: Sendable>(_ body: (inout MemoryTriggerTable) throws(JournalError) -> T) throws(JournalError) -> T {
    try table.withLock { table throws(JournalError) in try body(&table) }
  }

  /// All that `body` does, or nothing of it.
  private func write<T: Sendable>(
    _ body: (inout MemoryTriggerTable, LedgerMoment) throws(JournalError) -> T
  ) throws(JournalError) -> T {
    try table.withLock { table throws(JournalError) in
      var changed = table
      let result = try body(&changed, clock.moment)
      table = changed
      return result
    }
  }
}

// MARK: sending

extension MemoryTriggerLedger {
  package func intend(_ key: TriggerKey, _ request: TriggerRequest) async throws(JournalError) -> TriggerReservation {
    let (answer, latest) = try read { table throws(JournalError) in try table.settledAnswer(to: request, under: key) }
    if let answer { return answer }
    guard let lock = locks.lock(key) else { return .busy(latest) }
    return try write { table, moment throws(JournalError) in try table.intend(key, request, hold: lock, moment) }
  }

  package func resume(_ key: TriggerKey, _ request: TriggerRequest) async throws(JournalError) -> TriggerReservation? {
    let (answer, latest) = try read { table throws(JournalError) in try table.settledAnswer(to: request, under: key) }
    if let answer { return answer }
    guard let lock = locks.lock(key) else { return .busy(latest) }
    return try write { table, moment throws(JournalError) in try table.resume(key, request, hold: lock, moment) }
  }

  package func markSent(_ attempt: TriggerAttempt) throws(JournalError) {
    try write { table, moment throws(JournalError) in try table.markSent(attempt, moment) }
  }

  package func record(_ outcome: TriggerOutcome, of attempt: TriggerAttempt) async throws(JournalError) {
    try write { table, moment throws(JournalError) in try table.record(outcome, of: attempt, moment) }
    attempt.release()
  }
}

// MARK: settling

extension MemoryTriggerLedger {
  package func resolve(
    _ id: TriggerID, _ resolution: TriggerResolution, by: String, reason: String
  ) async throws(JournalError) -> TriggerRecord {
    try settle(id, .resolution(resolution), TriggerWord(by: by, reason: reason))
  }

  package func authoriseRetry(_ id: TriggerID, by: String, reason: String) async throws(JournalError) -> TriggerRecord {
    try settle(id, .retry, TriggerWord(by: by, reason: reason))
  }

  /// An attempt that somebody holds is not settled by others.
  private func settle(_ id: TriggerID, _ verdict: TriggerVerdict, _ word: TriggerWord) throws(JournalError) -> TriggerRecord {
    let seen = try read { table throws(JournalError) in try table.attempt(id) }
    let lock = seen.mayBeUnderWay ? locks.lock(seen.key) : nil
    if seen.mayBeUnderWay, lock == nil { throw .underWay(seen.key) }
    defer { withExtendedLifetime(lock) {} }
    return try write { table, moment throws(JournalError) in try table.settle(id, verdict, word, isHeld: lock != nil, moment) }
  }

  package func unresolved() async throws(JournalError) -> [TriggerRecord] {
    let open = try read { table throws(JournalError) in try table.unresolvedAttempts() }
    for key in Set(open.filter { $0.state == .sent }.map(\.key)) {
      guard let lock = locks.lock(key) else { continue }
      try write { table, moment throws(JournalError) in _ = try table.attempts(of: key, endingThoseOfDeadProcesses: moment) }
      withExtendedLifetime(lock) {}
    }
    // What is `sent` now is under way.
    return try read { table throws(JournalError) in try table.unresolvedAttempts() }.filter { $0.state == .unknown }
  }

  package func history(of key: TriggerKey) async throws(JournalError) -> [TriggerRecord] {
    try read { table throws(JournalError) in try table.attempts(of: key) }
  }

  package func attempts(ofRun runID: String) async throws(JournalError) -> [TriggerRecord] {
    try read { table throws(JournalError) in try table.attempts(ofRun: runID) }
  }
}
