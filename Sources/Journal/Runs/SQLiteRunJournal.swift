package import FlowEvents
import Glibc
import Synchronization
package import Values

/// The journal of runs in one SQLite file per state directory, with one writer at a time.
///
/// What arrives while one group of entries is written is the next: a group shares a transaction, and an fsync where
/// anybody in it asks for one. All of it runs on a thread of its own.
package actor SQLiteRunJournal: RunJournal {
  package static let fileName = "runs.db"

  private let thread: DatabaseThread
  private var connection: Connection
  /// One byte: held while writing, so that over all processes one connection writes or takes a checkpoint at a time
  /// (SQLite before 3.51.3 can corrupt a log that two connections reset at once: sqlite.org/wal.html#walresetbug).
  private let turns: LockFile
  /// A byte for each run.
  private let holds: LockFile
  private let queue = Mutex(CommitQueue())
  /// Whether a commit is synced, as the connection is set now.
  private var isSynced = true
  /// Whether anybody has waited for the disk.
  private var hasSynced = false
  private let path: String

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

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
    path = try directory.database(Self.fileName)
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
  package nonisolated func begin(_ run: RunOpening, _ durability: Durability) async throws(JournalError) {
    try await store(.begin(run), durability)
  }

  package nonisolated func append(
    _ entries: [JournalEntry], to runID: String, _ durability: Durability
  ) async throws(JournalError) {
    try await store(.entries(entries, runID: runID), durability)
  }

  /// Not on the thread, which may be syncing: who does not wait for the disk must not wait for the thread either.
  private nonisolated func store(_ change: CommitQueue.Change, _ durability: Durability) async throws(JournalError) {
    if durability == .soon, queue.withLock({ !$0.isFull }) {
      return add(CommitQueue.Item(change: change, durability: durability, caller: nil))
    }
    let failure = await withCheckedContinuation { caller in
      add(CommitQueue.Item(change: change, durability: durability, caller: caller))
    }
    if let failure { throw failure }
  }

  private nonisolated func add(_ item: CommitQueue.Item) {
    guard queue.withLock({ $0.add(item) }) else { return }
    thread.run { self.assumeIsolated { $0.commitWaiting() } }
  }

  /// Writes all that waits in one transaction, and tells everybody who waits what became of it.
  private func commitWaiting() {
    let (group, unheard) = queue.withLock { $0.take() }
    guard !group.isEmpty else { return }
    var outcome = GroupOutcome(count: group.count, unheard: unheard)
    do throws(JournalError) {
      let turn = try turns.wait(0)
      try sync(group.contains { $0.durability == .synced })
      try connection.transaction { connection throws(JournalError) in
        for (index, item) in group.enumerated() where outcome.mayStore(index, isHeard: item.caller != nil) {
          do throws(JournalError) {
            try connection.store(item.change)
          } catch {
            guard error.isOfOneRecord else { throw error }
            outcome.note(error, index, isHeard: item.caller != nil)
          }
        }
      }
      withExtendedLifetime(turn) {}
    } catch {
      outcome.failAll(error, isLastHeard: group.last?.caller != nil)
    }
    if let unheard = outcome.unheard { queue.withLock { $0.unheardFailure = unheard } }
    for (item, failure) in zip(group, outcome.failures) { item.caller?.resume(returning: failure) }
  }

  /// A commit that is only written survives the process, and the next synced commit syncs the whole log with it.
  private func sync(_ isSynced: Bool) throws(JournalError) {
    hasSynced = hasSynced || isSynced
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
      .expired, .sealed, .other:
      false
    }
  }
}

extension Connection {
  fileprivate mutating func store(_ change: CommitQueue.Change) throws(JournalError) {
    switch change {
    case .begin(let opening): try insert(opening)
    case .entries(let entries, let runID):
      // Looked up first, so that none of them is stored where one cannot be.
      guard let run = try number("SELECT number FROM run WHERE id = ?", [.text(runID)]) else {
        throw .unknownRun(runID)
      }
      for entry in entries { try insert(entry, ofRunNumber: run) }
    }
  }

  private mutating func insert(_ run: RunOpening) throws(JournalError) {
    guard try number("SELECT 1 FROM run WHERE id = ?", [.text(run.id)]) == nil else {
      throw .duplicateRun(run.id)
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

  private mutating func insert(_ entry: JournalEntry, ofRunNumber run: Int64) throws(JournalError) {
    try self.run(
      """
      INSERT INTO entry(run, sequence, kind, path, at, status, code, outputs, outputs_digest, details)
      VALUES(?1, (SELECT coalesce(max(sequence), 0) + 1 FROM entry WHERE run = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """,
      [
        .int(run), .text(entry.kind.rawValue), .text(entry.path), .int(entry.at.nanosecondsSince1970), Binding(entry.status),
        Binding(entry.code), Binding(entry.outputs), Binding(entry.outputsDigest), Binding(entry.details),
      ])
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
    if let failure = queue.withLock({ $0.unheardFailure }) ?? connection.broken { throw failure }
    // A checkpoint waits for the disk, and the next writer does once more: seldom, and later where nobody waited for it yet.
    guard logBytes > (hasSynced ? 512 << 10 : 2 << 20) else { return }
    let turn = try turns.wait(0)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    withExtendedLifetime(turn) {}
  }

  /// How much an opening has to read before it knows what is stored: about 1 ms for each MiB.
  private var logBytes: Int {
    var status = stat()
    return unsafe lstat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }
}
