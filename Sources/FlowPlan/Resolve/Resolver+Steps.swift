import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

extension Resolver {
  /// What is put back when a body ends.
  private struct Outside {
    let scope: [Int]
    let guardCount: Int
  }

  private mutating func enterBody() -> Outside {
    bodyCount += 1
    defer { scope.append(bodyCount) }
    return Outside(scope: scope, guardCount: guards.count)
  }

  private mutating func leaveBody(_ outside: Outside) {
    scope = outside.scope
    guards.removeLast(guards.count - outside.guardCount)
  }

  /// Steps in a body of their own; `then` is resolved inside it, after them.
  mutating func resolveBody<Rest>(_ steps: [StepSyntax], then rest: (inout Resolver) -> Rest) -> (steps: [StepPlan], rest: Rest) {
    let outside = enterBody()
    defer { leaveBody(outside) }
    return (resolveSteps(steps), rest(&self))
  }

  /// The steps of one body, in order. Behind `if: X` with an action that ends the flow, X is false.
  mutating func resolveSteps(_ steps: [StepSyntax]) -> [StepPlan] {
    var ending: Span?
    return steps.compactMap { step in
      if let span = ending {
        report(
          .unreachableBranch, "this step can never run", at: step.id?.span ?? step.action.span, label: "never runs",
          related: [(span, "the flow always ends here")], help: ["take the step out, or put an `if` on the one that ends the flow"])
        ending = nil
      }
      let plan = resolveStep(step)
      if step.endsFlow {
        if let condition = step.condition { assumeFalse(condition) } else { ending = step.action.span }
      }
      return plan
    }
  }

  mutating func assumeFalse(_ condition: ExpressionSyntax) {
    guard let text = bareText(of: condition, reporting: false) else { return }
    let compilation = environment(Locals()).compile("!(\(text.text))", assuming: standing)
    if let program = compilation.program { assume(program.expression, at: here) }
  }

  mutating func resolveStep(_ step: StepSyntax) -> StepPlan? {
    guard let index = table.index(of: step, body: scope.last ?? 0) else { return nil }
    let (outerStep, wasInBranches) = (current, isInBranches)
    (current, isInBranches) = (index, false)
    defer { (current, isInBranches) = (outerStep, wasInBranches) }
    // A copy of the whole state for each step would cost the square of their number; only branches need one.
    let before = step.onError.isEmpty && step.reconcile == nil ? nil : state
    let (sessions, vars) = (state.sessions, state.vars)
    let guardCount = guards.count
    if let name = step.name { _ = resolveData(name, .string(TextRules()), named: "name", Locals()) }
    let condition = step.condition.flatMap { resolveCondition($0, Locals()) }
    let point = here
    if let condition { assume(condition.program.expression, at: point) }
    noteChanges(inRoundsOf: step)
    let (action, outputs, inside, known) = resolveActionAndOutputs(step, index)
    let locals = Locals(of: table[index])
    let expect = resolveExpect(step.expect, locals, action)
    let timeout = step.timeout?.value ?? document.defaults.timeout?.value ?? action?.ownTimeout
    let codes = !asksForCodes(step) ? nil : action.flatMap { raisable($0, expect: expect, outputs: outputs, timeout: timeout, step) }
    if let expected = step.expect?.error {
      checkPossible(expected, codes)
      for output in step.outputs {
        report(
          .invalidValue, "the output `\(output.name.value)` never exists: the step succeeds only if it raises `\(expected.value)`",
          at: output.name.span,
          related: [(expected.span, "the error")], help: ["leave it out; later steps read `steps.\(table[index].id).error`"])
      }
    }
    let poll = action.flatMap { resolvePoll(step.poll, $0, codes) }
    let save = resolveSave(step, action)
    let retry = action.flatMap { resolveRetry(step.retry ?? document.defaults.retry, of: step, $0, codes) }
    let reconcile = before.flatMap { resolveReconcile(step, index, before: $0, action: action) }
    let branches =
      before.map {
        resolveBranches(step, index, before: $0, reconciled: reconcile?.end, inside: inside, action: action, codes: codes)
      } ?? (plans: [], ends: [])
    let undo = step.undo.map { resolveUndo($0, index, step.expect?.error) }
    guards.removeLast(guards.count - guardCount)
    if step.condition == nil, !step.mayGoOn { guards += known }
    settleState(step, index, condition, at: point, before: (sessions, vars), ends: (reconcile.map { [$0.end] } ?? []) + branches.ends)
    guard let action else { return nil }
    return StepPlan(
      id: table[index].id, depth: scope.count, place: Place(file, step.id?.span ?? step.action.span),
      slots: table[index].slots, condition: condition, action: action, expect: expect, outputs: outputs, retry: retry,
      timeout: timeout, poll: poll, save: save, undo: undo, branches: branches.plans, reconcile: reconcile?.plan)
  }

