import FlowEvents
import Testing
import Values

@Suite("finally and signals")
struct FinallyTests {
  private let tail = """

    finally:
      - { id: tell, uses: log, with: { message: "${{ run.verdict }} ${{ default(run.code, 'none') }}" } }
      - { id: clean, delete: /clean }
      - { id: last, get: /last }
    """

  private func told(_ play: Play) -> String? { play.story.first { $0.hasPrefix("# tell") } }

  @Test("runs after success and after failure, and sees what the run came to")
  func runs() async throws {
    let flow = api + "steps:\n  - { id: a, get: /a }" + tail
    let passed = try await Play(flow)
    #expect(passed.outcome == "passed")
    #expect(told(passed) == "# tell passed none")
    #expect(passed.routes == ["GET /a", "DELETE /clean", "GET /last"])
    let failed = try await Play(flow, ["GET /a": [.text(404)]])
    #expect(failed.outcome == "failed http.404")
    #expect(told(failed) == "# tell failed http.404")
    #expect(failed.routes == ["GET /a", "DELETE /clean", "GET /last"])
  }

  @Test("each of its steps stands on its own, and its errors never replace the first one")
  func failing() async throws {
    let flow = api + "steps:\n  - { id: a, get: /a }" + tail
    let play = try await Play(flow, ["GET /a": [.text(404)], "DELETE /clean": [.text(503)], "GET /last": [.text(409)]])
    #expect(play.outcome == "failed http.404")
    #expect(play.statuses == ["a failed", "tell succeeded", "clean failed", "last failed"])
  }

  @Test("an error in it is the run's where there was none before")
  func onlyFailing() async throws {
    let flow = api + "steps:\n  - { id: a, get: /a }\noutputs: { x: 1 }" + tail
    let play = try await Play(flow, ["DELETE /clean": [.text(503)], "GET /last": [.text(409)]])
    #expect(play.outcome == "errored http.503")
    #expect(play.report.outputs.isEmpty)
    #expect(play.statuses == ["a succeeded", "tell succeeded", "clean failed", "last failed"])
  }

  // MARK: - signals

  @Test("a signal before the first step", arguments: [130, 143])
  func cancelBefore(code: Int) async throws {
    let play = try await Play(api + "steps:\n  - { id: a, get: /a }" + tail, signalBefore: code)
    #expect(play.outcome == "cancelled cancelled")
    #expect(play.report.exitCode == code)
    #expect(play.routes == ["DELETE /clean", "GET /last"])
    #expect(told(play) == "# tell cancelled cancelled")
  }

  @Test("a signal in an attempt stops it, and no branch takes that", arguments: [130, 143])
  func cancelInAttempt(code: Int) async throws {
    let flow =
      api
        + """
        steps:
          - id: all
            group: [ { id: a, get: /a, retry: { attempts: 3 }, on_error: [ { when: any, reason: test, then: continue } ] } ]
            on_error: [ { when: any, reason: test, then: continue } ]
          - { id: b, get: /b }
        """ + tail
    let play = try await Play(flow, ["GET /a": [.silence.raising(code)]])
    #expect(play.outcome == "cancelled cancelled")
    #expect(play.report.exitCode == code)
    #expect(play.statuses == ["a cancelled", "all cancelled", "tell succeeded", "clean succeeded", "last succeeded"])
    #expect(play.step("a")?.error?.sent == "maybe")
    #expect(play.report.duration == .zero)
  }

  @Test("a signal in an attempt that fails or succeeds all the same leaves its step what it is, and the run cancelled")
  func cancelInFinishedAttempt() async throws {
    let flow = api + "steps:\n  - { id: a, get: /a, retry: { attempts: 3 } }\n  - { id: b, get: /b }" + tail
    for (answer, status) in [(Answer.text(503), "failed"), (.ok, "succeeded")] {
      let play = try await Play(flow, ["GET /a": [answer.raising(130).stubborn]])
      #expect(play.outcome == "cancelled cancelled")
      #expect(play.statuses.first == "a \(status)")
      #expect(play.routes == ["GET /a", "DELETE /clean", "GET /last"])
    }
  }

