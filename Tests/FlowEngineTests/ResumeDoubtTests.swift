import FlowEngine
import FlowEvents
import StepKit
import Testing
import Values

/// Each was found by the simulation.
@Suite("A doubt, over all processes of a run")
struct ResumeDoubtTests {
  @Test("what somebody says was delivered is not sent again where the run had ended by itself", arguments: ["once", "unsafe"])
  func deliveredAfterTheEnd(effect: String) async throws {
    let play = try KilledPlay(
      api + "steps:\n  - { id: charge, post: /charges, effect: \(effect) }\n  - { id: tell, get: /told }\n", ["POST /charges": [.lost]])
    #expect(await play.run()?.verdict == (effect == "once" ? .indeterminate : .errored))
    play.settle("charge", delivered: true)
    #expect(await play.run(isResumed: true)?.verdict == .passed)
    #expect(play.routes == ["POST /charges", "GET /told"])
  }

  @Test("what must happen once in `finally` is not sent again, nor its doubt dropped")
  func inFinally() async throws {
    let flow =
      api + "steps:\n  - { id: ask, get: /asked }\nfinally:\n  - { id: fire, post: /fired, effect: once }\n  - { id: tidy, get: /tidied }\n"
    let lost = try KilledPlay(flow, ["POST /fired": [.lost]])
    #expect(await lost.run()?.verdict == .indeterminate)
    #expect(lost.history.doubts.map(\.path) == ["fire"])
    lost.settle("fire", delivered: true)
    #expect(await lost.run(isResumed: true)?.verdict == .passed)
    #expect(lost.routes == ["GET /asked", "POST /fired", "GET /tidied", "GET /tidied"])
    let failed = try KilledPlay(flow, ["GET /asked": [.json(503), .ok]])
    #expect(await failed.run()?.verdict == .errored)
    #expect(await failed.run(isResumed: true)?.verdict == .passed)
    #expect(failed.routes == ["GET /asked", "POST /fired", "GET /tidied", "GET /asked", "GET /tidied"])
  }

  @Test("a branch of a group that answered a doubt has nothing to answer once it is settled")
  func settledBehindABranch() async throws {
    let play = try KilledPlay(
      api + """
        steps:
          - id: all
            group: [ { id: charge, post: /charges, effect: once } ]
            on_error: [ { when: indeterminate, do: [ { id: warn, get: /warned } ], then: fail } ]
          - { id: tell, get: /told }
        """, ["POST /charges": [.lost]])
    // Both have begun, `charge` has ended, the branch and `warn` have begun.
    #expect(await play.run(killedAfter: 5) == nil)
    #expect(play.written.map { "\($0.kind) \($0.path)" }.suffix(2) == ["checkpoint all", "started warn"])
    play.settle("charge", delivered: true)
    let report = try #require(await play.run(isResumed: true))
    #expect(report.verdict == .passed)
    #expect(play.routes.last == "GET /told")
  }

  @Test("an item that had begun is met again where another has failed since: it may have something to undo, or a doubt")
  func besideAFailure() async throws {
    let flow =
      api + """
        steps:
          - id: all
            for_each: { in: [a, b], as: item, key: item, concurrency: 2 }
            steps:
              - { id: make, post: "/made/${{ item }}", undo: [ { id: unmake, delete: "/made/${{ item }}" } ] }
        """
    // `a` fails behind `b`, and the process dies before anything is undone.
    let play = try KilledPlay(flow, ["POST /made/a": [.json(404).after(.seconds(2))], "POST /made/b": [.ok.after(.seconds(1))]])
    let whole = try KilledPlay(flow, ["POST /made/a": [.json(404).after(.seconds(2))], "POST /made/b": [.ok.after(.seconds(1))]])
    #expect(await whole.run()?.verdict == .failed)
    let count = try #require(whole.written.firstIndex { $0.path == "make[a]" && $0.kind == .ended })
    #expect(await play.run(killedAfter: count + 1) == nil)
    #expect(await play.run(isResumed: true)?.verdict == .failed)
    #expect(play.routes.filter { $0 == "DELETE /made/b" }.count == 1)

    let doubt = try KilledPlay(flow, ["POST /made/a": [.json(404).after(.seconds(1))], "POST /made/b": [.silence]])
    let ended = try #require(whole.written.firstIndex { $0.path == "make[b]" && $0.kind == .ended })
    #expect(await doubt.run(killedAfter: ended + 1) == nil)
    #expect(await doubt.run(isResumed: true)?.verdict == .indeterminate)
    #expect(doubt.routes.filter { $0 == "POST /made/b" }.count == 1)
  }

