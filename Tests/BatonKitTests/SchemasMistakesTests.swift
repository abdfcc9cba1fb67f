import Testing

@testable import BatonKit

/// What `baton check` refuses by its form, an editor refuses too, and at the place that is wrong.
@Suite struct SchemasMistakesTests {
  @Test(arguments: flowMistakes + stepMistakes + modifierMistakes)
  func aMistakeInAFlowIsShownWhereItStands(_ mistake: SchemaMistake) throws { try check(mistake, in: .flow) }

  @Test(arguments: scenarioMistakes)
  func aMistakeInScenariosIsShownWhereItStands(_ mistake: SchemaMistake) throws { try check(mistake, in: .scenarios) }

  @Test(arguments: projectMistakes)
  func aMistakeInTheProjectIsShownWhereItStands(_ mistake: SchemaMistake) throws { try check(mistake, in: .project) }

  /// A schema sees one value at a time and no place in the text.
  @Test(arguments: beyondSchemas)
  func whatComparesTwoPlacesIsLeftToTheCheck(_ kind: SchemaSubject, _ text: String) throws {
    #expect(kind.errors(text) != [])
    #expect(try kind.violations(text) == [])
  }

  private func check(_ mistake: SchemaMistake, in kind: SchemaSubject) throws {
    let paths = try kind.paths(mistake.text)
    #expect(paths.contains(mistake.path), "found at \(paths)")
    #expect(kind.errors(mistake.text) != [], "the front end finds nothing")
  }
}

/// Where the rule needs two values, an order or what the text looked like.
private let beyondSchemas: [(SchemaSubject, String)] = [
  (.flow, "steps: [ { switch: [ { else: [] }, { if: inputs.a, steps: [] } ] } ]"),
  (.flow, "steps: [ { for_each: { in: inputs.a, min_items: 5, max_items: 2 }, steps: [ end: passed ] } ]"),
  (.flow, "steps: [ { repeat: { max: 2, carry: { a: 1 } }, steps: [ end: passed ], next: { b: 2 } } ]"),
  (.flow, "steps: [ { get: /a, retry: { attempts: 2.0 } } ]"),
  (.scenarios, "flow: a.flow.yaml\ndefaults: { expect: { verdict: passed } }\ncases: [ { name: a }, { name: a } ]"),
]

private let flowMistakes: [SchemaMistake] = [
  .init("", "{}"), .init("", "[]"), .init("/steps", "steps: []"), .init("/steps", "steps: { get: /a }"),
  .init("/steps/0", "steps: [get /a]"), .init("/step", "steps: [ end: passed ]\nstep: []"),
  .init("/baton", "baton: 2\nsteps: [ end: passed ]"), .init("/flow", "flow: 12\nsteps: [ end: passed ]"),
  .init("/tags", "tags: smoke\nsteps: [ end: passed ]"), .init("/secrets", "secrets: [a, a]\nsteps: [ end: passed ]"),
  .init("/inputs/a", "inputs: { a: [string] }\nsteps: [ end: passed ]"), .init("/state", "state: [cursor]\nsteps: [ end: passed ]"),
  .init("/state/cursor", "state: { cursor: 1 }\nsteps: [ end: passed ]"),
  .init("/state_key", "state_key: 12\nsteps: [ end: passed ]"), .init("/state_key", "state_key: ''\nsteps: [ end: passed ]"),
  .init("/connections/rapidsos", "connections: { rapidsos: lent }\nsteps: [ end: passed ]"),
  .init("/defaults/delay", "defaults: { delay: 1s }\nsteps: [ end: passed ]"),
  .init("/defaults/timeout", "defaults: { timeout: 30 }\nsteps: [ end: passed ]"),
  .init("/budget/requests", "budget: { requests: -1 }\nsteps: [ end: passed ]"),
  .init("/outputs/a/kind", "steps: [ end: passed ]\noutputs: { a: { value: 1, kind: x } }"),
  .init("/finally", "steps: [ end: passed ]\nfinally: []"),
]

