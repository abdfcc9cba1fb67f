import FlowEngine
import FlowEvents
import StepKit
import Testing
import Values

@Suite("reconcile")
struct ReconcileTests {
  /// - Parameter modifiers: of `pay`, and `rest` comes after it.
  private func flow(_ modifiers: String = "", effect: String = "effect: once", rest: String = "") -> String {
    api + """
      steps:
        - id: pay
          post: /pay
          \(effect)
          outputs: { id: { value: "${{ response.body.id }}", type: integer } }
          reconcile:
            steps:
              - { id: look, get: /pays }
            delivered: steps.look.response.body.there
            outputs: { id: "${{ steps.look.response.body.id }}" }
          \(modifiers)
        - { id: tell, get: "/told/${{ default(steps.pay.outputs.id, 0) }}" }
      \(rest)
      """
  }

  private static func found(_ there: String, id: Int = 7) -> Answer { .json(200, #"{"there": \#(there), "id": \#(id)}"#) }

  @Test(
    "true: the step is recovered, with what the look-up gives",
    arguments: [Answer.lost, .silence, .json(500)], ["effect: once", "effect: unsafe"])
  func isThere(answer: Answer, effect: String) async throws {
    let play = try await Play(flow(effect: effect), ["POST /pay": [answer], "GET /pays": [Self.found("true")]])
    if effect == "effect: unsafe", case .reply = answer.kind {
      // The server has answered: it is an error, and no doubt.
      #expect(play.routes == ["POST /pay"])
      return
    }
    #expect(play.outcome == "passed")
    #expect(play.routes == ["POST /pay", "GET /pays", "GET /told/7"])
    #expect(play.step("pay")?.status == .recovered)
    #expect(play.step("pay")?.error?.code == "indeterminate")
  }

  @Test("false: the error is one that was not sent, and `retry` sends it once more", arguments: ["once", "unsafe"])
  func isNotThere(effect: String) async throws {
    let play = try await Play(
      flow("retry: { attempts: 3 }", effect: "effect: \(effect)"),
      ["POST /pay": [.lost, .json(200, #"{"id": 8}"#)], "GET /pays": [Self.found("false")]])
    #expect(play.outcome == "passed")
    #expect(play.routes == ["POST /pay", "GET /pays", "POST /pay", "GET /told/8"])
    #expect(play.step("pay")?.status == .succeeded)
  }

  @Test("false, without a retry: the original error, which a branch may answer")
  func branch() async throws {
    let bare = try await Play(flow(), ["POST /pay": [.lost], "GET /pays": [Self.found("false")]])
    #expect(bare.outcome == "errored network.reset")
    #expect(bare.report.error?.sent == "no")
    let answered = try await Play(
      flow("on_error: [ { when: network.reset, then: continue, outputs: { id: 9 } } ]"),
      ["POST /pay": [.lost], "GET /pays": [Self.found("false")]])
    #expect(answered.outcome == "passed")
    #expect(answered.routes.last == "GET /told/9")
  }

  @Test("each attempt is looked up anew")
  func again() async throws {
    let play = try await Play(
      flow("retry: { attempts: 3 }"), ["POST /pay": [.lost], "GET /pays": [Self.found("false"), Self.found("true")]])
    #expect(play.outcome == "passed")
    #expect(play.routes == ["POST /pay", "GET /pays", "POST /pay", "GET /pays", "GET /told/7"])
  }

  @Test("null: nobody knows; a branch may act, and the run ends 4", arguments: ["once", "unsafe"])
  func unknown(effect: String) async throws {
    let script: [String: [Answer]] = ["POST /pay": [.lost], "GET /pays": [Self.found("null")]]
    let bare = try await Play(flow("retry: { attempts: 3 }", effect: "effect: \(effect)"), script)
    #expect(bare.outcome == "indeterminate indeterminate")
    #expect(bare.report.exitCode == 4)
    #expect(bare.routes == ["POST /pay", "GET /pays"])
    let branched = try await Play(
      flow(
        "on_error: [ { when: indeterminate, do: [ { id: call, get: /call } ], then: continue, outputs: { id: 1 } } ]",
        effect: "effect: \(effect)"), script)
    #expect(branched.outcome == "indeterminate indeterminate")
    #expect(branched.routes == ["POST /pay", "GET /pays", "GET /call", "GET /told/1"])
    #expect(branched.step("pay")?.status == .indeterminate)
  }

  @Test("a look-up that fails leaves the doubt, and tells why", arguments: [Answer.json(503), .lost, .json(200, "?")])
  func failing(answer: Answer) async throws {
    let play = try await Play(flow("retry: { attempts: 3 }"), ["POST /pay": [.lost], "GET /pays": [answer]])
    #expect(play.outcome == "indeterminate indeterminate")
    #expect(play.routes == ["POST /pay", "GET /pays"])
    let causes = play.step("pay")?.error?.allCodes ?? []
    #expect(causes.count == 3 && causes.prefix(2) == ["indeterminate", "network.reset"], "\(causes)")
  }

  @Test("looks up what a `timeout` cut off, and is not bound by it")
  func timeout() async throws {
    let play = try await Play(
      flow("timeout: 2s"), ["POST /pay": [.silence], "GET /pays": [Self.found("true").after(.seconds(5))]])
    #expect(play.outcome == "passed")
    #expect(play.report.duration == .seconds(7))
    #expect(play.routes == ["POST /pay", "GET /pays", "GET /told/7"])
  }

  @Test("what is found is undone after a failure")
  func undone() async throws {
    let play = try await Play(
      flow(
        "undo: [ { id: refund, post: \"/refund/${{ default(steps.pay.outputs.id, 0) }}\" } ]"),
      ["POST /pay": [.lost], "GET /pays": [Self.found("true")], "GET /told/7": [.json(404)]])
    #expect(play.outcome == "failed http.404")
    #expect(play.routes.last == "POST /refund/7")
  }

  @Test("a group does not run again over what was in doubt, whatever was found", arguments: ["null", "true", "false"])
  func group(there: String) async throws {
    let play = try await Play(
      api + """
        steps:
          - id: all
            group:
              - id: pay
                post: /pay
                reconcile: { steps: [ { id: look, get: /pays } ], delivered: steps.look.response.body.there }
              - { id: check, get: /check }
            on_error: [ { when: [http.409, network, indeterminate], then: retry, max: 1 } ]
        """, ["POST /pay": [.lost, .ok], "GET /pays": [Self.found(there)], "GET /check": [.json(409), .ok]])
    #expect(play.routes.filter { $0 == "POST /pay" }.count == 1)
    #expect(play.report.exitCode == ["null": 4, "true": 1, "false": 3][there])
  }

  @Test("a process that died in the look-up makes it again")
  func crash() async throws {
    let play = try KilledPlay(
      flow(), ["POST /pay": [.lost], "GET /pays": [Self.found("true")]])
    // `pay` and `look` have begun.
    #expect(await play.run(killedAfter: 2) == nil)
    #expect(play.history.doubts.isEmpty)
    let report = try #require(await play.run(isResumed: true))
    #expect(report.verdict == .passed)
    #expect(play.routes.filter { $0 == "POST /pay" }.count == 1)
    #expect(play.routes.last == "GET /told/7")
  }
}

extension ErrorReport {
  /// The code of the error, and of each that led to it.
  var allCodes: [String] { [code] + (causes.first?.allCodes ?? []) }
}
