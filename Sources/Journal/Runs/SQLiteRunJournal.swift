package import Values

/// The journal of runs in one SQLite file per state directory, with one writer at a time.
///
/// Entries that wait for the disk share a transaction and an fsync: what arrives while one group is written is the
/// next. All of it runs on a thread of its own.
package actor SQLiteRunJournal: RunJournal {
  package static let fileName = "runs.db"

  private let thread: DatabaseThread
  private var connection: Connection
  /// One byte: held while writing, so that over all processes one connection writes or takes a checkpoint at a time
  /// (SQLite before 3.51.3 can corrupt a log that two connections reset at once: sqlite.org/wal.html#walresetbug).
  private let turns: LockFile
  /// A byte for each run.
  private let holds: LockFile
  private var waiting: [Waiting] = []
  private var isCommitScheduled = false
  /// Whether a commit is synced, as the connection is set now.
  private var isSynced = true
  /// Of an entry that nobody waited for: told to the next who waits.
  private var unheardFailure: JournalError?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Something that waits for the next transaction, and who waits for it.
  fileprivate struct Waiting {
    enum Change {
      case begin(RunOpening)
      case entry(JournalEntry, runID: String)
    }

    let change: Change
    let caller: CheckedContinuation<JournalError?, Never>?
  }

  /// Opens the journal of a state directory, makes it where it is missing, and brings it to this version.
  ///
  /// - Throws: every error of the disk, `corrupt`, `newerSchema`, `foreignFile`, `unsafePath`.
  package static func open(in directory: StateDirectory, schema: Schema = .runs) async throws(JournalError) -> SQLiteRunJournal {
    let thread = try DatabaseThread()
    return try await thread.perform { () throws(JournalError) in try SQLiteRunJournal(thread: thread, directory, schema) }
  }

  private init(thread: DatabaseThread, _ directory: StateDirectory, _ schema: Schema) throws(JournalError) {
    self.thread = thread
    turns = LockFile(path: try directory.lockFile("runs.lock"))
    holds = LockFile(path: try directory.lockFile("runs.held"))
    let path = try directory.database(Self.fileName)
    let turn = try turns.wait(0)
    var opened = try Connection.open(path: path, durability: .writeAheadLog)
    // A checkpoint is part of a commit, and so taken in this writer's turn.
    try opened.execute("PRAGMA wal_autocheckpoint=1000")
    try opened.migrate(to: schema, path: path)
    connection = opened
    withExtendedLifetime(turn) {}
  }
}

// MARK: writing

extension SQLiteRunJournal {
  package func begin(_ run: RunOpening) async throws(JournalError) {
    try await commit(.begin(run))
  }

  package func append(_ entry: JournalEntry, to runID: String, isDurable: Bool) async throws(JournalError) {
    if isDurable { return try await commit(.entry(entry, runID: runID)) }
    waiting.append(Waiting(change: .entry(entry, runID: runID), caller: nil))
    scheduleCommit()
  }

  private func commit(_ change: Waiting.Change) async throws(JournalError) {
    if let earlier = unheardFailure {
      unheardFailure = nil
      throw earlier
    }
    let failure = await withCheckedContinuation { caller in
      waiting.append(Waiting(change: change, caller: caller))
      scheduleCommit()
    }
    if let failure { throw failure }
  }

  /// The task stands behind every call that has arrived by now, which is what makes groups.
  private func scheduleCommit() {
    guard !isCommitScheduled else { return }
    isCommitScheduled = true
    Task { commitWaiting() }
  }

  /// Writes all that waits in one transaction, and tells everybody who waits what became of it.
  private func commitWaiting() {
    isCommitScheduled = false
    guard !waiting.isEmpty else { return }
    let group = waiting
    waiting = []
    var failures = [JournalError?](repeating: nil, count: group.count)
    do throws(JournalError) {
      let turn = try turns.wait(0)
      try sync(group.contains { $0.caller != nil })
      try connection.transaction { connection throws(JournalError) in
        for (index, item) in group.enumerated() {
          do throws(JournalError) {
            try connection.store(item.change)
          } catch {
            guard error.isOfOneRecord else { throw error }
            failures[index] = error
          }
        }
      }
      withExtendedLifetime(turn) {}
    } catch {
      failures = .init(repeating: error, count: group.count)
    }
    for (item, failure) in zip(group, failures) {
      if let caller = item.caller {
        caller.resume(returning: failure)
      } else if let failure {
        unheardFailure = failure
      }
    }
  }

