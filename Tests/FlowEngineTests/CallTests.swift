import FlowEvents
import HTTPTypes
import SourceText
import StepKit
import Testing
import Values

@Suite("call")
struct CallTests {
  private let callee = """
    inputs: { name: { type: string, minLength: 2 } }
    secrets: [pin]
    connections: { api: { system: http, base_url: https://other.test } }
    steps:
      - { id: make, post: "/${{ inputs.name }}", with: { bearer: "${{ secrets.pin }}" }, undo: [ { id: drop, delete: "/${{ inputs.name }}" } ] }
      - { id: check, get: /check }
    outputs: { at: "${{ steps.check.response.status }}" }
    finally: [ { id: tidy, get: "/tidy/${{ run.verdict }}" } ]
    """

  private func caller(_ more: String = "", name: String = "${{ inputs.name }}") -> String {
    "secrets: [code]\n" + api + """
      inputs: { name: string }
      steps:
        - id: sub
          call: sub.flow.yaml
          with: { name: "\(name)" }
          secrets: { pin: code }
      \(more.indented(by: 4))
        - { id: next, get: /next }
      outputs: { at: "${{ steps.sub.outputs.at }}" }
      """
  }

  private func play(_ more: String = "", _ script: [String: [Answer]] = [:], name: String = "ada") async throws -> Play {
    try await Play(caller(more), script, inputs: ["name": .string(name)], secrets: ["code": "s3cr3t"], flows: ["sub.flow.yaml": callee])
  }

  @Test("runs another flow with its own connections, its `finally` behind its steps, and takes its outputs")
  func outputs() async throws {
    let play = try await play()
    #expect(play.outcome == "passed")
    #expect(play.output("at") == "200")
    #expect(play.routes == ["POST /ada", "GET /check", "GET /tidy/passed", "GET /next"])
    #expect(play.requests.map(\.host) == ["other.test", "other.test", "other.test", "api.test"])
    #expect(play.requests[0].headers[.authorization] == "Bearer s3cr3t")
    #expect(play.report.steps.map(\.step.depth) == [1, 1, 1, 0, 0])
    #expect(play.report.steps.map(\.step.part) == [.steps, .steps, .finally, .steps, .steps])
    #expect(play.step("sub")?.requests == 3)
  }

  @Test("what it is given must be as it declares")
  func inputs() async throws {
    let play = try await play(name: "x")
    #expect(play.report.code == "schema.input")
    #expect(play.requests.isEmpty)
  }

  @Test("its failure is the step's, from where it came; its undos are the run's")
  func failure() async throws {
    let play = try await play("", ["GET /check": [.text(404)]])
    #expect(play.outcome == "failed http.404")
    #expect(play.report.error?.stepID == "check")
    #expect(play.routes == ["POST /ada", "GET /check", "GET /tidy/failed", "DELETE /ada"])
    #expect(play.requests.last?.host == "other.test")
  }

  @Test("its `finally` runs whatever stops it, with 30 s at most")
  func stopped() async throws {
    let timedOut = try await play(
      "timeout: 5s\non_error: [ { when: timeout.step, then: end, verdict: failed } ]",
      ["GET /check": [.silence], "GET /tidy/cancelled": [.silence]])
    #expect(timedOut.routes == ["POST /ada", "GET /check", "GET /tidy/cancelled", "DELETE /ada"])
    #expect(timedOut.report.duration == .seconds(35))
    let signalled = try await play("", ["GET /check": [.silence.raising(130)]])
    #expect(signalled.outcome == "cancelled cancelled")
    #expect(signalled.routes == ["POST /ada", "GET /check", "GET /tidy/cancelled", "DELETE /ada"])
  }

  @Test("the budget of requests is the run's, whoever sends them")
  func budget() async throws {
    let play = try await Play(
      "budget: { requests: 1 }\n"
        + caller().replacing("    call:", with: "    on_error: [ { when: any, reason: test, then: continue } ]\n    call:")
        .replacing("${{ steps.sub.outputs.at }}", with: "${{ inputs.name }}"),
      inputs: ["name": "ada"], secrets: ["code": "s3cr3t"], flows: ["sub.flow.yaml": callee])
    #expect(play.outcome == "errored budget.requests")
    #expect(play.requests.count == 1)
  }

  @Test("its own budget is a ceiling within the run's, and does not bind what follows")
  func ownBudget() async throws {
    let bounded = callee.replacing("secrets: [pin]", with: "secrets: [pin]\nbudget: { requests: 2 }")
    let play = try await Play(
      caller() + "\nfinally: [ { id: last, get: /last } ]",
      inputs: ["name": "ada"], secrets: ["code": "s3cr3t"], flows: ["sub.flow.yaml": bounded])
    #expect(play.outcome == "errored budget.requests")
    #expect(play.report.error?.title == "`sub` may send 2 requests and no more")
    #expect(play.routes == ["POST /ada", "GET /check", "GET /last"])
  }

  @Test("its budget of time ends its steps, is not to be caught, and leaves its `finally` alone")
  func ownTime() async throws {
    let bounded = callee.replacing("secrets: [pin]", with: "secrets: [pin]\nbudget: { time: 5s }")
    let play = try await Play(
      caller("on_error: [ { when: any, reason: test, then: continue } ]").replacing(
        "${{ steps.sub.outputs.at }}", with: "${{ inputs.name }}"),
      ["GET /check": [.silence], "GET /tidy/cancelled": [.ok.after(.seconds(9))]],
      inputs: ["name": "ada"], secrets: ["code": "s3cr3t"], flows: ["sub.flow.yaml": bounded])
    #expect(play.outcome == "errored budget.time")
    let error = try #require(play.report.error)
    #expect(error.stepID == "sub" && error.title == "`sub` took longer than its budget")
    #expect(error.place.file.path == "sub.flow.yaml" && error.place.file.text(of: error.place.span) == "5s")
    #expect(play.routes == ["POST /ada", "GET /check", "GET /tidy/cancelled", "DELETE /ada"])
    #expect(play.report.duration == .seconds(14))
    let quick = try await Play(
      caller(), ["GET /tidy/passed": [.ok.after(.seconds(9))]], inputs: ["name": "ada"], secrets: ["code": "s3cr3t"],
      flows: ["sub.flow.yaml": bounded])
    #expect(quick.outcome == "passed")
  }

  @Test("a connection that is lent leads where the caller's does")
  func lent() async throws {
    let play = try await Play(
      api + "steps:\n  - { id: sub, call: sub.flow.yaml, connections: { http: api } }",
      flows: ["sub.flow.yaml": "connections: { http: borrowed }\nsteps:\n  - { id: a, get: /a }"])
    #expect(play.outcome == "passed")
    #expect(play.requests.map(\.host) == ["api.test"])
  }
}

extension TransportRequest {
  fileprivate var host: String { (try? WebAddress(url))?.host ?? "" }
}
