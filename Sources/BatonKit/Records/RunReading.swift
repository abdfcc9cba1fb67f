import FlowEvents
import Journal
import Reporters
import Values

/// A run as both records have it. Of an entry's details only what is meant to be shown is ever read.
struct RunReading: Sendable {
  /// Nil where only the ledger has it.
  let opening: RunOpening?
  let id: String
  let standing: RunStanding
  let entries: [JournalEntry]
  /// Its attempts at what may happen once, oldest first.
  let attempts: [TriggerRecord]
  /// What other runs did under the keys of its steps.
  var histories: [TriggerKey: [TriggerRecord]] = [:]
  /// In the order in which they began; a path that begins again is another one.
  let executions: [Execution]
  let end: JournalEntry?

  /// One execution of a step.
  struct Execution: Sendable {
    let path: String
    /// Nil for a step that was skipped.
    var start: JournalEntry?
    var checkpoint: JournalEntry?
    var end: JournalEntry?
    /// The latest of them.
    var settlement: JournalEntry?
    /// Whether the same path has not begun again.
    var isLatest = true
  }

  init(record: RunRecord, standing: RunStanding, attempts: [TriggerRecord]) {
    opening = record.opening
    id = record.opening.id
    self.standing = standing
    entries = record.entries
    self.attempts = attempts
    executions = Self.executions(in: record.entries)
    end = record.end
  }

  init(ledgerOnly id: String, attempts: [TriggerRecord]) {
    opening = nil
    self.id = id
    standing = .interrupted
    entries = []
    self.attempts = attempts
    executions = []
    end = nil
  }

  private static func executions(in entries: [JournalEntry]) -> [Execution] {
    var executions: [Execution] = []
    var latest: [String: Int] = [:]
    for entry in entries {
      let known = latest[entry.path]
      switch entry.kind {
      case .started:
        if let known { executions[known].isLatest = false }
        latest[entry.path] = executions.count
        executions.append(Execution(path: entry.path, start: entry))
      case .checkpoint:
        if let known { executions[known].checkpoint = entry }
      case .ended:
        if let known, executions[known].end == nil {
          executions[known].end = entry
        } else {
          // A step that was skipped has an end alone.
          if let known { executions[known].isLatest = false }
          latest[entry.path] = executions.count
          executions.append(Execution(path: entry.path, end: entry))
        }
      case .settled:
        if let known { executions[known].settlement = entry }
      case .finished, .resumed: break
      }
    }
    return executions
  }

  /// The keys of its steps that it has no attempt at itself: another run had spent them.
  var foreignKeys: Set<TriggerKey> {
    Set(executions.filter { attempt(of: $0) == nil }.compactMap(triggerKey))
  }

  /// The latest attempt that decides what became of an execution.
  func attempt(of execution: Execution) -> TriggerRecord? {
    guard let key = execution.shown.text("key") else { return nil }
    let system = execution.shown.text("system")
    if let own = attempts.last(where: { $0.key.key == key && (system == nil || $0.key.system == system) }) { return own }
    return triggerKey(of: execution).flatMap { histories[$0]?.last }
  }

  private func triggerKey(of execution: Execution) -> TriggerKey? {
    guard let opening, let key = execution.shown.text("key"), let system = execution.shown.text("system") else { return nil }
    return TriggerKey(environment: opening.environment, system: system, key: key)
  }

  /// What was said of the run as a whole.
  var wholeSettlement: JournalEntry? { entries.last { $0.kind == .settled && $0.path.isEmpty } }
}

// MARK: details

extension RunReading.Execution {
  /// What is told of its start.
  var shown: ValueMap { start?.shown ?? ValueMap() }

  /// What a group does, its steps do.
  var isGroup: Bool { shown["is_group"]?.boolValue ?? end?.shown["is_group"]?.boolValue ?? false }
  var isIndeterminate: Bool { end?.status == StepStatus.indeterminate.rawValue }

  /// The error of what may have taken effect, must not do so twice, and ended without success.
  var failedAfterSending: Value? {
    guard end?.status == StepStatus.failed.rawValue || end?.status == StepStatus.cancelled.rawValue,
      shown.text("effect") == "unsafe" || shown.text("effect") == "once", let error = end?.shown["error"],
      error["sent"]?.stringValue != "no", error["rejected"] != .bool(true)
    else { return nil }
    return error
  }

  /// Whether its process ended while it may have been sending what may not be sent again. Where a branch had answered its
  /// error, or it can look itself, going on with the run tells.
  var isCutOff: Bool {
    guard start != nil, end == nil, checkpoint == nil, shown["reconciles"]?.boolValue != true else { return false }
    return shown.text("effect") == "unsafe" || shown.text("effect") == "once"
  }
}

extension JournalEntry {
  /// The part of the details that is meant for people; empty where there is none, or it is not readable.
  var shown: ValueMap {
    guard let details, let value = try? JSON.parse(details, options: .tolerant) else { return ValueMap() }
    return value["shown"]?.mapValue ?? ValueMap()
  }

  var shownOutputs: Value? {
    outputs.flatMap { try? JSON.parse($0, options: .tolerant) }
  }
}

extension ValueMap {
  /// A member that is a text with something in it.
  func text(_ name: String) -> String? {
    guard let text = self[name]?.stringValue, !text.isEmpty else { return nil }
    return text
  }

  func count(_ name: String) -> Int? {
    guard let number = self[name]?.intValue, number >= 0 else { return nil }
    return Int(number)
  }
}
