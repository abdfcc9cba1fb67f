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
    let history = try read { connection throws(JournalError) in try connection.attempts(of: key) }
    // What is settled needs no lock: nobody can be at it.
    if let spent = history.last(where: { $0.spendsKey && $0.state != .sent }) { return spent.answer(to: request) }
    guard let lock = try lock(key) else { return .busy(history.last) }
    return try write { connection, moment throws(JournalError) in
      let history = try connection.attempts(of: key, endingThoseOfDeadProcesses: moment)
      if let spent = history.last(where: \.spendsKey) { return spent.answer(to: request) }
      if let latest = history.last, latest.state == .intended {
        try connection.add(.notSent, reason: "its process ended before it was sent", to: latest.id, moment)
      }
      return .reserved(TriggerAttempt(try connection.insert(key, request, number: history.count + 1, moment), hold: lock))
    }
  }

  package func resume(_ key: TriggerKey, _ request: TriggerRequest) async throws(JournalError) -> TriggerReservation? {
    let history = try read { connection throws(JournalError) in try connection.attempts(of: key) }
    if let spent = history.last(where: { $0.spendsKey && $0.state != .sent }) { return spent.answer(to: request) }
    guard let lock = try lock(key) else { return .busy(history.last) }
    return try write { connection, moment throws(JournalError) in
      let history = try connection.attempts(of: key, endingThoseOfDeadProcesses: moment)
      if let spent = history.last(where: \.spendsKey) { return spent.answer(to: request) }
      guard let latest = history.last, latest.state == .intended, latest.request.runID == request.runID else { return nil }
      if try connection.isExpired(latest.id, moment) { return .expired(latest) }
      guard latest.request.digest == request.digest else { return .conflict(latest) }
      return .reserved(TriggerAttempt(latest, hold: lock))
    }
  }

  package nonisolated func markSent(_ attempt: TriggerAttempt) throws(JournalError) {
    try write { connection, moment throws(JournalError) in
      guard attempt.isHeld else { throw .notHeld(attempt) }
      if try connection.isExpired(attempt.id, moment) {
        throw JournalError(
          .expired, "`\(attempt.key.key)` was intended more than \(attempt.request.validFor) ago", mend: "decide anew whether to send it")
      }
      try connection.add(.sent, to: attempt.id, moment)
    }
  }

  package func record(_ outcome: TriggerOutcome, of attempt: TriggerAttempt) async throws(JournalError) {
    try write { connection, moment throws(JournalError) in
      guard attempt.isHeld else { throw .notHeld(attempt) }
      switch outcome {
      case .notSent(let reason): try connection.add(.notSent, reason: reason, to: attempt.id, moment)
      case .acknowledged(let outputs): try connection.add(.acknowledged, outputs: outputs, to: attempt.id, moment)
      case .rejected(let reason): try connection.add(.rejected, reason: reason, to: attempt.id, moment)
      case .unknown(let reason): try connection.add(.unknown, reason: reason, to: attempt.id, moment)
      }
    }
    attempt.release()
  }
}

// MARK: settling

extension SQLiteTriggerLedger {
  package func resolve(
    _ id: TriggerID, _ resolution: TriggerResolution, by: String, reason: String
  ) async throws(JournalError) -> TriggerRecord {
    try settle(id, reason: reason) { connection, record, moment throws(JournalError) in
      let next: TriggerState =
        switch resolution {
        case .delivered: .resolvedDelivered
        case .notDelivered: record.state == .intended ? .notSent : .resolvedNotDelivered
        }
      try connection.add(next, by: by, reason: reason, to: id, moment)
    }
  }

  package func authoriseRetry(_ id: TriggerID, by: String, reason: String) async throws(JournalError) -> TriggerRecord {
    try settle(id, reason: reason) { connection, record, moment throws(JournalError) in
      switch record.state {
      case .intended: try connection.add(.notSent, by: by, reason: reason, to: id, moment)
      case .unknown where record.authorisation == nil: try connection.authorise(id, by: by, reason: reason, moment)
      case .unknown: throw JournalError(.illegalTransition, "a retry of `\(record.key.key)` is authorised already")
      case .notSent, .sent, .acknowledged, .rejected, .resolvedDelivered, .resolvedNotDelivered:
        throw JournalError(
          .illegalTransition, "`\(record.key.key)` is `\(record.state.rawValue)`, which leaves nothing to authorise",
          mend: record.state.isSpent ? "" : "run the flow again")
      }
    }
  }

