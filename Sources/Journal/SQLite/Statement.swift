import CSQLite

/// What a statement's parameter is bound to.
enum Binding: Hashable, Sendable {
  case null
  case int(Int64)
  case text(String)

  init(_ text: String?) { self = text.map(Binding.text) ?? .null }
  init(_ number: Int64?) { self = number.map(Binding.int) ?? .null }
  init(_ number: Int) { self = .int(Int64(number)) }
}

/// A compiled statement: run many times, freed once.
@safe final class Statement {
  private let raw: OpaquePointer
  private let database: OpaquePointer
  private let path: String

  /// - Throws: what SQLite says of the text.
  init(_ sql: String, database: OpaquePointer, path: String) throws(JournalError) {
    var statement: OpaquePointer?
    let result = unsafe sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard result == SQLITE_OK, let statement = unsafe statement else {
      throw unsafe .sqlite(result, String(cString: sqlite3_errmsg(database)), path: path)
    }
    unsafe raw = statement
    unsafe self.database = unsafe database
    self.path = path
  }

  deinit { unsafe _ = sqlite3_finalize(raw) }

  /// Binds, steps through every row, and is ready to run again.
  func run(_ bindings: [Binding], _ row: (borrowing Row) -> Void) throws(JournalError) {
    defer {
      // Its result repeats that of the last step.
      unsafe _ = sqlite3_reset(raw)
      unsafe _ = sqlite3_clear_bindings(raw)
    }
    for (index, binding) in bindings.enumerated() { try bind(binding, at: Int32(index) + 1) }
    while true {
      switch unsafe sqlite3_step(raw) {
      case SQLITE_ROW: unsafe row(Row(raw: raw))
      case SQLITE_DONE: return
      case let result: throw failure(result)
      }
    }
  }

  private func bind(_ binding: Binding, at index: Int32) throws(JournalError) {
    let result =
      switch binding {
      case .null: unsafe sqlite3_bind_null(raw, index)
      case .int(let number): unsafe sqlite3_bind_int64(raw, index, number)
      case .text(var text):
        text.withUTF8 { bytes in
          unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe csqlite_bind_text(raw, index, $0.baseAddress, UInt64($0.count)) }
        }
      }
    if result != SQLITE_OK { throw failure(result) }
  }

  private func failure(_ result: Int32) -> JournalError {
    let extended = unsafe sqlite3_extended_errcode(database)
    let code = extended & 0xFF == result & 0xFF ? extended : result
    return unsafe .sqlite(code, String(cString: sqlite3_errmsg(database)), path: path, cause: sqlite3_system_errno(database))
  }
}

/// The current row of a running statement; valid until the next step.
@safe struct Row: ~Copyable {
  fileprivate let raw: OpaquePointer

  func int(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(raw, column) }

  func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

  /// Empty where the column is null.
  func text(_ column: Int32) -> String {
    guard let bytes = unsafe sqlite3_column_text(raw, column) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(raw, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  private func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(raw, column) == SQLITE_NULL }
}