private let stepMistakes: [SchemaMistake] =
  [
    ("", "id: a"), ("", "{ get: /a, post: /a }"), ("/id", "{ id: log-in, end: passed }"), ("/get", "get: ''"), ("/gte", "gte: /a"),
    ("/if", "{ if: [ a ], end: passed }"), ("/if", "{ if: '', end: passed }"), ("/group", "group: []"), ("/wait", "wait: 5"),
    ("/wait", "wait: soon"), ("/end", "end: pass"), ("/fail", "fail: { message: x }"), ("/fail/why", "fail: { code: user.a, why: x }"),
    // switch
    ("/switch", "switch: []"), ("/switch", "switch: { if: a, steps: [] }"), ("/switch", "switch: [ { if: inputs.a, steps: [] } ]"),
    ("/switch/0", "switch: [ { steps: [ end: passed ] }, { else: [] } ]"), ("/switch/0", "switch: [ { if: inputs.a }, { else: [] } ]"),
    ("/switch/0/then", "switch: [ { if: inputs.a, then: [] }, { else: [] } ]"),
    ("/switch/0/if", "switch: [ { if: inputs.a, else: [] } ]"), ("/switch/0/steps", "switch: [ { else: [], steps: [] } ]"),
    ("/switch/0/else", "switch: [ { else: passed } ]"), ("/switch/0/else", "switch: [ else: ]"),
    ("/switch/0/else/0/gte", "switch: [ { else: [ gte: /a ] } ]"), ("/outputs", "{ switch: [ { else: [] } ], outputs: { a: 1 } }"),
    // for_each
    ("", "for_each: { in: inputs.a }"), ("/for_each", "{ for_each: { as: a }, steps: [ end: passed ] }"),
    ("/for_each", "{ for_each: inputs.a, steps: [ end: passed ] }"), ("/steps", "{ for_each: { in: inputs.a }, steps: [] }"),
    ("/for_each/steps", "for_each: { in: inputs.a, steps: [ end: passed ] }"),
    ("/for_each/as", "{ for_each: { in: inputs.a, as: a-b }, steps: [ end: passed ] }"),
    ("/for_each/key", "{ for_each: { in: inputs.a, key: [ item ] }, steps: [ end: passed ] }"),
    ("/for_each/max_items", "{ for_each: { in: inputs.a, max_items: 0 }, steps: [ end: passed ] }"),
    ("/for_each/max_items", "{ for_each: { in: inputs.a, max_items: '9' }, steps: [ end: passed ] }"),
    ("/for_each/min_items", "{ for_each: { in: inputs.a, min_items: -1 }, steps: [ end: passed ] }"),
    ("/for_each/concurrency", "{ for_each: { in: inputs.a, concurrency: '${{ 2 }}' }, steps: [ end: passed ] }"),
    ("/for_each/on_item_error", "{ for_each: { in: inputs.a, on_item_error: continue }, steps: [ end: passed ] }"),
    ("/next", "{ for_each: { in: inputs.a }, steps: [ end: passed ], next: { a: 1 } }"),
    ("/retry", "{ for_each: { in: inputs.a }, steps: [ end: passed ], retry: { attempts: 2 } }"),
    // repeat
    ("", "repeat: { max: 2 }"), ("/repeat", "{ repeat: { every: 1s }, steps: [ end: passed ] }"),
    ("/repeat/max", "{ repeat: { max: 0 }, steps: [ end: passed ] }"),
    ("/repeat/every", "{ repeat: { max: 2, every: 5 }, steps: [ end: passed ] }"),
    ("/repeat/until", "{ repeat: { max: 2, until: { a: b } }, steps: [ end: passed ] }"),
    ("/repeat/carry", "{ repeat: { max: 2, carry: [ a ] }, steps: [ end: passed ] }"),
    ("/repeat/while", "{ repeat: { max: 2, while: a }, steps: [ end: passed ] }"),
    ("/next", "{ repeat: { max: 2 }, steps: [ end: passed ], next: [ a ] }"),
    // parallel
    ("/parallel", "parallel: { on_branch_error: stop }"), ("/parallel", "parallel: [ end: passed ]"),
    ("/parallel/branches", "parallel: { branches: {} }"), ("/parallel/branches", "parallel: { branches: [ [ end: passed ] ] }"),
    ("/parallel/branches/a", "parallel: { branches: { a: [] } }"),
    ("/parallel/branches/a", "parallel: { branches: { a: { outputs: {} } } }"),
    ("/parallel/branches/a/step", "parallel: { branches: { a: { steps: [ end: passed ], step: 1 } } }"),
    ("/parallel/branches/a/0", "parallel: { branches: { a: [ name: b ] } }"),
    ("/parallel/on_branch_error", "parallel: { branches: { a: [ end: passed ] }, on_branch_error: no }"),
    ("/steps", "{ parallel: { branches: { a: [ end: passed ] } }, steps: [ end: passed ] }"),
    // call, set, and what stands beside no other action
    ("/call", "call: 12"), ("/call", "call: '${{ inputs.a }}.flow.yaml'"), ("/secrets", "{ call: a.flow.yaml, secrets: all }"),
    ("/secrets", "{ call: a.flow.yaml, secrets: { key: 1 } }"), ("/connections/a", "{ call: a.flow.yaml, connections: { a: borrowed } }"),
    ("/connections", "{ call: a.flow.yaml, connections: [ a ] }"), ("/retry", "{ call: a.flow.yaml, retry: { attempts: 2 } }"),
    ("/secrets", "{ get: /a, secrets: [ a ] }"), ("/connections", "{ group: [ end: passed ], connections: { a: a } }"),
    ("/steps", "{ get: /a, steps: [ end: passed ] }"), ("/set", "set: {}"), ("/set", "set: [ a ]"), ("/set/vars.a", "set: { vars.a: 1 }"),
    ("/set/a-b", "set: { a-b: 1 }"), ("/on_error", "{ set: { a: 1 }, on_error: [] }"), ("/save", "{ wait: 1s, save: a.json }"),
    ("/poll", "{ group: [ end: passed ], poll: { every: 1s, timeout: 1m, until: outputs.a } }"),
    ("/undo", "{ end: passed, undo: [ end: passed ] }"),
    ("/valid_for", "{ group: [ end: passed ], valid_for: 1m }"), ("/unverifiable", "{ wait: 1s, unverifiable: why }"),
    ("/reconcile", "{ call: a.flow.yaml, reconcile: { steps: [ get: /a ], delivered: inputs.a } }"),
  ].map { SchemaMistake("/steps/0" + $0.0, "steps:\n  - \($0.1)") }

