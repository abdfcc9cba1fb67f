import FlowSyntax
import FrontEnds
import SourceText
import Testing

/// The actions that hold steps, and what may stand beside them.
@Suite struct BodyTests {
  @Test func aSwitchHasCasesAndAnElse() throws {
    let action = try action(
      """
      switch:
        - if: inputs.kind == 'a'
          steps: [ get: /a ]
          outputs: { id: 1 }
        - if: inputs.kind == 'b'
          outputs: { id: 2 }
        - else: [ wait: 1s, wait: 2s ]
          outputs: { id: 3 }
      """)
    guard case .choose(let cases, _) = action else { return #expect(Bool(false)) }
    #expect(cases.map(\.condition?.text.text) == ["inputs.kind == 'a'", "inputs.kind == 'b'", nil])
    #expect(cases.map(\.body.steps.count) == [1, 0, 2])
    #expect(cases.map(\.body.outputs.count) == [1, 1, 1])
  }

  @Test func anElseMayDoNothing() throws {
    guard case .choose(let cases, _) = try action("switch: [ { if: x, steps: [] }, { else: [] } ]") else { return #expect(Bool(false)) }
    #expect(cases.map(\.body.steps.count) == [0, 0])
  }

  @Test func aLoopOverAListHasItsStepsBesideIt() throws {
    let action = try action(
      """
      for_each:
        in: inputs.users
        as: user
        key: user.name
        max_items: 20
        min_items: 0
        concurrency: 4
        on_item_error: finish
      steps: [ get: /a ]
      outputs: { id: 1 }
      """)
    guard case .forEach(let loop) = action else { return #expect(Bool(false)) }
    guard case .expression(let source) = loop.source else { return #expect(Bool(false)) }
    #expect(source.text.text == "inputs.users")
    #expect(loop.itemName?.value == "user")
    #expect(loop.itemKey?.text.text == "user.name")
    #expect(loop.maxItems?.value == 20)
    #expect(loop.minItems?.value == 0)
    #expect(loop.concurrency?.value == 4)
    #expect(loop.onItemError?.value == "finish")
    #expect(loop.steps.count == 1)
  }

  @Test(arguments: ["[a, b]", "{ a: 1 }", "\n    - a\n    - b"])
  func aLoopTakesDataInPlace(_ data: String) throws {
    guard case .forEach(let loop) = try action("for_each:\n  in: \(data)\nsteps: [ get: /a ]") else { return #expect(Bool(false)) }
    guard case .data = loop.source else { return #expect(Bool(false)) }
  }

  @Test(arguments: [#""csv('u.csv', {'age': 'integer'})""#, #"csv('u.csv')"#, #"csv("u.csv")"#, #"'csv("u.csv", {"age": "integer"})'"#])
  func aTableIsAnExpression(_ table: String) throws {
    guard case .forEach(let loop) = try action("for_each: { in: \(table) }\nsteps: [ get: /a ]") else { return #expect(Bool(false)) }
    guard case .expression(let source) = loop.source else { return #expect(Bool(false)) }
    #expect(source.text.text.hasPrefix("csv(") && source.text.text.hasSuffix(")"))
  }

  @Test func aLoopWithFeedback() throws {
    let action = try action(
      """
      repeat: { max: 20, every: 5m, until: loop.cursor == '', carry: { cursor: "", pages: 0 } }
      steps: [ get: /a ]
      next: { cursor: "${{ steps.a.outputs.next }}" }
      """)
    guard case .repeating(let loop) = action else { return #expect(Bool(false)) }
    #expect(loop.max?.value == 20)
    #expect(loop.every?.value == .seconds(300))
    #expect(loop.until?.text.text == "loop.cursor == ''")
    #expect(loop.carry.map(\.key.value) == ["cursor", "pages"])
    #expect(loop.next.map(\.key.value) == ["cursor"])
    #expect(loop.steps.count == 1)
  }

  @Test func branchesAreListsOrMaps() throws {
    let action = try action(
      """
      parallel:
        branches:
          one: [ wait: 1s ]
          two: { steps: [ wait: 1s, wait: 2s ], outputs: { id: 1 } }
        on_branch_error: finish
      """)
    guard case .parallel(let parallel) = action else { return #expect(Bool(false)) }
    #expect(parallel.branches.map(\.name.value) == ["one", "two"])
    #expect(parallel.branches.map(\.body.steps.count) == [1, 2])
    #expect(parallel.branches.map(\.body.outputs.count) == [0, 1])
    #expect(parallel.onBranchError?.value == "finish")
  }

  @Test func aCallNamesWhatItLends() throws {
    let action = try action(
      """
      call: ../shared/login.flow.yaml
      with: { user: "${{ inputs.user }}" }
      secrets: { password: qa_password }
      connections: { rapidsos: main }
      expect: [ outputs.id > 0 ]
      """)
    guard case .call(let call) = action, case .named(let secrets) = call.secrets else { return #expect(Bool(false)) }
    #expect(call.path.value == "../shared/login.flow.yaml")
    #expect(secrets.map { "\($0.theirs.value)=\($0.ours.value)" } == ["password=qa_password"])
    #expect(call.connections.map { "\($0.theirs.value)=\($0.ours.value)" } == ["rapidsos=main"])
  }

  @Test func aCallMayLendEverySecretOrSome() throws {
    guard case .call(let all) = try action("call: a.flow.yaml\nsecrets: inherit") else { return #expect(Bool(false)) }
    guard case .inherited = all.secrets else { return #expect(Bool(false)) }
    guard case .call(let some) = try action("call: a.flow.yaml\nsecrets: [a, b]"), case .named(let names) = some.secrets else {
      return #expect(Bool(false))
    }
    #expect(names.map { "\($0.theirs.value)=\($0.ours.value)" } == ["a=a", "b=b"])
    guard case .call(let none) = try action("call: a.flow.yaml"), case .none = none.secrets else { return #expect(Bool(false)) }
  }

  @Test func setNamesVariablesAndState() throws {
    guard case .set(let members, _) = try action("set: { total: 1, state.cursor: \"${{ x }}\" }") else { return #expect(Bool(false)) }
    #expect(members.map(\.key.value) == ["total", "state.cursor"])
  }

  @Test func whatIsMadeOfAnOutcome() throws {
    let step = try step(
      """
      post: /orders
      save: out/order.json
      poll: { every: 2s, timeout: 1m, until: response.body.done, fail_if: response.body.failed, tolerate: [http.404, network] }
      retry: { delay: "${{ response.headers['x-wait'] + 's' }}" }
      idempotency_key: { value: "${{ uuid() }}", header: Idempotency-Key }
      expect: { schema: order.schema.json }
      undo: { always: true, steps: [ delete: /orders ] }
      """)
    #expect(step.save != nil)
    #expect(step.poll?.every?.value == .seconds(2))
    #expect(step.poll?.timeout?.value == .seconds(60))
    #expect(step.poll?.until?.text.text == "response.body.done")
    #expect(step.poll?.failIf?.text.text == "response.body.failed")
    #expect(step.poll?.tolerate.map(\.value) == ["http.404", "network"])
    #expect(step.retry?.delay == nil)
    #expect(step.retry?.delayExpression != nil)
    #expect(step.idempotencyKey?.header?.value == "Idempotency-Key")
    #expect(step.expect?.schema != nil)
    #expect(step.undo?.isAlways == true)
    #expect(step.undo?.steps.count == 1)
  }

  @Test func shortForms() throws {
    let step = try step("post: /a\nundo: [ delete: /a ]\nidempotency_key: ${{ inputs.key }}\nexpect: { schema: { type: object } }")
    #expect(step.undo?.isAlways == false)
    #expect(step.idempotencyKey?.header == nil)
    guard case .map = step.expect?.schema else { return #expect(Bool(false)) }
  }

  @Test func whatLastsBetweenRuns() throws {
    let flow = try read(
      "state: { cursor: { type: string, default: '' }, count: integer }\nstate_key: ${{ inputs.user }}\nsteps: [ get: /a ]")
    #expect(flow.state.map(\.name.value) == ["cursor", "count"])
    #expect(flow.stateKey != nil)
  }

  @Test func aLentConnectionIsBorrowed() throws {
    let flow = try read("connections: { rapidsos: borrowed, api: { system: http } }\nsteps: [ get: /a ]")
    #expect(flow.connections.map(\.alias.value) == ["rapidsos", "api"])
    #expect(flow.connections.map(\.isBorrowed) == [true, false])
  }

  private func action(_ text: String) throws -> ActionSyntax { try step(text).action }

  private func step(_ text: String) throws -> StepSyntax {
    let lines = text.split(separator: "\n").map { "    \($0)" }
    return try #require(try read("steps:\n  - id: one\n" + lines.joined(separator: "\n") + "\n").steps.first)
  }
}
