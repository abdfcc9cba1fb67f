import FlowEvents
import Journal
import Testing
import Values

@testable import BatonKit

/// `baton runs`: what somebody must settle first, then the runs, latest first.
@Suite struct RecordsRunsTests {
  @Test func everyStandingInOneTable() async throws {
    let book = try await RecordBook().begin("aaaa-0001").add("aaaa-0001", .finished("passed"))
    try await book.begin("aaaa-0002", environment: "", at: 10).add("aaaa-0002", .finished("failed", code: "http.404", at: 70))
    try await book.begin("aaaa-0003", at: 20).add("aaaa-0003", .started("look", effect: "read"))
    try await book.begin("aaaa-0004", at: 30).add("aaaa-0004", .started("create"))
    try await book.begin("aaaa-0005", at: 40).add(
      "aaaa-0005", .started("create"), .ended("create", "indeterminate", code: "indeterminate", JournalEntry.doubtful),
      .finished("indeterminate", at: 50))
    try await book.begin("aaaa-0006", at: 50)
    let hold = try await book.journal.hold("aaaa-0006")
    let answer = try await book.runs()
    #expect(
      answer.output
        == """
        run        started (UTC)        verdict        flow                    environment  took   by
        aaaa-0006  2023-11-14 22:14:10  running        flows/orders.flow.yaml  staging      -      ada
        aaaa-0005  2023-11-14 22:14:00  indeterminate  flows/orders.flow.yaml  staging      10 s   ada
            nobody knows whether step `create` (POST /orders) took effect: `baton show aaaa-0005`
        aaaa-0004  2023-11-14 22:13:50  interrupted    flows/orders.flow.yaml  staging      -      ada
            nobody knows whether step `create` (POST /orders) took effect: `baton show aaaa-0004`
        aaaa-0003  2023-11-14 22:13:40  interrupted    flows/orders.flow.yaml  staging      -      ada
            its process ended before the run did; go on with `baton resume aaaa-0003`
        aaaa-0002  2023-11-14 22:13:30  failed         flows/orders.flow.yaml  -            1 min  ada
        aaaa-0001  2023-11-14 22:13:20  passed         flows/orders.flow.yaml  staging      5 s    ada

        """)
    #expect(answer.exitCode == 0)
    withExtendedLifetime(hold) {}
  }

  @Test func triggersThatNobodyKnowsComeFirst() async throws {
    let book = try await RecordBook().trigger("incident-7", run: "gone").begin("aaaa-0001").add("aaaa-0001", .finished("passed"))
    let text = try await book.runs().output
    #expect(
      text.hasPrefix(
        """
        1 trigger unresolved: nobody knows whether it happened
        ? incident-7  rapidsos (staging)  unknown for 1 h  run gone (not in this journal) by ada
            ask rapidsos whether it happened, then say so:
              it happened:          baton resolve gone --delivered --reason TEXT
              it did not happen:    baton resolve gone --not-delivered --reason TEXT
              send it regardless:   baton resolve gone --authorise-retry --reason TEXT

        run        started (UTC)
        """))
  }

  @Test func unresolvedAnswersWithItsExitCode() async throws {
    let book = try await RecordBook().begin("aaaa-0001").add("aaaa-0001", .started("look", effect: "read"))
    try await book.begin("aaaa-0002").add("aaaa-0002", .finished("failed"))
    let none = try await book.runs { $0.isUnresolved = true }
    #expect(none.output == "nothing is unresolved\n")
    #expect(none.exitCode == 0)

    try await book.begin("aaaa-0003", at: 1).add("aaaa-0003", .started("create"))
    let one = try await book.runs { ($0.isUnresolved, $0.limit) = (true, 1) }
    #expect(one.output.contains("aaaa-0003"))
    #expect(!one.output.contains("aaaa-0001"))
    #expect(one.exitCode == 1)
  }

  @Test func anOldDoubtIsNotHiddenByTheLimit() async throws {
    let book = try await RecordBook().begin("old-doubt").add("old-doubt", .started("create"))
    for number in 1...3 { try await book.begin("new-\(number)", at: Int64(number)).add("new-\(number)", .finished("passed")) }
    let answer = try await book.runs { ($0.isUnresolved, $0.limit) = (true, 1) }
    #expect(answer.output.contains("old-doubt"))
    #expect(answer.exitCode == 1)
    #expect(try await book.runs { $0.limit = 1 }.output.hasSuffix("there are more; list them with `--limit N`\n"))
  }

  @Test(arguments: [
    (TriggerOutcome.notSent(reason: "refused"), false), (.acknowledged(outputs: "{}"), false), (.rejected(reason: "no"), false),
    (.unknown(reason: "cut off"), true),
  ])
  func theLedgerDecidesOfAStepWithAKey(outcome: TriggerOutcome, isOpen: Bool) async throws {
    let isSent: Bool = if case .notSent = outcome { false } else { true }
    let book = try await RecordBook().begin("aaaa-0001").trigger("incident-7", run: "aaaa-0001", isSent: isSent, outcome: outcome)
    try await book.add("aaaa-0001", .started("alarm", effect: "once", #","key":"incident-7","system":"rapidsos""#))
    #expect(try await book.runs { $0.isUnresolved = true }.exitCode == (isOpen ? 1 : 0))
  }

  @Test(arguments: [false, true])
  func aTriggerOfADeadProcessIsInDoubtOnceItMayHaveLeft(isSent: Bool) async throws {
    let book = try await RecordBook().begin("aaaa-0001").trigger("incident-7", run: "aaaa-0001", isSent: isSent, outcome: nil)
    try await book.add("aaaa-0001", .started("alarm", effect: "once", #","key":"incident-7","system":"rapidsos""#))
    let answer = try await book.runs { $0.isUnresolved = true }
    #expect(answer.exitCode == (isSent ? 1 : 0))
    #expect(answer.output.contains("its process ended without an outcome") == false)
    #expect(try await book.states(of: "aaaa-0001") == [isSent ? .unknown : .intended])
  }

  @Test func whatIsSettledOrAnsweredIsNoDoubt() async throws {
    let book = try await RecordBook().begin("aaaa-0001").add(
      "aaaa-0001", .started("create"), .entry(.settled, "create", at: 9, status: "delivered", shown: "{}"))
    try await book.begin("aaaa-0002").add(
      "aaaa-0002", .started("create"),
      .entry(.checkpoint, "create", at: 9, shown: #"{"branch":"continue","error":{"code":"http.409"}}"#))
    try await book.begin("aaaa-0003").add("aaaa-0003", .started("send", effect: "keyed"), .started("put", effect: "idempotent"))
    #expect(try await book.runs { $0.isUnresolved = true }.exitCode == 0)
  }

  @Test func aSettledStepThatWasSentAgainIsInDoubtAgain() async throws {
    let book = try await RecordBook().begin("aaaa-0001").add(
      "aaaa-0001", .started("create"), .entry(.settled, "create", at: 9, status: "not_delivered", shown: "{}"), .resumed(at: 10),
      .started("create"))
    #expect(try await book.runs { $0.isUnresolved = true }.exitCode == 1)
  }

  @Test func filters() async throws {
    let book = try await RecordBook().begin("aaaa-0001", flow: "a.flow.yaml").add("aaaa-0001", .finished("passed"))
    try await book.begin("aaaa-0002", flow: "b.flow.yaml", at: 3600).add("aaaa-0002", .finished("failed"))
    try await book.begin("aaaa-0003", flow: "b.flow.yaml", at: 3700)
    func listed(_ change: (inout RunsCommand) -> Void) async throws -> [String] {
      let text = try await book.runs(change).output
      return ["aaaa-0001", "aaaa-0002", "aaaa-0003"].filter { text.contains($0) }
    }
    #expect(try await listed { $0.flow = "b.flow.yaml" } == ["aaaa-0002", "aaaa-0003"])
    #expect(try await listed { $0.verdict = "interrupted" } == ["aaaa-0003"])
    #expect(try await listed { $0.verdict = "failed" } == ["aaaa-0002"])
    #expect(try await listed { $0.since = "1h" } == ["aaaa-0002", "aaaa-0003"])
    #expect(try await listed { $0.since = "2023-11-15" } == [])
    #expect(try await book.runs { $0.since = "2023-11-15" }.output == "there is no such run\n")
    #expect(try await RecordBook().runs().output == "there are no runs yet\n")
  }

  @Test(arguments: [
    ("2h", "2026-03-01T10:00:00Z"), ("3d", "2026-02-26T12:00:00Z"), ("1h30m", "2026-03-01T10:30:00Z"),
    ("2026-02-01", "2026-02-01T00:00:00Z"), ("2026-02-01T09:30:00+01:00", "2026-02-01T08:30:00Z"), ("yesterday", nil), ("-2h", nil),
    ("", nil),
  ])
  func timesThatPeopleWrite(text: String, moment: String?) throws {
    let now = try #require(Timestamp(rfc3339: "2026-03-01T12:00:00Z"))
    #expect(Timestamp(since: text, now: now)?.text == moment)
  }

  @Test func misusesAreRefused() async throws {
    let book = RecordBook()
    #expect(
      await book.refusal { () async throws(RecordsRefusal) in try await book.runs { $0.verdict = "green" } }?.hasPrefix(
        "there is no verdict `green`; one of `passed`")
        == true)
    #expect(
      await book.refusal { () async throws(RecordsRefusal) in try await book.runs { $0.since = "soon" } }?.hasPrefix(
        "`--since soon` is no time; write `2h`") == true)
    #expect(
      await book.refusal { () async throws(RecordsRefusal) in try await book.runs { $0.limit = 0 } } == "`--limit` is at least 1, not 0")
  }
}