private let modifierMistakes: [SchemaMistake] =
  [
    ("/with", "with: [a]"), ("/connection", "connection: '${{ inputs.a }}'"), ("/expect", "expect: response.status == 200"),
    ("/expect", "expect: []"), ("/expect", "expect: {}"), ("/expect/0", "expect: [ { a: b } ]"),
    ("/expect/status", "expect: { status: '200' }"),
    ("/expect/status", "expect: { status: 600 }"), ("/expect/header", "expect: { header: {} }"),
    ("/expect/schema", "expect: { schema: true }"), ("/expect/schema", "expect: { schema: [ a.json ] }"),
    ("/expect/schema", "expect: { schema: '${{ inputs.a }}' }"), ("/expect/max_duration", "expect: { max_duration: 5 }"),
    ("/timeout", "timeout: 30"), ("/effect", "effect: safe"), ("/retry/attempts", "retry: { attempts: 0 }"),
    ("/retry/delay", "retry: { delay: 5 }"), ("/retry/delay", "retry: { delay: soon }"), ("/retry/when", "retry: { when: 429 }"),
    ("/retry/jitter", "retry: { jitter: some }"), ("/save", "save: 12"), ("/save", "save: [ a.json ]"),
    ("/poll", "poll: { every: 1s, until: outputs.a }"), ("/poll", "poll: { timeout: 1m, until: outputs.a }"),
    ("/poll", "poll: { every: 1s, timeout: 1m }"), ("/poll", "poll: outputs.a"),
    ("/poll/every", "poll: { every: 1, timeout: 1m, until: outputs.a }"),
    ("/poll/while", "poll: { every: 1s, timeout: 1m, until: outputs.a, while: b }"),
    ("/poll/tolerate", "poll: { every: 1s, timeout: 1m, until: outputs.a, tolerate: 404 }"),
    ("/poll/fail_if", "poll: { every: 1s, timeout: 1m, until: outputs.a, fail_if: [ b ] }"),
    ("/idempotency_key", "idempotency_key: 12"), ("/idempotency_key", "idempotency_key: { header: A }"),
    ("/idempotency_key/key", "idempotency_key: { value: a, key: b }"),
    ("/idempotency_key/header", "idempotency_key: { value: a, header: '${{ inputs.b }}' }"), ("/undo", "undo: []"),
    ("/undo", "undo: { always: true }"), ("/unverifiable", "unverifiable: true"), ("/unverifiable", "unverifiable: '${{ inputs.a }}'"),
    ("/valid_for", "valid_for: 5"), ("/reconcile", "reconcile: [ get: /a ]"), ("/reconcile", "reconcile: { steps: [ get: /a ] }"),
    ("/reconcile", "reconcile: { delivered: inputs.a }"), ("/reconcile/steps", "reconcile: { steps: [], delivered: inputs.a }"),
    ("/reconcile/delivered", "reconcile: { steps: [ get: /a ], delivered: [ inputs.a ] }"),
    ("/reconcile/until", "reconcile: { steps: [ get: /a ], delivered: inputs.a, until: inputs.b }"),
    ("/undo/always", "undo: { always: yes, steps: [ end: passed ] }"),
    ("/undo/when", "undo: { when: a, steps: [ end: passed ] }"), ("/undo/0", "undo: [ id: a ]"), ("/on_error", "on_error: { when: http }"),
    ("/on_error/0", "on_error: [ then: continue ]"), ("/on_error/0", "on_error: [ { when: any } ]"),
    ("/on_error/0", "on_error: [ { when: http, then: retry } ]"), ("/on_error/0/max", "on_error: [ { when: http, max: 2 } ]"),
    ("/on_error/0/then", "on_error: [ { when: http, then: repeat } ]"),
  ].map { SchemaMistake("/steps/0" + $0.0, "steps:\n  - get: https://a.example.test\n    \($0.1)") }

