import FlowEvents
import Journal
import Synchronization
import Values

extension Job {
  /// The numbers of this machine's disk.
  func bench(_ directory: StateDirectory) async throws(JournalError) {
    let ledger = try await SQLiteTriggerLedger.open(in: directory)
    try await measure("ledger: intend, markSent and acknowledge", 3, 300) { number throws(JournalError) in
      guard case .reserved(let attempt) = try await ledger.intend(.probe("bench \(number)"), .probe("body")) else { return }
      try ledger.markSent(attempt)
      try await ledger.record(.acknowledged(outputs: "{}"), of: attempt)
    }
    let journal = try await SQLiteRunJournal.open(in: directory)
    try await journal.begin(.probe, .synced)
    for durability in Durability.allCases.reversed() {
      try await measure("journal: `\(durability)`, one after another", 1, durability == .synced ? 1000 : 20_000) {
        number throws(JournalError) in
        try await journal.append([.probe(number)], to: "R", durability)
      }
    }
    _ = try await journal.runs(RunFilter())
    try await openings(directory)
    for writers in [20, 256] {
      let clock = ContinuousClock()
      let each = 20_000 / writers
      let time = await clock.measure {
        await withTaskGroup(of: Void.self) { group in
          for writer in 0..<writers {
            group.addTask {
              for number in 0..<each { try? await journal.append([.probe(writer * each + number)], to: "R", .synced) }
            }
          }
        }
      }
      report("journal: `synced`, \(writers) writers at once", 1, each * writers, time)
    }
    let time = try await timed { () throws(JournalError) in _ = try await journal.run("R") }
    say("journal: the run is read back in \(time)")
  }

  /// With as much in the log as a `close` leaves at most, and with none.
  private func openings(_ directory: StateDirectory) async throws(JournalError) {
    for megabytes in [0, 2] {
      let folder = try StateDirectory("\(directory.path)/open \(megabytes)")
      let journal = try await SQLiteRunJournal.open(in: folder)
      try await journal.begin(.probe, .written)
      let filler = "\"" + String(repeating: "x", count: megabytes << 20) + "\""
      if megabytes > 0 {
        try await journal.append([JournalEntry(.ended, at: Timestamp(seconds: 0), outputs: filler)], to: "R", .written)
      }
      try await measure("journal: opening with \(megabytes) MiB in the log", 1, 50) { _ throws(JournalError) in
        _ = try await SQLiteRunJournal.open(in: folder)
      }
    }
  }

  private func measure(
    _ title: String, _ commits: Int, _ count: Int, _ body: (Int) async throws(JournalError) -> Void
  ) async throws(JournalError) {
    let time = try await timed { () throws(JournalError) in for number in 0..<count { try await body(number) } }
    report(title, commits, count, time)
  }

  private func timed(_ body: () async throws(JournalError) -> Void) async throws(JournalError) -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    return clock.now - start
  }

  private func report(_ title: String, _ commits: Int, _ count: Int, _ time: Duration) {
    let seconds = time / .seconds(1)
    let each = Int(seconds / Double(count * commits) * 1_000_000)
    say("\(title): \(Int(Double(count * commits) / seconds)) commits/s, \(each) µs each")
  }
}
