import FlowEvents
import FoundationEssentials
import Journal
import Testing
import Values

@Suite struct SQLiteRunJournalTests {
  @Test(arguments: RunJournalExam.Question.allCases)
  func passesTheExam(_ question: RunJournalExam.Question) async throws {
    let room = Room()
    let exam = RunJournalExam { name in try await SQLiteRunJournal.open(in: StateDirectory(room.path + "/" + name)) }
    try await exam.ask(question)
  }

  /// reliability.md §3, row 37: what is hidden before it is handed in is nowhere in the files, pages that are free
  /// again and the log included; and what is pruned is gone from all of them.
  @Test func filesHoldNoSecretAndNothingPruned() async throws {
    let room = Room()
    let secret = "hunter2-canary"
    let value: Value = ["password": Value.string(secret).hidden(), "user": "visible-canary"]
    let directory = try StateDirectory(room.state)
    let journal = try await SQLiteRunJournal.open(in: directory)
    for number in 0..<50 {
      try await journal.begin(.test("R\(number)", inputs: value.json()), .synced)
      let entry = JournalEntry.test(.ended, "step", status: "succeeded", outputs: value.json(), details: value.json())
      for _ in 0..<20 { try await journal.append([entry], to: "R\(number)", .soon) }
      try await journal.append([.test(.finished, status: "passed", outputs: value.json())], to: "R\(number)", .synced)
    }
    let ledger = try await SQLiteTriggerLedger.open(in: directory)
    let attempt = try #require(try await ledger.intend(.test("K"), .test()).attempt)
    try ledger.markSent(attempt)
    try await ledger.record(.acknowledged(outputs: value.json()), of: attempt)
    #expect(try files(in: room.state, holding: secret).isEmpty)
    let visible = try files(in: room.state, holding: "visible-canary")
    #expect(visible.contains("runs.db-wal") && visible.contains("triggers.db"), "the search finds what is there: \(visible)")

    #expect(try await journal.prune(startedBefore: Timestamp(seconds: 1000)) == 50)
    #expect(try files(in: room.state, holding: "visible-canary") == ["triggers.db"])
    try await journal.close()
    #expect(try files(in: room.state, holding: secret).isEmpty)
  }

  private func files(in folder: String, holding text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { name in
      try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).contains(Array(text.utf8))
    }
  }
}
