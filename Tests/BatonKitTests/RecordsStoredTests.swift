import FlowEvents
import FoundationEssentials
import Journal
import Reporters
import Testing
import Values

@testable import BatonKit

/// The same over the files in which a user's records lie.
@Suite struct RecordsStoredTests {
  private struct Folder: ~Copyable {
    let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: "records-\(UUID().uuidString)").path()
    deinit { try? FileManager.default.removeItem(atPath: path) }

    borrowing func records() async throws -> Records {
      let directory = try StateDirectory(path)
      return Records(
        journal: try await SQLiteRunJournal.open(in: directory), ledger: try await SQLiteTriggerLedger.open(in: directory),
        now: RecordBook.now)
    }
  }

  /// A run that died with its request under way.
  private func interrupt(_ records: Records) async throws {
    let opening = RunOpening(
      id: "7f3k-92mq", flow: "a.flow.yaml", flowDigest: "d1", environment: "staging", startedAt: Timestamp(seconds: RecordBook.start),
      operator: "ada", isSandbox: false, inputs: "{}")
    try await records.journal.begin(opening, .synced)
    let start = JournalEntry.started("alarm", effect: "once", #","key":"incident-7","system":"rapidsos""#)
    try await records.journal.append([start], to: "7f3k-92mq", .synced)
    let key = TriggerKey(environment: "staging", system: "rapidsos", key: "incident-7")
    let request = TriggerRequest(
      digest: "body", idempotencyKey: nil, flow: "a.flow.yaml", flowDigest: "d1", operator: "ada", runID: "7f3k-92mq")
    guard case .reserved(let attempt) = try await records.ledger.intend(key, request) else { throw RecordBook.Unexpected() }
    try records.ledger.markSent(attempt)
  }

  @Test func aRequestOfADeadProcessIsSettledForLaterProcesses() async throws {
    let folder = Folder()
    try await interrupt(try await folder.records())
    let unresolved = RunsCommand(isUnresolved: true)
    let before = try await unresolved.answer(try await folder.records(), style: ConsoleStyle())
    #expect(before.exitCode == 1)
    #expect(before.output.contains("? incident-7  rapidsos (staging)  unknown for 0 s  run 7f3k-92mq by ada\n"))

    let settling = ResolveCommand(run: "7f3k", .delivered(outputs: nil), reason: "seen in the log")
    let said = try await settling.answer(try await folder.records(), by: "grace").output
    #expect(said.hasPrefix("settled: step `alarm` (POST /orders) was delivered\n"))
    #expect(try await settling.answer(try await folder.records(), by: "grace").output.hasPrefix("settled before"))

    let records = try await folder.records()
    #expect(try await unresolved.answer(records, style: ConsoleStyle()).exitCode == 0)
    #expect(try await records.ledger.attempts(ofRun: "7f3k-92mq").map(\.state) == [.resolvedDelivered])
    #expect(try await records.journal.run("7f3k-92mq")?.entries.last?.status == "delivered")
  }

  @Test func nobodySettlesWhatAProcessIsAt() async throws {
    let folder = Folder()
    let running = try await folder.records()
    try await interrupt(running)
    let hold = try await running.journal.hold("7f3k-92mq")
    await #expect(throws: RecordsRefusal.self) {
      try await ResolveCommand(run: "7f3k", .notDelivered, reason: "why").answer(try await folder.records(), by: "grace")
    }
    withExtendedLifetime(hold) {}
    #expect(try await running.journal.run("7f3k-92mq")?.entries.count == 1)
  }
}
