import Diagnostics
import Journal
import Reporters
import Values

/// `baton runs`: the runs of this user, latest first, behind the triggers that somebody must settle.
public struct RunsCommand: Sendable {
  /// The path of a flow's file.
  public var flow: String?
  /// A verdict, or `running` or `interrupted`.
  public var verdict: String?
  /// `2h`, `3d`, a date or an RFC 3339 time.
  public var since: String?
  /// Only what somebody must settle; the exit code says whether there is any.
  public var isUnresolved: Bool
  public var limit: Int
  public var printsJSON: Bool

  public static let standardLimit = 20

  public init(
    flow: String? = nil, verdict: String? = nil, since: String? = nil, isUnresolved: Bool = false, limit: Int = standardLimit,
    printsJSON: Bool = false
  ) {
    self.flow = flow
    self.verdict = verdict
    self.since = since
    self.isUnresolved = isUnresolved
    self.limit = limit
    self.printsJSON = printsJSON
  }

  /// 0, or 2 where the records cannot be read; with `isUnresolved` 1 where there is anything to settle.
  public func execute(_ terminal: Terminal) async -> Int {
    await Answer.give(on: terminal, isRedacted: printsJSON) { records async throws(RecordsRefusal) in
      try await answer(records, style: terminal.style(.output))
    }
  }

  func answer(_ records: Records, style: ConsoleStyle) async throws(RecordsRefusal) -> Answer {
    let list = try await list(records)
    let text = printsJSON ? RecordsJSON.text(RecordsJSON.value(of: list)) : list.text(style: style, now: records.now)
    return Answer(output: text, exitCode: isUnresolved && !(list.triggers.isEmpty && list.runs.isEmpty) ? 1 : 0)
  }

  private func list(_ records: Records) async throws(RecordsRefusal) -> RunList {
    let filter = try Filter(self, now: records.now)
    var triggers: [RecordedTrigger] = []
    for trigger in try await records.unresolvedTriggers() where filter.admits(trigger) {
      let isJournaled = try await records.journal.found(trigger.request.runID) != nil
      triggers.append(trigger.recorded(isJournaled: isJournaled))
    }
    var runs: [RecordedRun] = []
    var isCut = false
    // What decides an exit code is not cut off.
    for summary in try await records.journal.listed(RunFilter(since: filter.since, limit: filter.isOpen ? limit + 1 : .max)) {
      guard let run = try await recorded(summary, records, filter) else { continue }
      guard isUnresolved || runs.count < limit else {
        isCut = true
        break
      }
      runs.append(run)
    }
    return RunList(triggers: triggers, runs: runs, isCut: isCut, isUnresolved: isUnresolved, isFiltered: filter.isFiltered)
  }

  /// Nil where the run is not asked for.
  private func recorded(_ summary: RunSummary, _ records: Records, _ filter: Filter) async throws(RecordsRefusal) -> RecordedRun? {
    guard filter.admits(flow: summary.opening.flow) else { return nil }
    let standing = try await records.standing(of: summary)
    guard filter.verdict == nil || filter.verdict == standing else { return nil }
    switch standing {
    case .interrupted, .indeterminate, .cancelled:
      guard let run = try await records.reading(summary.opening.id)?.recorded else { return nil }
      return isUnresolved && run.doubts.isEmpty ? nil : run
    case .passed, .failed, .errored, .running:
      return isUnresolved ? nil : RecordedRun(summary, standing)
    }
  }
}

/// Which runs are asked for.
private struct Filter {
  let flow: String?
  let verdict: RunStanding?
  let since: Timestamp?
  private let isUnresolved: Bool

  init(_ command: RunsCommand, now: Timestamp) throws(RecordsRefusal) {
    flow = command.flow
    isUnresolved = command.isUnresolved
    guard command.limit > 0 else { throw RecordsRefusal(.invalidValue, "`--limit` is at least 1, not \(command.limit)") }
    if let name = command.verdict {
      guard let standing = RunStanding(rawValue: name) else {
        let names = RunStanding.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw RecordsRefusal(.invalidValue, "there is no verdict `\(name)`", help: "one of \(names)")
      }
      verdict = standing
    } else {
      verdict = nil
    }
    if let text = command.since {
      guard let moment = Timestamp(since: text, now: now) else {
        throw RecordsRefusal(
          .invalidValue, "`--since \(text)` is no time", help: "write `2h`, `3d`, `2026-03-01` or `2026-03-01T09:30:00Z`")
      }
      since = moment
    } else {
      since = nil
    }
  }

  /// Whether the journal's own filter is all there is.
  var isOpen: Bool { flow == nil && verdict == nil && !isUnresolved }
  var isFiltered: Bool { flow != nil || verdict != nil || since != nil }

  func admits(flow path: String) -> Bool {
    guard let flow else { return true }
    return path == flow || FileAccess.resolved(path) == FileAccess.resolved(flow)
  }

  func admits(_ trigger: TriggerRecord) -> Bool {
    guard admits(flow: trigger.request.flow) else { return false }
    guard let since, let first = trigger.transitions.first else { return true }
    return first.at >= since
  }
}

extension RecordedRun {
  fileprivate init(_ summary: RunSummary, _ standing: RunStanding) {
    let opening = summary.opening
    self.init(
      id: opening.id, flow: opening.flow, environment: opening.environment, startedAt: opening.startedAt, endedAt: summary.endedAt,
      operator: opening.operator, isSandbox: opening.isSandbox, standing: standing, code: summary.code)
  }
}

extension Timestamp {
  /// A moment as people name it: so long ago (`2h`, `30m`, `3d`), the beginning of a day in UTC, or a time of RFC 3339.
  init?(since text: String, now: Timestamp) {
    if text.hasSuffix("d"), let days = Int64(text.dropLast()), (0...36_500).contains(days) {
      self.init(seconds: now.seconds - days * 86_400, nanoseconds: now.nanoseconds)
    } else if let span = TimeSpan(text: text), span.nanoseconds >= 0 {
      self.init(seconds: now.seconds - span.nanoseconds / 1_000_000_000)
    } else if let moment = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") {
      self = moment
    } else {
      return nil
    }
  }
}