private let scenarioMistakes: [SchemaMistake] =
  [
    .init("", "cases: [ name: a ]"), .init("", "flow: a.flow.yaml"), .init("/cases", "flow: a.flow.yaml\ncases: []"),
    .init("/cases", "flow: a.flow.yaml\ncases: a.csv"), .init("/case", "flow: a.flow.yaml\ncases: [ name: a ]\ncase: 1"),
    .init("/flow", "flow: 1\ncases: [ name: a ]"), .init("/baton", "baton: 2\nflow: a.flow.yaml\ncases: [ name: a ]"),
    .init("/defaults/name", "flow: a.flow.yaml\ndefaults: { name: a }\ncases: [ name: a ]"),
  ]
  + [
    ("", "skip: later"), ("/skip", "skip: true"), ("/expct", "expct: {}"), ("/tags", "tags: smoke"),
    ("/inputs/a", "inputs: { a: '${{ 1 }}' }"), ("/inputs", "inputs: [ a ]"), ("/secrets/a", "secrets: { a: '${{ secrets.b }}' }"),
    ("/answers/pin", "answers: { pin: 123456 }"), ("/answers/pin", "answers: { pin: [] }"), ("/answers/pin/0", "answers: { pin: [ 1 ] }"),
    ("/answers/pin/from", "answers: { pin: { from: pigeon } }"), ("/answers/pin", "answers: { pin: {} }"),
    ("/sandbox/give", "sandbox: { give: {} }"), ("/sandbox/given/rapidsos/pin", "sandbox: { given: { rapidsos: { pin: '${{ 1 }}' } } }"),
    ("/sandbox/faults/0", "sandbox: { faults: [ { status: 503 } ] }"), ("/sandbox/faults/0", "sandbox: { faults: [ { route: GET /a } ] }"),
    ("/sandbox/faults/0", "sandbox: { faults: [ { route: GET /a, status: 503, delay: 1s } ] }"),
    ("/sandbox/faults/0/route", "sandbox: { faults: [ { route: /a, status: 503 } ] }"),
    ("/sandbox/faults/0/status", "sandbox: { faults: [ { route: GET /a, status: 100 } ] }"),
    ("/sandbox/faults/0/body", "sandbox: { faults: [ { route: GET /a, delay: 1s, body: a } ] }"),
    ("/sandbox/faults/0/drop", "sandbox: { faults: [ { route: GET /a, drop: all } ] }"),
    ("/sandbox/faults/0/kill", "sandbox: { faults: [ { route: GET /a, kill: now } ] }"),
    ("/sandbox/faults/0/bytes_per_second", "sandbox: { faults: [ { route: GET /a, bytes_per_second: 0 } ] }"),
    ("/sandbox/faults/0/times", "sandbox: { faults: [ { route: GET /a, status: 503, times: 0 } ] }"),
    ("/sandbox/faults/0/match", "sandbox: { faults: [ { route: GET /a, status: 503, match: [ a ] } ] }"),
    ("/sandbox/events/0", "sandbox: { events: [ { after: log_in } ] }"), ("/sandbox/events/0", "sandbox: { events: [ { do: {} } ] }"),
    ("/routes/0", "routes: [ { status: 200 } ]"), ("/routes/0/route", "routes: [ { route: get /a } ]"),
    ("/routes/0/body", "routes: [ { route: GET /a, json: {}, body: a } ]"), ("/routes/0/delay", "routes: [ { route: GET /a, delay: 5 } ]"),
    ("/routes/0/headers/A", "routes: [ { route: GET /a, headers: { A: '${{ 1 }}' } } ]"), ("/expect", "expect: {}"),
    ("/expect/verdict", "expect: { verdict: green }"), ("/expect/code", "expect: { verdict: passed, code: http.500 }"),
    ("/expect/steps/a", "expect: { steps: { a: passed } }"), ("/expect/requests/~1a", "expect: { requests: { /a: 1 } }"),
    ("/expect/requests/GET ~1a", "expect: { requests: { GET /a: many } }"),
    ("/expect/requests/GET ~1a", "expect: { requests: { GET /a: {} } }"),
    ("/expect/outputs", "expect: { outputs: [ a ] }"), ("/expect/max_duration", "expect: { max_duration: 5 }"),
    ("/then", "then: again"), ("/then", "then: []"), ("/then/expect", "then: { expect: { verdict: passed } }"),
    ("/then", "then: { run: {}, resume: {} }"), ("/then/resume/inputs", "then: { resume: { inputs: {} } }"),
    ("/then/0/run/expect", "then: [ { run: { expect: {} } } ]"),
  ].map { key, text in
    SchemaMistake(
      "/cases/0" + key,
      "flow: a.flow.yaml\ndefaults: { expect: { verdict: passed } }\ncases:\n  - \(key.isEmpty ? "tags: []" : "name: a")\n    \(text)")
  }

