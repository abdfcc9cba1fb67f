import Diagnostics
import FlowSyntax
import FrontEnds
import SourceText
import Testing

/// SplitMix64: the same documents on every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

private let flow = """
  baton: 1
  inputs:
    username: { type: string, minLength: 7 }
    phone: phone
  secrets: [client_id, password]
  connections:
    rapidsos:
      client_id: ${{ secrets.client_id }}
  defaults: { timeout: 5m, retry: { attempts: 2 } }
  budget: { time: 1m, requests: 9 }
  steps:
    - id: register
      uses: rapidsos/register
      with:
        username: ${{ inputs.username }}
      on_error:
        - when: rapidsos.username_taken
          then: continue
    - id: verify
      group:
        - id: pin
          uses: prompt
        - get: /v1
          expect: [ outputs.id > 0 ]
      on_error:
        - when: rapidsos.wrong_pin
          then: retry
          max: 2
    - if: steps.a.outputs.b == 'c'
      fail: { code: user.x, message: why }
    - wait: 5s
  outputs:
    id: { value: "${{ steps.a.outputs.id }}", secret: true }
  finally:
    - post: /end
      expect: { status: [200, 2xx] }
  """

private let bodies = """
  state: { cursor: { type: string, default: "" } }
  connections: { rapidsos: borrowed }
  steps:
    - switch:
        - if: inputs.a
          steps: [ get: /a ]
          outputs: { id: 1 }
        - else: []
    - for_each: { in: "csv('u.csv', {'age': 'integer'})", as: user, max_items: 3, on_item_error: finish }
      steps: [ get: /a ]
      outputs: { id: 1 }
    - repeat: { max: 3, every: 5m, until: loop.done, carry: { done: false } }
      steps: [ get: /a ]
      next: { done: true }
    - parallel:
        branches:
          one: [ wait: 1s ]
          two: { steps: [ wait: 1s ], outputs: { id: 1 } }
        on_branch_error: stop
    - call: a.flow.yaml
      with: { a: 1 }
      secrets: [password]
      connections: { rapidsos: rapidsos }
    - set: { total: 1, state.cursor: x }
    - post: /a
      save: a.json
      poll: { every: 1s, timeout: 5s, until: response.body.done, tolerate: [http.404] }
      idempotency_key: { value: x, header: X-Key }
      expect: { schema: { type: object } }
      undo: { always: true, steps: [ delete: /a ] }
    - uses: rapidsos/trigger-call-flow
      dedupe_key: a
      valid_for: 5m
      unverifiable: nobody can ask
      reconcile: { steps: [ { id: b, get: /b } ], delivered: steps.b.outputs.x, outputs: { id: 1 } }
  """

private let scenarios = """
  scenarios: a
  flow: a.flow.yaml
  defaults:
    inputs: { username: ada }
  cases:
    - name: one
      skip: why
      tags: [slow]
      answers: { pin: ["1", "2"], mail: { from: sms } }
      sandbox:
        given: { rapidsos: { users: [ a ] } }
        faults: [ { route: "POST /a", status: 503, match: "true" } ]
        events: [ { after: one, do: { rapidsos: x } } ]
      routes: [ { route: "GET /a", json: {} } ]
      expect:
        verdict: failed
        steps: { one: recovered }
        requests: { "POST /a": { count: 3, that: [ x ] }, "GET /a": 1 }
        max_duration: 5s
      then: [ resume, { run: { expect: { verdict: passed } } } ]
  """

private let project = """
  environments:
    qa:
      connections: { api: { base_url: "https://a.example" } }
      inputs: { a: 1 }
      secrets: { a: { env: A }, b: { command: [pass, show] } }
      hosts: [a.example, "*.b.example:8080"]
      answers: { pin: { file: a }, code: "1" }
    live: { extends: qa, live: true, exec: false }
  """

private let values = [
  "12", "true", "null", "[]", "{}", "[a, b]", "{ a: b }", "x", "${{ x }}", "5s", "''", "- a", "*a", "&a x", "|", "0x1", "2xx",
]

@Suite(.timeLimit(.minutes(1))) struct MutationTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func noFlowBreaksTheReader(_ seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<300 { check(mutated(flow, &dice)) { NativeFrontEnd.flow(from: $0) } }
    for _ in 0..<100 { check(mutated(bodies, &dice)) { NativeFrontEnd.flow(from: $0) } }
  }

  @Test(arguments: 0..<2 as Range<UInt64>)
  func noTableBreaksTheReader(_ seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<200 { check(mutated(scenarios, &dice)) { NativeFrontEnd.scenarios(from: $0) } }
  }

  @Test(arguments: 0..<2 as Range<UInt64>)
  func noProjectBreaksTheReader(_ seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<200 { check(mutated(project, &dice)) { NativeFrontEnd.project(from: $0) } }
  }

  private func check<Document>(_ text: String, _ read: (SourceFile) -> (Document?, [Diagnostic])) {
    let file = SourceFile(path: "f", text: text)
    let (document, diagnostics) = read(file)
    #expect(document != nil || diagnostics.hasErrors, "\(text)")
    #expect(diagnostics == diagnostics.sortedByPlace())
    for place in diagnostics.compactMap(\.place) + diagnostics.flatMap(\.related).map(\.place) {
      let isInside = 0 <= place.span.start && place.span.start <= place.span.end && place.span.end <= file.bytes.count
      #expect(isInside, "\(text)")
    }
  }

  private func mutated(_ text: String, _ dice: inout Dice) -> String {
    var lines = text.split(separator: "\n").map(String.init)
    for _ in 0..<Int.random(in: 1...4, using: &dice) { mutate(&lines, &dice) }
    return lines.joined(separator: "\n")
  }

  private func mutate(_ lines: inout [String], _ dice: inout Dice) {
    let at = Int.random(in: 0..<lines.count, using: &dice)
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: lines.remove(at: at)
    case 1: lines.insert(lines[at], at: Int.random(in: 0...lines.count, using: &dice))
    case 2: lines[at] = "  " + lines[at]
    case 3: lines[at] = lines[at].replacing("e", with: "a")
    case 4: lines.swapAt(at, Int.random(in: 0..<lines.count, using: &dice))
    default:
      guard let colon = lines[at].firstIndex(of: ":") else { return }
      lines[at] = lines[at][...colon] + " " + values[Int.random(in: 0..<values.count, using: &dice)]
    }
    if lines.isEmpty { lines = ["steps: []"] }
  }
}
