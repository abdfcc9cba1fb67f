import FlowEvents
import StepKit
import Testing
import Values

@testable import FlowEngine

@Suite("retry")
struct RetryTests {
  private func play(_ step: String, _ answers: [Answer]) async throws -> Play {
    let route = step.hasPrefix("post") ? "POST /a" : "GET /a"
    return try await Play(api + "steps:\n  - id: a\n" + step.indented(by: 4), [route: answers])
  }

  @Test("`attempts` counts all requests, and the pause grows by `factor` up to `max_delay`")
  func delays() async throws {
    let play = try await self.play(
      "get: /a\nretry: { attempts: 6, delay: 1s, factor: 3, max_delay: 10s, jitter: none }", [.text(503)])
    #expect(play.outcome == "errored http.503")
    #expect(play.routes.count == 6)
    #expect(play.delays == [.seconds(1), .seconds(3), .seconds(9), .seconds(10), .seconds(10)])
    #expect(play.report.duration == .seconds(33))
    #expect(play.step("a")?.attempts == 6)
    #expect(play.step("a")?.requests == 6)
    #expect(play.report.error?.attempt == 6)
  }

  @Test("nothing is tried again unless the flow says so")
  func noRetry() async throws {
    #expect(try await play("get: /a", [.text(503), .ok]).routes.count == 1)
  }

  @Test("a huge factor ends at the ceiling")
  func hugeFactor() async throws {
    let play = try await self.play(
      "get: /a\nretry: { attempts: 5, delay: 1ms, factor: 1.0e300, max_delay: 2s, jitter: none }", [.text(503)])
    #expect(play.delays == [.milliseconds(1), .seconds(2), .seconds(2), .seconds(2)])
  }

  @Test("full jitter lies between nothing and the pause, the same for the same seed")
  func jitter() async throws {
    let step = "get: /a\nretry: { attempts: 20, delay: 1s, factor: 1 }"
    let play = try await self.play(step, [.text(503)])
    #expect(play.delays.allSatisfy { $0 >= .zero && $0 <= .seconds(1) })
    #expect(Set(play.delays).count > 10)
    #expect(try await self.play(step, [.text(503)]).delays == play.delays)
  }

  @Test(
    "`Retry-After` wins, as seconds or as any date of HTTP, capped by `max_delay`",
    arguments: [
      ("7", 7), ("0", 0), (" 7 ", 7), ("120", 30), ("99999999999999999999", 1), ("-1", 1), ("soon", 1), ("1.5", 1),
      ("Thu, 21 Nov 2024 01:00:07 GMT", 7), ("Thursday, 21-Nov-24 01:00:07 GMT", 7), ("Thu Nov 21 01:00:07 2024", 7),
      ("Thu, 21 Nov 2024 00:00:00 GMT", 0), ("Thu, 21 Nov 2024 03:00:00 GMT", 30), ("Thu, 31 Feb 2024 01:00:07 GMT", 1),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
    ])
  func retryAfter(header: String, seconds: Int) async throws {
    let play = try await self.play(
      "get: /a\nretry: { attempts: 2, delay: 1s, jitter: none }", [.text(503, headers: ["Retry-After": header]), .ok])
    #expect(play.outcome == "passed")
    #expect(play.delays == [.seconds(seconds)])
  }

  @Test(
    "by default what may pass is tried again",
    arguments: [
      (Answer.refused, true), (.lost, true), (.silence, true), (.text(429), true), (.text(502), true), (.text(503), true),
      (.text(504), true),
      (.text(500), false), (.text(404), false), (.text(401), false), (.fail(.tlsCertificate, .no), false),
      (.fail(.connectTimeout, .no), false),
      (.json(200, "{"), false),
    ])
  func defaultWhen(answer: Answer, isRetried: Bool) async throws {
    let play = try await self.play("get: /a\nretry: { attempts: 2 }", [answer, .ok])
    #expect(play.routes.count == (isRetried ? 2 : 1))
    #expect((play.outcome == "passed") == isRetried)
  }

  @Test(
    "`unsafe` is sent again only if nothing left, or the provider refused it",
    arguments: [
      (Answer.refused, true), (.text(429), true), (.lost, false), (.silence, false), (.text(502), false), (.text(503), false),
      (.fail(.dns, .no), true), (.text(401), true),
    ])
  func unsafe(answer: Answer, isRetried: Bool) async throws {
    let play = try await self.play(
      "post: /a\nretry: { attempts: 2, when: [network.connect, network.dns, http.401, http.429] }", [answer, .ok])
    #expect(play.routes.count == (isRetried ? 2 : 1))
    let byDefault = try await self.play("post: /a\nretry: { attempts: 2 }", [answer, .ok])
    // 401 is refused, and not among the codes that are tried again unasked.
    if case .reply(401, _, _, _) = answer.kind { return }
    #expect(byDefault.routes.count == (isRetried ? 2 : 1))
  }

  @Test("what a redirect has carried out is not called unsent when the way on fails")
  func redirect() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: a, post: /a, with: { follow: true }, retry: { attempts: 3 } }",
      ["POST /a": [.text(303, headers: ["Location": "/b"])], "GET /b": [.refused]])
    #expect(play.routes == ["POST /a", "GET /b"])
    #expect(play.report.error?.sent == "yes")
    let kept = try await Play(
      api + "steps:\n  - { id: a, post: /a, with: { follow: true }, retry: { attempts: 2 } }",
      ["POST /a": [.text(307, headers: ["Location": "/b"])], "POST /b": [.refused, .ok]])
    #expect(kept.outcome == "passed")
    #expect(kept.routes == ["POST /a", "POST /b", "POST /a", "POST /b"])
  }

  @Test("the checks of an attempt that is tried again are forgotten")
  func checksAreOfTheLastAttempt() async throws {
    let play = try await self.play(
      "get: /a\nretry: { attempts: 3, when: [assertion], jitter: none }\nexpect: [ \"response.body.state == 'done'\" ]",
      [.json(200, #"{"state": "busy"}"#), .json(200, #"{"state": "busy"}"#), .json(200, #"{"state": "done"}"#)])
    #expect(play.outcome == "passed")
    #expect(play.step("a")?.expectations.map(\.isMet) == [true])
    #expect(play.delays == [.milliseconds(500), .seconds(1)])
  }
}
