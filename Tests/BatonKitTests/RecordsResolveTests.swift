import FlowEvents
import FoundationEssentials
import Journal
import Testing
import Values

@testable import BatonKit

/// `baton resolve`: what is said stands in the ledger and in the journal, once.
@Suite struct RecordsResolveTests {
  private func interrupted() async throws -> RecordBook {
    try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", .started("create"))
  }

  private func triggered() async throws -> RecordBook {
    try await RecordBook().begin("7f3k-92mq").trigger("incident-7", run: "7f3k-92mq").add(
      "7f3k-92mq", .started("alarm", "rapidsos/trigger-call-flow", effect: "once", #","key":"incident-7","system":"rapidsos""#),
      .ended("alarm", "indeterminate", code: "indeterminate", JournalEntry.doubtful), .finished("indeterminate"))
  }

  @Test func delivered() async throws {
    let book = try await interrupted()
    #expect(
      try await book.resolve("7f3k", .delivered(outputs: nil)) == """
        settled: step `create` (POST /orders) was delivered
            said by grace: the log shows order 17
        go on with `baton resume 7f3k-92mq`

        """)
    let entry = try #require(try await book.settlements(of: "7f3k-92mq").first)
    #expect(entry.path == "create")
    #expect(entry.status == "delivered")
    #expect(entry.details == #"{"shown":{"by":"grace","reason":"the log shows order 17"}}"#)
    #expect(try await book.runs { $0.isUnresolved = true }.exitCode == 0)
    #expect(try await book.show("7f3k").contains("│ step `create` was delivered: the log shows order 17 (grace, 2023-11-15 00:13:20)\n"))
  }