  @Test("what a look-up found to have happened is undone by a later process as well")
  func foundAndUndone() async throws {
    let play = try KilledPlay(
      api + """
        steps:
          - id: pay
            post: /pay
            effect: once
            reconcile: { steps: [ { id: look, get: /pays } ], delivered: steps.look.response.body.there }
            undo: [ { id: refund, post: /refund } ]
          - { id: check, get: /check }
        """, ["POST /pay": [.lost], "GET /pays": [.json(200, #"{"there": true}"#)], "GET /check": [.json(404)]])
    // `pay` and `look` have begun and ended.
    #expect(await play.run(killedAfter: 4) == nil)
    #expect(await play.run(isResumed: true)?.verdict == .failed)
    #expect(play.routes == ["POST /pay", "GET /pays", "GET /check", "POST /refund"])
  }

  @Test("a look-up is made anew: what it found before may be of an earlier attempt")
  func lookedUpAgain() async throws {
    let play = try KilledPlay(
      api + """
        steps:
          - id: pay
            post: /pay
            effect: once
            retry: { attempts: 3 }
            reconcile: { steps: [ { id: look, get: /pays } ], delivered: steps.look.response.body.there }
        """,
      ["POST /pay": [.lost, .ok], "GET /pays": [.json(200, #"{"there": false}"#), .json(200, #"{"there": true}"#)]])
    // `pay` and `look` have begun, and `look` has ended.
    #expect(await play.run(killedAfter: 3) == nil)
    let before = play.routes
    #expect(await play.run(isResumed: true)?.verdict == .passed)
    #expect(play.routes == before + ["GET /pays"])
  }

  @Test("what a later look-up found is known from then on")
  func foundLater() async throws {
    let play = try KilledPlay(
      api + """
        steps:
          - id: pay
            post: /pay
            effect: once
            reconcile: { steps: [ { id: look, get: /pays } ], delivered: steps.look.response.body.there }
        """, ["POST /pay": [.lost], "GET /pays": [.json(503), .json(200, #"{"there": true}"#), .json(503)]])
    #expect(await play.run()?.verdict == .indeterminate)
    #expect(await play.run(isResumed: true)?.verdict == .passed)
    #expect(await play.run(isResumed: true)?.verdict == .passed)
    #expect(play.routes == ["POST /pay", "GET /pays", "GET /pays"])
  }

  @Test("what was answered is not told as not sent because something behind it failed")
  func failedBehindAnAnswer() async throws {
    let full = try await Play(api + "steps:\n  - { id: make, post: /made, save: out.json }\n", fullDisk: true)
    #expect(full.report.error?.code == "config.file")
    #expect(full.report.error?.sent == "yes")
    let branch = try KilledPlay(
      api + "steps:\n  - { id: make, post: /made, on_error: [ { when: http.500, do: [ { id: tell, get: /told } ], then: continue } ] }\n",
      ["POST /made": [.json(500)], "GET /told": [.refused, .ok]])
    #expect(await branch.run()?.verdict == .errored)
    _ = await branch.run(isResumed: true)
    #expect(branch.routes.filter { $0 == "POST /made" }.count == 1)
  }
}
