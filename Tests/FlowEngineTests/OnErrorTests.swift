import FlowEvents
import StepKit
import Testing
import Values

@Suite("on_error")
struct OnErrorTests {
  @Test("the first branch whose `when` and `if` hold is taken, and no other")
  func firstMatch() async throws {
    let flow =
      api + """
        inputs: { loose: boolean }
        steps:
          - id: a
            get: /a
            on_error:
              - { when: [http.409, http.410], then: fail, code: user.gone }
              - { when: http.404, if: inputs.loose, then: continue }
              - { when: http.4xx, then: fail, code: user.refused, message: "no: ${{ error.code }} at ${{ error.step }}" }
          - { id: b, get: /b }
        """
    let loose = try await Play(flow, ["GET /a": [.text(404)]], inputs: ["loose": true])
    #expect(loose.outcome == "passed")
    #expect(loose.statuses == ["a recovered", "b succeeded"])
    #expect(loose.step("a")?.error?.code == "http.404")
    #expect(loose.report.hasRecoveredSteps)
    let strict = try await Play(flow, ["GET /a": [.text(404)]], inputs: ["loose": false])
    #expect(strict.outcome == "failed user.refused")
    #expect(strict.report.error?.title == "no: http.404 at a")
    #expect(strict.report.error?.causes.first?.code == "http.404")
    #expect(strict.routes == ["GET /a"])
    let other = try await Play(flow, ["GET /a": [.text(503)]], inputs: ["loose": true])
    #expect(other.outcome == "errored http.503")
    #expect(!other.story.contains { $0.hasPrefix("?") })
  }