  @Test func notDeliveredSaysThatItIsSentAgain() async throws {
    #expect(
      try await interrupted().resolve("7f3k", .notDelivered) == """
        settled: step `create` (POST /orders) was not delivered
            it will be sent again when the run goes on
            said by grace: the log shows order 17
        go on with `baton resume 7f3k-92mq`

        """)
  }

  @Test func anAuthorisedRetrySaysThatItMayHappenTwice() async throws {
    let book = try await interrupted()
    #expect(
      try await book.resolve("7f3k", .authoriseRetry) == """
        settled: step `create` (POST /orders) may be sent again, although nobody knows whether it happened
            it may happen twice
            said by grace: the log shows order 17
        go on with `baton resume 7f3k-92mq`

        """)
    #expect(try await book.settlements(of: "7f3k-92mq").map(\.status) == ["retry"])
  }

  @Test(arguments: [
    (ResolveCommand.Saying.delivered(outputs: nil), TriggerState.resolvedDelivered), (.notDelivered, .resolvedNotDelivered),
    (.authoriseRetry, .unknown),
  ])
  func aTriggerIsSettledInBothRecords(saying: ResolveCommand.Saying, state: TriggerState) async throws {
    let book = try await triggered()
    _ = try await book.resolve("7f3k", saying)
    let attempt = try #require(try await book.ledger.attempts(ofRun: "7f3k-92mq").first)
    #expect(attempt.state == state)
    #expect(!attempt.isUnresolved)
    #expect(attempt.authorisation?.by ?? attempt.transitions.last?.by == "grace")
    #expect(try await book.settlements(of: "7f3k-92mq").map(\.path) == ["alarm"])
    #expect(try await book.runs { $0.isUnresolved = true }.exitCode == 0)
  }

  @Test func theSameSayingAgainChangesNothing() async throws {
    for book in [try await interrupted(), try await triggered()] {
      _ = try await book.resolve("7f3k", .delivered(outputs: nil))
      let again = try await book.resolve("7f3k", .delivered(outputs: nil), reason: "again")
      #expect(again.hasPrefix("settled before: step"))
      #expect(again.contains("said by grace: the log shows order 17\n"))
      #expect(try await book.settlements(of: "7f3k-92mq").count == 1)
    }
  }

  @Test func anotherSayingIsAnError() async throws {
    for book in [try await interrupted(), try await triggered()] {
      _ = try await book.resolve("7f3k", .delivered(outputs: nil))
      let refusal = await book.refusal { () async throws(RecordsRefusal) in try await book.resolve("7f3k", .notDelivered) }
      #expect(refusal?.contains("is settled already by grace: it was delivered") == true)
      #expect(try await book.settlements(of: "7f3k-92mq").count == 1)
    }
  }

  @Test func aRetryThatWasNotUsedYetCanStillTurnOutOtherwise() async throws {
    let book = try await triggered()
    _ = try await book.resolve("7f3k", .authoriseRetry)
    _ = try await book.resolve("7f3k", .delivered(outputs: nil), reason: "the provider called back")
    #expect(try await book.states(of: "7f3k-92mq") == [.resolvedDelivered])
    #expect(try await book.settlements(of: "7f3k-92mq").map(\.status) == ["retry", "delivered"])
  }

  @Test func whatACrashLeftBetweenTheTwoRecordsIsCompleted() async throws {
    let book = try await triggered()
    let attempt = try #require(try await book.ledger.attempts(ofRun: "7f3k-92mq").first)
    _ = try await book.ledger.resolve(attempt.id, .delivered, by: "ada", reason: "seen in the log")
    #expect(try await book.resolve("7f3k", .delivered(outputs: nil)).contains("said by ada: seen in the log\n"))
    let entry = try #require(try await book.settlements(of: "7f3k-92mq").first)
    #expect(entry.details == #"{"shown":{"by":"ada","reason":"seen in the log"}}"#)
    #expect(try await book.resolve("7f3k", .delivered(outputs: nil)).hasPrefix("settled before"))
    #expect(try await book.settlements(of: "7f3k-92mq").count == 1)
  }

  @Test func ofSeveralOneIsNamed() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", .started("a"), .started("each[x y]/b"))
    #expect(
      await book.refusal { () async throws(RecordsRefusal) in try await book.resolve("7f3k", .notDelivered) }
        == "2 things are open in run `7f3k-92mq`; say which with `--step`: `a`, `each[x y]/b`")
    #expect(try await book.show("7f3k").contains("baton resolve 7f3k-92mq --step 'each[x y]/b' --delivered --reason TEXT\n"))
    #expect(try await book.resolve("7f3k", .notDelivered, step: "a").hasSuffix("1 more to settle: `baton show 7f3k-92mq`\n"))
    #expect(
      await book.refusal { () async throws(RecordsRefusal) in try await book.resolve("7f3k", .notDelivered, step: "c") }
        == "nothing is in doubt at `c` in run `7f3k-92mq`; open: `each[x y]/b`")
    #expect(try await book.resolve("7f3k", .delivered(outputs: nil)).hasSuffix("go on with `baton resume 7f3k-92mq`\n"))
    #expect(try await book.settlements(of: "7f3k-92mq").map(\.path) == ["a", "each[x y]/b"])
  }

  @Test func aTriggerWithoutItsRunIsSettledInTheLedger() async throws {
    let book = try await RecordBook().trigger("incident-7", run: "gone")
    #expect(
      try await book.resolve("gone", .notDelivered) == """
        settled: the trigger `incident-7` was not delivered
            its key may be used again
            said by grace: the log shows order 17
        this journal does not have the run; run the flow again where it is needed

        """)
    #expect(try await book.states(of: "gone") == [.resolvedNotDelivered])
    #expect(try await book.runs { $0.isUnresolved = true }.exitCode == 0)
  }

  @Test func anotherRunsTriggerUnderTheSameKeyIsWhatIsSettled() async throws {
    let book = try await RecordBook().trigger("incident-7", run: "first").begin("second").add(
      "second", .started("alarm", effect: "once", #","key":"incident-7","system":"rapidsos""#),
      .ended("alarm", "indeterminate", code: "indeterminate"), .finished("indeterminate"))
    _ = try await book.resolve("second", .delivered(outputs: nil))
    #expect(try await book.states(of: "first") == [.resolvedDelivered])
    #expect(try await book.settlements(of: "second").map(\.path) == ["alarm"])
  }

  @Test func whatWasNeverSentCanBeGivenUpButNotDelivered() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").trigger("incident-7", run: "7f3k-92mq", isSent: false, outcome: nil)
    try await book.add("7f3k-92mq", .started("alarm", effect: "once", #","key":"incident-7","system":"rapidsos""#))
    let refusal = await book.refusal { () async throws(RecordsRefusal) in try await book.resolve("7f3k", .delivered(outputs: nil)) }
    #expect(refusal == "`incident-7` was never sent, so that it cannot have been delivered; `--not-delivered` lets it be sent anew")
    _ = try await book.resolve("7f3k", .notDelivered)
    #expect(try await book.states(of: "7f3k-92mq") == [.notSent])
    #expect(try await book.resolve("7f3k", .notDelivered).hasPrefix("settled before"))
  }

  @Test func anIndeterminateRunThatTellsNoStepIsSettledAsAWhole() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", .finished("indeterminate"))
    #expect(try await book.resolve("7f3k", .delivered(outputs: nil)).hasPrefix("settled: something in this run was delivered\n"))
    #expect(try await book.runs { $0.isUnresolved = true }.exitCode == 0)
    #expect(try await book.resolve("7f3k", .delivered(outputs: nil)).hasPrefix("settled before"))
  }

  @Test func outputsAreReadFromAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "outputs-\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("id: 17\ntotal: 12.50\n".utf8).write(to: file)
    let book = try await interrupted()
    _ = try await book.resolve("7f3k", .delivered(outputs: file.path()))
    let details = try #require(try await book.settlements(of: "7f3k-92mq").first?.details)
    // What of it is secret nobody knows here: only the names are told.
    #expect(try JSON.parse(details)["shown"]?["outputs"] == ["id", "total"])
    #expect(try JSON.parse(details)["kept"]?.stringValue?.contains(#"{"outputs":{"id":17,"total":12.5}}"#) == true)
    let refusal = await book.refusal { () async throws(RecordsRefusal) in try await book.resolve("7f3k", .delivered(outputs: "/no/such")) }
    #expect(refusal?.contains("there is no such file") == true)
  }

  @Test func whatCannotBeSettled() async throws {
    let book = try await interrupted()
    try await book.begin("9999-pass").add("9999-pass", .started("create"), .ended("create"), .finished("passed"))
    func refusal(_ run: String, reason: String = "why") async -> String? {
      await book.refusal { () async throws(RecordsRefusal) in try await book.resolve(run, .notDelivered, reason: reason) }
    }
    #expect(await refusal("9999") == "there is nothing to settle: run `9999-pass` passed")
    #expect(await refusal("7f3k", reason: " \n") == "a reason is needed; say how you know in a few words: `--reason TEXT`")
    let hold = try await book.journal.hold("7f3k-92mq")
    #expect(await refusal("7f3k")?.hasPrefix("run `7f3k-92mq` is still running") == true)
    withExtendedLifetime(hold) {}
    #expect(try await book.settlements(of: "7f3k-92mq").isEmpty)
  }

  @Test func theOperatorBehindSudoIsNamed() {
    let own = OperatorName.current([:])
    #expect(!own.isEmpty)
    #expect(OperatorName.current(["SUDO_USER": "ada"]) == "\(own) (sudo by ada)")
  }
}
