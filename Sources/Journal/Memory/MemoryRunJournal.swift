package import FlowEvents
import Synchronization
package import Values

/// A journal of runs that ends with its object, for runs that nobody goes on with, such as test cases.
///
/// One object is one journal: whoever should see the same runs shares it. Nothing waits, whatever durability is asked for.
package final class MemoryRunJournal: RunJournal {
  private let contents = Mutex(Contents())
  private let holds = MemoryLocks<String>()

  private struct Contents {
    /// In the order in which they began.
    var runs: [RunRecord] = []
    var positions: [String: Int] = [:]
    /// Of a change that nobody waited for.
    var unheardFailure: JournalError?
  }

  package init() {}

  package func begin(_ run: RunOpening, _ durability: Durability) async throws(JournalError) {
    try change(durability) { contents throws(JournalError) in
      guard contents.positions[run.id] == nil else { throw .duplicateRun(run.id) }
      contents.positions[run.id] = contents.runs.count
      contents.runs.append(RunRecord(opening: run, entries: []))
    }
  }

  package func append(
    _ entries: [JournalEntry], to runID: String, _ durability: Durability
  ) async throws(JournalError) {
    try change(durability) { contents throws(JournalError) in
      guard let position = contents.positions[runID] else { throw .unknownRun(runID) }
      contents.runs[position].entries += entries
    }
  }

  /// A failure that nobody waits for is told to the next who does, who asked to be stored behind what is not there.
  private func change(
    _ durability: Durability, _ body: (inout Contents) throws(JournalError) -> Void
  ) throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      if durability > .soon, let failure = contents.unheardFailure {
        contents.unheardFailure = nil
        throw failure
      }
      do throws(JournalError) {
        try body(&contents)
      } catch {
        guard durability == .soon else { throw error }
        contents.unheardFailure = contents.unheardFailure ?? error
      }
    }
  }
}

// MARK: reading and order

extension MemoryRunJournal {
  package func run(_ id: String) async throws(JournalError) -> RunRecord? {
    contents.withLock { contents in contents.positions[id].map { contents.runs[$0] } }
  }

  package func runs(_ filter: RunFilter) async throws(JournalError) -> [RunSummary] {
    let summaries = contents.withLock { $0.runs }.map(\.summary).filter(filter.admits)
    // Latest first, and of one moment the one that was begun last.
    let ordered = summaries.enumerated().sorted { ($0.element.opening.startedAt, $0.offset) > ($1.element.opening.startedAt, $1.offset) }
    return ordered.prefix(filter.limit).map(\.element)
  }

  package func prune(startedBefore moment: Timestamp) async throws(JournalError) -> Int {
    contents.withLock { contents in
      let count = contents.runs.count
      contents.runs.removeAll { $0.opening.startedAt < moment && !$0.summary.isUnresolved }
      contents.positions = [:]
      for (position, run) in contents.runs.enumerated() { contents.positions[run.opening.id] = position }
      return count - contents.runs.count
    }
  }

  package func hold(_ runID: String) async throws(JournalError) -> RunHold? {
    holds.lock(runID).map { RunHold($0) }
  }

  package func close() async throws(JournalError) {
    if let failure = contents.withLock({ $0.unheardFailure }) { throw failure }
  }
}

extension RunFilter {
  /// Whether it lets a run through; its limit aside.
  fileprivate func admits(_ run: RunSummary) -> Bool {
    if let flow, run.opening.flow != flow { return false }
    if let verdict, run.verdict != verdict { return false }
    if let since, run.opening.startedAt < since { return false }
    return !isUnresolved || run.isUnresolved
  }
}

extension JournalError {
  static func duplicateRun(_ id: String) -> JournalError { JournalError(.duplicate, "the run `\(id)` exists already") }

  static func unknownRun(_ id: String) -> JournalError {
    JournalError(.notFound, "there is no run `\(id)`", mend: "list them with `baton runs`")
  }
}
