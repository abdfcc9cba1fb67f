import Journal
import Testing

@Suite struct SQLiteTriggerLedgerTests {
  @Test(arguments: TriggerLedgerExam.Question.allCases)
  func passesTheExam(_ question: TriggerLedgerExam.Question) async throws {
    let room = Room()
    let exam = TriggerLedgerExam { name, clock in
      try await SQLiteTriggerLedger.open(in: StateDirectory(room.path + "/" + name), clock: clock)
    }
    try await exam.ask(question)
  }
}
