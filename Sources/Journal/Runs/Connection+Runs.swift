import FlowEvents
import Values

extension Connection {
  private static let openingColumns = "r.id, r.flow, r.flow_digest, r.environment, r.started, r.operator, r.is_sandbox, r.inputs"

  mutating func runRecord(_ id: String) throws(JournalError) -> RunRecord? {
    // One transaction, so that the entries are those of the moment of the run.
    try execute("BEGIN")
    defer { try? execute("COMMIT") }
    let opening = try rows("SELECT \(Self.openingColumns) FROM run AS r WHERE r.id = ?", [.text(id)]) { RunOpening($0) }.first
    guard let opening else { return nil }
    let entries = try rows(
      """
      SELECT e.kind, e.path, e.at, e.status, e.code, e.outputs, e.outputs_digest, e.details
      FROM entry AS e JOIN run AS r ON e.run = r.number WHERE r.id = ? ORDER BY e.sequence
      """, [.text(id)]
    ) { JournalEntry($0) }
    return RunRecord(opening: opening, entries: entries.compactMap(\.self))
  }

  mutating func runs(_ filter: RunFilter) throws(JournalError) -> [RunSummary] {
    try rows(
      """
      WITH turn AS (
        SELECT run, max(sequence) AS latest FROM entry
        WHERE kind IN ('finished', 'resumed', 'settled') AND kind <> 'settled' GROUP BY run),
      listed AS (
        SELECT \(Self.openingColumns), r.number, e.status AS verdict, e.code, e.at,
          EXISTS(SELECT 1 FROM entry AS s WHERE s.run = r.number AND s.kind IN ('finished', 'resumed', 'settled') AND s.kind = 'settled')
            AS is_settled
        FROM run AS r LEFT JOIN turn ON turn.run = r.number
        LEFT JOIN entry AS e ON e.run = r.number AND e.sequence = turn.latest AND e.kind = 'finished')
      SELECT id, flow, flow_digest, environment, started, operator, is_sandbox, inputs, verdict, code, at, is_settled
      FROM listed
      WHERE (?1 IS NULL OR flow = ?1) AND (?2 IS NULL OR verdict = ?2) AND (?3 IS NULL OR started >= ?3)
        AND (?4 = 0 OR (NOT is_settled AND (verdict IS NULL OR verdict = 'indeterminate')))
      ORDER BY started DESC, number DESC LIMIT ?5
      """,
      [
        Binding(filter.flow), Binding(filter.verdict), Binding(filter.since?.nanosecondsSince1970), .int(filter.isUnresolved ? 1 : 0),
        Binding(filter.limit),
      ]
    ) { row in
      RunSummary(
        opening: RunOpening(row), verdict: row.optionalText(8), code: row.optionalText(9),
        endedAt: row.optionalInt(10).map { Timestamp(nanosecondsSince1970: $0) }, isSettled: row.int(11) != 0)
    }
  }

  /// Removes runs that began before a moment and wait for nobody.
  mutating func prune(startedBefore moment: Timestamp) throws(JournalError) -> Int {
    let unresolved = Set(try runs(RunFilter(isUnresolved: true, limit: .max)).map(\.opening.id))
    let old = try rows("SELECT id FROM run WHERE started < ?", [.int(moment.nanosecondsSince1970)]) { $0.text(0) }
    let doomed = old.filter { !unresolved.contains($0) }
    for id in doomed { try run("DELETE FROM run WHERE id = ?", [.text(id)]) }
    return doomed.count
  }
}

extension RunOpening {
  fileprivate init(_ row: borrowing Row) {
    self.init(
      id: row.text(0), flow: row.text(1), flowDigest: row.text(2), environment: row.text(3),
      startedAt: Timestamp(nanosecondsSince1970: row.int(4)), operator: row.text(5), isSandbox: row.int(6) != 0, inputs: row.text(7))
  }
}

extension JournalEntry {
  /// Nil for a kind that this version does not know.
  fileprivate init?(_ row: borrowing Row) {
    guard let kind = Kind(rawValue: row.text(0)) else { return nil }
    self.init(
      kind, path: row.text(1), at: Timestamp(nanosecondsSince1970: row.int(2)), status: row.optionalText(3), code: row.optionalText(4),
      outputs: row.optionalText(5), outputsDigest: row.optionalText(6), details: row.optionalText(7))
  }
}
