import Diagnostics
import FlowSyntax
import FrontEnds
import SourceText
import TestKit
import Testing

/// Faulty flows and what is said about them, recorded as people see it.
@Suite struct FaultTests {
  @Test func head() throws { try expectGolden(report(Faults.head), "head.txt") }
  @Test func steps() throws { try expectGolden(report(Faults.steps), "steps.txt") }
  @Test func modifiers() throws { try expectGolden(report(Faults.modifiers), "modifiers.txt") }
  @Test func bodies() throws { try expectGolden(report(Faults.bodies), "bodies.txt") }
  @Test func quotes() throws { try expectGolden(report(Faults.quotes), "quotes.txt") }

  @Test(.timeLimit(.minutes(1)), arguments: ["- gte: /a\n", "- \(String(repeating: "k", count: 9000)): /a\n", "- id: A\n"])
  func aFileFullOfFaultsEnds(_ step: String) {
    let text = "steps:\n" + String(repeating: step, count: 100_000 / step.utf8.count)
    let (_, diagnostics) = NativeFrontEnd.flow(from: SourceFile(path: "f", text: text))
    #expect(!diagnostics.isEmpty && diagnostics.count <= 500)
  }

  private func report(_ sources: [String]) -> String {
    sources.map { source in
      let found = NativeFrontEnd.flow(from: SourceFile(path: "f", text: source)).diagnostics
      return source + "\n" + described(found).map { "=> \($0)\n" }.joined()
    }.joined(separator: "\n")
  }

  @Test(arguments: Faults.head + Faults.steps + Faults.bodies + Faults.modifiers + Faults.quotes)
  func everyFaultIsAnError(_ source: String) {
    #expect(NativeFrontEnd.flow(from: SourceFile(path: "f", text: source)).diagnostics.hasErrors)
  }

  @Test func aBrokenStepHidesNothing() throws {
    let source = """
      steps:
        - id: a
          ues: x/y
        - id: b
          get: 12
        - id: c
          get: /c
          retry: { attempts: 0 }
        - id: d
          for_each: { on: inputs.list }
          steps: [ get: /d ]
      outputs: []
      """
    let (flow, diagnostics) = NativeFrontEnd.flow(from: SourceFile(path: "f", text: source))
    #expect(diagnostics.map(\.kind) == [.unknownKey, .quoteThisNumber, .invalidValue, .unknownKey, .typeMismatch])
    #expect(flow?.steps.compactMap(\.id?.value) == ["c"])
    #expect(flow?.unreadableSteps.map(\.value) == ["a", "b", "d"])
  }

  @Test func wrongYAMLIsAllThatIsTold() {
    let (flow, diagnostics) = NativeFrontEnd.flow(from: SourceFile(path: "f", text: "stepz: 012\n"))
    #expect(flow == nil)
    #expect(diagnostics.map(\.kind) == [.quoteThisNumber])
  }

  @Test func aFaultInARepeatedNodeIsToldOnce() {
    let (_, diagnostics) = NativeFrontEnd.flow(from: SourceFile(path: "f", text: "steps:\n  - &a { gte: /a }\n  - *a\n  - *a\n"))
    #expect(diagnostics.count == 1)
  }
}

private enum Faults {
  static let head = [
    "{}",
    "- a\n- b",
    "step: []",
    "baton: 2\nflow: 12\ndescription: true\ntags: smoke\nsteps: [ get: /a ]",
    "steps: { get: /a }\ninputs: [a]\nsecrets: { a: b }\nconnections: x\noutputs:\nfinally: {}",
    "steps: []",
    "steps: [ get: /a ]\nstate: [a]\nstate_key: 1\nbudgit: 1",
    "steps: [ get: /a ]\ninputs: { a: , b: [string], c: 1, d: string, e: \"${{ x }}\" }",
    "steps: [ get: /a ]\nsecrets: [a, 1, b, a, [c]]",
    "steps: [ get: /a ]\nconnections: { a: borrowed, b: , c: { system: 1, x: 2 }, d: { system: \"${{ x }}\" } }",
    "steps: [ get: /a ]\ndefaults: { timeout: 5, retry: 3, http: [], attempts: 2 }\nbudget: { time: 1 day, requests: -1, money: 5 }",
    "steps: [ get: /a ]\noutputs: { a: { value: 1, unit: m }, b: { value: 1, secret: yes, type: 3 }, c: { value: 1, secret_in_url: why } }",
  ]

