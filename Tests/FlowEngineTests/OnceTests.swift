import FlowEvents
import StepKit
import Testing
import Values

@Suite("What must happen once")
struct OnceTests {
  /// A plain request that must happen once, beside the typed `emergency`.
  private let plain = api + "steps:\n  - { id: fire, post: /fire, effect: once }\n  - { id: after, get: /after }"

  @Test("an emergency without its key is not sent", arguments: ["null", #""""#])
  func noDedupeKey(key: String) async throws {
    let flow = "inputs: { key: string }\n" + emergency.replacing("dedupe_key: k", with: "dedupe_key: \"${{ json.decode(inputs.key) }}\"")
    let play = try await Play(flow, inputs: ["key": .string(key)], secrets: rapidsosSecrets)
    #expect(play.outcome == "errored expr.failed")
    #expect(play.requests.isEmpty)
  }

  @Test(
    "a plain request",
    arguments: [
      (Answer.ok, "passed", "succeeded"), (.json(202, "{"), "passed", "succeeded"), (.text(200, "?"), "passed", "succeeded"),
      (.text(401), "failed http.401", "failed"), (.text(429), "errored http.429", "failed"),
      (.text(500), "indeterminate indeterminate", "indeterminate"), (.text(503), "indeterminate indeterminate", "indeterminate"),
      (.text(302), "indeterminate indeterminate", "indeterminate"), (.silence, "indeterminate indeterminate", "indeterminate"),
      (.lost, "indeterminate indeterminate", "indeterminate"), (.fail(.malformed, .maybe), "indeterminate indeterminate", "indeterminate"),
      (.refused, "errored network.connect", "failed"), (.fail(.dns, .no), "errored network.dns", "failed"),
      (.fail(.tlsCertificate, .no), "errored tls.certificate", "failed"),
      (.fail(.refusedByCaller, .no), "errored config.refused", "failed"),
    ])
  func plainOutcome(answer: Answer, outcome: String, status: String) async throws {
    let play = try await Play(plain, ["POST /fire": [answer]])
    #expect(play.outcome == outcome)
    #expect(play.step("fire")?.status.rawValue == status)
    #expect(play.report.exitCode == (outcome == "passed" ? 0 : outcome.hasPrefix("ind") ? 4 : outcome.hasPrefix("failed") ? 1 : 3))
    #expect(play.routes.filter { $0 == "POST /fire" }.count == 1)
  }

  @Test(
    "a typed trigger, with what its handler declares",
    arguments: [
      (Answer.json(200, #"{"alert_id": "al-1"}"#), "passed"), (.json(200, "{"), "passed"), (.text(200, "<html>"), "passed"),
      (.json(400, #"{"detail": "bad"}"#), "failed rapidsos.missing_variable"), (.json(403), "failed rapidsos.wrong_token"),
      (.json(404), "failed rapidsos.unknown_call_flow"), (.json(401), "failed http.401"), (.json(429), "errored http.429"),
      (.json(500), "indeterminate indeterminate"), (.json(418), "indeterminate indeterminate"), (.silence, "indeterminate indeterminate"),
      (.lost, "indeterminate indeterminate"), (.refused, "errored network.connect"),
    ])
  func typedOutcome(answer: Answer, outcome: String) async throws {
    let play = try await Play(emergency, ["POST /oauth/token": [.token()], "POST /v1/rem/trigger": [answer]], secrets: rapidsosSecrets)
    #expect(play.outcome == outcome)
    #expect(play.routes == ["POST /oauth/token", "POST /v1/rem/trigger"])
  }

  @Test("a token that cannot be had leaves no doubt: the request never left")
  func token() async throws {
    for answer in [Answer.lost, .silence, .text(503)] {
      let play = try await Play(emergency, ["POST /oauth/token": [answer]], secrets: rapidsosSecrets)
      #expect(play.report.verdict == .errored)
      #expect(play.report.error?.sent == "no")
      #expect(play.step("fire")?.status == .failed)
    }
  }

  @Test("outputs of an unreadable answer are absent; checks of a whole one are failures, not doubts")
  func outputsAndChecks() async throws {
    let flow = { (tail: String) in
      api + "steps:\n  - id: fire\n    post: /fire\n    effect: once\n    outputs: { n: \"${{ response.body.n }}\" }\n" + tail
    }
    let absent = try await Play(flow("outputs: { has: \"${{ has(steps.fire.outputs.n) }}\" }"), ["POST /fire": [.text(200, "?")]])
    #expect(absent.outcome == "passed")
    #expect(absent.report.outputs["has"] == false)
    let checked = try await Play(flow("    expect: [ response.status == 201 ]"))
    #expect(checked.outcome == "failed assertion")
    #expect(checked.step("fire")?.status == .failed)
  }

  @Test("a status that was not accepted is a doubt where the flow states which are")
  func statedStatus() async throws {
    let flow = api + "steps:\n  - { id: fire, post: /fire, effect: once, expect: { status: 201 } }"
    #expect(try await Play(flow, ["POST /fire": [.text(201)]]).outcome == "passed")
    #expect(try await Play(flow, ["POST /fire": [.text(200)]]).outcome == "indeterminate indeterminate")
  }

  @Test(
    "no branch lifts the verdict: it may act, and the run ends 4",
    arguments: ["then: continue", "then: end, verdict: passed", "then: end, verdict: failed", "then: fail, code: user.gave_up"])
  func branches(ending: String) async throws {
    let play = try await Play(
      api + """
        steps:
          - id: fire
            post: /fire
            effect: once
            on_error: [ { when: indeterminate, do: [ { id: fallback, get: /fallback } ], \(ending) } ]
          - { id: after, get: /after }
        outputs: { x: 1 }
        finally: [ { id: tell, uses: log, with: { message: "${{ run.verdict }}" } } ]
        """, ["POST /fire": [.lost]])
    #expect(play.outcome == "indeterminate indeterminate")
    #expect(play.report.exitCode == 4)
    #expect(play.report.outputs.isEmpty)
    #expect(play.step("fire")?.status == .indeterminate)
    #expect(play.routes.prefix(2) == ["POST /fire", "GET /fallback"])
    #expect(play.routes.contains("GET /after") == (ending == "then: continue"))
    #expect(play.report.error?.causes.first?.code == "network.reset")
    #expect(play.story.contains("# tell indeterminate"))
  }

  @Test("`expect: { error: indeterminate }` is met, and the run still ends 4")
  func expected() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: fire, post: /fire, effect: once, expect: { error: indeterminate } }\n  - { id: b, get: /b }",
      ["POST /fire": [.lost]])
    #expect(play.report.exitCode == 4)
    #expect(play.step("fire")?.status == .indeterminate)
    #expect(play.routes.last == "GET /b")
  }

  @Test("a later error does not outweigh it, nor one in `finally`")
  func worst() async throws {
    let play = try await Play(
      api + """
        steps:
          - { id: fire, post: /fire, effect: once, on_error: [ { when: indeterminate, then: continue } ] }
          - { id: b, get: /b }
        finally: [ { id: c, get: /c } ]
        """, ["POST /fire": [.lost], "GET /b": [.text(404)], "GET /c": [.text(503)]])
    #expect(play.outcome == "indeterminate indeterminate")
  }

  @Test("a doubt in `finally` counts as any other")
  func inFinally() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: a, get: /a }\nfinally:\n  - { id: fire, post: /fire, effect: once }",
      ["GET /a": [.text(404)], "POST /fire": [.lost]])
    #expect(play.outcome == "indeterminate indeterminate")
  }

