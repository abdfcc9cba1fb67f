import Diagnostics
import FlowSyntax
import FrontEnds
import SourceText
import TestKit
import Testing

func read(_ text: String) throws -> FlowDocument {
  let (flow, diagnostics) = NativeFrontEnd.flow(from: SourceFile(path: "f", text: text))
  #expect(described(diagnostics) == [])
  return try #require(flow)
}

@Suite struct FlowTests {
  @Test func theSmallestFlow() throws {
    let flow = try read(
      """
      connections: { api: { system: http, base_url: https://status.example.test } }
      steps:
        - get: /health
          expect: { body: { status: up } }
      """)
    #expect(flow.connections.map(\.alias.value) == ["api"])
    #expect(flow.connections.first?.system?.value == "http")
    #expect(flow.connections.first?.settings.map(\.key.value) == ["base_url"])
    let step = try #require(flow.steps.first)
    guard case .http(let method, .scalar(let target)) = step.action else { return #expect(Bool(false)) }
    #expect(method.value == "get")
    #expect(target.text.text == "/health")
    #expect(step.expect?.body != nil)
    #expect(step.id == nil)
  }

  @Test func theHeadOfAFlow() throws {
    let flow = try read(
      """
      baton: 1
      flow: onboarding
      description: >
        Two
        lines.
      tags: [smoke, slow]
      inputs:
        username: { type: string, minLength: 7 }
        count: integer
      secrets: [client_id, password]
      connections:
        rapidsos: { client_id: "${{ secrets.client_id }}" }
      defaults: { attempt_timeout: 10s, timeout: 5m, retry: { attempts: 2 }, http: { follow: false } }
      budget: { time: 1m30s, requests: 40 }
      steps:
        - wait: 500ms
      outputs:
        id: ${{ steps.a.outputs.id }}
        token: { value: "${{ steps.a.outputs.t }}", type: string, secret: true }
        data: { plain: 1 }
      finally:
        - get: /end
      """)
    #expect(flow.name?.value == "onboarding")
    #expect(flow.description?.value == "Two lines.\n")
    #expect(flow.tags.map(\.value) == ["smoke", "slow"])
    #expect(flow.inputs.map(\.name.value) == ["username", "count"])
    #expect(flow.secrets.map(\.value) == ["client_id", "password"])
    #expect(flow.connections.first?.system == nil)
    #expect(flow.defaults.attemptTimeout?.value == .seconds(10))
    #expect(flow.defaults.timeout?.value == .seconds(300))
    #expect(flow.defaults.retry?.attempts?.value == 2)
    #expect(flow.defaults.http.map(\.key.value) == ["follow"])
    #expect(flow.budget?.time?.value == .seconds(90))
    #expect(flow.budget?.requests?.value == 40)
    #expect(flow.outputs.map(\.name.value) == ["id", "token", "data"])
    #expect(flow.outputs.map(\.isSecret) == [false, true, false])
    #expect(flow.outputs.map(\.type?.value) == [nil, "string", nil])
    #expect(flow.finally.count == 1)
  }

  @Test func everyPartOfAStep() throws {
    let flow = try read(
      """
      steps:
        - id: a
          name: call ${{ inputs.who }}
          if: inputs.who != ''
          uses: rapidsos/register
          with: { list: [1, null], map: { x: "${{ y }}" } }
          connection: rapidsos
          expect:
            status: [200, 4xx]
            headers: { content-type: text/plain }
            that: [ outputs.x > 0, outputs.y ]
            max_duration: 2s
            error: rapidsos.bad
          outputs: { z: 1 }
          retry: { attempts: 3, when: [http.429, network], delay: 500ms, factor: 1.5, max_delay: 30s, jitter: none }
          timeout: 1m
          attempt_timeout: 10s
          effect: idempotent
          dedupe_key: ${{ inputs.who }}
          on_error:
            - when: rapidsos.bad
              if: error.attempt > 1
              do: [ wait: 1s ]
              then: retry
              max: 2
            - when: [a.b, c.d]
              code: user.x
              message: no ${{ error.code }}
            - { when: any, reason: why not, then: end, verdict: failed, code: user.y }
            - { when: b.c, then: continue, outputs: { z: 2 } }
      """)
    let step = try #require(flow.steps.first)
    #expect(step.id?.value == "a")
    #expect(step.condition?.text.text == "inputs.who != ''")
    #expect(step.with.map(\.key.value) == ["list", "map"])
    #expect(step.withSpan != nil)
    #expect(step.connection?.value == "rapidsos")
    let expect = try #require(step.expect)
    #expect(expect.statuses.map(\.value) == [.exactly(200), .hundred(4)])
    #expect(expect.that.map(\.text.text) == ["outputs.x > 0", "outputs.y"])
    #expect(expect.maxDuration?.value == .seconds(2))
    #expect(expect.error?.value == "rapidsos.bad")
    let retry = try #require(step.retry)
    #expect(retry.when.map(\.value) == ["http.429", "network"])
    #expect(retry.factor?.value == 1.5)
    #expect(retry.jitter?.value == "none")
    #expect(step.effect?.value == "idempotent")
    #expect(step.onError.map { $0.when.map(\.value) } == [["rapidsos.bad"], ["a.b", "c.d"], ["any"], ["b.c"]])
    #expect(step.onError.map(\.then?.value) == ["retry", nil, "end", "continue"])
    #expect(step.onError.map(\.body.count) == [1, 0, 0, 0])
    #expect(step.onError.map(\.max?.value) == [2, nil, nil, nil])
    #expect(step.onError.map(\.verdict?.value) == [nil, nil, "failed", nil])
    #expect(step.onError.map(\.outputs.count) == [0, 0, 0, 1])
  }

  @Test func whatAnEmergencyHasBesideItsKey() throws {
    let step = try #require(
      try read(
        """
        steps:
          - uses: rapidsos/trigger-call-flow
            dedupe_key: a
            valid_for: 1m30s
            unverifiable: the provider has no way to ask
            reconcile:
              steps: [ { id: look_up, get: /alerts } ]
              delivered: ${{ steps.look_up.response.status == 200 }}
              outputs: { alert_id: "${{ steps.look_up.response.body.id }}" }
        """
      ).steps.first)
    #expect(step.validFor?.value == .seconds(90))
    #expect(step.unverifiable?.value == "the provider has no way to ask")
    let reconcile = try #require(step.reconcile)
    #expect(reconcile.steps.compactMap(\.id?.value) == ["look_up"])
    #expect(reconcile.delivered?.text.text == "${{ steps.look_up.response.status == 200 }}")
    #expect(reconcile.outputs.map(\.name.value) == ["alert_id"])
  }