  static let steps = [
    "steps:\n  - get /health\n  - [a]\n  -\n  - {}",
    "steps:\n  - id: x\n    name: y",
    "steps:\n  - id: x\n    get: /a\n    uses: http\n    post: /b",
    "steps:\n  - id: log-in\n    get: /a\n  - id: 1\n    get: /a\n  - id: \"${{ x }}\"\n    get: /a\n  - id: Über\n    get: /a",
    "steps:\n  - uses: \"${{ x }}\"\n  - uses: [a]\n  - uses:\n  - get:\n  - get: 12\n  - get: [a]\n  - get: \"\"",
    "steps:\n  - group: x\n  - group: []\n  - group: [ gte: /x, wait: 5 ]",
    "steps:\n  - wait: 5\n  - wait: soon\n  - wait: \"${{ x }}\"\n  - wait: [5s]",
    "steps:\n  - fail: user.x\n  - fail: { message: x }\n  - fail: { code: 1 }\n  - end: pass\n  - end: now",
    "steps:\n  - wait: 5s\n    retry: { attempts: 2 }\n    with: { a: 1 }\n  - group: [ get: /a ]\n    connection: x",
    "steps:\n  - get: /a\n    steps: []",
  ]

  static let bodies = [
    "steps:\n  - switch: []\n  - switch:\n      - if: x\n      - steps: []\n      - x\n      - else:\n        steps: [ wait: 1s ]\n      - if: y\n        steps: []",
    "steps:\n  - switch:\n      - if: x\n        else: [ wait: 1s ]\n        outputs: []\n      - otherwise: []",
    "steps:\n  - for_each: { in: inputs.users }\n  - for_each: { in: inputs.users, steps: [ wait: 1s ] }\n  - for_each: {}\n    steps: []\n"
      + "  - for_each: users\n    steps: [ wait: 1s ]",
    "steps:\n  - for_each: { in: , as: my-user, key: [a], max_items: 1, min_items: 2, concurrency: 0, on_item_error: continue }\n    steps: [ wait: 1s ]\n"
      + "    next: {}\n    expect: [ x ]",
    "steps:\n  - repeat: {}\n    steps: [ wait: 1s ]\n  - repeat: { max: 0, every: 5, until: , carry: [], steps: [], next: {} }\n"
      + "  - repeat: { max: 3, carry: { cursor: '' } }\n    steps: [ wait: 1s ]\n    next: { cursr: x, page: 1 }",
    "steps:\n  - parallel: {}\n  - parallel: { branches: {} }\n  - parallel: { branches: [ wait: 1s ], on_branch_error: fail }\n"
      + "  - parallel: { branches: { my-one: [ wait: 1s ], two: { outputs: {} }, three: wait, four: [] } }\n    outputs: { a: 1 }\n    retry: {}",
    "steps:\n  - call: 1\n    secrets: all\n    connections: [a]\n  - call: a.flow.yaml\n    secrets: { a: 1 }\n    connections: { a: borrowed }\n    retry: {}\n    steps: []",
    "steps:\n  - set: {}\n  - set: x\n  - set: { vars.a: 1, my-name: 2, 1st: 3, state.a.b: 4 }\n    outputs: {}",
    "steps:\n  - group: [ wait: 1s ]\n    retry: { attempts: 2 }\n  - group: [ wait: 1s ]\n    expect: [ x ]\n  - wait: 1s\n    undo: [ wait: 1s ]",
  ]

