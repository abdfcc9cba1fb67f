import FlowEvents
import SourceText
import StepKit
import Testing
import Values

@Suite("The order of one step")
struct StepOrderTests {
  @Test("a run is told from its start to its end, in order")
  func story() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
          - id: all
            group:
              - id: b
                uses: log
                with: { message: hello }
              - id: c
                post: /c
          - id: d
            if: steps.a.response.status == 404
            get: /d
        """)
    #expect(
      play.story == [
        "run", "+ a", "> a GET /a 200", "- a succeeded", "+ all", "  + b", "# b hello", "  - b succeeded", "  + c", "> c POST /c 200",
        "  - c succeeded", "- all succeeded", "+ d", "- d skipped", "end passed",
      ])
    #expect(play.report.exitCode == 0)
    #expect(play.report.requests == 2)
  }

  @Test("a condition that turns out to be no bool is an error, not false")
  func conditionOfAnotherType() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
          - if: steps.a.response.body.flag
            get: /b
        """, ["GET /a": [.json(200, #"{"flag": "yes"}"#)]])
    #expect(play.report.code == "expr.failed")
    #expect(play.report.error?.detail.contains("a condition is true or false, and this is string") == true)
    #expect(play.routes == ["GET /a"])
  }

  @Test("an output that is marked secret is hidden before anything can show it")
  func secretOutput() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            outputs: { key: { value: "${{ string(response.body.key) }}", secret: true } }
            expect: [ outputs.key == 'other' ]
        """, ["GET /a": [.json(200, #"{"key": "canary-9f31"}"#)]])
    #expect(play.hidden.contains("canary-9f31"))
    #expect(play.report.steps.first?.expectations.first?.actual == #""[secret]""#)
  }

  @Test("`with` is evaluated once, so that every attempt sends the same bytes")
  func withOnce() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            put: /a
            with: { json: { key: "${{ uuid() }}" } }
            retry: { attempts: 3 }
        """, ["PUT /a": [.text(503), .text(503), .ok]])
    #expect(play.requests.count == 3)
    #expect(Set(play.requests.map { $0.body ?? [] }).count == 1)
  }

  @Test("a value in a path is one segment of it, and never none", arguments: ["", ".", ".."])
  func emptySegment(_ id: String) async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /id
            outputs: { id: "${{ response.body.id }}" }
          - delete: /users/${{ steps.a.outputs.id }}
        """, ["GET /id": [.json(200, #"{"id": "\#(id)"}"#)]])
    #expect(play.requests.count == 1)
    #expect(play.report.code == "expr.failed")
  }

  @Test("outputs of a step and of the flow are read from what came back")
  func outputs() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            outputs: { n: "${{ response.body.n }}", token: { value: "${{ response.body.t }}", secret: true } }
          - id: all
            group:
              - id: inner
                get: /b
                outputs: { m: "${{ response.status }}" }
            outputs: { m: "${{ steps.inner.outputs.m }}" }
        outputs:
          sum: ${{ int(steps.a.outputs.n) + steps.all.outputs.m }}
          token: { value: "${{ steps.a.outputs.token }}", secret: true }
        """, ["GET /a": [.json(200, #"{"n": 41, "t": "hush"}"#)]])
    #expect(play.report.outputs["sum"] == 241)
    #expect(play.report.outputs["token"] == "[secret]")
  }

  @Test("an output that cannot be evaluated is a failed check, told beside the others")
  func missingOutput() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            outputs: { n: "${{ response.body.n }}" }
            expect: [ response.status == 201 ]
        outputs: { n: "${{ steps.a.outputs.n }}" }
        """)
    #expect(play.outcome == "failed assertion")
    #expect(play.step("a")?.expectations.map(\.expression) == ["outputs.n", "response.status == 201"])
    #expect(play.step("a")?.expectations.first?.problem.contains("n") == true)
    #expect(play.report.outputs.isEmpty)
  }

  @Test("input that only a run can know to be wrong is refused before anything is sent")
  func input() async throws {
    let play = try await Play(
      rapidsos + """
        inputs: { company: string }
        steps:
          - id: a
            uses: rapidsos/trigger-call-flow
            dedupe_key: k
            with:
              call_flow: kronos_contacts
              variables: "${{ {'company': inputs.company} }}"
        """, inputs: ["company": "x"], secrets: rapidsosSecrets)
    #expect(play.outcome == "failed schema.input")
    #expect(play.requests.isEmpty)
    #expect(play.report.error?.sent == "no")
  }

  @Test("an `if` that cannot be evaluated is an error that no branch takes")
  func brokenCondition() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
          - id: b
            if: steps.a.response.body.missing == 1
            get: /b
            on_error: [ { when: any, reason: test, then: continue } ]
        """)
    #expect(play.outcome == "errored expr.failed")
    #expect(play.routes == ["GET /a"])
    // It points at what has no value.
    let error = try #require(play.report.error)
    #expect(error.stepID == "b" && error.detail == "no field `missing`")
    #expect(error.place.file.text(of: error.place.span) == "steps.a.response.body.missing")
  }

