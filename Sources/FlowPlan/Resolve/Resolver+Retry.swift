import CEL
import Diagnostics
import FlowSyntax
import SourceText
package import StepKit
import Values

/// No retry of what may not be sent again: the table of language.md §3.
extension Resolver {
  mutating func resolveRetry(_ syntax: RetrySyntax?, of step: StepSyntax, _ action: ActionPlan, _ codes: [String]?) -> RetryPlan? {
    guard let syntax else { return nil }
    let isStated = step.retry != nil
    guard case .handler(let handler) = action else { return nil }
    guard handler.sendsRequests else {
      if isStated {
        report(
          .invalidValue, "`retry` is for a step that sends a request", at: Span(syntax.span.start, syntax.span.start + 1).line(in: file),
          help: ["leave it out"])
      }
      return nil
    }
    if isStated {
      for code in syntax.when where checkPossible(code, codes) {
        // Of what can be looked up, only that which did not happen is sent again.
        if step.reconcile == nil { checkResendable(code, handler) }
      }
    }
    let delayExpression = syntax.delayExpression.flatMap { resolveDelay($0, action) }
    return RetryPlan(
      attempts: syntax.attempts?.value ?? 3, when: syntax.when.isEmpty ? RetryPlan.defaultWhen : syntax.when.map { CodePattern($0.value) },
      delay: syntax.delay?.value ?? .milliseconds(500),
      delayExpression: delayExpression, factor: syntax.factor?.value ?? 2, maxDelay: syntax.maxDelay?.value ?? .seconds(30),
      hasFullJitter: (syntax.jitter?.value ?? "full") == "full")
  }

  mutating func checkResendable(_ code: Located<String>, _ handler: HandlerPlan) {
    let unsent = ["network.dns", "network.connect", "tls.certificate", "tls.handshake", "timeout.connect"]
    var harmless = unsent
    switch handler.effect {
    case .read, .idempotent, .keyed: return
    case .once: break
    case .unsafe: harmless += ["http.401", "http.429", "auth.expired"] + handler.step.errors.filter(\.isRejected).map(\.code)
    }
    let pattern = CodePattern(code.value)
    let risky = ["network.reset", "network.protocol", "timeout.attempt", "http.500", "http.404", "decode"]
    let declared = handler.step.errors.filter { !$0.isRejected }.map(\.code)
    let isHarmless = harmless.contains { pattern.matches(code: $0) } && !(risky + declared).contains { pattern.matches(code: $0) }
    if isHarmless, code.value != "any" { return }
    var names = ["network.dns", "network.connect", "tls", "timeout.connect"]
    if handler.effect == .unsafe { names += ["http.429"] + handler.step.errors.filter(\.isRejected).map(\.code).prefix(3) }
    let resendable = handler.effect == .once ? "nothing was sent" : "nothing was sent, or the provider refused it"
    report(
      .unsafeRetry, "`\(code.value)` may not be retried: `\(handler.label)` may have been carried out", at: code.span,
      label: "its effect is `\(handler.effect.rawValue)`",
      help: ["it is sent again only if \(resendable): name \(quotedList(names))"])
  }

  /// A step, or a group, that a branch runs again.
  mutating func checkRunAgain(_ branch: BranchSyntax, of step: StepSyntax, _ action: ActionPlan?, _ codes: [String]?) {
    switch action {
    case .handler(let handler)?:
      for code in branch.when where isPossible(code, codes) && step.reconcile == nil { checkResendable(code, handler) }
    case .group?, .choose?, .forEach?, .repeating?, .parallel?, .call?:
      guard let action, let once = action.firstOnce else { return }
      let word = action.label.split(separator: " ").first ?? "step"
      report(
        Diagnostic(
          .unsafeRetry, "this \(word) cannot run again: `\(once.id)` must happen once", at: Place(file, branch.then?.span ?? branch.span),
          related: [Diagnostic.Label(once.place, "must happen once")],
          help: ["put the step behind the \(word), or give the other steps in it a group of their own"]))
    case .set?, .wait?, .fail?, .end?, nil: break
    }
  }

  /// `delay` as an expression over the answer.
  private mutating func resolveDelay(_ syntax: DataSyntax, _ action: ActionPlan) -> CompiledExpression? {
    guard case .expression(let delay) = resolveData(syntax, nil, named: "delay", Locals(hasResponse: action.isPlainHTTP)) else {
      if syntax.constant != nil {
        report(.typeMismatch, "`delay` must be a duration", at: syntax.span, help: ["such as `500ms`, or `${{ duration(…) }}`"])
      }
      return nil
    }
    switch delay.program.type {
    case .duration, .nullable(.duration), .dyn, .error, .parameter: return delay
    case let other:
      report(
        .typeMismatch, "`delay` must be a duration, not \(article(other))", at: delay.text.trimmedFileSpan, label: "\(other)",
        help: other == .int ? ["write `duration(string(\(delay.text.text.trimmed)) + 's')`"] : [])
      return nil
    }
  }
}

extension HandlerPlan {
  /// Whether it sends requests: a built-in step such as `prompt` does not.
  var sendsRequests: Bool { isPlainHTTP || step.about.system != nil }
}

extension ActionPlan {
  /// The first step in it that must happen once, those of called flows among them.
  fileprivate var firstOnce: StepPlan? {
    if case .call(let call) = self { return (call.flow.steps + call.flow.finally).lazy.compactMap(\.firstOnce).first }
    return bodies.lazy.flatMap { $0 }.compactMap(\.firstOnce).first
  }
}

extension StepPlan {
  fileprivate var firstOnce: StepPlan? {
    if effect == .once { return self }
    return action.firstOnce
      ?? (branches.flatMap(\.body) + (undo?.steps ?? []) + (reconcile?.steps ?? [])).lazy.compactMap(\.firstOnce).first
  }

  /// The effect of its requests; nil for what sends none itself.
  package var effect: Effect? {
    if case .handler(let handler) = action { handler.effect } else { nil }
  }
}

extension Span {
  /// The first line of what starts here: many lines under carets say nothing.
  func line(in file: SourceFile) -> Span {
    let end = file.bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? file.bytes.count
    return Span(start, max(start, end))
  }
}