  static let modifiers = [
    "steps:\n  - get: /a\n    with: [a]\n    expct: []\n    conection: x",
    "steps:\n  - get: /a\n    valid_for: 5\n    unverifiable: true\n    reconcile: {}\n  - get: /b\n    valid_for: \"${{ x }}\"\n    unverifiable: \"${{ x }}\"\n"
      + "    reconcile: { step: [], deliverd: x, output: {} }\n  - get: /c\n    valid_for: soon\n    unverifiable: \" \"\n    reconcile: [ get: /a ]\n"
      + "  - get: /d\n    unverifiable:\n    reconcile: { steps: [], delivered: , outputs: [] }\n  - get: /e\n    valid-for: 1m\n    reconsile: {}\n    unverifyable: x",
    "steps:\n  - group: [ get: /a ]\n    valid_for: 1m\n    unverifiable: why\n    reconcile: { steps: [ get: /a ], delivered: x }",
    "steps:\n  - get: /a\n    retry: { attempts: \"3\", when: 429, delay: 1, factor: fast, max_delay: x, jitter: ful, tries: 3 }",
    "steps:\n  - get: /a\n    retry: { attempts: \"${{ x }}\", factor: 0.5, when: [], delay: \"${{ response.headers.x }}\" }",
    "steps:\n  - get: /a\n    save: 1\n    poll: {}\n    undo: []\n    idempotency_key: 7\n  - get: /b\n    poll: { every: 2, timeout: soon, until: , fail_if: [x], tolerate: 404 }\n"
      + "    undo: { always: sometimes }\n    idempotency_key: { header: X-Key }\n  - get: /c\n    poll: { untill: x }\n    undo: wait\n"
      + "    idempotency_key: { value: 1, header: [], hedr: x }",
    "steps:\n  - get: /a\n    expect: { schema: [a] }\n  - get: /a\n    expect: { schema: true }\n  - get: /a\n    expect: { schema: \"${{ x }}\" }",
    "steps:\n  - get: /a\n    timeout: 30\n    attempt_timeout: true\n    effect: safe\n    dedupe_key: 12\n    connection: 1",
    "steps:\n  - get: /a\n    expect: status == 200\n  - get: /a\n    expect: []\n  - get: /a\n    expect: {}\n  - get: /a\n    expect: 200",
    "steps:\n  - get: /a\n    expect: { status: \"200\", header: {}, schema: x, that: , max_duration: 5, error: 4 }",
    "steps:\n  - get: /a\n    expect: { status: [99, 600, 6xx, ok, [1], 2xx], headers: [a] }\n  - get: /a\n    expect: { status: [] }",
    "steps:\n  - get: /a\n    on_error: { when: x }\n  - get: /a\n    on_error: [ { then: continue }, { when: any }, { wen: x } ]",
    "steps:\n  - get: /a\n    on_error:\n      - { when: x, then: retry }\n      - { when: x, then: end }\n      - { when: x, then: repeat }\n"
      + "      - { when: x, max: 2, outputs: {} }\n      - { when: x, then: continue, code: user.x, message: y, verdict: passed }\n"
      + "      - { when: x, then: end, verdict: passed, code: user.x }\n      - { when: [], do: x, then: continue }",
  ]

  static let quotes = [
    "steps:\n  - get: /a\n    expect:\n      - outputs.x == 'a: b'\n      - {a: 1}\n      - [1, 2]\n      - a:\n          b: c",
    "steps:\n  - get: /a\n    if: x == 'a #b'\n    expect: [ f(x) ]\n  - get: /a\n    if: matches(x, # y\n  - get: /a\n    if:",
    "steps:\n  - get: /a\n    if: [1, 2]\n  - get: /b\n    expect: { that: {a: b} }",
    "steps:\n  - for_each:\n      in: csv('users.csv', {'age': 'integer'})\n    steps: [ get: /a ]",
    "steps:\n  - for_each: { in: csv('users.csv', {'age': 'integer'}), as: user }\n    steps: [ get: /a ]",
    "steps:\n  - for_each: { in: csv('users.csv', { 'age': 'integer' }) }\n    steps: [ get: /a ]",
    "steps:\n  - for_each: { in: csv(\"users.csv\"), as: user }\n    steps: [ get: /a ]\n    next: 1",
    "steps:\n  - id: no\n    name: 1\n    get: /a\n  - id: true\n    get: /a",
    "steps:\n  - get: /a\n    with: { query: { GET /x/{id}: 1, b: 2 } }\n    if: x",
    "steps:\n  - get: /a\n    expect: [ items.map(i, i.x) == [1, 2] ]\n  - get: /b\n    expect: [ a[0].b == 'c, d' && e == {'f': 1}, g ]",
  ]
}
