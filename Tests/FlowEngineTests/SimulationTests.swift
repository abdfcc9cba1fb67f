import FlowEvents
import FlowPlan
import Glibc
import Testing

@Suite("The machine alone, in random worlds")
struct SimulationTests {
  /// Flows that hold what has gone wrong before, or might.
  static let fixed = [
    """
    connections: { api: { system: http, base_url: https://api.test } }
    steps:
      - { id: first, post: /first, undo: [ { id: drop_first, delete: /first } ] }
      - id: sub
        call: sub.flow.yaml
        timeout: 20s
        on_error: [ { when: http.4xx, then: retry, max: 1 }, { when: timeout.step, then: continue } ]
      - id: all
        for_each: { in: [a, b, c, d, e], as: item, key: item, concurrency: 2, on_item_error: finish }
        steps:
          - { id: make, post: /make, undo: { always: true, steps: [ { id: drop, delete: /make }, { id: gone, get: /make } ] } }
          - { id: check, get: /check }
        on_error: [ { when: parallel.failed, then: retry, max: 2 } ]
    finally: [ { id: out, get: /out } ]
    """,
    """
    connections: { api: { system: http, base_url: https://api.test } }
    steps:
      - id: all
        timeout: 6s
        group:
          - { id: a, get: /a, retry: { attempts: 3 } }
          - id: fire
            post: /fire
            effect: once
            timeout: 2s
            retry: { attempts: 3 }
            on_error:
              - when: indeterminate
                do: [ { id: fallback, get: /fallback, retry: { attempts: 2 } } ]
                then: continue
        on_error:
          - { when: http.4xx, do: [ { id: note, get: /note } ], then: continue }
          - { when: timeout.step, do: [ { id: late, wait: 1s } ], then: end, verdict: failed }
      - { id: b, put: /b, on_error: [ { when: http.409, then: retry, max: 2 } ] }
    finally:
      - { id: clean, delete: /clean, retry: { attempts: 2 } }
      - { id: last, post: /last, effect: once }
    """,
    """
    connections: { api: { system: http, base_url: https://api.test } }
    budget: { time: 8s }
    steps:
      - id: pin
        group:
          - { id: ask, post: /ask }
          - { id: check, get: /check, timeout: 3s, on_error: [ { when: timeout.step, then: retry, max: 1 } ] }
        on_error:
          - { when: [http.4xx, http.5xx], then: retry, max: 2 }
          - { when: http.4xx, then: end, verdict: passed }
      - { id: rest, wait: 2s }
    finally: [ { id: out, get: /out } ]
    """,
  ]

  static let called = """
    connections: { api: { system: http, base_url: https://other.test } }
    budget: { time: 9s }
    steps:
      - { id: sub_make, put: /make, undo: [ { id: sub_drop, delete: /make } ] }
      - id: sub_pair
        parallel:
          branches:
            left: [ { id: sub_left, get: /left, retry: { attempts: 2 } } ]
            right: [ { id: sub_right, put: /right, undo: [ { id: sub_unright, delete: /right } ] }, { id: sub_wait, wait: 2s } ]
    finally: [ { id: sub_out, get: /out } ]
    """

  /// `BATON_SEED=17` runs that one alone.
  private static var seeds: Range<UInt64> {
    guard let text = unsafe getenv("BATON_SEED"), let seed = UInt64(unsafe String(cString: text)) else { return 0..<1000 }
    return seed..<(seed + 1)
  }

  @Test("every run ends, once-only requests leave once, and what starts ends", .timeLimit(.minutes(1)))
  func laws() throws {
    var flows = try Self.fixed.map { try prepare($0, RunGivens(), flows: ["sub.flow.yaml": Self.called]) }
    var refusals: [String] = []
    for seed in 0..<80 as Range<UInt64> {
      var flow = RandomFlow(seed: seed)
      let yaml = flow.yaml()
      do {
        flows.append(try prepare(yaml, RunGivens(), flows: ["sub.flow.yaml": Self.called]))
      } catch {
        refusals.append("seed \(seed): \(error)\n\(yaml)")
      }
    }
    #expect(refusals.count < 40, "the flows of these seeds are refused: \(refusals.first ?? "")")
    var verdicts: Set<String> = []
    for seed in Self.seeds {
      let index = seed % 3 == 0 ? Int(seed / 3) % Self.fixed.count : Self.fixed.count + Int(seed) % (flows.count - Self.fixed.count)
      var simulation = Simulation(flows[index], seed: seed)
      simulation.run()
      if !simulation.violations.isEmpty {
        Issue.record("seed \(seed), flow \(index): \(simulation.violations.joined(separator: "; "))")
      }
      if let report = simulation.report { verdicts.insert(report.verdict.rawValue) }
    }
    if Self.seeds.count > 1 { #expect(verdicts.count == 5, "the worlds are too tame: \(verdicts)") }
  }

  @Test("the same seed and the same inputs are the same run")
  func repeatable() throws {
    let prepared = try prepare(Self.fixed[0], RunGivens(), flows: ["sub.flow.yaml": Self.called])
    for seed in 0..<20 as Range<UInt64> {
      var (one, two) = (Simulation(prepared, seed: seed), Simulation(prepared, seed: seed))
      one.run()
      two.run()
      #expect(one.report?.steps == two.report?.steps)
    }
  }
}
