import TestKit
import Testing

@testable import BatonKit

/// What the front end reads, an editor does not complain about.
@Suite struct SchemasValidTests {
  @Test(arguments: validSteps)
  func aStepIsValidToBoth(_ step: String) throws {
    let text = "steps:\n  - \(step)"
    #expect(SchemaSubject.flow.errors(text) == [])
    #expect(try SchemaSubject.flow.violations(text) == [])
  }

  @Test(arguments: validScenarios)
  func scenariosAreValidToBoth(_ text: String) throws {
    #expect(SchemaSubject.scenarios.errors(text) == [])
    #expect(try SchemaSubject.scenarios.violations(text) == [])
  }

  @Test(arguments: validProjects)
  func aProjectIsValidToBoth(_ text: String) throws {
    #expect(SchemaSubject.project.errors(text) == [])
    #expect(try SchemaSubject.project.violations(text) == [])
  }
}

/// Every file that the project ships, against the schema of its kind.
@Suite struct SchemasShippedFilesTests {
  @Test(arguments: shipped(".flow.yaml"))
  func everyShippedFlowIsValid(_ path: String) throws { try check(path, .flow) }

  @Test(arguments: shipped(".scenarios.yaml"))
  func everyShippedScenariosFileIsValid(_ path: String) throws { try check(path, .scenarios) }

  @Test(arguments: shipped("baton.yaml"))
  func everyShippedProjectIsValid(_ path: String) throws { try check(path, .project) }