  @Test("a signal while it is sent is the same as a crash; before anything is sent it is not")
  func signal() async throws {
    let sent = try await Play(plain, ["POST /fire": [.silence.raising(130)]])
    #expect(sent.outcome == "indeterminate indeterminate")
    #expect(sent.report.exitCode == 4)
    #expect(sent.report.error?.causes.first?.code == "cancelled")
    let unsent = try await Play(emergency, ["POST /oauth/token": [.silence.raising(130)]], secrets: rapidsosSecrets)
    #expect(unsent.outcome == "cancelled cancelled")
    #expect(unsent.routes == ["POST /oauth/token"])
  }

  @Test("a timeout around it, its own or its group's, leaves the doubt to stand")
  func timeouts() async throws {
    let own = try await Play(
      api + "steps:\n  - { id: fire, post: /fire, effect: once, timeout: 2s, on_error: [ { when: timeout.step, then: continue } ] }",
      ["POST /fire": [.silence]])
    #expect(own.outcome == "indeterminate indeterminate")
    #expect(own.story.contains("? fire indeterminate continue"))
    let group = try await Play(
      api + """
        steps:
          - id: all
            timeout: 2s
            group: [ { id: fire, post: /fire, effect: once } ]
            on_error: [ { when: indeterminate, then: continue } ]
        """, ["POST /fire": [.silence]])
    #expect(group.outcome == "indeterminate indeterminate")
    #expect(group.statuses == ["fire indeterminate", "all recovered"])
  }

  @Test(
    "it is tried again only if nothing was sent",
    arguments: [(Answer.refused, 2), (.fail(.connectTimeout, .no), 2), (.fail(.connect, .maybe), 1), (.text(429), 1), (.lost, 1)])
  func retry(answer: Answer, sends: Int) async throws {
    for modifier in [
      "retry: { attempts: 3, when: [network.connect, timeout.connect] }",
      "on_error: [ { when: [network.connect, timeout.connect], then: retry, max: 2 } ]",
    ] {
      let play = try await Play(api + "steps:\n  - { id: fire, post: /fire, effect: once, \(modifier) }", ["POST /fire": [answer, .ok]])
      #expect(play.routes.count == sends)
    }
    let byDefault = try await Play(
      api + "steps:\n  - { id: fire, post: /fire, effect: once, retry: { attempts: 3 } }", ["POST /fire": [answer, .ok]])
    #expect(byDefault.routes.count == (sends == 2 && answer.isConnect ? 2 : 1))
  }
}

extension Answer {
  fileprivate var isConnect: Bool {
    if case .failure(.connect, _) = kind { true } else { false }
  }
}