  @Test func everyAction() throws {
    let flow = try read(
      """
      steps:
        - uses: prompt
        - { get: /a }
        - { post: /a }
        - { put: /a }
        - { patch: /a }
        - { delete: /a }
        - { head: "${{ inputs.url }}" }
        - group: [ wait: 1h ]
        - wait: 30s
        - fail: { code: user.x, message: "no ${{ inputs.a }}" }
        - end: passed
      """)
    let actions = flow.steps.map { step in
      switch step.action {
      case .uses(let name): "uses \(name.value)"
      case .http(let method, _): method.value
      case .group(let steps, _): "group of \(steps.count)"
      case .choose, .forEach, .repeating, .parallel, .call, .set: "not here"
      case .wait(let duration): "wait \(duration.value)"
      case .fail(let code, _): "fail \(code.value)"
      case .end(let verdict): "end \(verdict.value)"
      }
    }
    #expect(
      actions == [
        "uses prompt", "get", "post", "put", "patch", "delete", "head", "group of 1", "wait 30.0 seconds", "fail user.x", "end passed",
      ])
  }

  @Test func expressionsKnowTheirPlace() throws {
    let marked = MarkedText("steps:\n  - if: '1️⃣inputs.x2️⃣ == \"é\"'\n    get: /a\n")
    let condition = try #require(try read(marked.text).steps.first?.condition)
    #expect(condition.text.fileSpan(of: Span(0, 8)) == Span(marked["1️⃣"], marked["2️⃣"]))
  }

  @Test func anAliasedStepIsReadForEachAlias() throws {
    let flow = try read("steps:\n  - &a { get: /a }\n  - *a\n")
    #expect(flow.steps.count == 2)
  }

  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("5m", .seconds(300)), ("1h", .seconds(3600)), ("0s", .zero),
    ("1.5s", .milliseconds(1500)), ("1h30m", .seconds(5400)), ("1m30s250ms", .milliseconds(90_250)),
    ("999999999.5h", .seconds(3_599_999_998_200)),
  ])
  func durations(_ text: String, _ duration: Duration) throws {
    guard case .wait(let read) = try #require(try read("steps: [ wait: \(text) ]").steps.first).action else { return #expect(Bool(false)) }
    #expect(read.value == duration)
  }

  @Test(arguments: ["5", "5 s", "s", "-5s", "5d", "1s1m", "1s1s", ".5s", "5.s", "1..2s", "'5'", "5S", "5sec", "99999999999h", "٥s"])
  func noDuration(_ text: String) {
    let (flow, diagnostics) = NativeFrontEnd.flow(from: SourceFile(path: "f", text: "steps: [ wait: \(text) ]"))
    #expect(flow?.steps.count == 0)
    #expect(diagnostics.map(\.kind) == [.invalidValue])
  }
}
