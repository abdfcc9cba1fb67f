/// The tables of a database in all their versions: version N is what the first N migrations make.
package struct Schema: Sendable {
  /// Says whose file it is: SQLite's `application_id`.
  package var applicationID: Int32
  /// SQL scripts, oldest first. One that was ever released never changes; a new version adds one.
  package var migrations: [String]

  package init(applicationID: Int32, migrations: [String]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }
}

extension Connection {
  /// Brings the file to the latest version, all of it or nothing.
  ///
  /// - Throws: `newerSchema` and `foreignFile`, with the file untouched.
  mutating func migrate(to schema: Schema, path: String) throws(JournalError) {
    let (version, isEmpty) = try check(schema, path: path)
    guard version < schema.migrations.count else { return }
    try transaction { connection throws(JournalError) in
      // Another process may have been faster.
      let (version, _) = try connection.check(schema, path: path)
      guard version < schema.migrations.count else { return }
      if isEmpty { try connection.execute("PRAGMA application_id=\(schema.applicationID)") }
      for migration in schema.migrations[version...] { try connection.execute(migration) }
      try connection.execute("PRAGMA user_version=\(schema.migrations.count)")
    }
  }

  private mutating func check(_ schema: Schema, path: String) throws(JournalError) -> (version: Int, isEmpty: Bool) {
    let version = Int(try number("PRAGMA user_version") ?? 0)
    let owner = Int32(truncatingIfNeeded: try number("PRAGMA application_id") ?? 0)
    let isEmpty = try number("SELECT count(*) FROM sqlite_schema") == 0
    guard owner == schema.applicationID || (isEmpty && owner == 0 && version == 0) else {
      throw JournalError(.foreignFile, "`\(path)` belongs to another program", mend: "name another state directory")
    }
    guard version <= schema.migrations.count else {
      throw JournalError(
        .newerSchema, "`\(path)` has version \(version), and this program knows \(schema.migrations.count)",
        mend: "use the newer program, or another state directory")
    }
    return (version, isEmpty)
  }
}
