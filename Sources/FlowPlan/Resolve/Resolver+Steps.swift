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
      if step.action.endsFlow {
        if let condition = step.condition { assumeFalse(condition) } else { ending = step.action.span }
      }
      return plan
    }
  }

  private mutating func assumeFalse(_ condition: ExpressionSyntax) {
    guard let text = bareText(of: condition, reporting: false) else { return }
    let compilation = environment(Locals()).compile("!(\(text.text))", assuming: guards.map(\.expression))
    if let program = compilation.program { guards.append(Guard(expression: program.expression)) }
  }

  mutating func resolveStep(_ step: StepSyntax) -> StepPlan? {
    guard let index = table.index(of: step, body: scope.last ?? 0) else { return nil }
    let (outerStep, wasInBranches) = (current, isInBranches)
    (current, isInBranches) = (index, false)
    defer { (current, isInBranches) = (outerStep, wasInBranches) }
    // A copy of the whole state for each step would cost the square of their number; only branches need one.
    let before = step.onError.isEmpty ? nil : state
    let signIns = state.signIns
    let guardCount = guards.count
    if let name = step.name { _ = resolveData(name, .string(TextRules()), named: "name", Locals()) }
    let condition = step.condition.flatMap { resolveCondition($0, Locals()) }
    if let condition { guards.append(Guard(expression: condition.program.expression)) }
    let (action, outputs, inside) = resolveActionAndOutputs(step, index)
    let locals = Locals(outputs: table[index].outputs, hasResponse: table[index].hasResponse)
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
    let retry = action.flatMap { resolveRetry(step.retry ?? document.defaults.retry, isStated: step.retry != nil, $0, codes) }
    let branches =
      before.map { resolveBranches(step, index, before: $0, inside: inside, action: action, codes: codes) } ?? (plans: [], ends: [])
    guards.removeLast(guards.count - guardCount)
    settleState(step, index, condition, signIns: signIns, ends: branches.ends)
    guard let action else { return nil }
    return StepPlan(
      id: table[index].id, depth: scope.count, place: Place(file, step.id?.span ?? step.action.span),
      slots: table[index].slots, condition: condition, action: action, expect: expect, outputs: outputs, retry: retry,
      timeout: timeout, poll: nil, save: nil, undo: nil, branches: branches.plans)
  }

  /// - Returns: with the indices of the steps inside.
  private mutating func resolveActionAndOutputs(_ step: StepSyntax, _ index: Int) -> (ActionPlan?, [OutputPlan], inside: [Int]) {
    guard case .group(let steps, _) = step.action else {
      let action = resolveAction(step, index)
      table[index].hasResponse = action?.isPlainHTTP ?? false
      let own = ownOutputs(action)
      table[index].outputs = own ?? .dyn
      if case .handler(let handler)? = action { table[index].secretOutputs = handler.secretOutputs }
      let outputs = resolveOutputs(step.outputs, Locals(outputs: own, hasResponse: table[index].hasResponse))
      table[index].outputs = stepOutputs(action, step, outputs)
      table[index].secretOutputs.formUnion(outputs.filter(\.isSecret).map(\.name))
      return (action, outputs, [])
    }
    let body = bodyCount + 1
    let (plans, outputs) = resolveBody(steps) { $0.resolveOutputs(step.outputs, Locals()) }
    table[index].outputs = stepOutputs(.group(plans), step, outputs)
    table[index].secretOutputs = Set(outputs.filter(\.isSecret).map(\.name))
    return (.group(plans), outputs, table.indices(inBody: body))
  }

  /// Whether anything of the step names codes, which it must then be able to raise.
  private func asksForCodes(_ step: StepSyntax) -> Bool {
    !step.onError.isEmpty || step.expect?.error != nil || (step.retry ?? document.defaults.retry) != nil
  }

  /// What is certain behind the step, with what is certain where its continuing branches end.
  private mutating func settleState(
    _ step: StepSyntax, _ index: Int, _ condition: CompiledExpression?, signIns: FlowState.SignIns, ends: [FlowState]
  ) {
    var availability = FlowState.Availability.always
    if let error = step.expect?.error {
      availability.neverExists = true
      availability.reason = ("it is to raise `\(error.value)`", error.span)
      table[index].alwaysHasError = condition == nil
    }
    availability.branches = step.onError.filter { $0.then?.value == "continue" }.map {
      (Set($0.outputs.map(\.name.value)), $0.then?.span ?? $0.span)
    }
    if let first = availability.branches.first {
      availability.fields = availability.branches.reduce(first.supplied) { $0.intersection($1.supplied) }
    }
    for end in ends { state.signIns = state.joinedSignIns(with: end) }
    if let condition {
      availability.conditions = condition.program.expression.conditionKeys(branch: branch) ?? ["? \(index)"]
      availability.reason = availability.reason ?? ("the step may be skipped", condition.text.fileSpan)
      state.makeConditional(availability.conditions, before: signIns)
    } else if step.condition != nil {
      // The condition is reported already; what it would prove is not known.
      availability.conditions = []
    }
    state.outputs[index] = availability
  }
}

extension ActionSyntax {
  /// Whether nothing runs behind it.
  fileprivate var endsFlow: Bool {
    switch self {
    case .fail, .end: true
    case .uses, .http, .group, .choose, .forEach, .repeating, .parallel, .call, .set, .wait: false
    }
  }
}