  @Test func whatInitWritesIsValid() throws {
    for file in ProjectTemplate.files {
      if file.path.hasSuffix(".flow.yaml") { #expect(try SchemaSubject.flow.violations(file.text) == []) }
      if file.path.hasSuffix(".scenarios.yaml") { #expect(try SchemaSubject.scenarios.violations(file.text) == []) }
      if file.path == "baton.yaml" { #expect(try SchemaSubject.project.violations(file.text) == []) }
    }
  }

  private func check(_ path: String, _ kind: SchemaSubject) throws {
    #expect(try kind.violations(String(decoding: FileAccess.read(path), as: UTF8.self)) == [])
  }

  private static func shipped(_ ending: String) -> [String] {
    ["flows", "examples", "docs", "Benchmarks", "Tests/Interop"].flatMap { FileAccess.files(below: ProjectRoot.path + $0, ending: ending) }
  }
}

private let validSteps = [
  "switch: [ { if: inputs.a > 1, steps: [ wait: 1s ], outputs: { b: 1 } }, { if: true, outputs: { b: 2 } }, { else: [], outputs: { b: 3 } } ]",
  "switch: [ else: [ end: failed ] ]",
  "{ for_each: { in: inputs.users }, steps: [ wait: 1s ] }",
  """
  { id: all, for_each: { in: "csv('users.csv', {'age': 'integer'})", as: user, key: user.name, max_items: 10, min_items: 0, concurrency: 4,
      on_item_error: finish }, steps: [ wait: 1s ], outputs: { a: 1 }, timeout: 1m, on_error: [ { when: parallel.failed } ], undo: [ wait: 1s ] }
  """,
  "{ for_each: { in: [ a, '${{ inputs.b }}' ] }, steps: [ wait: 1s ] }", "{ for_each: { in: { a: 1 } }, steps: [ wait: 1s ] }",
  "{ repeat: { max: 5 }, steps: [ wait: 1s ] }",
  """
  { repeat: { max: 5, every: 1m, until: loop.cursor == '', carry: { cursor: '' } }, steps: [ { id: page, get: /a } ],
      next: { cursor: "${{ steps.page.response.body.next }}" }, outputs: { a: 1 } }
  """,
  "parallel: { branches: { a: [ wait: 1s ], B_2: { steps: [ wait: 1s ], outputs: { c: 1 } } }, on_branch_error: stop }",
  "call: log-in.flow.yaml",
  "{ call: a.flow.yaml, with: { a: 1 }, secrets: inherit, connections: { api: api }, expect: [ outputs.a ], outputs: { b: 1 } }",
  "{ call: a.flow.yaml, secrets: [ key ] }", "{ call: a.flow.yaml, secrets: { theirs: ours } }",
  "set: { count: 1, state.cursor: '${{ steps.a.outputs.next }}', Last_1: [ a ] }", "{ if: '${{ inputs.a }}', wait: 1s }",
  "{ get: /a, save: 'reports/${{ inputs.a }}.json' }",
  "{ get: /a, poll: { every: 2s, timeout: 1m, until: response.body.done, fail_if: response.body.failed, tolerate: [ http.404, network ] } }",
  "{ post: /a, idempotency_key: 'order-${{ inputs.a }}' }", "{ post: /a, idempotency_key: { value: a, header: X-Key } }",
  "{ post: /a, undo: [ delete: /a ] }", "{ post: /a, undo: { always: true, steps: [ delete: /a ] } }",
  """
  { uses: rapidsos/trigger-call-flow, with: { call_flow: a, variables: {} }, dedupe_key: a, valid_for: 90s, unverifiable: nobody can ask,
      reconcile: { steps: [ { id: look_up, get: /a } ], delivered: steps.look_up.response.body.seen, outputs: { alert_id: a } } }
  """,
  "{ delete: /a, effect: unsafe, reconcile: { steps: [ get: /a ], delivered: inputs.a } }",
  "{ get: /a, retry: { attempts: 3, delay: '${{ duration(response.body.wait) }}' } }",
  "{ get: /a, expect: { schema: schemas/a.json } }",
  "{ get: /a, expect: { schema: { type: object, required: [ id ], properties: { id: { type: integer } } } } }",
  "{ get: /a, expect: { body: { id: $number, name: { $regex: '^A' }, price: { $between: [ 1, 2.5 ] }, gone: $absent, all: [ $any, $uuid ] } } }",
]

private let validScenarios = [
  "flow: a.flow.yaml\ncases: [ { name: a, expect: { verdict: passed } } ]", "flow: a.flow.yaml\ncases: csv('cases.csv')",
  "flow: a.flow.yaml\ncases: 'csv(\"a b.csv\")'",
  """
  baton: 1
  scenarios: everything
  flow: onboarding.flow.yaml
  tags: [ nightly ]
  defaults:
    tags: [ smoke ]
    inputs: { username: ada.lovelace, count: 3, list: [ 1, { a: null } ] }
    secrets: { password: wrong }
    answers: { pin: "000000" }
    sandbox: { given: { rapidsos: { users: [ { username: ada.lovelace } ] } } }
    routes: [ { route: GET /a } ]
    expect: { verdict: passed, outputs: { id: $number, list: [ $any, { a: { $regex: "^A" } } ], price: $5 } }
  cases:
    - name: the first
      tags: [ a ]
      skip: not today
      inputs: {}
      secrets: {}
      answers: { pin: [ "000000", "111111" ], code: { from: sms } }
      sandbox:
        given: { rapidsos: { users: [] } }
        faults:
          - { route: "POST /v1/rain/caller-ids", status: 503, headers: { Retry-After: "1" }, body: { a: 1 }, times: 1, after: 2 }
          - { route: "rapidsos GET /v1/a/{id}", delay: 2s, match: "request.body.a == 1" }
          - { route: GET /a, drop: mid_body }
          - { route: GET /a, bytes_per_second: 10 }
          - { route: GET /a, truncate: true }
          - { route: GET /a, kill: after_send }
        events: [ { after: log_in, do: { rapidsos: { expire: user } } } ]
      routes:
        - { route: "GET /v1/a/{id}", status: 404, headers: { A: b }, json: { a: [ 1 ] }, delay: 1s, times: 2 }
        - { route: "todo GET /a", body: text }
      expect:
        verdict: errored
        code: http.503
        steps: { register: recovered }
        requests: { "POST /v1/rain/caller-ids": 3, "GET /a": { count: 1, that: request.body.a == 1 }, "GET /b": { that: [ a, b ] } }
        that: [ run.verdict == 'errored' ]
        max_duration: 5s
      then: resume
    - { name: again, then: run }
    - name: killed
      sandbox: { faults: [ { route: GET /a, kill: before_send } ] }
      then: { resume: { expect: { verdict: passed } } }
    - { name: twice, then: [ run, { resume: null }, { run: { inputs: { a: 1 }, answers: { pin: "1" }, expect: { verdict: passed } } } ] }
    - { name: on, then: { resume: { answers: {}, expect: { verdict: indeterminate } } } }
  """,
]

private let validProjects = [
  "environments: {}",
  """
  baton: 1
  environments:
    staging:
      connections:
        rapidsos: { base_url: https://api-staging.example.test }
        todo: { base_url: https://todo.example.test }
        other: { system: http, base_url: https://other.example.test }
      inputs: { email: qa@example.test, list: [ 1 ] }
      secrets: { a: { env: A }, b: { file: b.txt }, c: { command: [ pass, show, c ] } }
      hosts: [ api.example.test, "*.example.test", "localhost:8080", "[::1]:80", 127.0.0.1 ]
      answers: { pin: { command: [ ./read-sms, --to, qa ] }, sure: "yes" }
    production: { extends: staging, live: true, exec: false }
    empty: {}
  """,
]
