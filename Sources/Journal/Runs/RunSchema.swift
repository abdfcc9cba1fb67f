extension Schema {
  /// The journal of runs. Times are nanoseconds since 1970.
  package static let runs = Schema(
    applicationID: 0x6261_726A,  // "barj"
    migrations: [
      """
      CREATE TABLE run(
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, flow TEXT NOT NULL, flow_digest TEXT NOT NULL,
        environment TEXT NOT NULL, started INTEGER NOT NULL, operator TEXT NOT NULL, is_sandbox INTEGER NOT NULL,
        inputs TEXT NOT NULL) STRICT;
      CREATE INDEX run_started ON run(started);
      CREATE TABLE entry(
        run INTEGER NOT NULL REFERENCES run(number) ON DELETE CASCADE, sequence INTEGER NOT NULL, kind TEXT NOT NULL,
        path TEXT NOT NULL, at INTEGER NOT NULL, status TEXT, code TEXT, outputs TEXT, outputs_digest TEXT, details TEXT,
        PRIMARY KEY(run, sequence)) STRICT, WITHOUT ROWID;
      CREATE INDEX entry_turn ON entry(run, sequence) WHERE kind IN ('finished', 'resumed', 'settled');
      """
    ])
}
