import Journal

/// Where one run is recorded: its journal, the ledger of its emergencies, and the right to write it.
struct RunRecords: Sendable {
  let journal: any RunJournal
  let ledger: any TriggerLedger
  /// Nil for a journal that ends with the process.
  let seal: JournalSeal?
  /// Kept as long as the run goes on.
  private let hold: RunHold?

  /// Those of this user.
  ///
  /// - Parameter needsLedger: whether anything of the run must happen once; what happens in a sandbox that ends with its
  ///   run is remembered as long.
  /// - Throws: why nothing can be recorded, or that another process is at the run.
  static func ofUser(runID: String, needsLedger: Bool) async throws(JournalError) -> RunRecords {
    let directory = try StateDirectory(placed: RecordPlaces.state)
    let journal = try await SQLiteRunJournal.open(in: directory)
    guard let hold = try await journal.hold(runID) else {
      throw JournalError(.busy, "the run `\(runID)` is still going on", mend: "wait for it, or end its process")
    }
    let ledger: any TriggerLedger = needsLedger ? try await SQLiteTriggerLedger.standard() : MemoryTriggerLedger(clock: .system)
    return RunRecords(journal: journal, ledger: ledger, seal: try JournalSeal(in: directory), hold: hold)
  }

  /// Those of one test, which end with it.
  static func ofTest(clock: LedgerClock = .system) -> RunRecords {
    RunRecords(journal: MemoryRunJournal(), ledger: MemoryTriggerLedger(clock: clock), seal: nil, hold: nil)
  }

  /// Puts the files in order; nothing is written afterwards.
  func close() async throws(JournalError) { try await journal.close() }
}