  @Test("a thousand skipped steps are no deep recursion")
  func manySteps() async throws {
    let steps = String(repeating: "  - { if: inputs.go, wait: 1s }\n", count: 1000)
    let play = try await Play("inputs: { go: boolean }\nsteps:\n" + steps, inputs: ["go": false])
    #expect(play.outcome == "passed")
    #expect(play.report.steps.count == 1000)
  }

  @Test("`end` ends the flow from anywhere, `failed` with a code")
  func end() async throws {
    let flow = """
      inputs: { verdict: string }
      steps:
        - id: all
          group:
            - { id: good, if: "inputs.verdict == 'passed'", end: passed }
            - { id: bad, if: "inputs.verdict == 'failed'", end: failed }
        - { id: never, wait: 1s }
      outputs: { verdict: "${{ inputs.verdict }}" }
      """
    let passed = try await Play(flow, inputs: ["verdict": "passed"])
    #expect(passed.outcome == "passed")
    #expect(passed.statuses == ["good succeeded", "all succeeded"])
    #expect(passed.report.outputs["verdict"] == "passed")
    let failed = try await Play(flow, inputs: ["verdict": "failed"])
    #expect(failed.outcome == "failed user.ended")
    #expect(failed.report.outputs.isEmpty)
  }

  @Test("a prompt's answer goes on, and silence is `timeout.prompt` after ten minutes")
  func prompt() async throws {
    let flow = """
      steps:
        - id: pin
          uses: prompt
          with: { text: PIN }
      outputs: { pin: "${{ steps.pin.outputs.value }}" }
      """
    #expect(try await Play(flow, answers: ["4829"]).report.outputs["pin"] == "4829")
    let silent = try await Play(flow)
    #expect(silent.outcome == "errored timeout.prompt")
    #expect(silent.report.duration == .seconds(600))
  }
}

@Suite("What reports say of steps")
struct StepReportTests {
  @Test("steps come in the order in which they ended; a group holds what is inside it, and has no request of its own")
  func groups() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: all
            group:
              - { id: a, get: /a, retry: { attempts: 2, delay: 2s, jitter: none } }
              - id: deep
                group: [ { id: b, get: /b, on_error: [ { when: http.404, do: [ { id: c, get: /c } ], then: continue } ] } ]
          - { id: d, wait: 1s }
        """,
      ["GET /a": [.text(503).after(.seconds(1)), .ok.after(.seconds(1))], "GET /b": [.text(404)], "GET /c": [.ok.after(.seconds(3))]])
    #expect(play.statuses == ["a succeeded", "c succeeded", "b recovered", "deep succeeded", "all succeeded", "d succeeded"])
    #expect(play.report.steps.map(\.step.depth) == [1, 3, 2, 1, 0, 0])
    #expect(play.report.steps.map(\.requests) == [2, 1, 2, 2, 4, 0])
    #expect(play.report.steps.map(\.attempts) == [2, 1, 1, 1, 1, 0])
    #expect(play.report.steps.map(\.duration) == [.seconds(4), .seconds(3), .seconds(3), .seconds(3), .seconds(7), .seconds(1)])
    #expect(play.report.steps.map { $0.lastRequest?.stepID } == ["a", "c", "b", nil, nil, nil])
    #expect(play.report.requests == 4)
    #expect(play.report.duration == .seconds(8))
  }

  @Test("a secret input, and a secret in a log line, is in no event")
  func secrets() async throws {
    let play = try await Play(
      api + """
        inputs: { pin: { type: string, secret: true } }
        steps:
          - { id: a, post: /a, with: { json: { pin: "${{ inputs.pin }}" } } }
        """, inputs: ["pin": "canary-4829"])
    #expect(String(decoding: play.requests.first?.body ?? [], as: UTF8.self) == #"{"pin":"canary-4829"}"#)
    #expect(!"\(play.events)".contains("canary"))
  }
}