private let projectMistakes: [SchemaMistake] =
  [.init("", "baton: 1"), .init("/environments", "environments: [ a ]"), .init("/enviroments", "environments: {}\nenviroments: {}")]
  + [
    ("", "[]"), ("/lives", "{ lives: true }"), ("/live", "{ live: 'yes' }"), ("/exec", "{ exec: 1 }"), ("/extends", "{ extends: 1 }"),
    ("/extends", "{ extends: [ a ] }"), ("/connections/rapidsos", "{ connections: { rapidsos: borrowed } }"),
    ("/connections/api/base_url", "{ connections: { api: { base_url: '${{ inputs.a }}' } } }"),
    ("/inputs/a/b", "{ inputs: { a: { b: '${{ 1 }}' } } }"),
    ("/secrets/a", "{ secrets: { a: b } }"), ("/secrets/a", "{ secrets: { a: {} } }"),
    ("/secrets/a", "{ secrets: { a: { env: A, file: b } } }"), ("/secrets/a/vault", "{ secrets: { a: { vault: b } } }"),
    ("/secrets/a/command", "{ secrets: { a: { command: pass show a } } }"), ("/secrets/a/command", "{ secrets: { a: { command: [] } } }"),
    ("/secrets/a/env", "{ secrets: { a: { env: 1 } } }"), ("/hosts", "{ hosts: a.example.test }"),
    ("/hosts/0", "{ hosts: [ 'https://a.example.test' ] }"), ("/hosts/0", "{ hosts: [ 'a.example.test:99999' ] }"),
    ("/hosts/0", "{ hosts: [ 'a.*.test' ] }"), ("/answers/pin", "{ answers: { pin: 1 } }"), ("/answers/pin", "{ answers: { pin: [ a ] } }"),
    ("/answers/pin/from", "{ answers: { pin: { from: sms } } }"),
  ].map { SchemaMistake("/environments/staging" + $0.0, "environments:\n  staging: \($0.1)") }
