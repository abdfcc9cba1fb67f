import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// `reconcile`: finds out whether a request took effect of which nobody knows.
extension Resolver {
  /// - Returns: with what is certain where it ends; the plan is nil where it is wrong.
  mutating func resolveReconcile(
    _ step: StepSyntax, _ index: Int, before: FlowState, action: ActionPlan?
  ) -> (plan: ReconcilePlan?, end: FlowState)? {
    guard let syntax = step.reconcile else { return nil }
    if let action { checkDoubt(of: action, syntax) }
    let (settled, outerReconcile, wasInBranches) = (state, isInReconcile, isInBranches)
    defer { (state, isInReconcile, isInBranches) = (settled, outerReconcile, wasInBranches) }
    state = failedState(of: step, index, before: before, inside: [])
    (isInReconcile, isInBranches) = (true, true)
    failing.append(index)
    defer { failing.removeLast() }
    let (steps, (delivered, outputs)) = resolveWithError { resolver in
      resolver.resolveBody(syntax.steps) { resolver in
        let delivered = syntax.delivered.flatMap { resolver.resolveDelivered($0) }
        // They are asked for where it was true, and nowhere else.
        if let delivered { resolver.assume(delivered.program.expression, at: resolver.here) }
        return (delivered, resolver.resolveSupplied(syntax.outputs, of: index))
      }
    }
    checkLookUp(steps)
    let plan = delivered.map { ReconcilePlan(steps: steps, delivered: $0, outputs: outputs, place: Place(file, syntax.key)) }
    return (plan, state)
  }

  /// What may be sent again leaves no doubt: it is sent again.
  private mutating func checkDoubt(of action: ActionPlan, _ syntax: ReconcileSyntax) {
    guard case .handler(let handler) = action else { return }
    switch handler.effect {
    case .once, .unsafe: return
    case .read, .idempotent, .keyed: break
    }
    report(
      .invalidValue, "`reconcile` has nothing to find out: `\(handler.label)` may be sent again", at: syntax.key,
      label: "its effect is `\(handler.effect.rawValue)`",
      help: [handler.isPlainHTTP ? "leave it out; if this request may not be sent twice, write `effect: once` beside it" : "leave it out"])
  }

  /// A bool, or null where the look-up cannot tell.
  private mutating func resolveDelivered(_ syntax: ExpressionSyntax) -> CompiledExpression? {
    guard let text = bareText(of: syntax, reporting: true) else { return nil }
    let findings = diagnostics.count
    guard let compiled = compile(text, Locals()) else { return nil }
    let type = compiled.program.type
    guard type.tellsDelivery else {
      report(
        .typeMismatch, "`delivered` must be a bool, or null where the look-up cannot tell, and not \(article(type))",
        at: text.trimmedFileSpan, label: "\(type)",
        help: type == .string ? ["compare it, such as `\(text.text.trimmed) == 'text'`"] : [])
      return nil
    }
    if compiled.program.expression.isConstant, diagnostics.count == findings {
      report(
        .constantCondition, "`delivered` is the same whatever the look-up finds", at: text.trimmedFileSpan,
        help: ["read what its steps have found"])
    }
    return compiled
  }

  /// It may run more than once, and must leave no doubt of its own.
  private mutating func checkLookUp(_ steps: [StepPlan]) {
    for step in steps.flatMap(\.withInner) {
      guard let once = step.happeningOnce else { continue }
      report(
        Diagnostic(
          .invalidValue, "`\(once.label)` has no place in `reconcile`: it must happen once, and a look-up may run again", at: step.place,
          help: ["look up with a step that only reads"]))
    }
  }
}

extension ValueType {
  /// Whether `delivered` may be of it.
  fileprivate var tellsDelivery: Bool {
    switch self {
    case .bool, .null, .dyn, .error, .parameter: true
    case .nullable(let inner): inner.tellsDelivery
    default: false
    }
  }
}

extension StepPlan {
  /// What it does, or a flow that it calls, that must happen once; nil where nothing must.
  fileprivate var happeningOnce: HandlerPlan? {
    switch action {
    case .handler(let handler): handler.effect == .once || handler.step.about.isEmergency ? handler : nil
    case .call(let call): (call.flow.steps + call.flow.finally).lazy.flatMap(\.withInner).compactMap(\.happeningOnce).first
    case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: nil
    }
  }
}