  /// - Returns: with the indices of the steps inside, and what is known behind them.
  private mutating func resolveActionAndOutputs(_ step: StepSyntax, _ index: Int) -> (
    ActionPlan?, [OutputPlan], inside: [Int], known: [Guard]
  ) {
    guard step.action.bodies.isEmpty else {
      let first = bodyCount + 1
      let made = resolveBodies(step, index)
      table[index].outputs = made.action == nil ? .error : .record(made.outputs)
      table[index].secretOutputs = made.secretOutputs
      return (made.action, made.own, first > bodyCount ? [] : table.indices(inBodies: first...bodyCount), made.known)
    }
    let action = resolveAction(step, index)
    table[index].hasResponse = action?.isPlainHTTP ?? false
    let own = ownOutputs(action)
    table[index].outputs = own ?? .dyn
    table[index].secretOutputs = action?.secretOutputs ?? []
    if let schema = step.expect?.schema { resolveExpectedSchema(schema, index) }
    var locals = Locals(of: table[index])
    locals.outputs = own
    let outputs = resolveOutputs(step.outputs, locals)
    table[index].outputs = stepOutputs(action, step, outputs)
    table[index].secretOutputs.formUnion(outputs.filter(\.isSecret).map(\.name))
    return (action, outputs, [], [])
  }

  /// Whether anything of the step names codes, which it must then be able to raise.
  private func asksForCodes(_ step: StepSyntax) -> Bool {
    !step.onError.isEmpty || step.expect?.error != nil || !(step.poll?.tolerate.isEmpty ?? true)
      || (step.retry ?? document.defaults.retry) != nil
  }

  /// What is certain behind the step, with what is certain where its `reconcile` and its continuing branches end.
  private mutating func settleState(
    _ step: StepSyntax, _ index: Int, _ condition: CompiledExpression?, at point: ConditionPoint,
    before: (sessions: FlowState.Sessions, vars: FlowState.Variables),
    ends: [FlowState]
  ) {
    var availability = FlowState.Availability(expecting: step.expect?.error)
    if availability.neverExists { table[index].alwaysHasError = condition == nil }
    availability.detours = step.detours
    if let first = availability.detours.first {
      availability.fields = availability.detours.reduce(first.supplied) { $0.intersection($1.supplied) }
    }
    for end in ends {
      state.sessions = state.joinedSessions(with: end)
      state.vars = state.joinedVariables(with: end, because: ("the step may fail before it", step.action.span))
    }
    if let condition {
      availability.conditions = condition.program.expression.conditionKeys(at: point) ?? ["? \(index)"]
      availability.reason = availability.reason ?? ("the step may be skipped", condition.text.fileSpan)
      let opposite = condition.program.expression.conditionKey(isTrue: false, at: point) ?? "not ? \(index)"
      state.makeSessionsConditional(availability.conditions, opposite: opposite, before: before.sessions)
      state.makeVariablesConditional(availability.conditions, before: before.vars, because: availability.reason)
    } else if step.condition != nil {
      // The condition is reported already; what it would prove is not known.
      availability.conditions = []
    }
    state.outputs[index] = availability
  }
}
