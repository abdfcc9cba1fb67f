import FlowEvents
import Journal
import Synchronization
import Testing
import Values

/// The journal and the ledger in memory, under the same exams as those in files.
@Suite struct MemoryTests {
  /// Gives one object for each name, as all who open one file have the same records.
  private final class Stores<Store: Sendable>: Sendable {
    private let stores = Mutex<[String: Store]>([:])

    func store(_ name: String, _ make: () -> Store) -> Store {
      stores.withLock { stores in
        let store = stores[name] ?? make()
        stores[name] = store
        return store
      }
    }
  }

  @Test(arguments: RunJournalExam.Question.allCases)
  func journalPassesTheExam(_ question: RunJournalExam.Question) async throws {
    let stores = Stores<MemoryRunJournal>()
    try await RunJournalExam { name in stores.store(name) { MemoryRunJournal() } }.ask(question)
  }

  @Test(arguments: TriggerLedgerExam.Question.allCases)
  func ledgerPassesTheExam(_ question: TriggerLedgerExam.Question) async throws {
    let stores = Stores<MemoryTriggerLedger>()
    try await TriggerLedgerExam { name, clock in stores.store(name) { MemoryTriggerLedger(clock: clock) } }.ask(question)
  }

  @Test func twoObjectsShareNothing() async throws {
    let journals = [MemoryRunJournal(), MemoryRunJournal()]
    try await journals[0].begin(.test("R1"), .synced)
    #expect(try await journals[1].run("R1") == nil)
    let ledgers = [MemoryTriggerLedger(clock: HandClock().clock), MemoryTriggerLedger(clock: HandClock().clock)]
    #expect(try await ledgers[0].intend(.test("K"), .test()).attempt != nil)
    #expect(try await ledgers[1].intend(.test("K"), .test()).attempt?.number == 1)
  }

  /// A change that fails half way leaves nothing: a `sent` attempt whose holder is gone is called `unknown` only with
  /// the word that was asked for.
  @Test func changeThatFailsLeavesNothing() async throws {
    let ledger = MemoryTriggerLedger(clock: HandClock().clock)
    let attempt = try #require(try await ledger.intend(.test("K"), .test()).attempt)
    try ledger.markSent(attempt)
    attempt.release()
    do throws(JournalError) {
      _ = try await ledger.authoriseRetry(attempt.id, by: "ada", reason: " ")
      Issue.record("no reason was given")
    } catch {
      #expect(error.code == .constraint)
    }
    #expect(try await ledger.history(of: .test("K")).map(\.state) == [.sent])
    #expect(try await ledger.authoriseRetry(attempt.id, by: "ada", reason: "called them").state == .unknown)
  }

  /// The database refuses by itself what the rules refuse: its copy of them is the same.
  @Test func fileHasTheSameSuccessors() throws {
    let written = try #require(
      Schema.triggers.migrations[0].split(separator: "INSERT INTO successor VALUES").last?.split(separator: ";").first)
    var rows: Set<String> = ["('', 'intended')"]
    for state in TriggerState.allCases {
      for next in state.successors { rows.insert("('\(state.rawValue)', '\(next.rawValue)')") }
    }
    let found = written.split(separator: "(").dropFirst().compactMap { $0.split(separator: ")").first.map { "(\($0))" } }
    #expect(Set(found) == rows && found.count == rows.count)
  }
}
