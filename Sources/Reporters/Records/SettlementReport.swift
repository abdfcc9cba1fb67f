import Diagnostics
package import Values

/// What `baton resolve` has stored, and what comes next.
package struct SettlementReport: Sendable {
  package struct Item: Sendable {
    package var subject: RecordedDoubt
    package var settlement: RecordedSettlement
    /// False where it had been said before.
    package var isNew: Bool

    package init(subject: RecordedDoubt, settlement: RecordedSettlement, isNew: Bool) {
      self.subject = subject
      self.settlement = settlement
      self.isNew = isNew
    }
  }

  package var runID: String
  /// False where only the ledger of triggers knows the run, so that it cannot be gone on with here.
  package var isJournaled: Bool
  /// How much is open in the run after this.
  package var left: Int
  package var settled: [Item]

  package init(runID: String, isJournaled: Bool, left: Int, settled: [Item]) {
    self.runID = runID
    self.isJournaled = isJournaled
    self.left = left
    self.settled = settled
  }

  /// As lines for people; every line ends with a line break.
  package var text: String {
    (settled.flatMap(lines) + [next]).map { $0 + "\n" }.joined()
  }

  private func lines(of item: Item) -> [String] {
    let subject = DoubtTexts.subject(item.subject)
    let said = item.isNew ? "settled" : "settled before"
    let first: String
    var more: [String] = []
    switch item.settlement.how {
    case "delivered": first = "\(subject) was delivered"
    case "not_delivered":
      first = "\(subject) was not delivered"
      more.append(isJournaled ? "it will be sent again when the run goes on" : "its key may be used again")
    default:
      first = "\(subject) may be sent again, although nobody knows whether it happened"
      more.append("it may happen twice")
    }
    let who = "said by \(shownText(item.settlement.by)): \(shownText(item.settlement.reason))"
    return ["\(said): \(first)"] + (more + [who]).map { "    \($0)" }
  }

  private var next: String {
    let run = shownText(runID)
    if left > 0 { return "\(left) more to settle: `baton show \(run)`" }
    return isJournaled ? "go on with `baton resume \(run)`" : "this journal does not have the run; run the flow again where it is needed"
  }
}

extension RecordsJSON {
  /// `{run, settled: [{step, how, by, reason, at, outputs?, action, system?, key?, new}], open, next}`
  package static func value(of report: SettlementReport) -> Value {
    let settled = report.settled.map { item -> Value in
      guard case .map(var map) = value(of: item.settlement) else { return .null }
      map["step"] = item.subject.path.map(Value.string) ?? .null
      map["action"] = .string(item.subject.action)
      map["system"] = item.subject.system.map(Value.string)
      map["key"] = item.subject.key.map(Value.string)
      map["new"] = .bool(item.isNew)
      return .map(map)
    }
    let next: Value =
      report.left > 0 ? .string("baton show \(report.runID)") : report.isJournaled ? .string("baton resume \(report.runID)") : .null
    return ["run": .string(report.runID), "settled": .list(settled), "open": .int(Int64(report.left)), "next": next]
  }
}
