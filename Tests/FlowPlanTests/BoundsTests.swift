import FlowPlan
import TestKit
import Testing

@Suite("Bounds: what a run asks of the world at most, and its budget")
struct BoundsTests {
  private func cost(_ steps: String, head: String = "") throws -> [String] {
    let checked = Checked(plain(steps, head: "defaults: { attempt_timeout: 10s }\n" + head))
    let worst = try #require(checked.plan, "\(checked.text)").worstCase
    return [worst.requests.map { "\($0)" } ?? "any", worst.time?.flowText ?? "any"]
  }

  @Test func `the worst case of each kind of step`() throws {
    #expect(try cost("  - get: /a\n  - wait: 5s") == ["1", "15s"])
    // Three attempts, and two pauses that `Retry-After` may stretch.
    #expect(try cost("  - get: /a\n    retry: { attempts: 3, max_delay: 20s }") == ["3", "70s"])
    #expect(try cost("  - get: /a\n    retry: { attempts: 3 }\n    timeout: 12s") == ["3", "12s"])
    #expect(try cost("  - get: /a\n    poll: { every: 10s, timeout: 1m, until: response.status == 200 }") == ["7", "70s"])
    #expect(try cost("  - uses: prompt\n    with: { text: PIN? }") == ["0", "10m"])
    #expect(
      try cost(
        "  - group: [ { get: /a }, { get: /b } ]\n    on_error:\n      - { when: http.404, do: [ { get: /c } ], then: retry, max: 2 }\n      - { when: http.4xx, do: [ { get: /d } ], then: fail }"
      ) == ["9", "90s"])
    #expect(
      try cost(
        "  - switch:\n      - if: inputs.go\n        steps: [ { get: /a }, { get: /b } ]\n      - else: [ { get: /c } ]",
        head: "inputs: { go: boolean }\n")
        == ["2", "20s"])
    #expect(try cost("  - for_each: { in: [a, b, c] }\n    steps: [ { get: /a } ]") == ["3", "30s"])
    #expect(try cost("  - for_each: { in: [a, b, c], concurrency: 2 }\n    steps: [ { get: /a } ]") == ["3", "20s"])
    #expect(try cost("  - repeat: { max: 4, every: 1m }\n    steps: [ { get: /a } ]") == ["4", "4m"])
    #expect(
      try cost("  - parallel:\n      branches:\n        a: [ { get: /a } ]\n        b: [ { get: /b }, { get: /c } ]") == ["3", "20s"])
    #expect(try cost("  - post: /a\n    undo: [ { delete: /a } ]\nfinally:\n  - get: /b") == ["3", "30s"])
  }

  @Test func `loops in loops end at the largest number`() throws {
    let deep = (0..<8).reduce("{ get: /a }") { inner, _ in "{ repeat: { max: 1000000000 }, steps: [ \(inner) ] }" }
    #expect(try cost("  - \(deep)").first == "\(Int.max)")
  }

  @Test func `budgets`() throws {
    try expectGolden(
      transcript([
        "less than a run sends": plain("  - get: /a\n  - get: /b", head: "budget: { requests: 1 }\n"),
        "less than a run may send": plain("  - get: /a\n    retry: { attempts: 3 }", head: "budget: { requests: 2 }\n"),
        "less time than a run may take": plain("  - get: /a\n  - get: /b", head: "budget: { time: 45s }\n"),
        "a loop that sends more": plain("  - for_each: { in: [a, b, c] }\n    steps: [ { get: /a } ]", head: "budget: { requests: 2 }\n"),
        "enough": plain("  - get: /a", head: "budget: { time: 30s, requests: 1 }\n"),
        "enough where the flow ends early": plain(
          "  - if: inputs.dry\n    end: passed\n  - get: /a\n  - get: /b", head: "inputs: { dry: boolean }\nbudget: { requests: 2 }\n"),
      ]), "budgets.txt")
  }
}
