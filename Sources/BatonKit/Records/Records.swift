import Diagnostics
import Journal
import Reporters
import Values

/// The journal of runs and the ledger of triggers, read together.
struct Records: Sendable {
  let journal: any RunJournal
  let ledger: any TriggerLedger
  /// What ages are counted to.
  let now: Timestamp
  /// Nil for records that end with the process.
  let seal: JournalSeal?

  init(journal: any RunJournal, ledger: any TriggerLedger, now: Timestamp, seal: JournalSeal? = nil) {
    self.seal = seal
    self.journal = journal
    self.ledger = ledger
    self.now = now
  }

  /// This user's own.
  static func standard() async throws(JournalError) -> Records {
    let directory = try StateDirectory(placed: RecordPlaces.state)
    return Records(
      journal: try await SQLiteRunJournal.open(in: directory), ledger: try await SQLiteTriggerLedger.standard(),
      now: LedgerClock.system.now(), seal: try JournalSeal(in: directory))
  }

  /// Which run a text names: its id, or a beginning of it that no other has. A run that only the ledger knows is named by
  /// its whole id.
  ///
  /// - Throws: what it could name instead.
  func runID(named name: String) async throws(RecordsRefusal) -> String {
    if try await isRun(name) { return name }
    let all = try await journal.listed(RunFilter(limit: .max))
    let found = name.isEmpty ? [] : all.filter { $0.opening.id.hasPrefix(name) }
    if found.count == 1 { return found[0].opening.id }
    let shown = (found.isEmpty ? all : found).prefix(5).map { "`\($0.opening.id)` (\($0.opening.flow))" }.joined(separator: ", ")
    if found.isEmpty {
      throw RecordsRefusal(
        .unknownName, "there is no run `\(name)`",
        help: all.isEmpty ? "this journal has no runs" : "the latest are \(shown); list more with `baton runs`")
    }
    throw RecordsRefusal(.unknownName, "`\(name)` names \(found.count) runs", help: "write more of the id: \(shown)")
  }

  private func isRun(_ id: String) async throws(RecordsRefusal) -> Bool {
    if try await journal.found(id) != nil { return true }
    return try await !ledger.attempted(by: id).isEmpty
  }

  /// The triggers that somebody must settle, oldest first. A `sent` whose process is gone has become `unknown` by then.
  func unresolvedTriggers() async throws(RecordsRefusal) -> [TriggerRecord] {
    do throws(JournalError) { return try await ledger.unresolved() } catch { throw RecordsRefusal(error) }
  }

  /// A run with what follows from both records; nil where neither has it.
  ///
  /// - Parameter isHeld: whether the caller has the right to write it, so that no other process is at it.
  func reading(_ id: String, isHeld: Bool = false) async throws(RecordsRefusal) -> RunReading? {
    // First of all: what a dead process has left as `sent` becomes `unknown`.
    _ = try await unresolvedTriggers()
    let record = try await journal.found(id)
    let attempts = try await ledger.attempted(by: id)
    guard let record else { return attempts.isEmpty ? nil : RunReading(ledgerOnly: id, attempts: attempts) }
    let summary = record.summary
    let standing = isHeld && summary.verdict == nil ? .interrupted : try await standing(of: summary)
    var reading = RunReading(record: record, standing: standing, attempts: attempts)
    for key in reading.foreignKeys {
      do throws(JournalError) { reading.histories[key] = try await ledger.history(of: key) } catch { throw RecordsRefusal(error) }
    }
    return reading
  }

  func standing(of run: RunSummary) async throws(RecordsRefusal) -> RunStanding {
    guard let verdict = run.verdict else {
      do throws(JournalError) {
        return try await journal.hold(run.opening.id) == nil ? .running : .interrupted
      } catch {
        throw RecordsRefusal(error)
      }
    }
    // A verdict that this version does not know says at least that it did not pass.
    return RunStanding(rawValue: verdict) ?? .errored
  }
}

/// Why a command about records does nothing: its exit code is 2.
struct RecordsRefusal: Error {
  let diagnostics: [Diagnostic]

  init(_ kind: DiagnosticKind, _ message: String, help: String...) {
    diagnostics = [Diagnostic(kind, shownText(message), at: nil, help: help.filter { !$0.isEmpty }.map(shownText))]
  }

  init(_ error: JournalError) {
    self.init(.invalidValue, error.message, help: error.mend)
  }

  init(_ failure: FileFailure) {
    self.init(.missingFile, failure.message)
  }

  init(_ findings: Findings) {
    diagnostics = findings.diagnostics
  }
}

/// What a command says, and how it ends.
struct Answer: Sendable {
  var output: String
  var exitCode = 0

  /// Runs a command on this user's records, and shows what keeps it from being done.
  static func give(
    on terminal: Terminal, isRedacted: Bool, _ command: (Records) async throws(RecordsRefusal) -> Answer
  ) async -> Int {
    do throws(RecordsRefusal) {
      let records: Records
      do throws(JournalError) { records = try await .standard() } catch { throw RecordsRefusal(error) }
      let answer = try await command(records)
      if isRedacted { terminal.writeRedacted(answer.output, to: .output) } else { terminal.write(answer.output, to: .output) }
      return answer.exitCode
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }
}

extension RunJournal {
  func listed(_ filter: RunFilter) async throws(RecordsRefusal) -> [RunSummary] {
    do throws(JournalError) { return try await runs(filter) } catch { throw RecordsRefusal(error) }
  }

  func found(_ id: String) async throws(RecordsRefusal) -> RunRecord? {
    do throws(JournalError) { return try await run(id) } catch { throw RecordsRefusal(error) }
  }
}

extension TriggerLedger {
  func attempted(by runID: String) async throws(RecordsRefusal) -> [TriggerRecord] {
    do throws(JournalError) { return try await attempts(ofRun: runID) } catch { throw RecordsRefusal(error) }
  }
}
