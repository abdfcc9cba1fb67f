import FlowEvents
import Testing
import Values

@Suite("timeout")
struct TimeoutTests {
  @Test("`attempt_timeout` bounds one request, `timeout` the step with its attempts and pauses")
  func stepTimeout() async throws {
    let attempt = try await Play(api + "steps:\n  - { id: a, get: /a, attempt_timeout: 2s }", ["GET /a": [.silence]])
    #expect(attempt.outcome == "errored timeout.attempt")
    #expect(attempt.report.duration == .seconds(2))
    let step = try await Play(
      api + "steps:\n  - { id: a, get: /a, timeout: 5s, attempt_timeout: 2s, retry: { attempts: 9, delay: 1s, factor: 1, jitter: none } }",
      ["GET /a": [.silence]])
    #expect(step.outcome == "errored timeout.step")
    #expect(step.report.duration == .seconds(5))
    #expect(step.routes.count == 2)
    #expect(step.report.error?.sent == "maybe")
  }

  @Test("a timeout in a pause tells what the attempt before it came to")
  func inPause() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: a, get: /a, timeout: 5s, retry: { attempts: 2, delay: 10s, jitter: none } }", ["GET /a": [.text(503)]])
    #expect(play.outcome == "errored timeout.step")
    #expect(play.report.duration == .seconds(5))
    let error = try #require(play.report.error)
    #expect(error.sent == "yes")
    #expect([error.causes.first?.code, error.causes.first?.causes.first?.code] == ["http.503", nil])
  }

  @Test("a branch takes `timeout.step`, and is not bound by it")
  func branch() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            timeout: 2s
            on_error:
              - when: timeout.step
                do: [ { id: b, get: /b } ]
                then: continue
          - { id: c, get: /c }
        """, ["GET /a": [.silence], "GET /b": [.ok.after(.seconds(20))]])
    #expect(play.outcome == "passed")
    #expect(play.statuses == ["b succeeded", "a recovered", "c succeeded"])
    #expect(play.report.duration == .seconds(22))
  }

  @Test("a step that runs again after its timeout has all of it again")
  func retryBranch() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: a, get: /a, timeout: 2s, on_error: [ { when: timeout.step, then: retry, max: 2 } ] }",
      ["GET /a": [.silence, .silence, .ok.after(.milliseconds(1500))]])
    #expect(play.outcome == "passed")
    #expect(play.report.duration == .milliseconds(5500))
  }

  @Test("a group's timeout stops what runs inside, at any depth, and starts nothing more")
  func group() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: all
            timeout: 5s
            group:
              - { id: a, get: /a }
              - id: deep
                group: [ { id: b, get: /b }, { id: c, get: /c } ]
                on_error: [ { when: any, reason: test, then: continue } ]
              - { id: d, get: /d }
            on_error: [ { when: timeout.step, then: continue } ]
        """, ["GET /a": [.ok.after(.seconds(3))], "GET /b": [.silence]])
    #expect(play.outcome == "passed")
    #expect(play.statuses == ["a succeeded", "b cancelled", "deep cancelled", "all recovered"])
    #expect(play.routes == ["GET /a", "GET /b"])
    #expect(play.step("all")?.error?.sent == "maybe")
    #expect(play.report.duration == .seconds(5))
  }

  @Test("a group's timeout ends pauses and waits inside it, and branches of the steps inside it")
  func groupInnards() async throws {
    let group = { (inner: String) in
      api + "steps:\n  - id: all\n    timeout: 5s\n    group:\n" + inner.indented(by: 6)
        + "\n    on_error: [ { when: timeout.step, then: continue } ]"
    }
    let wait = try await Play(group("- { id: a, wait: 1m }"))
    #expect(wait.statuses == ["a cancelled", "all recovered"])
    let pause = try await Play(group("- { id: a, get: /a, retry: { attempts: 2, delay: 10s, jitter: none } }"), ["GET /a": [.text(503)]])
    #expect(pause.statuses == ["a cancelled", "all recovered"])
    let branch = try await Play(
      group("- { id: a, get: /a, on_error: [ { when: http.404, do: [ { id: b, get: /b }, { id: c, get: /c } ], then: continue } ] }"),
      ["GET /a": [.text(404)], "GET /b": [.silence]])
    #expect(branch.statuses == ["b cancelled", "a cancelled", "all recovered"])
    #expect(branch.report.duration == .seconds(5))
  }

  @Test("a timeout does not make catchable what is not")
  func uncatchable() async throws {
    let play = try await Play(
      api + """
        budget: { requests: 1 }
        steps:
          - id: all
            timeout: 5s
            group:
              - { id: a, get: /a }
              - { id: b, get: /b }
            on_error: [ { when: timeout.step, then: continue } ]
        """, ["GET /a": [.ok.after(.seconds(4))]])
    #expect(play.outcome == "errored budget.requests")
  }

  @Test("a `wait` that is longer than its group's timeout ends there, one that is not goes on")
  func wait() async throws {
    #expect(try await Play("steps:\n  - { id: a, wait: 3s }").report.duration == .seconds(3))
    let play = try await Play("steps:\n  - { id: all, timeout: 2s, group: [ { id: a, wait: 3s } ] }")
    #expect(play.outcome == "errored timeout.step")
    #expect(play.report.duration == .seconds(2))
  }

  // MARK: - budget

  @Test("`budget.time` stops the steps, and `finally` has its grace")
  func budgetTime() async throws {
    let play = try await Play(
      api + """
        budget: { time: 5s }
        steps:
          - { id: a, get: /a, on_error: [ { when: any, reason: test, then: continue } ] }
          - { id: b, get: /b }
        finally:
          - { id: c, get: /c }
        """, ["GET /a": [.silence], "GET /c": [.ok.after(.seconds(10))]])
    #expect(play.outcome == "errored budget.time")
    #expect(play.report.exitCode == 3)
    #expect(play.statuses == ["a cancelled", "c succeeded"])
    #expect(play.report.duration == .seconds(15))
    #expect(play.report.error?.stepID == "")
  }

  @Test("`budget.time` is for the steps: what it left of itself does not bind `finally`")
  func budgetTimeAndFinally() async throws {
    let play = try await Play(
      api + "budget: { time: 5s }\nsteps:\n  - { id: a, get: /a }\nfinally:\n  - { id: c, get: /c }",
      ["GET /a": [.ok.after(.seconds(4))], "GET /c": [.ok.after(.seconds(10))]])
    #expect(play.outcome == "passed")
    #expect(play.report.duration == .seconds(14))
  }

  @Test("`budget.requests` counts attempts and redirects alike")
  func budgetRequests() async throws {
    let play = try await Play(
      api + "budget: { requests: 4 }\nsteps:\n  - { id: a, get: /a, with: { follow: true }, retry: { attempts: 9, jitter: none } }",
      ["GET /a": [.text(302, headers: ["Location": "/b"])], "GET /b": [.text(503)]])
    #expect(play.outcome == "errored budget.requests")
    #expect(play.requests.count == 4)
    #expect(play.report.requests == 4)
  }
}
