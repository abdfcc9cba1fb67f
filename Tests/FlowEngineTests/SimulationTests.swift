import FlowEvents
import FlowPlan
import Glibc
import StepKit
import Synchronization
import Testing
import Values

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

  /// The same without anything that depends on time.
  static let calmCalled = """
    connections: { api: { system: http, base_url: https://other.test } }
    steps:
      - { id: sub_make, put: /make, undo: [ { id: sub_drop, delete: /make } ] }
      - id: sub_pair
        parallel:
          on_branch_error: finish
          branches:
            left: [ { id: sub_left, get: /left, retry: { attempts: 2 } } ]
            right: [ { id: sub_right, put: /right, undo: [ { id: sub_unright, delete: /right } ] }, { id: sub_wait, wait: 2s } ]
    finally: [ { id: sub_out, get: /out } ]
    """

  /// `BATON_SEEDS=17` runs that one alone, `BATON_SEEDS=0..100000` those.
  static var chosen: Range<UInt64>? {
    guard let text = unsafe getenv("BATON_SEEDS").map({ unsafe String(cString: $0) }) else { return nil }
    let ends = text.split(separator: ".", omittingEmptySubsequences: true).compactMap { UInt64($0) }
    guard let first = ends.first, let last = ends.last else { return nil }
    return first..<max(last, first + 1)
  }

  static let chunks: [Range<UInt64>] = {
    let all = chosen ?? 0..<1000
    return stride(from: all.lowerBound, to: all.upperBound, by: 125).map { $0..<min($0 + 125, all.upperBound) }
  }()

  /// The flow of a seed; those that every test run runs share some.
  static func yaml(_ seed: UInt64, isCalm: Bool = false) -> String {
    if !isCalm, seed % 5 == 0 { return fixed[Int(seed / 5) % fixed.count] }
    var flow = RandomFlow(seed: seed < 1000 ? seed % 199 : seed, isCalm: isCalm)
    return flow.yaml()
  }

  private static let prepared = Mutex<[String: PreparedRun?]>([:])

  /// Nil for a random flow that the checker refuses.
  static func flow(_ seed: UInt64, isCalm: Bool = false) -> PreparedRun? {
    let yaml = yaml(seed, isCalm: isCalm)
    if let known = prepared.withLock({ $0[yaml] }) { return known }
    let run = try? prepare(yaml, RunGivens(), flows: ["sub.flow.yaml": isCalm ? calmCalled : called])
    prepared.withLock { $0[yaml] = .some(run) }
    return run
  }

  /// The command that runs a seed again; alone, it tells its flow and what happened.
  static func replay(_ seed: UInt64, _ violations: [String], isCalm: Bool = false, _ simulations: Simulation...) -> Comment {
    var lines = ["BATON_SEEDS=\(seed) swift test --filter SimulationTests"] + violations
    if isAlone { lines += [yaml(seed, isCalm: isCalm)] + simulations.flatMap(\.story) }
    return Comment(rawValue: lines.joined(separator: "\n"))
  }

  /// Whether one seed runs alone, so that it tells what happens.
  static var isAlone: Bool { chosen?.count == 1 }

  @Test(
    "every run ends, is sent once for each time that somebody allows it, and drops no doubt, over any crashes", arguments: chunks)
  func laws(seeds: Range<UInt64>) {
    var verdicts: Set<String> = []
    var refused = 0
    for seed in seeds {
      guard let prepared = Self.flow(seed) else {
        refused += 1
        continue
      }
      var simulation = Simulation(prepared, seed: seed, fate: Simulation.Fate(seed: seed), tells: Self.isAlone)
      simulation.run()
      if !simulation.violations.isEmpty { Issue.record(Self.replay(seed, simulation.violations, simulation)) }
      if let report = simulation.report { verdicts.insert(report.verdict.rawValue) }
    }
    guard seeds.count > 100 else { return }
    #expect(refused < seeds.count / 2, "the checker refuses \(refused) flows")
    #expect(verdicts.count == 5, "the worlds are too tame: \(verdicts)")
  }

  @Test("a run that is cut off and honestly settled ends as one that was not", arguments: chunks)
  func crashesChangeNothing(seeds: Range<UInt64>) {
    var compared = 0
    for seed in seeds where seed % 3 == 0 {
      guard let prepared = Self.flow(seed, isCalm: true) else { continue }
      var whole = Simulation(prepared, seed: seed, fate: .calm, tells: Self.isAlone)
      whole.run()
      var random = SeededGenerator(seed)
      let crashes = (0...random.below(2)).map { _ in 1 + random.below(max(whole.decisions, 1)) }
      var cut = Simulation(prepared, seed: seed, fate: Simulation.Fate(isCalm: true, crashes: crashes), tells: Self.isAlone)
      cut.run()
      var violations = whole.violations + cut.violations
      // Where a step looks up its own request, what never arrived is an error of that step.
      if violations.isEmpty, !cut.hasFoundNothing, !whole.hasFoundNothing {
        compared += 1
        if cut.report?.verdict != whole.report?.verdict {
          violations.append(
            "\(whole.report?.verdict.rawValue ?? "") became \(cut.report?.verdict.rawValue ?? ""): \(cut.report?.code ?? "")")
        }
        if cut.report?.outputs != whole.report?.outputs { violations.append("other outputs") }
        if cut.state != whole.state { violations.append("another state") }
      }
      if !violations.isEmpty { Issue.record(Self.replay(seed, violations + ["crashes: \(crashes)"], isCalm: true, whole, cut)) }
    }
    if seeds.count > 100 { #expect(compared > 10) }
  }

  @Test("the same seed is the same run")
  func repeatable() {
    for seed in 0..<20 as Range<UInt64> {
      guard let prepared = Self.flow(seed) else { continue }
      var (one, two) = (
        Simulation(prepared, seed: seed, fate: Simulation.Fate(seed: seed)),
        Simulation(prepared, seed: seed, fate: Simulation.Fate(seed: seed))
      )
      one.run()
      two.run()
      #expect(one.report?.steps == two.report?.steps)
      #expect(one.decisions == two.decisions)
    }
  }
}

