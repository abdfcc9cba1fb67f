import FlowEvents
import Testing
import Values

@Suite("undo")
struct UndoTests {
  private let flow =
    api + """
      steps:
        - id: one
          post: /one
          outputs: { id: "${{ response.body.id }}" }
          undo: [ { id: drop_one, delete: "/one/${{ steps.one.outputs.id }}" } ]
        - id: two
          post: /two
          undo: [ { id: drop_two, delete: /two }, { id: tell, get: "/tell/${{ run.verdict }}" } ]
        - { id: three, get: /three }
      finally: [ { id: last, get: /last } ]
      """
  private let one = ["POST /one": [Answer.json(200, #"{"id": "7"}"#)]]

  @Test("runs after a failure, last in first out, before `finally`")
  func order() async throws {
    let play = try await Play(flow, one.merging(["GET /three": [.text(404)]]) { $1 })
    #expect(play.outcome == "failed http.404")
    #expect(play.routes == ["POST /one", "POST /two", "GET /three", "DELETE /two", "GET /tell/failed", "DELETE /one/7", "GET /last"])
    #expect(play.report.steps.map(\.step.part) == [.steps, .steps, .steps, .undo, .undo, .undo, .finally])
  }

  @Test("does not run after `passed`, unless it is to always")
  func always() async throws {
    #expect(try await Play(flow, one).routes == ["POST /one", "POST /two", "GET /three", "GET /last"])
    let play = try await Play(
      flow.replacing(
        "undo: [ { id: drop_one, delete: \"/one/${{ steps.one.outputs.id }}\" } ]",
        with: """
          undo:
                always: true
                steps: [ { id: drop_one, delete: "/one/${{ steps.one.outputs.id }}" } ]
          """), one)
    #expect(play.outcome == "passed")
    #expect(play.routes == ["POST /one", "POST /two", "GET /three", "DELETE /one/7", "GET /last"])
  }

  @Test("is armed by success alone, with what was visible then")
  func armed() async throws {
    let play = try await Play(flow, one.merging(["POST /two": [.text(404)]]) { $1 })
    #expect(play.routes == ["POST /one", "POST /two", "DELETE /one/7", "GET /last"])
    let loop = try await Play(
      api + """
        steps:
          - id: all
            for_each: { in: ["a", "b", "c"], as: name, key: name }
            steps:
              - { id: make, post: "/${{ name }}", undo: [ { id: drop, delete: "/${{ name }}" } ] }
        """, ["POST /c": [.text(404)]])
    #expect(loop.routes == ["POST /a", "POST /b", "POST /c", "DELETE /b", "DELETE /a"])
    #expect(loop.titles.suffix(2) == ["drop[b] succeeded", "drop[a] succeeded"])
  }

  @Test("one that fails stops no other, and replaces no error")
  func failing() async throws {
    let play = try await Play(flow, one.merging(["GET /three": [.text(404)], "DELETE /two": [.text(503)]]) { $1 })
    #expect(play.outcome == "failed http.404")
    #expect(play.routes.suffix(3) == ["DELETE /two", "DELETE /one/7", "GET /last"])
  }

  @Test("runs after a signal too, with a grace of 30 s; a second signal leaves it out")
  func signals() async throws {
    let once = try await Play(flow, one.merging(["GET /three": [.silence.raising(130)], "DELETE /two": [.silence]]) { $1 })
    #expect(once.outcome == "cancelled cancelled")
    #expect(once.report.duration == .seconds(30))
    #expect(once.routes.suffix(2) == ["DELETE /two", "GET /last"])
    let twice = try await Play(
      flow, one.merging(["GET /three": [.silence.raising(130)], "DELETE /two": [.silence.raising(130)]]) { $1 })
    #expect(twice.routes.last == "DELETE /two")
    #expect(twice.report.duration == .zero)
  }

  @Test("what a group's steps have armed is undone before the group runs again, and then no more")
  func groupRetry() async throws {
    let play = try await Play(
      api + """
        steps:
          - { id: before, post: /before, undo: [ { id: drop_before, delete: /before } ] }
          - id: all
            group:
              - { id: make, post: /make, undo: [ { id: drop, delete: /make } ] }
              - { id: check, get: /check }
            on_error: [ { when: http.409, then: retry, max: 1 } ]
          - { id: after, get: /after }
        """, ["GET /check": [.text(409), .ok], "GET /after": [.text(404)]])
    #expect(play.outcome == "failed http.404")
    #expect(
      play.routes == [
        "POST /before", "POST /make", "GET /check", "DELETE /make", "POST /make", "GET /check", "GET /after", "DELETE /make",
        "DELETE /before",
      ])
  }
}
