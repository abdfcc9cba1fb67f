/// What a ledger keeps its attempts in, as its rules use it: one change at a time, all of it or nothing.
///
/// The rules stand in `TriggerTable+Rules.swift`, once for every table.
protocol TriggerTable: ~Copyable {
  /// Oldest first, as all of these.
  mutating func attempts(of key: TriggerKey) throws(JournalError) -> [TriggerRecord]

  mutating func attempts(ofRun runID: String) throws(JournalError) -> [TriggerRecord]

  mutating func unresolvedAttempts() throws(JournalError) -> [TriggerRecord]

  /// - Throws: `notFound`.
  mutating func attempt(_ id: TriggerID) throws(JournalError) -> TriggerRecord

  /// Until when an attempt may be sent, by the boot clock of one start of the machine; nil where there is no such attempt.
  mutating func deadline(of id: TriggerID) throws(JournalError) -> LedgerDeadline?

  /// A new attempt, without any state yet.
  mutating func insert(
    _ key: TriggerKey, _ request: TriggerRequest, number: Int, _ moment: LedgerMoment
  ) throws(JournalError) -> TriggerID

  /// A state behind the latest, which the caller has found that it follows.
  mutating func append(_ transition: TriggerTransition, to id: TriggerID) throws(JournalError)

  mutating func authorise(_ id: TriggerID, _ word: RetryAuthorisation) throws(JournalError)
}
