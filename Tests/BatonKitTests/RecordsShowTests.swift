import FlowEvents
import Journal
import Testing
import Values

@testable import BatonKit

/// `baton show`: a run is told as it was told live, then what is open, then what to do.
@Suite struct RecordsShowTests {
  @Test func aPassedRun() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add(
      "7f3k-92mq", .started("verify", "group", effect: "read", #","is_group":true"#),
      .started("verify/request_pin", "rapidsos/request-pin"),
      .ended("verify/request_pin", "succeeded", #","request":{"method":"POST","url":"https://api.test/pins","status":201}"#),
      .ended("verify", "succeeded", #","is_group":true"#), .finished("passed"))
    let text = try await book.show("7f3k")
    #expect(
      text == """
        run 7f3k-92mq  flows/orders.flow.yaml  in staging
        started 2023-11-14 22:13:20 UTC, 2 h ago, by ada

        ▸ verify  group
          ✓ request_pin  rapidsos/request-pin  201 120 ms
        ✓ verify  group  1 request, 120 ms

        passed  1 step, 5 s

        """)
  }

  @Test func aFailedRunWithItsErrorAndWhatToDo() async throws {
    let error = #","attempts":3,"error":{"code":"http.503","title":"service unavailable","detail":"the shop is closed","sent":"yes"}"#
    let book = try await RecordBook().begin("7f3k-92mq").add(
      "7f3k-92mq", .started("create", effect: "keyed"), .ended("create", "failed", code: "http.503", error + JournalEntry.request),
      .finished("errored", code: "http.503"))
    #expect(
      try await book.show("7f3k-92mq") == """
        run 7f3k-92mq  flows/orders.flow.yaml  in staging
        started 2023-11-14 22:13:20 UTC, 2 h ago, by ada

        ✗ create  POST /orders  503 120 ms (3 attempts)  http.503
            the shop is closed
            POST https://api.shop.test/orders (request sent: yes)

        errored  http.503  1 step, 5 s

        go on from here with `baton resume 7f3k-92mq`

        """)
  }

  @Test func aBranchAnItemAndAResumedRun() async throws {
    let branch = #"{"branch":"continue","error":{"code":"rapidsos.username_taken"}}"#
    let book = try await RecordBook().begin("7f3k-92mq").add(
      "7f3k-92mq", .started("each[ada]/create"), .entry(.checkpoint, "each[ada]/create", at: 2, shown: branch),
      .ended("each[ada]/create", "recovered", code: "rapidsos.username_taken"), .resumed(at: 60), .ended("last", "skipped"),
      .finished("passed", at: 61))
    let text = try await book.show("7f3k-92mq")
    #expect(text.contains("  ↪ create[ada]  rapidsos.username_taken: continue\n"))
    #expect(text.contains("  ↺ create[ada]  POST /orders  120 ms  recovered from rapidsos.username_taken\n"))
    #expect(text.contains("↪ resumed 2023-11-14 22:14:20 UTC by grace\n↷ last  skipped\n"))
  }

  @Test func anInterruptedRunWithoutDoubtGoesOn() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", .started("look", "GET /orders", effect: "read"))
    #expect(
      try await book.show("7f3k-92mq") == """
        run 7f3k-92mq  flows/orders.flow.yaml  in staging
        started 2023-11-14 22:13:20 UTC, 2 h ago, by ada

        … look  GET /orders  began 22:13:21 and never ended

        interrupted  its process ended before the run did  1 step

        go on with `baton resume 7f3k-92mq`

        """)
  }

  @Test func aGroupIsOpenWithoutAWordWhereAStepInItIs() async throws {
    let group = JournalEntry.started("all", "group", effect: "", #","is_group":true"#)
    let book = try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", group)
    #expect(try await book.show("7f3k").contains("▸ all  group\n… all  group  began 22:13:21 and never ended\n"))
    try await book.add("7f3k-92mq", .started("all/look", "GET /orders", effect: "read"))
    #expect(try await book.show("7f3k").contains("▸ all  group\n  … look  GET /orders  began 22:13:21 and never ended\n\n"))
  }

  @Test func anInterruptedRunInDoubt() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", .started("create"))
    #expect(
      try await book.show("7f3k-92mq") == """
        run 7f3k-92mq  flows/orders.flow.yaml  in staging
        started 2023-11-14 22:13:20 UTC, 2 h ago, by ada

        ? create  POST /orders  began 22:13:21 and never ended: it may have happened

        interrupted  its process ended before the run did  1 step

        nobody knows whether step `create` (POST /orders) took effect
            its process ended before it did
            look with the provider whether it did, then say so:
              it happened:          baton resolve 7f3k-92mq --delivered --reason TEXT
              it did not happen:    baton resolve 7f3k-92mq --not-delivered --reason TEXT
              send it regardless:   baton resolve 7f3k-92mq --authorise-retry --reason TEXT
        do not simply run the flow again: it could happen twice

        """)
  }

  @Test func anIndeterminateTriggerWithItsLife() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").trigger("incident-7", run: "7f3k-92mq").add(
      "7f3k-92mq",
      .started("alarm", "rapidsos/trigger-call-flow", effect: "once", #","key":"incident-7","system":"rapidsos""#),
      .ended("alarm", "indeterminate", code: "indeterminate", JournalEntry.doubtful), .finished("indeterminate", code: "indeterminate"))
    #expect(
      try await book.show("7f3k-92mq") == """
        run 7f3k-92mq  flows/orders.flow.yaml  in staging
        started 2023-11-14 22:13:20 UTC, 2 h ago, by ada

        ? alarm  rapidsos/trigger-call-flow  503 120 ms  indeterminate: timeout.attempt
            no answer in 30 s
            POST https://api.shop.test/orders (request sent: maybe)

        indeterminate  1 step, 5 s

        ? trigger `incident-7`  rapidsos (staging)
            2023-11-14 22:13:23  intended
            2023-11-14 22:13:23  sent
            2023-11-14 22:13:23  unknown   the answer was cut off

        nobody knows whether step `alarm` (rapidsos/trigger-call-flow) took effect
            timeout.attempt: no answer in 30 s
            ask rapidsos whether it did, then say so:
              it happened:          baton resolve 7f3k-92mq --delivered --reason TEXT
              it did not happen:    baton resolve 7f3k-92mq --not-delivered --reason TEXT
              send it regardless:   baton resolve 7f3k-92mq --authorise-retry --reason TEXT
        do not simply run the flow again: it could happen twice

        """)
  }

  @Test func aRunningOneSaysSo() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", .started("create"))
    let hold = try await book.journal.hold("7f3k-92mq")
    let text = try await book.show("7f3k-92mq")
    #expect(text.contains("… create  POST /orders  running since 22:13:21\n"))
    #expect(text.hasSuffix("running  a process is at it  1 step\n"))
    withExtendedLifetime(hold) {}
  }

  @Test func aTriggerWhoseRunIsNotInThisJournal() async throws {
    let book = try await RecordBook().trigger("incident-7", run: "gone")
    let text = try await book.show("gone")
    #expect(text.contains("this journal has no such run; what follows is from the ledger of triggers\n"))
    #expect(text.contains("nobody knows whether the trigger `incident-7` took effect\n    the answer was cut off\n    ask rapidsos"))
  }

  @Test func namesThatAreNoRun() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").begin("7f3x-1111", at: 1)
    #expect(
      await book.refusal { () async throws(RecordsRefusal) in try await book.show("7f3") }
        == "`7f3` names 2 runs; write more of the id: `7f3x-1111` (flows/orders.flow.yaml), `7f3k-92mq` (flows/orders.flow.yaml)")
    #expect(
      await book.refusal { () async throws(RecordsRefusal) in try await book.show("zzz") }
        == "there is no run `zzz`; the latest are `7f3x-1111` (flows/orders.flow.yaml), `7f3k-92mq` (flows/orders.flow.yaml); list more with `baton runs`"
    )
    #expect(await book.refusal { () async throws(RecordsRefusal) in try await book.show("") } != nil)
  }

  @Test func entriesOfWhichNothingIsReadableAreStillTold() async throws {
    let book = try await RecordBook().begin("7f3k-92mq", inputs: "no json").add(
      "7f3k-92mq", JournalEntry(.started, path: "a", at: Timestamp(seconds: 0), details: "{"),
      JournalEntry(.ended, path: "a", at: Timestamp(seconds: 0), status: "brilliant"),
      JournalEntry(.checkpoint, path: "b", at: Timestamp(seconds: 0)), JournalEntry(.settled, path: "c", at: Timestamp(seconds: 0)),
      JournalEntry(.ended, path: "[[", at: Timestamp(seconds: 0), status: "failed", details: "[]"),
      JournalEntry(.finished, at: Timestamp(seconds: 0), status: "splendid"))
    let text = try await book.show("7f3k-92mq")
    #expect(text.contains("? a  ended: brilliant\n"))
    #expect(text.contains("? [[  failed\n"))
    #expect(text.contains("\nerrored"))
  }
}
