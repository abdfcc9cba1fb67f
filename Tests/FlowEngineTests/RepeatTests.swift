import FlowEvents
import Testing
import Values

@Suite("repeat")
struct RepeatTests {
  @Test("a loop that waits for nothing can be stopped")
  func stopped() async throws {
    let play = try await Play(
      """
      steps:
        - set: { n: 0 }
        - { id: all, repeat: { max: 100000000 }, steps: [ { id: count, set: { n: "${{ vars.n + 1 }}" } } ] }
      """,
      signals: { event in
        if case .stepEnded(let report) = event, report.step.title == "count[20]" { 130 } else { nil }
      })
    #expect(play.outcome == "cancelled cancelled")
    #expect(play.report.steps.count < 5000)
  }

  private func loop(_ repetition: String, next: String = "{ n: \"${{ loop.n + 1 }}\" }") -> String {
    """
    connections: { api: { system: http, base_url: https://api.test } }
    steps:
      - id: pages
        repeat: { carry: { n: 1 }, \(repetition) }
        steps: [ { id: page, get: "/page/${{ loop.n }}" } ]
        next: \(next)
    outputs: { n: "${{ steps.pages.outputs.n }}" }
    """
  }

  @Test("carries on until a condition holds, tested behind `next`")
  func until() async throws {
    let play = try await Play(loop("max: 9, until: loop.n == 4"))
    #expect(play.outcome == "passed")
    #expect(play.routes == ["GET /page/1", "GET /page/2", "GET /page/3"])
    #expect(play.output("n") == "4")
    #expect(play.titles == ["page[0] succeeded", "page[1] succeeded", "page[2] succeeded", "pages succeeded"])
  }

  @Test("reaching `max` is `repeat.exhausted`, unless `until` is absent")
  func exhausted() async throws {
    let play = try await Play(loop("max: 2, until: loop.n == 9"))
    #expect(play.outcome == "failed repeat.exhausted")
    #expect(play.routes.count == 2)
    let all = try await Play(loop("max: 2"))
    #expect(all.outcome == "passed")
    #expect(all.output("n") == "3")
  }

  @Test("`every` is from start to start")
  func every() async throws {
    let play = try await Play(
      loop("max: 3, every: 10s"), ["GET /page/1": [.ok.after(.seconds(4))], "GET /page/2": [.ok.after(.seconds(12))], "GET /page/3": [.ok]])
    #expect(play.report.duration == .seconds(22))
  }

  @Test("an error ends it; a signal in its pause too")
  func ends() async throws {
    let failed = try await Play(loop("max: 3"), ["GET /page/2": [.text(404)]])
    #expect(failed.outcome == "failed http.404")
    let stopped = try await Play(loop("max: 3, every: 10s"), signals: { if case .stepEnded = $0 { 130 } else { nil } })
    #expect(stopped.outcome == "cancelled cancelled")
    #expect(stopped.report.duration == .zero)
    #expect(stopped.statuses == ["page succeeded", "pages cancelled"])
  }

  @Test("many rounds and items are no deep recursion, and no more work each")
  func many() async throws {
    let play = try await Play(
      """
      steps:
        - id: rounds
          repeat: { max: 3000, carry: { n: 0 } }
          steps: [ { set: { seen: "${{ loop.n }}" } } ]
          next: { n: "${{ loop.n + 1 }}" }
        - id: items
          for_each: { in: "[1, 2, 3].map(i, inputs.many).flatten()", as: item, max_items: 9000, concurrency: 4 }
          steps: [ { id: skipped, if: inputs.many.size() == 0, wait: 1s } ]
      inputs: { many: { type: array, items: { type: integer }, maxItems: 3000 } }
      outputs: { n: "${{ steps.rounds.outputs.n }}" }
      """.replacing("[1, 2, 3].map(i, inputs.many).flatten()", with: "inputs.many"), inputs: ["many": .list((0..<3000).map { .int($0) })])
    #expect(play.output("n") == "3000")
    #expect(play.report.steps.count == 6002)
  }
}