@Suite("The laws of the simulation")
struct SimulationLawTests {
  @Test("notice a world that is not sound", arguments: Simulation.Defect.allCases)
  func planted(defect: Simulation.Defect) {
    var caught: Set<String> = []
    for seed in 0..<200 as Range<UInt64> where caught.isEmpty {
      guard let prepared = SimulationTests.flow(seed) else { continue }
      var fate = Simulation.Fate(seed: seed)
      fate.keepsNotes = true
      fate.room = nil
      fate.defect = defect
      var simulation = Simulation(prepared, seed: seed, fate: fate)
      simulation.run()
      caught.formUnion(simulation.violations)
    }
    #expect(!caught.isEmpty)
    switch defect {
    case .forgetsToWait, .liesAboutSyncs: #expect(caught.contains { $0.contains("before its start is on the disk") })
    case .callsDoubtUnsent: #expect(caught.contains { $0.contains("again") || $0.contains("doubt") })
    }
  }

  @Test("notice an undo that is forgotten")
  func forgottenUndo() {
    var caught: Set<String> = []
    for seed in 0..<400 as Range<UInt64> where caught.isEmpty {
      var (flow, without) = (RandomFlow(seed: seed), RandomFlow(seed: seed, leavesOutUndo: true))
      let flows = ["sub.flow.yaml": SimulationTests.called]
      guard let prepared = try? prepare(flow.yaml(), RunGivens(), flows: flows),
        let forgetful = try? prepare(without.yaml(), RunGivens(), flows: flows)
      else { continue }
      var simulation = Simulation(forgetful, watched: prepared, seed: seed, fate: Simulation.Fate(isCalm: false))
      simulation.run()
      caught.formUnion(simulation.violations)
    }
    #expect(caught.contains { $0.hasSuffix("is not undone") })
  }
}
