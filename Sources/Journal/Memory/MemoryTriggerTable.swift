import Values

/// The attempts of a ledger in memory. As a value, it is put back whole where a change fails.
struct MemoryTriggerTable: TriggerTable {
  /// The attempt with the id N stands at N - 1.
  private var attempts: [TriggerRecord] = []
  private var deadlines: [LedgerDeadline] = []

  mutating func attempts(of key: TriggerKey) throws(JournalError) -> [TriggerRecord] { attempts.filter { $0.key == key } }

  mutating func attempts(ofRun runID: String) throws(JournalError) -> [TriggerRecord] { attempts.filter { $0.request.runID == runID } }

  mutating func unresolvedAttempts() throws(JournalError) -> [TriggerRecord] { attempts.filter(\.isUnresolved) }

  mutating func attempt(_ id: TriggerID) throws(JournalError) -> TriggerRecord { attempts[try position(of: id)] }

  mutating func deadline(of id: TriggerID) throws(JournalError) -> LedgerDeadline? { deadlines[try position(of: id)] }

  mutating func insert(
    _ key: TriggerKey, _ request: TriggerRequest, number: Int, _ moment: LedgerMoment
  ) throws(JournalError) -> TriggerID {
    let id = TriggerID(Int64(attempts.count + 1))
    attempts.append(
      TriggerRecord(
        id: id, key: key, attempt: number, request: request, expiresAt: moment.wallDeadline(after: request.validFor), transitions: [],
        authorisation: nil))
    deadlines.append(moment.deadline(after: request.validFor))
    return id
  }

  mutating func append(_ transition: TriggerTransition, to id: TriggerID) throws(JournalError) {
    attempts[try position(of: id)].transitions.append(transition)
  }

  mutating func authorise(_ id: TriggerID, _ word: RetryAuthorisation) throws(JournalError) {
    attempts[try position(of: id)].authorisation = word
  }

  private func position(of id: TriggerID) throws(JournalError) -> Int {
    guard attempts.indices.contains(Int(id.number) - 1) else { throw .unknownAttempt(id) }
    return Int(id.number) - 1
  }
}
