import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// `on_error`: what each branch may rely on, and what is certain where it goes on.
extension Resolver {
  /// - Parameters:
  ///   - reconciled: what is certain where its `reconcile` ends, which comes before a branch.
  ///   - inside: the steps of the step's own body.
  /// - Returns: the plans, and what is certain where the branches that continue end.
  mutating func resolveBranches(
    _ step: StepSyntax, _ index: Int, before: FlowState, reconciled: FlowState?, inside: [Int], action: ActionPlan?, codes: [String]?
  ) -> (plans: [BranchPlan], ends: [FlowState]) {
    let settled = state
    defer { state = settled }
    var failed = failedState(of: step, index, before: before, inside: inside)
    if let reconciled { failed = FlowState.failed(before: failed, after: reconciled, inside: []) }
    isInBranches = true
    failing.append(index)
    defer { failing.removeLast() }
    var seen: [(pattern: CodePattern, span: Span)] = []
    var plans: [BranchPlan] = []
    var ends: [FlowState] = []
    for branch in step.onError {
      state = failed
      checkReachable(branch, seen)
      for code in branch.when { checkPossible(code, codes) }
      // A branch that gives up after some tries, or asks a condition, lets the next one have the same code.
      if branch.condition == nil, branch.then?.value != "retry" { seen += branch.when.map { (CodePattern($0.value), $0.span) } }
      if let plan = resolveBranch(branch, of: step, index, action, codes) { plans.append(plan) }
      if branch.then?.value == "continue" { ends.append(state) }
    }
    return (plans, ends)
  }

  /// What is certain where the step has failed.
  func failedState(of step: StepSyntax, _ index: Int, before: FlowState, inside: [Int]) -> FlowState {
    var failed = FlowState.failed(before: before, after: state, inside: inside)
    failed.outputs[index] = FlowState.Availability(isDoubtful: true, reason: ("the step has failed here", step.action.span))
    return failed
  }

  /// Resolves what sees the `error` of the step. That of a branch around it is not the `error` here.
  mutating func resolveWithError<Made>(_ make: (inout Resolver) -> Made) -> Made {
    let (outerBranch, outerGuards) = (branch, guards)
    branchCount += 1
    branch = branchCount
    guards.removeAll { $0.expression.readsError }
    defer { (branch, guards) = (outerBranch, outerGuards) }
    return make(&self)
  }

  private mutating func resolveBranch(
    _ syntax: BranchSyntax, of step: StepSyntax, _ index: Int, _ action: ActionPlan?, _ codes: [String]?
  ) -> BranchPlan? {
    resolveWithError { resolver in
      let condition = syntax.condition.flatMap { resolver.resolveCondition($0, Locals()) }
      if let condition { resolver.assume(condition.program.expression, at: resolver.here) }
      let (body, ending) = resolver.resolveBody(syntax.body) { resolver in
        (resolver.current, resolver.isInBranches) = (index, true)
        return resolver.resolveEnding(syntax, of: step, index, action, codes)
      }
      return ending.map {
        BranchPlan(
          when: syntax.when.map { CodePattern($0.value) }, condition: condition, body: body, ending: $0,
          place: Place(resolver.file, syntax.span))
      }
    }
  }

  private mutating func resolveEnding(
    _ branch: BranchSyntax, of step: StepSyntax, _ index: Int, _ action: ActionPlan?, _ codes: [String]?
  ) -> BranchPlan.Ending? {
    let then = branch.then ?? Located("fail", branch.span)
    switch then.value {
    case "continue":
      return .continue(outputs: resolveSupplied(branch.outputs, of: index))
    case "retry":
      checkRunAgain(branch, of: step, action, codes)
      return branch.max.map { .retry(max: $0.value) }
    case "fail":
      if let code = branch.code { checkUserCode(code) }
      return .fail(
        code: branch.code?.value, message: branch.message.map { resolveData($0, .string(TextRules()), named: "message", Locals()) })
    case "end":
      if let code = branch.code { checkUserCode(code) }
      guard let verdict = branch.verdict, let passed = resolveEnd(verdict, at: then.span, help: "let the branch `continue`, or `fail`")
      else { return nil }
      return .end(passed: passed, code: branch.code?.value)
    default:
      reportUnknown(.invalidValue, "ending", then, among: ["continue", "retry", "fail", "end"])
      return nil
    }
  }

  private mutating func checkReachable(_ branch: BranchSyntax, _ seen: [(pattern: CodePattern, span: Span)]) {
    for code in branch.when {
      guard let earlier = seen.first(where: { $0.pattern.text == "any" || $0.pattern.matches(code: code.value) }) else { continue }
      report(
        .unreachableBranch, "`\(code.value)` never gets to this branch: `\(earlier.pattern.text)` above takes it", at: code.span,
        label: "never gets here", related: [(earlier.span, "takes it")],
        help: [earlier.pattern.text == code.value ? "take one of the two out" : "move this branch before the other one"])
    }
  }
}
