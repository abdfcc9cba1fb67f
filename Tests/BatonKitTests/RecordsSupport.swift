import Diagnostics
import FlowEvents
import FoundationEssentials
import Journal
import Reporters
import Testing
import Values

@testable import BatonKit

/// A journal and a ledger with clocks that stand still, filled as the engine fills them.
struct RecordBook: Sendable {
  let journal = MemoryRunJournal()
  let ledger: MemoryTriggerLedger

  static let start: Int64 = 1_700_000_000
  /// Ages are counted to two hours after the first run.
  static let now = Timestamp(seconds: start + 7200)

  init() {
    ledger = MemoryTriggerLedger(
      clock: LedgerClock(sinceBoot: { ("boot", 1) }, now: { Timestamp(seconds: RecordBook.start + 3) }))
  }

  var records: Records { Records(journal: journal, ledger: ledger, now: Self.now) }

  @discardableResult
  func begin(
    _ id: String, flow: String = "flows/orders.flow.yaml", environment: String = "staging", at seconds: Int64 = 0,
    digest: String = "d1", inputs: String = #"{"name":"ada","pin":"[secret]"}"#
  ) async throws -> RecordBook {
    let opening = RunOpening(
      id: id, flow: flow, flowDigest: digest, environment: environment, startedAt: Timestamp(seconds: Self.start + seconds),
      operator: "ada", isSandbox: false, inputs: inputs)
    try await journal.begin(opening, .synced)
    return self
  }

  @discardableResult
  func add(_ id: String, _ entries: JournalEntry...) async throws -> RecordBook {
    try await journal.append(entries, to: id, .synced)
    return self
  }

  /// An attempt whose process has died at this point, or told what became of it.
  @discardableResult
  func trigger(
    _ key: String, run: String, isSent: Bool = true, outcome: TriggerOutcome? = .unknown(reason: "the answer was cut off")
  ) async throws -> RecordBook {
    let request = TriggerRequest(
      digest: "body", idempotencyKey: nil, flow: "flows/alarm.flow.yaml", flowDigest: "d1", operator: "ada", runID: run)
    let name = TriggerKey(environment: "staging", system: "rapidsos", key: key)
    guard case .reserved(let attempt) = try await ledger.intend(name, request) else { throw Unexpected() }
    if isSent { try ledger.markSent(attempt) }
    if let outcome { try await ledger.record(outcome, of: attempt) }
    return self
  }

  struct Unexpected: Error {}

  // MARK: commands

  func runs(_ change: (inout RunsCommand) -> Void = { _ in }) async throws(RecordsRefusal) -> Answer {
    var command = RunsCommand()
    change(&command)
    return try await command.answer(records, style: ConsoleStyle())
  }

  func show(_ run: String, json: Bool = false) async throws(RecordsRefusal) -> String {
    try await ShowCommand(run: run, printsJSON: json, version: "1").answer(records, style: ConsoleStyle()).output
  }

  func resolve(
    _ run: String, _ saying: ResolveCommand.Saying, reason: String = "the log shows order 17", step: String? = nil, json: Bool = false
  ) async throws(RecordsRefusal) -> String {
    try await ResolveCommand(run: run, saying, reason: reason, step: step, printsJSON: json).answer(records, by: "grace").output
  }

  /// What keeps a command from being done; nil where nothing does.
  func refusal(_ command: () async throws(RecordsRefusal) -> some Any) async -> String? {
    do throws(RecordsRefusal) {
      _ = try await command()
      return nil
    } catch {
      return error.diagnostics.flatMap { [$0.message] + $0.help }.joined(separator: "; ")
    }
  }

  func settlements(of run: String) async throws -> [JournalEntry] {
    try #require(try await journal.run(run)).entries.filter { $0.kind == .settled }
  }

  func states(of run: String) async throws -> [TriggerState] { try await ledger.attempts(ofRun: run).map(\.state) }
}

extension JournalEntry {
  static func started(
    _ path: String, _ action: String = "POST /orders", effect: String = "unsafe", at seconds: Int64 = 1, _ more: String = ""
  ) -> JournalEntry {
    let shown = #"{"action":"\#(action)","effect":"\#(effect)","line":31,"file":"flows/orders.flow.yaml"\#(more)}"#
    return entry(.started, path, at: seconds, shown: shown)
  }

  static func ended(
    _ path: String, _ status: String = "succeeded", code: String? = nil, at seconds: Int64 = 2, _ more: String = ""
  ) -> JournalEntry {
    entry(.ended, path, at: seconds, status: status, code: code, shown: #"{"attempts":1,"requests":1,"duration":0.12\#(more)}"#)
  }

  static func finished(_ verdict: String, code: String? = nil, at seconds: Int64 = 5) -> JournalEntry {
    entry(.finished, "", at: seconds, status: verdict, code: code, shown: #"{"verdict":"\#(verdict)"}"#)
  }

  static func resumed(at seconds: Int64) -> JournalEntry { entry(.resumed, "", at: seconds, shown: #"{"by":"grace"}"#) }

  /// What is kept for going on holds a secret, which nobody may ever see here.
  static func entry(
    _ kind: Kind, _ path: String, at seconds: Int64, status: String? = nil, code: String? = nil, outputs: String? = nil, shown: String
  ) -> JournalEntry {
    JournalEntry(
      kind, path: path, at: Timestamp(seconds: RecordBook.start + seconds), status: status, code: code, outputs: outputs,
      outputsDigest: "canary-digest", details: #"{"shown":\#(shown),"kept":"canary-kept"}"#)
  }

  static let request = #","request":{"method":"POST","url":"https://api.shop.test/orders","status":503}"#
  static let doubtful =
    #","error":{"code":"indeterminate","title":"nobody knows","cause":{"code":"timeout.attempt","title":"no answer in time","detail":"no answer in 30 s","sent":"maybe"}}"#
    + request
}