  /// A commit that nobody waits for is written and not synced: it survives the process, and the next synced commit
  /// syncs the whole log with it.
  private func sync(_ isSynced: Bool) throws(JournalError) {
    guard isSynced != self.isSynced else { return }
    try connection.execute(isSynced ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
    self.isSynced = isSynced
  }
}

extension JournalError {
  /// Whether it is about one record, so that the others of its group can be kept.
  fileprivate var isOfOneRecord: Bool {
    switch code {
    case .notFound, .duplicate, .constraint: true
    case .diskFull, .readOnly, .corrupt, .busy, .io, .newerSchema, .foreignFile, .unsafePath, .volatilePath, .illegalTransition,
      .expired, .other:
      false
    }
  }
}

extension Connection {
  fileprivate mutating func store(_ change: SQLiteRunJournal.Waiting.Change) throws(JournalError) {
    switch change {
    case .begin(let opening): try insert(opening)
    case .entry(let entry, let runID): try insert(entry, of: runID)
    }
  }

  private mutating func insert(_ run: RunOpening) throws(JournalError) {
    guard try number("SELECT 1 FROM run WHERE id = ?", [.text(run.id)]) == nil else {
      throw JournalError(.duplicate, "the run `\(run.id)` exists already")
    }
    try self.run(
      """
      INSERT INTO run(id, flow, flow_digest, environment, started, operator, is_sandbox, inputs) VALUES(?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(run.id), .text(run.flow), .text(run.flowDigest), .text(run.environment), .int(run.startedAt.nanosecondsSince1970),
        .text(run.operator), .int(run.isSandbox ? 1 : 0), .text(run.inputs),
      ])
  }

  private mutating func insert(_ entry: JournalEntry, of runID: String) throws(JournalError) {
    try run(
      """
      INSERT INTO entry(run, sequence, kind, path, at, status, code, outputs, outputs_digest, details)
      SELECT r.number, (SELECT coalesce(max(sequence), 0) + 1 FROM entry WHERE run = r.number), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
      FROM run AS r WHERE r.id = ?1
      """,
      [
        .text(runID), .text(entry.kind.rawValue), .text(entry.path), .int(entry.at.nanosecondsSince1970), Binding(entry.status),
        Binding(entry.code), Binding(entry.outputs), Binding(entry.outputsDigest), Binding(entry.details),
      ])
    guard changedRows == 1 else { throw JournalError(.notFound, "there is no run `\(runID)`", mend: "list them with `baton runs`") }
  }
}

// MARK: reading and order

extension SQLiteRunJournal {
  package func run(_ id: String) async throws(JournalError) -> RunRecord? {
    commitWaiting()
    return try connection.runRecord(id)
  }

  package func runs(_ filter: RunFilter) async throws(JournalError) -> [RunSummary] {
    commitWaiting()
    return try connection.runs(filter)
  }

  package func prune(startedBefore moment: Timestamp) async throws(JournalError) -> Int {
    commitWaiting()
    let turn = try turns.wait(0)
    try sync(true)
    let count = try connection.transaction { connection throws(JournalError) in try connection.prune(startedBefore: moment) }
    // The log still holds what was removed from the pages.
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    withExtendedLifetime(turn) {}
    return count
  }

  package func hold(_ runID: String) async throws(JournalError) -> RunHold? {
    try holds.lock(LockFile.byte(for: [runID])).map { RunHold($0) }
  }

  package func close() async throws(JournalError) {
    commitWaiting()
    if let failure = unheardFailure ?? connection.broken { throw failure }
    let turn = try turns.wait(0)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    withExtendedLifetime(turn) {}
  }
}
