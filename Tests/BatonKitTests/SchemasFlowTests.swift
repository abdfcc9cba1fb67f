import Diagnostics
import FlowPlan
import FrontEnds
import JSONSchema
import SourceText
import StepKit
import Steps
import Testing
import Values

@testable import BatonKit

/// The schema of flows and `baton check` agree on the form of a flow.
@Suite struct SchemasFlowTests {
  @Test(arguments: validFlows)
  func aValidFlowIsValidToBoth(_ source: String) throws {
    #expect(check(source) == [])
    #expect(try SchemaSubject.flow.violations(source) == [])
  }

  @Test(arguments: wrongFlows)
  func aWrongFlowIsWrongToBoth(_ source: String) throws {
    #expect(check(source) != [])
    #expect(try SchemaSubject.flow.violations(source) != [])
  }

  /// Each step's example, as it stands and with an expression for each member.
  @Test(arguments: StepCatalogue.standard.stepNames)
  func theExampleOfAStepIsValid(_ name: String) throws {
    let schema = try SchemaSubject.flow.schema()
    let step = try #require(StepCatalogue.standard.step(name))
    let with = try #require(try JSON.parse(step.example.with).mapValue)
    var extra = ValueMap()
    if step.about.isEmergency { extra["dedupe_key"] = "incident-4711" }
    for input in [with, with.mapValues { _ in "${{ inputs.x }}" }] {
      let use: Value = ["uses": .string(name), "with": .map(input)]
      #expect(schema.validate(["steps": [use.joined(with: .map(extra))]]).map(\.message) == [])
      #expect(!schema.accepts(["steps": [use.joined(with: .map(extra)).with("with", .map(input).with("no_such_key", 1))]]))
    }
  }

  /// The errors of `baton check`, the names and types of which need the catalogue among them.
  private func check(_ source: String) -> [String] {
    let (flow, found) = NativeFrontEnd.flow(from: SourceFile(path: "a.flow.yaml", text: source))
    let more = flow.map { Planner.plan($0, catalogue: .standard).diagnostics } ?? []
    return (found + more).filter { $0.severity == .error }.map(\.message)
  }
}

private let validFlows = [
  """
  steps:
    - get: https://status.example.test/health
  """,
  """
  baton: 1
  flow: everything
  description: Every key once.
  tags: [smoke, nightly]
  inputs:
    name: string
    count: { type: integer, minimum: 0, default: 3 }
    phone: { type: string, format: phone, region: US, optional: true }
    token: { type: string, secret: true }
    people: { type: array, maxItems: 5, items: { type: object, properties: { name: { type: string } } }, default: [] }
  secrets: [key]
  connections:
    api:
      system: http
      base_url: https://api.example.test
      headers: { Accept: application/json }
      bearer: ${{ secrets.key }}
    rapidsos: {}
  defaults: { attempt_timeout: 10s, timeout: 1m30s, retry: { attempts: 2 } }
  budget: { time: 5m, requests: 100 }
  steps:
    - id: list
      name: the list of ${{ inputs.name }}
      if: inputs.count > 0
      get: /items/{id}
      connection: api
      with:
        path: { id: "${{ inputs.count }}" }
        query: { page: 1, tag: [a, b] }
        follow: true
      expect: { status: [200, 2xx], headers: { Content-Type: application/json }, body: { items: [] }, that: response.status == 200, max_duration: 500ms }
      outputs:
        first: ${{ response.body.items }}
        hidden: { value: "${{ response.body.token }}", secret: true }
      retry: { attempts: 3, when: [network, http.503], delay: 1s, factor: 1.5, max_delay: 1m, jitter: none }
      timeout: 1h
      attempt_timeout: 0.5s
      effect: read
      on_error:
        - { when: http.404, then: continue, outputs: { first: [], hidden: "" } }
        - { when: [http.409, http.429], if: error.attempt > 0, then: retry, max: 2 }
        - { when: assertion, then: end, verdict: passed }
        - { when: any, reason: nothing more can be done, do: [ wait: 1s ], then: fail, code: user.gone, message: "gone: ${{ error.code }}" }
    - group:
        - post: https://api.example.test/items
          with: { json: { a: "${{ inputs.name }}" } }
        - uses: log
          with: { message: 12 }
      timeout: 5m
    - uses: http
      connection: api
      with: { method: OPTIONS, url: / }
      expect: [ response.status == 204 ]
    - id: order
      post: https://api.example.test/orders
      effect: once
      outputs: { id: "${{ response.body.id }}" }
      reconcile:
        steps: [ { id: look_up, get: "https://api.example.test/orders?name=${{ inputs.name }}", outputs: { id: "${{ response.body.id }}" } } ]
        delivered: steps.look_up.response.status == 200
        outputs: { id: "${{ steps.look_up.outputs.id }}" }
    - if: inputs.count > 100
      fail: { code: user.many, message: too many }
    - end: passed
  outputs: { name: "${{ inputs.name }}" }
  finally:
    - uses: log
      with: { message: done }
  """,
]

