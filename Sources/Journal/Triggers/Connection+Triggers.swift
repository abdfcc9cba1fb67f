import Values

// MARK: reading

extension Connection: TriggerTable {
  private static let attemptQuery = """
    SELECT a.id, k.environment, k.system, k.dedupe_key, a.number, a.digest, a.idempotency_key, a.valid_for, a.flow, a.flow_digest,
      a.operator, a.run, a.expires, w.by, w.reason, w.at
    FROM attempt AS a JOIN key AS k ON k.id = a.key LEFT JOIN authorisation AS w ON w.attempt = a.id
    """

  mutating func attempts(of key: TriggerKey) throws(JournalError) -> [TriggerRecord] {
    try attempts(
      "WHERE k.environment = ? AND k.system = ? AND k.dedupe_key = ?", [.text(key.environment), .text(key.system), .text(key.key)])
  }

  mutating func attempts(ofRun runID: String) throws(JournalError) -> [TriggerRecord] {
    try attempts("WHERE a.run = ?", [.text(runID)])
  }

  /// - Throws: `notFound`.
  mutating func attempt(_ id: TriggerID) throws(JournalError) -> TriggerRecord {
    guard let record = try attempts("WHERE a.id = ?", [.int(id.number)]).first else {
      throw .unknownAttempt(id)
    }
    return record
  }

  /// Those of which nobody knows what became, or may soon know, and that were not given up.
  mutating func unresolvedAttempts() throws(JournalError) -> [TriggerRecord] {
    try attempts(
      """
      WHERE w.attempt IS NULL AND
        (SELECT state FROM transition AS t WHERE t.attempt = a.id ORDER BY sequence DESC LIMIT 1) IN ('sent', 'unknown')
      """, [])
  }

  private mutating func attempts(_ condition: String, _ bindings: [Binding]) throws(JournalError) -> [TriggerRecord] {
    var records = try rows("\(Self.attemptQuery) \(condition) ORDER BY a.id", bindings) { TriggerRecord($0) }
    for index in records.indices {
      records[index].transitions = try rows(
        "SELECT state, at, by, reason, outputs FROM transition WHERE attempt = ? ORDER BY sequence", [.int(records[index].id.number)]
      ) { TriggerTransition($0) }
    }
    return records
  }

  mutating func deadline(of id: TriggerID) throws(JournalError) -> LedgerDeadline? {
    try rows("SELECT boot, deadline FROM attempt WHERE id = ?", [.int(id.number)]) {
      LedgerDeadline(boot: $0.text(0), nanoseconds: $0.int(1))
    }.first
  }
}

// MARK: writing

extension Connection {
  mutating func insert(
    _ key: TriggerKey, _ request: TriggerRequest, number: Int, _ moment: LedgerMoment
  ) throws(JournalError) -> TriggerID {
    let scope: [Binding] = [.text(key.environment), .text(key.system), .text(key.key)]
    try run("INSERT OR IGNORE INTO key(environment, system, dedupe_key) VALUES(?, ?, ?)", scope)
    try run(
      """
      INSERT INTO attempt(key, number, digest, idempotency_key, valid_for, boot, deadline, expires, flow, flow_digest, operator, run)
      SELECT id, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14 FROM key WHERE environment = ?1 AND system = ?2 AND dedupe_key = ?3
      """,
      scope + [
        Binding(number), .text(request.digest), Binding(request.idempotencyKey), .int(request.validFor.wholeNanoseconds),
        .text(moment.boot), .int(moment.deadline(after: request.validFor).nanoseconds),
        .int(moment.wallDeadline(after: request.validFor).nanosecondsSince1970), .text(request.flow), .text(request.flowDigest),
        .text(request.operator), .text(request.runID),
      ])
    return TriggerID(lastInsertedRow)
  }

  mutating func append(_ transition: TriggerTransition, to id: TriggerID) throws(JournalError) {
    try run(
      """
      INSERT INTO transition(attempt, sequence, state, at, by, reason, outputs)
      VALUES(?1, (SELECT coalesce(max(sequence), 0) + 1 FROM transition WHERE attempt = ?1), ?2, ?3, ?4, ?5, ?6)
      """,
      [
        .int(id.number), .text(transition.state.rawValue), .int(transition.at.nanosecondsSince1970), Binding(transition.by),
        Binding(transition.reason), Binding(transition.outputs),
      ])
  }

  mutating func authorise(_ id: TriggerID, _ word: RetryAuthorisation) throws(JournalError) {
    try run(
      "INSERT INTO authorisation(attempt, by, reason, at) VALUES(?, ?, ?, ?)",
      [.int(id.number), .text(word.by), .text(word.reason), .int(word.at.nanosecondsSince1970)])
  }
}

// MARK: rows

extension TriggerRecord {
  fileprivate init(_ row: borrowing Row) {
    self.init(
      id: TriggerID(row.int(0)), key: TriggerKey(environment: row.text(1), system: row.text(2), key: row.text(3)),
      attempt: Int(row.int(4)),
      request: TriggerRequest(
        digest: row.text(5), idempotencyKey: row.optionalText(6), validFor: .nanoseconds(row.int(7)), flow: row.text(8),
        flowDigest: row.text(9), operator: row.text(10), runID: row.text(11)),
      expiresAt: Timestamp(nanosecondsSince1970: row.int(12)), transitions: [],
      authorisation: row.optionalText(13).map {
        RetryAuthorisation(by: $0, reason: row.text(14), at: Timestamp(nanosecondsSince1970: row.int(15)))
      })
  }
}

extension TriggerTransition {
  /// A state of this version: a newer file is not opened.
  fileprivate init(_ row: borrowing Row) {
    self.init(
      state: TriggerState(rawValue: row.text(0)) ?? .unknown, at: Timestamp(nanosecondsSince1970: row.int(1)), by: row.optionalText(2),
      reason: row.optionalText(3), outputs: row.optionalText(4))
  }
}
