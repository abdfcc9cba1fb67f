import CSQLite

/// The one owner of a SQLite connection and of its statements; used by one thread at a time.
@safe struct Connection: ~Copyable {
  /// How changes reach the disk.
  enum Durability {
    /// A rollback journal, and its folder synced as well: a commit survives a power cut whatever the file system.
    case rollbackJournal
    /// A write-ahead log, synced by each commit.
    case writeAheadLog
  }

  /// How long a writer waits for another process, in milliseconds.
  static let patience: Int32 = 10_000

  private let raw: OpaquePointer
  private let path: String
  private var statements: [String: Statement] = [:]
  /// Why nothing may be written any more.
  private(set) var broken: JournalError?

  /// Opens an existing file, which `StateDirectory` has made or checked.
  ///
  /// - Throws: every error of the disk, `corrupt`, `unsafePath`.
  static func open(path: String, durability: Durability) throws(JournalError) -> Connection {
    var connection = unsafe Connection(raw: try handle(path), path: path)
    try connection.configure(durability)
    return connection
  }

  private init(raw: OpaquePointer, path: String) {
    unsafe self.raw = unsafe raw
    self.path = path
  }

  private static func handle(_ path: String) throws(JournalError) -> OpaquePointer {
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
    let result = unsafe sqlite3_open_v2(path, &database, flags, nil)
    guard result == SQLITE_OK, let database = unsafe database else {
      let error = unsafe JournalError.sqlite(result, String(cString: sqlite3_errstr(result)), path: path)
      // A handle is made even where opening fails.
      unsafe _ = sqlite3_close_v2(database)
      throw error
    }
    return unsafe database
  }

  deinit {
    // Statements outlive this by a moment: `close_v2` waits for the last of them.
    unsafe _ = sqlite3_close_v2(raw)
  }

  private mutating func configure(_ durability: Durability) throws(JournalError) {
    unsafe _ = sqlite3_busy_timeout(raw, Self.patience)
    let options: [(Int32, Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      // A checkpoint is taken by the one writer and by nobody else (see `SQLiteRunJournal`).
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
    ]
    for (option, value) in options { unsafe _ = csqlite_set_option(raw, option, value) }
    try execute("PRAGMA cell_size_check=ON; PRAGMA secure_delete=ON; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY")
    switch durability {
    case .rollbackJournal: try execute("PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA")
    case .writeAheadLog: try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
    }
  }
}

// MARK: statements

extension Connection {
  /// Runs a script without parameters or rows.
  mutating func execute(_ script: String) throws(JournalError) {
    let result = unsafe sqlite3_exec(raw, script, nil, nil, nil)
    if result != SQLITE_OK {
      throw noting(unsafe .sqlite(result, String(cString: sqlite3_errmsg(raw)), path: path, cause: sqlite3_system_errno(raw)))
    }
  }

  /// Runs one statement that gives no rows.
  mutating func run(_ sql: String, _ bindings: [Binding] = []) throws(JournalError) {
    try each(sql, bindings) { _ in }
  }

  /// The rows of one statement, each as `read` has it.
  mutating func rows<T>(_ sql: String, _ bindings: [Binding] = [], _ read: (borrowing Row) -> T) throws(JournalError) -> [T] {
    var found: [T] = []
    try each(sql, bindings) { found.append(read($0)) }
    return found
  }

  /// The first column of the first row; nil where there is none.
  mutating func number(_ sql: String, _ bindings: [Binding] = []) throws(JournalError) -> Int64? {
    try rows(sql, bindings) { $0.int(0) }.first
  }

  /// The row that the latest insert of this connection made.
  var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(raw) }

  /// How many rows the latest statement changed.
  var changedRows: Int { unsafe Int(sqlite3_changes64(raw)) }

  private mutating func each(_ sql: String, _ bindings: [Binding], _ row: (borrowing Row) -> Void) throws(JournalError) {
    do throws(JournalError) {
      try statement(sql).run(bindings, row)
    } catch {
      throw noting(error)
    }
  }

  private mutating func statement(_ sql: String) throws(JournalError) -> Statement {
    if let known = statements[sql] { return known }
    let made = unsafe try Statement(sql, database: raw, path: path)
    statements[sql] = made
    return made
  }

  private mutating func noting(_ error: JournalError) -> JournalError {
    if error.endsConnection, broken == nil { broken = error }
    return error
  }
}

// MARK: transactions

extension Connection {
  /// Commits all that `body` does, or nothing of it.
  ///
  /// - Throws: `body`'s error, or why the commit failed. After `io` nobody can say whether it was kept before the file
  ///   is opened anew, and this connection refuses everything from then on: a failed fsync is never tried again.
  mutating func transaction<T>(_ body: (inout Connection) throws(JournalError) -> T) throws(JournalError) -> T {
    if let broken { throw broken }
    try run("BEGIN IMMEDIATE")
    do throws(JournalError) {
      let result = try body(&self)
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  private mutating func rollBack() {
    // SQLite has rolled back by itself after most errors of the disk.
    guard unsafe sqlite3_get_autocommit(raw) == 0 else { return }
    do throws(JournalError) { try run("ROLLBACK") } catch { broken = broken ?? error }
  }
}
