import FlowEvents
import Testing
import Values

@Suite("switch, parallel and set")
struct BodyTests {
  @Test("`switch` runs the first case that holds, and gives its outputs", arguments: [(1, "one"), (2, "two"), (3, "else")])
  func cases(n: Int, name: String) async throws {
    let play = try await Play(
      """
      inputs: { n: integer }
      steps:
        - id: pick
          switch:
            - { if: inputs.n == 1, steps: [ { id: one, uses: log, with: { message: one } } ], outputs: { name: one } }
            - { if: inputs.n <= 2, steps: [ { id: two, uses: log, with: { message: two } } ], outputs: { name: two } }
            - { else: [ { id: three, uses: log, with: { message: else } } ], outputs: { name: else } }
      outputs: { name: "${{ steps.pick.outputs.name }}" }
      """, inputs: ["n": .int(Int64(n))])
    #expect(play.outcome == "passed")
    #expect(play.report.outputs["name"] == .string(name))
    #expect(play.report.steps.count == 2)
  }

  private let branches = """
    connections: { api: { system: http, base_url: https://api.test } }
    steps:
      - id: both
        parallel:
          on_branch_error: MODE
          branches:
            left:
              steps: [ { id: a, get: /a, outputs: { n: "${{ response.status }}" } }, { id: b, get: /b } ]
              outputs: { n: "${{ steps.a.outputs.n }}" }
            right: [ { id: c, get: /c }, { id: d, get: /d } ]
    outputs: { n: "${{ steps.both.outputs.left.n }}" }
    """

  @Test("a branch whose last step was in flight when another failed has succeeded")
  func lastInFlight() async throws {
    let play = try await Play(
      """
      connections: { api: { system: http, base_url: https://api.test } }
      steps:
        - id: both
          parallel:
            branches:
              left: [ { id: a, get: /a } ]
              right: { steps: [ { id: b, get: /b } ], outputs: { n: "${{ steps.b.response.status }}" } }
          on_error: [ { when: http.404, then: continue } ]
      outputs: { n: "${{ default(steps.both.outputs.right.n, 0) }}" }
      """, ["GET /a": [.text(404)], "GET /b": [.ok.after(.seconds(2))]])
    #expect(play.outcome == "passed")
    #expect(play.output("n") == "200")
  }

  @Test("branches run beside each other, and give their outputs by name")
  func parallel() async throws {
    let play = try await Play(
      branches.replacing("MODE", with: "stop"),
      ["GET /a": [.ok.after(.seconds(3))], "GET /c": [.ok.after(.seconds(2))], "GET /d": [.ok.after(.seconds(2))]])
    #expect(play.output("n") == "200")
    #expect(play.report.duration == .seconds(4))
  }

  @Test("`stop` starts no further step; `finish` ends every branch")
  func errors() async throws {
    let script: [String: [Answer]] = ["GET /a": [.text(404)], "GET /c": [.ok.after(.seconds(2))]]
    let stopped = try await Play(branches.replacing("MODE", with: "stop"), script)
    #expect(stopped.outcome == "failed http.404")
    #expect(stopped.statuses == ["a failed", "c succeeded", "both failed"])
    let finished = try await Play(branches.replacing("MODE", with: "finish"), script)
    #expect(finished.outcome == "failed parallel.failed")
    #expect(finished.statuses == ["a failed", "c succeeded", "d succeeded", "both failed"])
    #expect(finished.report.error?.problems.map(\.field) == ["left"])
  }

  @Test("`set` lasts to the end of the flow")
  func vars() async throws {
    let play = try await Play(
      """
      steps:
        - set: { a: 1, b: x }
        - set: { a: "${{ vars.a + 1 }}" }
      outputs: { a: "${{ vars.a }}", b: "${{ vars.b }}" }
      """)
    #expect(play.output("a") == "2")
    #expect(play.output("b") == #""x""#)
  }

  private let counting = """
    state: { n: { type: integer, default: 0 }, other: { type: string, default: kept } }
    steps:
      - id: count
        set: { state.n: "${{ state.n + 1 }}" }
      - id: again
        set: { state.n: "${{ state.n + 1 }}" }
    outputs: { n: "${{ state.n }}" }
    """

  @Test("state is committed when its step ends, the whole of it")
  func state() async throws {
    let earlier: Value = ["n": 4, "other": "kept"]
    let play = try await Play(counting, state: earlier.mapValue)
    #expect(play.output("n") == "6")
    #expect(play.states.map { $0["n"] } == [5, 6])
    #expect(play.states.allSatisfy { $0["other"] == "kept" })
  }

  @Test("state that cannot be committed fails its step, and nobody may catch it")
  func uncommitted() async throws {
    let play = try await Play(counting, fullDisk: true)
    #expect(play.outcome == "errored config.state")
    #expect(play.statuses == ["count failed"])
  }
}
