/// The ledger of triggers of one host, in one SQLite file that every process opens.
///
/// Each change is a transaction of its own, synced before it returns, on a thread of the ledger's own; `markSent`
/// alone runs on its caller's.
package actor SQLiteTriggerLedger: TriggerLedger {
  package static let fileName = "triggers.db"

  private let thread: DatabaseThread
  private let connection: LockedConnection
  private let locks: LockFile
  private let clock: LedgerClock

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Opens the ledger, makes it where it is missing, and brings it to this version.
  ///
  /// - Throws: every error of the disk, `corrupt`, `newerSchema`, `foreignFile`, `unsafePath`.
  package static func open(
    in directory: StateDirectory, clock: LedgerClock = .system, schema: Schema = .triggers
  ) async throws(JournalError) -> SQLiteTriggerLedger {
    let thread = try DatabaseThread()
    return try await thread.perform { () throws(JournalError) in try SQLiteTriggerLedger(thread: thread, directory, clock, schema) }
  }

  private init(thread: DatabaseThread, _ directory: StateDirectory, _ clock: LedgerClock, _ schema: Schema) throws(JournalError) {
    self.thread = thread
    self.clock = clock
    locks = LockFile(path: try directory.lockFile("triggers.held"))
    let path = try directory.database(Self.fileName)
    var opened = try Connection.open(path: path, durability: .rollbackJournal)
    try opened.migrate(to: schema, path: path)
    let findings = try opened.rows("PRAGMA quick_check(1)") { $0.text(0) }
    guard findings == ["ok"] else {
      throw .sqlite(JournalError.damaged, findings.first ?? "", path: path)
    }
    connection = LockedConnection(opened)
  }
}

// MARK: sending

extension SQLiteTriggerLedger {
  package func intend(_ key: TriggerKey, _ request: TriggerRequest) async throws(JournalError) -> TriggerReservation {
    let (answer, latest) = try read { table throws(JournalError) in try table.settledAnswer(to: request, under: key) }
    if let answer { return answer }
    guard let lock = try lock(key) else { return .busy(latest) }
    return try write(.intend) { table, moment throws(JournalError) in try table.intend(key, request, hold: lock, moment) }
  }

  package func resume(_ key: TriggerKey, _ request: TriggerRequest) async throws(JournalError) -> TriggerReservation? {
    let (answer, latest) = try read { table throws(JournalError) in try table.settledAnswer(to: request, under: key) }
    if let answer { return answer }
    guard let lock = try lock(key) else { return .busy(latest) }
    return try write(.resume) { table, moment throws(JournalError) in try table.resume(key, request, hold: lock, moment) }
  }

  package nonisolated func markSent(_ attempt: TriggerAttempt) throws(JournalError) {
    try write(.sent) { table, moment throws(JournalError) in try table.markSent(attempt, moment) }
  }

  package func record(_ outcome: TriggerOutcome, of attempt: TriggerAttempt) async throws(JournalError) {
    try write(.outcome) { table, moment throws(JournalError) in try table.record(outcome, of: attempt, moment) }
    attempt.release()
  }
}

// MARK: settling

extension SQLiteTriggerLedger {
  package func resolve(
    _ id: TriggerID, _ resolution: TriggerResolution, by: String, reason: String
  ) async throws(JournalError) -> TriggerRecord {
    try settle(id, .resolution(resolution), TriggerWord(by: by, reason: reason))
  }

  package func authoriseRetry(_ id: TriggerID, by: String, reason: String) async throws(JournalError) -> TriggerRecord {
    try settle(id, .retry, TriggerWord(by: by, reason: reason))
  }

  /// An attempt whose process is alive is not settled by others.
  private func settle(_ id: TriggerID, _ verdict: TriggerVerdict, _ word: TriggerWord) throws(JournalError) -> TriggerRecord {
    let seen = try read { table throws(JournalError) in try table.attempt(id) }
    let lock = seen.mayBeUnderWay ? try lock(seen.key) : nil
    if seen.mayBeUnderWay, lock == nil { throw .underWay(seen.key) }
    defer { withExtendedLifetime(lock) {} }
    return try write(.settle) { table, moment throws(JournalError) in try table.settle(id, verdict, word, isHeld: lock != nil, moment) }
  }

  package func unresolved() async throws(JournalError) -> [TriggerRecord] {
    let open = try read { table throws(JournalError) in try table.unresolvedAttempts() }
    for key in Set(open.filter { $0.state == .sent }.map(\.key)) {
      guard let lock = try lock(key) else { continue }
      try write(.unresolved) { table, moment throws(JournalError) in _ = try table.attempts(of: key, endingThoseOfDeadProcesses: moment) }
      withExtendedLifetime(lock) {}
    }
    // What is `sent` now is under way in a living process.
    return try read { table throws(JournalError) in try table.unresolvedAttempts() }.filter { $0.state == .unknown }
  }

  package func history(of key: TriggerKey) async throws(JournalError) -> [TriggerRecord] {
    try read { table throws(JournalError) in try table.attempts(of: key) }
  }

  package func attempts(ofRun runID: String) async throws(JournalError) -> [TriggerRecord] {
    try read { table throws(JournalError) in try table.attempts(ofRun: runID) }
  }
}

// MARK: access

extension SQLiteTriggerLedger {
  private func lock(_ key: TriggerKey) throws(JournalError) -> KernelLock? {
    try locks.lock(LockFile.byte(for: [key.environment, key.system, key.key]))
  }

  private func read<T: Sendable>(_ body: (inout Connection) throws(JournalError) -> T) throws(JournalError) -> T {
    try connection.withLock { connection throws(JournalError) in try body(&connection) }
  }

  private nonisolated func write<T: Sendable>(
    _ change: Failpoint.Change, _ body: (inout Connection, LedgerMoment) throws(JournalError) -> T
  ) throws(JournalError) -> T {
    try connection.withLock { connection throws(JournalError) in
      Failpoint.pass(change, .before)
      let result = try connection.transaction { connection throws(JournalError) in
        // Read within the transaction: waiting for it may have taken long.
        let result = try body(&connection, clock.moment)
        Failpoint.pass(change, .written)
        return result
      }
      Failpoint.pass(change, .after)
      return result
    }
  }
}
