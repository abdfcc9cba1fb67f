import FlowEvents
import HTTPTypes
import StepKit
import Testing
import Values

@Suite("poll, idempotency_key and save")
struct PollTests {
  private func poll(_ modifiers: String, more: String = "") -> String {
    api + """
      steps:
        - id: job
          get: /job
          poll: { every: 2s, timeout: 9s, until: response.body.state == 'done'\(modifiers) }
          outputs: { result: "${{ response.body.result }}" }
      \(more.indented(by: 4))
      outputs: { result: "${{ steps.job.outputs.result }}" }
      """
  }

  private let pending = Answer.json(200, #"{"state": "pending"}"#)
  private let done = Answer.json(200, #"{"state": "done", "result": 7}"#)

  @Test("sends again until the answer is as wished; outputs are those of the last one")
  func until() async throws {
    let play = try await Play(poll(""), ["GET /job": [pending, pending, done]])
    #expect(play.outcome == "passed")
    #expect(play.output("result") == "7")
    #expect(play.report.duration == .seconds(4))
    #expect(play.story.filter { $0.hasPrefix("~") } == ["~ job 1 poll 2 s", "~ job 2 poll 2 s"])
    #expect(play.step("job")?.attempts == 3)
  }

  @Test("is tested at least once")
  func once() async throws {
    #expect(try await Play(poll(""), ["GET /job": [done]]).requests.count == 1)
  }

  @Test("gives up before a pause that would pass its time")
  func timeout() async throws {
    let play = try await Play(poll(""), ["GET /job": [pending]])
    #expect(play.outcome == "errored timeout.poll")
    #expect(play.report.duration == .seconds(8))
    #expect(play.report.error?.title == "the answer was not as wished within 9 s")
  }

  @Test("its time bounds an attempt too")
  func attemptBeyondTime() async throws {
    let play = try await Play(poll(""), ["GET /job": [pending, .silence]])
    #expect(play.outcome == "errored timeout.poll")
    #expect(play.report.duration == .seconds(9))
  }

  @Test("`fail_if` ends it with `poll.failed`, also where `until` holds")
  func failIf() async throws {
    let play = try await Play(
      poll(", fail_if: response.body.result == 7"), ["GET /job": [pending.with(#"{"state": "pending", "result": 0}"#), done]])
    #expect(play.outcome == "failed poll.failed")
    #expect(play.requests.count == 2)
  }

  @Test("a predicate that errors stops it with that error")
  func brokenPredicate() async throws {
    let play = try await Play(poll(""), ["GET /job": [.json(200, "{}")]])
    #expect(play.outcome == "errored expr.failed")
    #expect(play.requests.count == 1)
  }

  @Test("goes on over the codes that it tolerates, and over no others")
  func tolerate() async throws {
    let tolerated = try await Play(poll(", tolerate: [http.404, network]"), ["GET /job": [.text(404), .refused, done]])
    #expect(tolerated.outcome == "passed")
    #expect(tolerated.step("job")?.expectations.isEmpty == true)
    #expect(try await Play(poll(", tolerate: [http.404]"), ["GET /job": [.text(404), .text(409), done]]).outcome == "failed http.409")
  }

  @Test("each round has the attempts of `retry`")
  func retry() async throws {
    let flow = poll("", more: "retry: { attempts: 2, delay: 500ms, jitter: none }")
    let play = try await Play(flow, ["GET /job": [.text(503), pending, .text(503), done]])
    #expect(play.outcome == "passed")
    #expect(play.delays == [.milliseconds(500), .milliseconds(500)])
    #expect(try await Play(flow, ["GET /job": [pending, .text(503), .text(503), done]]).outcome == "errored http.503")
  }

  @Test("a signal in its pause ends it at once")
  func signal() async throws {
    let play = try await Play(poll(""), ["GET /job": [pending]], signals: { if case .pollScheduled = $0 { 130 } else { nil } })
    #expect(play.outcome == "cancelled cancelled")
    #expect(play.report.duration == .zero)
  }

  @Test("`delay` may be what the answer says, within `max_delay`")
  func delayExpression() async throws {
    let flow =
      api + """
        steps:
          - id: a
            get: /a
            retry: { attempts: 3, delay: "${{ duration(response.body.wait) }}", max_delay: 10s }
        """
    let play = try await Play(flow, ["GET /a": [.json(503, #"{"wait": "4s"}"#), .json(503, #"{"wait": "1h"}"#), .ok]])
    #expect(play.delays == [.seconds(4), .seconds(10)])
  }

  @Test("an `idempotency_key` is made once, and every attempt sends it")
  func idempotency() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: a, post: /a, idempotency_key: \"${{ uuid() }}\", retry: { attempts: 3, jitter: none } }",
      ["POST /a": [.lost, .text(503), .ok]])
    #expect(play.outcome == "passed")
    let keys = play.requests.map { request in request.headers.first { $0.name.canonicalName == "idempotency-key" }?.value }
    #expect(keys.count == 3 && Set(keys).count == 1)
    #expect(keys.first??.count == 36)
  }

  @Test("without its key nothing is sent", arguments: ["null", #""""#, "{}"])
  func noKey(key: String) async throws {
    let flow =
      api + """
        steps:
          - { id: a, get: /a }
          - { id: b, post: /b, idempotency_key: "${{ steps.a.response.body.key }}", retry: { attempts: 3 } }
        """
    let play = try await Play(flow, ["GET /a": [.json(200, #"{"key": \#(key)}"#)], "POST /b": [.lost]])
    #expect(play.outcome == "errored expr.failed")
    #expect(play.report.error?.detail == "the idempotency key is no text, or an empty one")
    #expect(play.routes == ["GET /a"])
  }

  @Test("`save` keeps the body of an answer that is right")
  func save() async throws {
    let flow = api + "steps:\n  - { id: a, get: /a, save: \"out/${{ run.id }}.txt\" }\n  - { id: b, get: /b }"
    let play = try await Play(flow, ["GET /a": [.text(200, "hello")]])
    #expect(play.outcome == "passed")
    #expect(play.files == ["out/7f3k-92mq.txt": "hello"])
    let wrong = try await Play(flow, ["GET /a": [.text(404, "hello")]])
    #expect(wrong.files.isEmpty)
    let full = try await Play(flow, ["GET /a": [.text(200, "hello")]], fullDisk: true)
    #expect(full.outcome == "errored config.file")
    #expect(full.statuses == ["a failed"])
  }

  @Test("a step's own modifiers see its request, without secrets")
  func request() async throws {
    let play = try await Play(
      "secrets: [pin]\n" + api + """
        steps:
          - id: a
            post: /a
            with: { json: { name: ada, pin: "${{ secrets.pin }}" } }
            outputs: { sent: "${{ request.method + ' ' + request.url + ' ' + request.body.name }}" }
        outputs: { sent: "${{ steps.a.outputs.sent }}" }
        """, secrets: ["pin": "4829"])
    #expect(play.output("sent") == #""POST /a ada""#)
  }

  @Test("`connections` shows the settings that are not secret")
  func connections() async throws {
    let play = try await Play(api + "steps:\n  - { id: a, get: /a }\noutputs: { url: \"${{ connections.api.base_url }}\" }")
    #expect(play.output("url") == #""https://api.test""#)
  }
}

extension Answer {
  fileprivate func with(_ body: String) -> Answer { .json(200, body) }
}
