import FlowEngine
import FlowEvents
import StepKit
import Testing
import Values

@Suite("An emergency and who keeps its key")
struct EmergencyTests {
  private func play(_ answer: Answer, _ ledger: ScriptedLedger, tail: String = "") async throws -> Play {
    try await Play(
      emergency + tail, ["POST /oauth/token": [.token()], "POST /v1/rem/trigger": [answer]], secrets: rapidsosSecrets, triggers: ledger)
  }

  @Test(
    "what became of it is told as surely as it is known",
    arguments: [
      (Answer.json(200, #"{"alert_id": "al-1"}"#), ["send", #"acknowledged {"alert_id":"al-1"}"#], "passed"),
      // A whole answer of the right status has been carried out, whatever its body.
      (.json(200, "{"), ["send", "acknowledged {}"], "passed"),
      (.refused, ["not sent: network.connect"], "errored network.connect"),
      (.json(400, #"{"detail": "bad"}"#), ["send", "rejected: rapidsos.missing_variable"], "failed rapidsos.missing_variable"),
      (.json(429), ["send", "rejected: http.429"], "errored http.429"),
      (.lost, ["send", "unknown: network.reset, sent maybe"], "indeterminate indeterminate"),
      (.json(500), ["send", "unknown: http.500, sent yes"], "indeterminate indeterminate"),
      // Once bytes may have left, nobody can call it unsent.
      (
        Answer(kind: .failure(.reset, .no), isConnected: true), ["send", "unknown: network.reset, sent maybe"],
        "indeterminate indeterminate"
      ),
    ])
  func classified(answer: Answer, lines: [String], outcome: String) async throws {
    let ledger = ScriptedLedger()
    let play = try await play(answer, ledger)
    #expect(ledger.lines == ["admit rapidsos k"] + lines)
    #expect(play.outcome == outcome)
  }

  @Test("is held back where its first byte may not leave")
  func heldBack() async throws {
    let ledger = ScriptedLedger(allows: false)
    let play = try await play(.ok, ledger)
    #expect(ledger.lines == ["admit rapidsos k", "send", "not sent: config.refused"])
    #expect(play.report.error?.sent == "no")
    #expect(play.step("fire")?.status == .failed)
  }

  @Test(
    "is a doubt where what became of it cannot be kept",
    arguments: [(Answer.json(200), "maybe"), (.json(400), "maybe"), (.refused, "no")])
  func unkept(answer: Answer, sent: String) async throws {
    let play = try await play(answer, ScriptedLedger(isFull: true))
    #expect(play.outcome == "indeterminate indeterminate")
    #expect(play.report.exitCode == 4)
    #expect(play.report.error?.sent == sent)
  }

  @Test("is not sent where its key is spent: it gives what it gave then, and has no answer to check")
  func replayed() async throws {
    let ledger = ScriptedLedger(past: ValueMap(members: ["alert_id": "al-7"]))
    let play = try await play(
      .ok, ledger,
      tail: """
            expect: [ "default(outputs.alert_id, '') == 'al-8'" ]
            undo: [ { id: call_off, uses: log, with: { message: "${{ default(steps.fire.outputs.alert_id, '') }}" } } ]
          - { id: break, fail: { code: user.stop, message: "${{ steps.fire.status }}" } }

        """)
    #expect(ledger.lines == ["admit rapidsos k"])
    #expect(!play.routes.contains("POST /v1/rem/trigger"))
    #expect(play.step("fire")?.status == .replayed)
    #expect(play.report.error?.title == "replayed")
    #expect(play.story.contains("# call_off al-7"))
  }

  @Test("a look-up settles it in the ledger, or leaves the doubt where that cannot be kept", arguments: [false, true])
  func settled(isFull: Bool) async throws {
    let ledger = LookedUpLedger(isFull: isFull)
    let play = try await Play(
      emergency + """
            reconcile:
              steps: [ { id: look, get: "https://look.test/alerts/k" } ]
              delivered: steps.look.response.body.there
        """,
      ["POST /oauth/token": [.token()], "POST /v1/rem/trigger": [.lost], "GET /alerts/k": [.json(200, #"{"there": true}"#)]],
      secrets: rapidsosSecrets, triggers: ledger)
    #expect(ledger.base.lines.contains("settle k true"))
    #expect(play.outcome == (isFull ? "indeterminate indeterminate" : "passed"))
    #expect(play.step("fire")?.status == (isFull ? .indeterminate : .recovered))
  }

  /// Records what becomes of it, and cannot keep what is looked up.
  private final class LookedUpLedger: TriggerPort {
    let base = ScriptedLedger()
    let isFull: Bool
    var mayGoLive: Bool { false }

    init(isFull: Bool) { self.isFull = isFull }

    func admit(_ order: TriggerOrder) async throws(StepFailure) -> TriggerAdmission { try await base.admit(order) }

    func settle(_ name: TriggerName, delivered: Bool) async throws(StepFailure) {
      try await base.settle(name, delivered: delivered)
      if isFull { throw StepFailure("indeterminate", title: "the disk is full") }
    }
  }

  /// The outcome was stored after all, or a look-up has found it since: the ledger knows more than the run did.
  @Test("is taken from the ledger when a run goes on that had ended in doubt")
  func ledgerKnowsMore() async throws {
    let play = try KilledPlay(emergency, ["POST /oauth/token": [.token()]], secrets: rapidsosSecrets)
    #expect(await play.run(triggers: ScriptedLedger(isFull: true))?.verdict == .indeterminate)
    #expect(play.routes.filter { $0 == "POST /v1/rem/trigger" }.count == 1)
    let told = ValueMap(members: ["alert_id": "al_7"])
    let report = try #require(await play.run(isResumed: true, triggers: ScriptedLedger(past: told)))
    #expect(report.verdict == .passed)
    #expect(report.steps.map(\.status) == [.replayed])
    #expect(play.routes.filter { $0 == "POST /v1/rem/trigger" }.count == 1)
  }
}