  /// An attempt whose process is alive is not settled by others.
  private func settle(
    _ id: TriggerID, reason: String, _ change: (inout Connection, TriggerRecord, Moment) throws(JournalError) -> Void
  ) throws(JournalError) -> TriggerRecord {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw JournalError(.constraint, "a reason is needed", mend: "say why in a few words")
    }
    let seen = try read { connection throws(JournalError) in try connection.attempt(id) }
    let isUnderWay = seen.state == .intended || seen.state == .sent
    let lock = isUnderWay ? try lock(seen.key) : nil
    if isUnderWay, lock == nil {
      throw JournalError(.busy, "the process that sends `\(seen.key.key)` is alive", mend: "wait for it, or end it")
    }
    let record = try write { connection, moment throws(JournalError) in
      if isUnderWay { _ = try connection.attempts(of: seen.key, endingThoseOfDeadProcesses: moment) }
      try change(&connection, try connection.attempt(id), moment)
      return try connection.attempt(id)
    }
    withExtendedLifetime(lock) {}
    return record
  }

  package func unresolved() async throws(JournalError) -> [TriggerRecord] {
    let open = try read { connection throws(JournalError) in try connection.unresolvedAttempts() }
    for key in Set(open.filter { $0.state == .sent }.map(\.key)) {
      guard let lock = try lock(key) else { continue }
      try write { connection, moment throws(JournalError) in _ = try connection.attempts(of: key, endingThoseOfDeadProcesses: moment) }
      withExtendedLifetime(lock) {}
    }
    // What is `sent` now is under way in a living process.
    return try read { connection throws(JournalError) in try connection.unresolvedAttempts() }.filter { $0.state == .unknown }
  }

  package func history(of key: TriggerKey) async throws(JournalError) -> [TriggerRecord] {
    try read { connection throws(JournalError) in try connection.attempts(of: key) }
  }

  package func attempts(ofRun runID: String) async throws(JournalError) -> [TriggerRecord] {
    try read { connection throws(JournalError) in try connection.attempts(ofRun: runID) }
  }
}

// MARK: access

extension SQLiteTriggerLedger {
  /// When a change is made, on both clocks.
  struct Moment {
    var wall: Int64
    var boot: String
    var sinceBoot: Int64
  }

  private func lock(_ key: TriggerKey) throws(JournalError) -> KernelLock? {
    try locks.lock(LockFile.byte(for: [key.environment, key.system, key.key]))
  }

  private func read<T: Sendable>(_ body: (inout Connection) throws(JournalError) -> T) throws(JournalError) -> T {
    try connection.withLock { connection throws(JournalError) in try body(&connection) }
  }

  private nonisolated func write<T: Sendable>(
    _ body: (inout Connection, Moment) throws(JournalError) -> T
  ) throws(JournalError) -> T {
    try connection.withLock { connection throws(JournalError) in
      try connection.transaction { connection throws(JournalError) in
        // Read within the transaction: waiting for it may have taken long.
        let (boot, sinceBoot) = clock.sinceBoot()
        return try body(&connection, Moment(wall: clock.now().nanosecondsSince1970, boot: boot, sinceBoot: sinceBoot))
      }
    }
  }
}

extension TriggerRecord {
  /// What a spent key answers.
  fileprivate func answer(to request: TriggerRequest) -> TriggerReservation {
    request.digest == self.request.digest ? .spent(self) : .conflict(self)
  }
}

extension JournalError {
  fileprivate static func notHeld(_ attempt: TriggerAttempt) -> JournalError {
    JournalError(.illegalTransition, "attempt \(attempt.number) at `\(attempt.key.key)` is over")
  }
}