  @Test("`continue` supplies the outputs that a failed step lacks; `do` runs before, and sees `error`")
  func continues() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            outputs: { n: "${{ int(response.body.n) }}" }
            on_error:
              - when: http.404
                do:
                  - { id: note, uses: log, with: { message: "${{ error.code }}, sent ${{ error.sent }}, line ${{ error.line }}" } }
                then: continue
                outputs: { n: "${{ error.http != null ? error.http.status : 0 }}" }
        outputs: { n: "${{ steps.a.outputs.n }}" }
        """, ["GET /a": [.text(404)]])
    #expect(play.report.outputs["n"] == 404)
    #expect(
      play.story == [
        "run", "+ a", "> a GET /a 404", "? a http.404 continue", "  + note", "# note http.404, sent yes, line 3", "  - note succeeded",
        "- a recovered", "end passed",
      ])
  }

  @Test("`fail` without a code keeps the error, told in other words")
  func failKeeps() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: a, get: /a, on_error: [ { when: http.404, message: there is no such caller } ] }", ["GET /a": [.text(404)]])
    #expect(play.outcome == "failed http.404")
    #expect(play.report.error?.detail == "there is no such caller")
    #expect(play.report.error?.status == 404)
  }

  @Test("`end` ends the flow, passed or failed")
  func ends() async throws {
    let flow = { (ending: String) in
      api
        + "steps:\n  - { id: a, get: /a, on_error: [ { when: http.404, then: end, \(ending) } ] }\n  - { id: b, get: /b }\noutputs: { x: 1 }"
    }
    let passed = try await Play(flow("verdict: passed"), ["GET /a": [.text(404)]])
    #expect(passed.outcome == "passed")
    #expect(passed.report.outputs["x"] == 1)
    #expect(passed.statuses == ["a recovered"])
    let failed = try await Play(flow("verdict: failed, code: user.no_caller"), ["GET /a": [.text(404)]])
    #expect(failed.outcome == "failed user.no_caller")
    #expect(failed.report.error?.causes.first?.code == "http.404")
    #expect(failed.report.outputs.isEmpty)
  }

  @Test("`retry` runs the step again, everything evaluated anew, and once it is used up the next branch is tried")
  func retryStep() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            put: /a
            with: { json: { key: "${{ uuid() }}" } }
            on_error:
              - { when: http.409, then: retry, max: 2 }
              - { when: http.409, then: fail, code: user.taken }
        """, ["PUT /a": [.text(409)]])
    #expect(play.outcome == "failed user.taken")
    #expect(Set(play.requests.map { $0.body ?? [] }).count == 3)
    #expect(play.story.filter { $0.hasPrefix("+") || $0.hasPrefix("-") } == ["+ a", "- a failed"])
    #expect(play.step("a")?.attempts == 3)
    #expect(play.step("a")?.requests == 3)
    #expect(play.report.error?.attempt == 3)
  }

  @Test("each branch counts for itself")
  func counters() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            on_error:
              - { when: http.409, then: retry, max: 1 }
              - { when: http.404, then: retry, max: 1 }
        """, ["GET /a": [.text(409), .text(404), .text(409)]])
    #expect(play.outcome == "failed http.409")
    #expect(play.routes.count == 3)
  }

  @Test("a group runs again with fresh values and fresh counters")
  func retryGroup() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: all
            group:
              - id: first
                get: /first
                outputs: { n: "${{ response.body.n }}" }
                on_error: [ { when: http.409, then: retry, max: 1 } ]
              - { id: second, get: "/second/${{ steps.first.outputs.n }}" }
            on_error:
              - { when: http.404, then: retry, max: 1 }
        """,
      [
        "GET /first": [.text(409), .json(200, #"{"n": 1}"#), .text(409), .json(200, #"{"n": 2}"#)], "GET /second/1": [.text(404)],
      ])
    #expect(play.outcome == "passed")
    #expect(play.routes == ["GET /first", "GET /first", "GET /second/1", "GET /first", "GET /first", "GET /second/2"])
    #expect(play.statuses == ["first succeeded", "second failed", "first succeeded", "second succeeded", "all succeeded"])
    let group = try #require(play.step("all"))
    #expect(group.attempts == 2)
    #expect(group.requests == 6)
  }

  @Test(
    "a group is not run again where an unsafe request in it may have left",
    arguments: [(Answer.lost, 1), (.refused, 2), (.text(503), 2), (.silence, 1)])
  func retryUnsafeGroup(answer: Answer, runs: Int) async throws {
    let play = try await Play(
      api + """
        steps:
          - id: all
            group:
              - { id: a, post: /a }
            on_error:
              - { when: [network, timeout, http.5xx], then: retry, max: 1 }
        """, ["POST /a": [answer, .ok]])
    #expect(play.routes.count == runs)
  }

  @Test("a group is not run again where what was saved in it may have left")
  func retryRecoveredGroup() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: all
            group:
              - { id: a, post: /a, on_error: [ { when: network, then: continue } ] }
              - { id: b, get: /b }
            on_error:
              - { when: http.404, then: retry, max: 1 }
        """, ["POST /a": [.lost], "GET /b": [.text(404), .ok]])
    #expect(play.routes == ["POST /a", "GET /b"])
    #expect(play.outcome == "failed http.404")
  }

  @Test("an unsafe step is not run again by a branch either, unless the provider refused it")
  func retryUnsafeStep() async throws {
    let flow = api + "steps:\n  - { id: a, post: /a, on_error: [ { when: [network.connect, http.429], then: retry, max: 3 } ] }"
    #expect(try await Play(flow, ["POST /a": [.text(429), .refused, .ok]]).outcome == "passed")
    #expect(try await Play(flow, ["POST /a": [.fail(.connect, .maybe), .ok]]).routes.count == 1)
  }

  @Test("an error in `do` becomes the step's, with the original as its cause, and no other branch is tried")
  func errorInDo() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            on_error:
              - when: http.404
                do: [ { id: mend, get: /mend } ]
                then: continue
              - { when: http.5xx, then: continue }
        """, ["GET /a": [.text(404)], "GET /mend": [.text(503)]])
    #expect(play.outcome == "errored http.503")
    #expect(play.statuses == ["mend failed", "a failed"])
    let error = try #require(play.report.error)
    #expect(error.stepID == "mend")
    #expect(error.causes.first?.code == "http.404")
    #expect(error.causes.first?.stepID == "a")
    #expect(play.step("a")?.requests == 2)
    #expect(play.step("a")?.lastRequest?.url == "https://api.test/a")
  }

  @Test("branches inside `do` see their own error, and the outer one again behind it")
  func nestedErrors() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            on_error:
              - when: http.404
                do:
                  - id: inner
                    get: /b
                    on_error:
                      - when: http.409
                        do: [ { id: one, uses: log, with: { message: "${{ error.code }}" } } ]
                        then: continue
                  - { id: two, uses: log, with: { message: "${{ error.code }}" } }
                then: continue
        """, ["GET /a": [.text(404)], "GET /b": [.text(409)]])
    #expect(play.story.filter { $0.hasPrefix("#") } == ["# one http.409", "# two http.404"])
    #expect(play.statuses == ["one succeeded", "inner recovered", "two succeeded", "a recovered"])
  }

  @Test("`end` in a `do` ends the flow")
  func endInDo() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            on_error: [ { when: http.404, do: [ { id: stop, end: passed } ], then: fail } ]
          - { id: b, get: /b }
        """, ["GET /a": [.text(404)]])
    #expect(play.outcome == "passed")
    #expect(play.routes == ["GET /a"])
  }

  @Test("an error that passes through groups keeps the step that raised it, and the nearest branch takes it")
  func throughGroups() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: outer
            group:
              - id: inner
                group: [ { id: a, get: /a } ]
                on_error: [ { when: http.409, then: continue } ]
              - { id: b, get: /b }
            on_error: [ { when: http.404, then: continue } ]
        """, ["GET /a": [.text(404)]])
    #expect(play.statuses == ["a failed", "inner failed", "outer recovered"])
    #expect(play.step("outer")?.error?.stepID == "a")
    #expect(play.step("outer")?.requests == 1)
  }

  @Test("what no branch may take goes past `any`")
  func uncatchable() async throws {
    let branch = "on_error: [ { when: any, reason: test, then: continue } ]"
    let expression = try await Play(
      api + "steps:\n  - { id: a, get: /a }\n  - { id: b, get: \"/b/${{ steps.a.response.body.gone }}\", \(branch) }")
    #expect(expression.outcome == "errored expr.failed")
    let budget = try await Play(api + "budget: { requests: 1 }\nsteps:\n  - { id: a, get: /a }\n  - { id: b, get: /b, \(branch) }")
    #expect(budget.outcome == "errored budget.requests")
    #expect(budget.routes == ["GET /a"])
    let config = try await Play(
      "inputs: { url: string }\nsteps:\n  - { id: a, get: \"${{ inputs.url }}\", \(branch) }", inputs: ["url": "ftp://x"])
    #expect(config.outcome == "errored config.url")
    let condition = try await Play(
      api
        + "steps:\n  - { id: a, get: /a, on_error: [ { when: http.404, if: error.http != null && error.http.body.gone, then: continue } ] }",
      ["GET /a": [.text(404)]])
    #expect(condition.outcome == "errored expr.failed")
    #expect(condition.report.error?.causes.first?.code == "http.404")
  }
}