private let wrongFlows: [String] =
  [
    "{}", "[]", "steps: []", "step: []", "steps: { get: /a }", "steps: [get /a]", "baton: 2\nsteps: [ end: passed ]",
    "flow: 12\nsteps: [ end: passed ]", "tags: smoke\nsteps: [ end: passed ]", "secrets: { a: b }\nsteps: [ end: passed ]",
    "inputs: { a: text }\nsteps: [ end: passed ]", "inputs: { a: { typ: string } }\nsteps: [ end: passed ]",
    "connections: { api: { base_url: https://a.example.test } }\nsteps: [ end: passed ]",
    "connections: { api: { system: htp } }\nsteps: [ end: passed ]",
    "connections: { rapidsos: { client: a } }\nsteps: [ end: passed ]",
    "connections: { rapidsos: { system: http, client_id: a } }\nsteps: [ end: passed ]",
    "defaults: { delay: 1s }\nsteps: [ end: passed ]", "budget: { requests: -1 }\nsteps: [ end: passed ]",
    "steps: [ end: passed ]\noutputs: { a: { value: 1, kind: x } }",
    "state: { cursor: string }\nsteps: [ end: passed ]", "state: { cursor: { type: string } }\nsteps: [ end: passed ]",
    "state_key: a\nsteps: [ end: passed ]", "inputs: { a: { type: string, default: '${{ 1 }}' } }\nsteps: [ end: passed ]",
    "state: { a: { type: string, default: '${{ uuid() }}' } }\nsteps: [ end: passed ]",
  ]
  + [
    // steps
    "id: a", "{ get: https://a.example.test, post: https://a.example.test }", "{ id: log-in, end: passed }", "{ id: 1, end: passed }",
    "get: 12",
    "get: ''", "uses: rapidsos/registr", "{ uses: log }", "{ uses: log, with: { mesage: x } }", "switch: []", "{ end: passed, save: a }",
    "{ end: passed, retry: { attempts: 2 } }", "{ group: [ end: passed ], connection: a }", "group: []", "wait: 5", "wait: soon",
    "wait: 1s1m",
    "end: pass", "fail: { message: x }", "fail: { code: http.404 }", "{ uses: log, with: { message: a }, effect: read }",
    "{ uses: log, with: { message: a }, dedupe_key: a }", "{ uses: log, with: { message: a }, valid_for: 1m }",
    "{ uses: log, with: { message: a }, unverifiable: why }",
    "{ uses: log, with: { message: a }, reconcile: { steps: [ get: https://a.example.test ], delivered: inputs.a } }",
    "{ post: https://a.example.test, valid_for: 1m }", "{ post: https://a.example.test, unverifiable: why }",
    "{ post: https://a.example.test, effect: idempotent, reconcile: { steps: [ get: https://a.example.test ], delivered: inputs.a } }",
    "{ put: https://a.example.test, reconcile: { steps: [ get: https://a.example.test ], delivered: inputs.a } }",
    "{ uses: log, with: { message: a }, expect: { status: 200 } }", "{ uses: log, with: { message: a }, expect: { body: { a: 1 } } }",
    "{ uses: log, with: { message: a }, expect: { schema: { type: object } } }", "{ uses: log, with: { message: a }, save: a.json }",
    "{ uses: log, with: { message: a }, retry: { attempts: 2 } }", "{ uses: log, with: { message: a }, connection: a }",
    "{ uses: log, with: { message: a }, idempotency_key: a }",
    "{ uses: log, with: { message: a }, poll: { every: 1s, timeout: 1m, until: 1 == 2 } }",
    "{ uses: prompt, with: { text: a, kind: password } }",
    "{ uses: prompt, with: { text: a, secret: 'yes' } }", "{ uses: prompt, with: { text: 12 } }",
    "{ uses: prompt, with: { text: a, choices: b } }",
  ].map { "steps:\n  - \($0)" }
  + [
    // modifiers
    "with: [a]", "with: { url: /a }", "with: { follow: [] }", "expect: response.status == 200", "expect: []", "expect: {}",
    "expect: { status: '200' }",
    "expect: { status: 600 }", "expect: { status: 6xx }", "expect: { status: [] }", "expect: { header: {} }", "expect: { max_duration: 5 }",
    "expect: { schema: { const: '${{ inputs.a }}' } }", "expect: { body: $any }", "expect: { body: { a: $sting } }",
    "expect: { body: { a: $regex } }", "expect: { body: { $any: 1 } }",
    "expect: { body: { $rgex: a } }", "expect: { body: { a: { $regex: a, b: c } } }", "expect: { body: { a: { $regex: 1 } } }",
    "expect: { body: { a: { $between: [ 1 ] } } }", "expect: { body: { a: { $between: 1 } } }",
    "expect: { body: [ { a: { $between: [ a, b ] } } ] }", "expect: { status: 404, error: http.404 }",
    "idempotency_key: { value: a, header: 'a b' }",
    "timeout: 30", "effect: safe", "dedupe_key: a", "retry: { attempts: 0 }", "retry: { when: 429 }", "retry: { when: [] }",
    "retry: { factor: 0.5 }",
    "retry: { jitter: some }", "on_error: { when: http }", "on_error: [ then: continue ]", "on_error: [ { when: any } ]",
    "on_error: [ { when: http, then: retry } ]", "on_error: [ { when: http, max: 2 } ]", "on_error: [ { when: http, then: end } ]",
    "on_error: [ { when: http, then: repeat } ]", "on_error: [ { when: http, then: end, verdict: passed, code: user.a } ]",
    "on_error: [ { when: http, then: continue, message: a } ]", "on_error: [ { when: http, then: fail, outputs: { a: 1 } } ]",
    "on_error: [ { when: http, code: gone } ]", "on_error: [ { when: http, do: [] } ]", "connection: '${{ inputs.a }}'",
  ].map { "steps:\n  - get: https://a.example.test\n    \($0)" }
