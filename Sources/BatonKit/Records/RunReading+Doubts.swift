import FlowEvents
import Journal
import Reporters
import Values

/// Something in a run that may have happened once too often or not at all.
struct Doubt: Sendable {
  enum State: Hashable, Sendable {
    /// Nobody knows, and nobody has said.
    case open
    /// Somebody has said; `isNoted` is false where the journal has not learnt it.
    case settled(Settling, by: String, isNoted: Bool)
    /// It ended without success and may have happened: nothing sends it again unless somebody says so.
    case ended
    /// Never sent, and its process is gone: it may be too old to be.
    case unsent
    /// Another process is sending it.
    case underWay
  }

  /// Nil for a trigger of which the journal tells no step, and for the run as a whole.
  var execution: RunReading.Execution?
  var attempt: TriggerRecord?
  var state: State

  /// The execution's path; empty for the run as a whole, nil for a trigger alone.
  var path: String? { execution?.path ?? (attempt == nil ? "" : nil) }
  var key: String? { attempt?.key.key ?? execution?.shown.text("key") }
  /// How `--step` names it.
  var name: String { path ?? key ?? "" }
}

/// What somebody says of a doubt.
enum Settling: String, Hashable, Sendable {
  case delivered
  case notDelivered = "not_delivered"
  case retry
}

extension RunReading {
  /// What nobody knows of the run, in the order in which it began.
  var openDoubts: [Doubt] { doubts.filter { $0.state == .open } }

  /// All that is in doubt, was, or can be said something of. Of a step with a dedupe key the ledger decides.
  var doubts: [Doubt] {
    // What a sandbox that ended with its run may have done is gone with it.
    guard standing != .running, opening?.isSandbox != true else { return [] }
    let mayBeCutOff = standing == .interrupted || standing == .indeterminate
    let candidates = executions.filter { execution in
      guard execution.isLatest, !execution.isGroup else { return false }
      return execution.isIndeterminate || execution.settlement != nil || (mayBeCutOff && execution.isCutOff)
        || isStuck(execution)
    }
    var found = candidates.compactMap(doubt)
    let known = Set(found.compactMap(\.attempt?.id))
    let told = Set(executions.compactMap { attempt(of: $0)?.id })
    for attempt in attempts where !known.contains(attempt.id) && !told.contains(attempt.id) {
      if let state = attempt.doubt(noted: nil, isLedgerAlone: true) { found.append(Doubt(attempt: attempt, state: state)) }
    }
    if found.isEmpty, standing == .indeterminate, !executions.contains(where: { !$0.isGroup && $0.isIndeterminate }) {
      // Whatever it was, the journal does not tell it; it must be possible to settle it.
      found.append(Doubt(state: wholeSettlement?.settled ?? .open))
    }
    return found
  }

  private func doubt(_ execution: Execution) -> Doubt? {
    let settled = execution.settlement?.settled
    if let attempt = attempt(of: execution) {
      let noted: Settling? = if case .settled(let settling, _, _)? = settled { settling } else { nil }
      return attempt.doubt(noted: noted, isLedgerAlone: false).map { Doubt(execution: execution, attempt: attempt, state: $0) }
    }
    if let settled { return Doubt(execution: execution, state: settled) }
    // Before anything is sent under a key the ledger knows of it.
    if execution.shown.text("key") != nil, !execution.isIndeterminate { return nil }
    // Whoever stopped the run does not know what became of what was on its way.
    return Doubt(execution: execution, state: isStuck(execution) && standing != .cancelled ? .ended : .open)
  }

  /// Whether it keeps the run from being gone on with: it may have happened, must not happen twice, and nothing has answered.
  private func isStuck(_ execution: Execution) -> Bool {
    guard let error = execution.failedAfterSending else { return false }
    switch standing {
    case .cancelled: return error["sent"]?.stringValue == "maybe"
    case .failed, .errored:
      let id = execution.path.split(separator: "/").last.map { $0.prefix { $0 != "[" } } ?? ""
      return end?.shown["error"]?["step"]?.stringValue == String(id)
    case .running, .passed, .indeterminate, .interrupted: return false
    }
  }

  /// Whether undos have run: what they took back is not there any more.
  var isUndone: Bool { executions.contains { $0.shown.text("part") == RunPart.undo.rawValue && $0.shown["parent"] == nil } }

  /// What must be settled before the run is gone on with.
  var blockingDoubts: [Doubt] {
    // What the flow can look up itself waits for nobody.
    doubts.filter { ($0.state == .open || $0.state == .ended) && $0.execution?.shown["reconciles"] != .bool(true) }
  }
}

extension JournalEntry {
  /// What an entry that settles something says.
  fileprivate var settled: Doubt.State? {
    guard kind == .settled, let settling = status.flatMap(Settling.init) else { return nil }
    return .settled(settling, by: shown.text("by") ?? "", isNoted: true)
  }
}

extension TriggerRecord {
  /// What the ledger says of a doubt; nil where there is none.
  ///
  /// - Parameter noted: what the journal has of it already.
  fileprivate func doubt(noted: Settling?, isLedgerAlone: Bool) -> Doubt.State? {
    let by = transitions.last?.by
    func settled(_ settling: Settling, by: String) -> Doubt.State {
      .settled(settling, by: by, isNoted: isLedgerAlone || noted == settling)
    }
    switch state {
    case .unknown:
      return authorisation.map { settled(.retry, by: $0.by) } ?? .open
    case .resolvedDelivered: return settled(.delivered, by: by ?? "")
    case .resolvedNotDelivered: return settled(.notDelivered, by: by ?? "")
    case .notSent:
      // Only where somebody said so: what the run itself knows is no doubt.
      return by.map { settled(noted == .retry ? .retry : .notDelivered, by: $0) }
    case .intended: return .unsent
    case .sent: return .underWay
    case .acknowledged, .rejected: return nil
    }
  }
}

// MARK: for reports

extension RunReading {
  /// A doubt as reports tell it.
  func recorded(_ doubt: Doubt) -> RecordedDoubt {
    let shown = doubt.execution?.shown ?? ValueMap()
    return RecordedDoubt(
      path: doubt.path, action: shown.text("action") ?? "", system: doubt.attempt?.key.system ?? shown.text("system"), key: doubt.key,
      since: since(doubt), reason: reason(for: doubt))
  }

  private func since(_ doubt: Doubt) -> Timestamp {
    doubt.attempt?.transitions.last?.at ?? doubt.execution?.end?.at ?? doubt.execution?.start?.at ?? end?.at
      ?? opening?.startedAt ?? Timestamp(seconds: 0)
  }

  private func reason(for doubt: Doubt) -> String {
    if let error = doubt.execution?.end?.shownError(of: doubt.execution) {
      let cause = error.causes.first ?? error
      let text = cause.detail.isEmpty ? cause.title : cause.detail
      return [cause.code, text].filter { !$0.isEmpty }.joined(separator: ": ")
    }
    if let reason = doubt.attempt?.transitions.last?.reason { return reason }
    return doubt.execution.map { $0.end == nil ? "its process ended before it did" : "" } ?? ""
  }
}
