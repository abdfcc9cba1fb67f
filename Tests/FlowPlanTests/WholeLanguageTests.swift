import Diagnostics
import FlowPlan
import Testing
import Values

/// A flow with every action and modifier in it.
private let everything = """
  inputs:
    users: { type: array, maxItems: 5, items: { type: string } }
    go: boolean
  secrets: [id, key, password]
  state: { cursor: { type: string, default: "" } }
  state_key: ${{ string(inputs.go) }}
  budget: { requests: 500, time: 6h }
  connections:
    rapidsos: { client_id: "${{ secrets.id }}", client_secret: "${{ secrets.key }}" }
    api: { system: http, base_url: https://api.example.test }
  steps:
    - id: signed_in
      call: log-in.flow.yaml
      secrets: [password]
      connections: { rapidsos: rapidsos }
    - id: pick
      switch:
        - if: inputs.go
          steps:
            - id: one
              get: /one
              poll: { every: 2s, timeout: 10s, until: response.status == 200, fail_if: response.body.bad == true }
              retry: { delay: "${{ duration('1s') }}" }
          outputs: { n: "${{ steps.one.response.status }}" }
        - else:
            - set: { seen: true }
          outputs: { n: 0 }
    - id: all
      for_each: { in: inputs.users, as: user, key: user, concurrency: 2, on_item_error: finish }
      steps:
        - id: make
          post: /users/${{ user }}/${{ loop.index }}
          idempotency_key: ${{ uuid() }}
          expect: { schema: { type: object, properties: { id: { type: integer } }, required: [id] }, body: { id: $number } }
          undo:
            - delete: /users/${{ user }}
              if: run.verdict != 'passed'
      outputs: { id: "${{ steps.make.response.body.id }}" }
      on_error: [ { when: parallel.failed, do: [ { id: note, uses: log, with: { message: "${{ error.code }}" } } ], then: fail } ]
    - repeat: { max: 3, every: 1s, until: "{'loop': loop.cursor}.loop == null", carry: { cursor: null, n: 0 } }
      steps:
        - id: page
          get: /pages/${{ default(loop.cursor, 'first') }}
          save: pages/${{ loop.n }}.json
      next: { cursor: "${{ steps.page.response.text }}", n: "${{ loop.n + 1 }}" }
    - id: both
      parallel:
        branches:
          a: { steps: [ { id: me, uses: rapidsos/fetch-profile } ], outputs: { id: "${{ steps.me.outputs.id }}" } }
          b: [ { wait: 1s } ]
    - id: buy
      post: /orders
      connection: api
      effect: once
      outputs: { id: "${{ response.body.id }}" }
      reconcile:
        steps: [ { id: bought, get: /orders/last, connection: api, outputs: { id: "${{ response.body.id }}" } } ]
        delivered: steps.bought.response.status == 200
        outputs: { id: "${{ steps.bought.outputs.id }}" }
    - set: { last: "${{ steps.both.outputs.a.id }}", state.cursor: "${{ state.cursor + 'x' }}" }
  outputs:
    n: ${{ steps.pick.outputs.n + vars.last }}
  finally:
    - if: run.verdict != 'passed'
      get: ${{ connections.api.base_url }}/end/${{ default(vars.last, 0) }}

  """

private let logIn = """
  secrets: [password]
  connections: { rapidsos: borrowed }
  steps:
    - uses: rapidsos/authenticate
      with: { grant: password, username: ada, password: "${{ secrets.password }}" }

  """

@Suite("The whole language, in one flow")
struct WholeLanguageTests {
  private func checked(_ text: String) -> Checked { Checked(text, files: ["log-in.flow.yaml": logIn]) }

  @Test func `it is proven correct, and every step has slots of its own`() throws {
    let checked = checked(everything)
    #expect(checked.text == "no findings\n")
    let plan = try #require(checked.plan)
    let steps = (plan.steps + plan.finally).flatMap(\.withInner)
    let slots = steps.map(\.slots.first)
    #expect(steps.count == 17)
    #expect(Set(slots).count == steps.count && (slots.max() ?? 0) + StepSlots.count == plan.slots.count)
    #expect(Set(steps.map(\.id)).count == steps.count)
  }

  /// Whatever stands in a file, the planner answers, and answers with findings where there is no plan.
  @Test(arguments: 0..<4) func `no flow stops it`(seed: UInt64) {
    var dice = SeededGenerator(seed)
    let lines = everything.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let words = ["loop", "user", "steps.me", "null", "[]", "true", "vars.last", "state.cursor", "1", "x"]
    for _ in 0..<12 {
      var mutated = lines
      for _ in 0...dice.below(3) {
        let line = dice.below(mutated.count)
        switch dice.below(4) {
        case 0: mutated.remove(at: line)
        case 1: mutated.insert(mutated[line], at: line)
        case 2: mutated.swapAt(line, dice.below(mutated.count))
        default:
          mutated[line] = mutated[line].replacing(
            ["inputs.go", "inputs.users", "response.status", "loop.n", "0"][dice.below(5)], with: words[dice.below(words.count)])
        }
      }
      let text = mutated.joined(separator: "\n")
      let result = checked(text)
      #expect(result.plan != nil || result.diagnostics.contains { $0.severity == .error }, "\(text)")
    }
  }
}