  @Test("a signal in a pause or a wait ends it at once")
  func cancelInPause() async throws {
    let pause = try await Play(
      api + "steps:\n  - { id: a, get: /a, retry: { attempts: 3, delay: 10s, jitter: none } }" + tail, ["GET /a": [.text(503)]],
      signals: { if case .retryScheduled = $0 { 130 } else { nil } })
    #expect(pause.outcome == "cancelled cancelled")
    #expect(pause.report.duration == .zero)
    #expect(pause.step("a")?.error?.causes.first?.code == "http.503")
    let wait = try await Play(
      api + "steps:\n  - { id: a, wait: 1m }\n  - { id: b, wait: 1m }" + tail, signals: { $0.line == "+ a" ? 143 : nil })
    #expect(wait.report.exitCode == 143)
    #expect(wait.report.duration == .zero)
    #expect(wait.statuses.first == "a cancelled")
  }

  @Test("a signal in a branch stops it")
  func cancelInBranch() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            on_error: [ { when: http.404, do: [ { id: b, get: /b }, { id: c, get: /c } ], then: continue } ]
        """ + tail, ["GET /a": [.text(404)], "GET /b": [.silence.raising(130)]])
    #expect(play.outcome == "cancelled cancelled")
    #expect(play.statuses == ["b cancelled", "a cancelled", "tell succeeded", "clean succeeded", "last succeeded"])
  }

  @Test("after a signal `finally` has 30 s in all")
  func grace() async throws {
    let play = try await Play(
      api + "defaults: { attempt_timeout: 5m }\nsteps:\n  - { id: a, get: /a }" + tail,
      ["GET /a": [.silence.raising(130)], "DELETE /clean": [.silence]])
    #expect(play.outcome == "cancelled cancelled")
    #expect(play.report.duration == .seconds(30))
    #expect(play.statuses == ["a cancelled", "tell succeeded", "clean cancelled"])
    #expect(play.routes == ["GET /a", "DELETE /clean"])
  }

  @Test("a signal in `finally` lets it end, and cancels what had passed")
  func cancelInFinally() async throws {
    let flow = api + "steps:\n  - { id: a, get: /a }\noutputs: { x: 1 }" + tail
    let passed = try await Play(flow, ["DELETE /clean": [.ok.raising(143)]])
    #expect(passed.outcome == "cancelled cancelled")
    #expect(passed.report.exitCode == 143)
    #expect(passed.report.outputs.isEmpty)
    #expect(passed.statuses == ["a succeeded", "tell succeeded", "clean succeeded", "last succeeded"])
    let failed = try await Play(flow, ["GET /a": [.text(404)], "DELETE /clean": [.ok.raising(130)]])
    #expect(failed.outcome == "cancelled cancelled")
    #expect(failed.report.error?.causes.first?.code == "http.404")
  }

  @Test("a second signal ends `finally` at once")
  func secondSignal() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: a, get: /a }" + tail, ["GET /a": [.silence.raising(130)], "DELETE /clean": [.silence.raising(130)]])
    #expect(play.statuses == ["a cancelled", "tell succeeded", "clean cancelled"])
    #expect(play.report.duration == .zero)
    #expect(play.report.exitCode == 130)
  }

  @Test("a task that is cancelled is a run that is cancelled: it still ends, with its `finally`")
  func cancelledTask() async throws {
    let flow = api + "steps:\n  - { id: a, get: /a }" + tail
    let task = Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return try await Play(flow)
    }
    let play = try await task.value
    #expect(play.outcome == "cancelled cancelled")
    #expect(play.routes.suffix(2) == ["DELETE /clean", "GET /last"])
  }
}
