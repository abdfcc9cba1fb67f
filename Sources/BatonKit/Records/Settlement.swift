import FlowEvents
import Journal
import Reporters
import Values

/// One saying about a run, stored where it counts: first in the ledger, then in the journal. A process that dies between
/// the two leaves what the same command completes.
struct Settlement {
  let settling: Settling
  let by: String
  let reason: String
  let outputs: Value?
  let records: Records
  let reading: RunReading

  /// What stands in the records from now on, and whether it did not before.
  func store(_ doubt: Doubt) async throws(RecordsRefusal) -> (RecordedSettlement, isNew: Bool) {
    do throws(JournalError) {
      switch doubt.state {
      case .settled(let earlier, let who, let isNoted) where earlier == settling:
        var told = earlierSaying(of: doubt, by: who)
        // What it gave may be learnt later than that it happened.
        let adds = settling == .delivered && outputs != nil && doubt.execution?.settlement?.shown["outputs"] == nil
        if adds { told = RecordedSettlement(path: told.path, how: told.how, by: by, reason: reason, at: records.now, outputs: outputNames) }
        guard !isNoted || adds, let path = doubt.path else { return (told, false) }
        try await note(told, at: path)
        return (told, true)
      case .open, .ended, .settled, .unsent, .underWay:
        if let attempt = doubt.attempt { try await resolve(attempt) }
        let told = RecordedSettlement(
          path: doubt.path ?? "", how: settling.rawValue, by: by, reason: reason, at: records.now, outputs: outputNames)
        if reading.opening != nil, let path = doubt.path { try await note(told, at: path) }
        return (told, true)
      }
    } catch {
      throw RecordsRefusal(error)
    }
  }

  private func resolve(_ attempt: TriggerRecord) async throws(JournalError) {
    switch settling {
    case .delivered: _ = try await records.ledger.resolve(attempt.id, .delivered, by: by, reason: reason)
    case .notDelivered: _ = try await records.ledger.resolve(attempt.id, .notDelivered, by: by, reason: reason)
    case .retry: _ = try await records.ledger.authoriseRetry(attempt.id, by: by, reason: reason)
    }
  }

  /// Who said so before, and why: the ledger's word where there is one.
  private func earlierSaying(of doubt: Doubt, by who: String) -> RecordedSettlement {
    let noted = doubt.execution?.settlement ?? (doubt.path == "" ? reading.wholeSettlement : nil)
    let ledger = settling == .retry ? doubt.attempt?.authorisation?.reason : doubt.attempt?.transitions.last?.reason
    let at = settling == .retry ? doubt.attempt?.authorisation?.at : doubt.attempt?.transitions.last?.at
    return RecordedSettlement(
      path: doubt.path ?? "", how: settling.rawValue, by: who, reason: ledger ?? noted?.shown.text("reason") ?? "",
      at: at ?? noted?.at ?? records.now, outputs: noted?.shown["outputs"] ?? outputNames)
  }

  /// What is told of what it gave: nobody knows here what of it is secret.
  private var outputNames: Value? { outputs?.mapValue.map { .list($0.map { .string($0.key.text) }) } }

  private func kept(_ outputs: Value, at path: String) throws(JournalError) -> String {
    let text = Value.map(ValueMap(members: ["outputs": outputs])).storedText
    guard let seal = records.seal else { return KeptText.open(text) }
    return KeptText.sealed(try seal.seal(text, for: KeptText.context(reading.id, path)))
  }

  private func note(_ told: RecordedSettlement, at path: String) async throws(JournalError) {
    var shown = ValueMap()
    shown["by"] = .string(told.by)
    shown["reason"] = .string(told.reason)
    shown["outputs"] = told.outputs
    var members = ValueMap(members: ["shown": .map(shown)])
    if let outputs { members["kept"] = .string(try kept(outputs, at: path)) }
    let details = Value.map(members)
    let entry = JournalEntry(.settled, path: path, at: told.at, status: told.how, details: details.json())
    try await records.journal.append([entry], to: reading.id, .synced)
  }
}
