import FlowEvents
package import Values

/// A run as the journal knows it.
package struct RunSummary: Hashable, Sendable {
  package var opening: RunOpening
  /// Nil while it goes on, and where its process ended without a word.
  package var verdict: String?
  package var code: String?
  package var endedAt: Timestamp?
  /// Whether somebody has settled what it left open.
  package var isSettled: Bool

  package init(opening: RunOpening, verdict: String?, code: String?, endedAt: Timestamp?, isSettled: Bool) {
    self.opening = opening
    self.verdict = verdict
    self.code = code
    self.endedAt = endedAt
    self.isSettled = isSettled
  }

  /// Whether it waits for somebody: it never ended, or nobody knows what it did.
  package var isUnresolved: Bool { !isSettled && (verdict == nil || verdict == "indeterminate") }
}

/// A run with all that happened in it.
package struct RunRecord: Hashable, Sendable {
  package var opening: RunOpening
  /// In the order in which they were appended.
  package var entries: [JournalEntry]

  package init(opening: RunOpening, entries: [JournalEntry]) {
    self.opening = opening
    self.entries = entries
  }

  /// The end of the run; nil where it never ended, or was gone on with afterwards.
  package var end: JournalEntry? {
    let last = entries.last { $0.kind == .finished || $0.kind == .resumed }
    return last?.kind == .finished ? last : nil
  }

  package var summary: RunSummary {
    RunSummary(
      opening: opening, verdict: end?.status, code: end?.code, endedAt: end?.at, isSettled: entries.contains { $0.kind == .settled })
  }

  /// The executions of steps, in the order in which they began. A path that begins again is another execution.
  package var steps: [StepRecord] {
    var steps: [StepRecord] = []
    var latest: [String: Int] = [:]
    for entry in entries {
      switch entry.kind {
      case .started:
        latest[entry.path] = steps.count
        steps.append(StepRecord(start: entry, checkpoint: nil, end: nil))
      case .checkpoint:
        if let index = latest[entry.path] { steps[index].checkpoint = entry }
      case .ended:
        if let index = latest[entry.path] { steps[index].end = entry }
      case .finished, .resumed, .settled: break
      }
    }
    return steps
  }
}

/// One execution of a step.
package struct StepRecord: Hashable, Sendable {
  package var start: JournalEntry
  /// The latest of them.
  package var checkpoint: JournalEntry?
  /// Nil where the process ended before the step did.
  package var end: JournalEntry?

  package init(start: JournalEntry, checkpoint: JournalEntry?, end: JournalEntry?) {
    self.start = start
    self.checkpoint = checkpoint
    self.end = end
  }

  package var path: String { start.path }
}

/// Which runs to list; what is nil lets all through.
package struct RunFilter: Hashable, Sendable {
  package var flow: String?
  package var verdict: String?
  /// Started then or later.
  package var since: Timestamp?
  /// Only those that wait for somebody.
  package var isUnresolved: Bool
  package var limit: Int

  package init(flow: String? = nil, verdict: String? = nil, since: Timestamp? = nil, isUnresolved: Bool = false, limit: Int = 1000) {
    self.flow = flow
    self.verdict = verdict
    self.since = since
    self.isUnresolved = isUnresolved
    self.limit = limit
  }
}
