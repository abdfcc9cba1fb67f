import Diagnostics
import FlowSyntax
import SourceText
package import StepKit
import Values

extension Resolver {
  // MARK: - expect

  mutating func resolveExpect(_ syntax: ExpectSyntax?, _ locals: Locals, _ action: ActionPlan?) -> ExpectPlan {
    var plan = ExpectPlan()
    guard let syntax else { return plan }
    let isPlain = action?.isPlainHTTP ?? true
    if let status = syntax.statuses.first, !isPlain {
      report(
        .invalidValue, "`status` is for plain requests: a typed step knows which answers are right", at: status.span,
        help: ["to expect an error of it, write `expect: { error: CODE }`"])
    }
    plan.statuses = syntax.statuses.map { Located(StatusRange($0.value), $0.span) }
    plan.checks += syntax.that.compactMap { item in
      resolveExpression(item, locals, isCondition: true).map {
        CheckPlan(kind: .that($0), text: $0.text.text.trimmed, place: Place(file, item.span))
      }
    }
    plan.checks += syntax.headers.map { entry in
      let value = resolveData(entry.value, nil, named: entry.key.value, Locals())
      return CheckPlan(kind: .header(entry.key.value.lowercased(), value), text: "header \(entry.key.value)", place: Place(file, entry.value.span))
    }
    if let body = syntax.body {
      plan.checks.append(CheckPlan(kind: .body(resolveData(body, nil, named: "body", Locals())), text: "body", place: Place(file, body.span)))
    }
    if let limit = syntax.maxDuration {
      plan.checks.append(CheckPlan(kind: .maxDuration(limit.value), text: "max_duration", place: Place(file, limit.span)))
    }
    if let error = syntax.error { plan.error = Located(CodePattern(error.value), error.span) }
    if plan.checks.isEmpty, plan.statuses.isEmpty, plan.error == nil {
      report(.cannotFail, "this `expect` states nothing", at: syntax.span, help: ["state a check, or leave it out"])
    }
    return plan
  }

  // MARK: - retry

  mutating func resolveRetry(_ syntax: RetrySyntax?, isStated: Bool, _ action: ActionPlan) -> RetryPlan? {
    guard let syntax else { return nil }
    guard case .handler(let handler) = action, handler.step.about.name != "prompt" else {
      if isStated { report(.invalidValue, "`retry` is for a step that sends a request", at: syntax.span, help: ["to run a group again, use `on_error` with `then: retry`"]) }
      return nil
    }
    if isStated { for code in syntax.when { checkResendable(code, handler) } }
    return RetryPlan(
      attempts: syntax.attempts?.value ?? 3, when: syntax.when.isEmpty ? RetryPlan.defaultWhen : syntax.when.map { CodePattern($0.value) },
      delay: syntax.delay?.value ?? .milliseconds(500), factor: syntax.factor?.value ?? 2, maxDelay: syntax.maxDelay?.value ?? .seconds(30),
      hasFullJitter: (syntax.jitter?.value ?? "full") == "full")
  }

  /// No retry of what may not be sent again: the table of language.md §3.
  private mutating func checkResendable(_ code: Located<String>, _ handler: HandlerPlan) {
    guard handler.effect == .unsafe || handler.effect == .once else { return }
    let unsent = ["network.dns", "network.connect", "tls", "timeout.connect"]
    let pattern = CodePattern(code.value)
    if unsent.contains(where: { CodePattern($0).matches(code: code.value) }) { return }
    if handler.effect == .unsafe {
      let rejected = ["http.401", "http.429"] + handler.step.errors.filter(\.isRejected).map(\.code)
      if rejected.contains(where: { pattern.matches(code: $0) && !code.value.contains("x") }) { return }
    }
    report(
      .unsafeRetry, "`\(code.value)` may not be retried: the request may have been carried out", at: code.span,
      label: "effect `\(handler.effect.rawValue)`",
      help: ["`\(handler.effect.rawValue)` is sent again only \(handler.effect == .once ? "if nothing left" : "if nothing left or the provider refused it"); without `when`, only that is retried"])
  }

  // MARK: - on_error

  mutating func resolveBranches(_ step: StepSyntax, _ index: Int, failedState: FlowState, action: ActionPlan?) -> [BranchPlan] {
    let settled = state
    defer { state = settled }
    var seen: [(pattern: CodePattern, span: Span)] = []
    var plans: [BranchPlan] = []
    for branch in step.onError {
      state = failedState
      state.outputs[index] = FlowState.Availability(isDoubtful: true, reason: ("the step failed here", step.span))
      checkCodes(branch, action, seen)
      // A branch that gives up after some tries, or asks a condition, lets the next one have the same code.
      if branch.condition == nil, branch.then?.value != "retry" { seen += branch.when.map { (CodePattern($0.value), $0.span) } }
      let locals = Locals(hasError: true)
      let condition = branch.condition.flatMap { resolveExpression($0, locals, isCondition: true) }
      let body = resolveErrorBody(branch.body)
      if let ending = resolveEnding(branch, locals, action) {
        plans.append(
          BranchPlan(when: branch.when.map { CodePattern($0.value) }, condition: condition, body: body, ending: ending, place: Place(file, branch.span)))
      }
    }
    return plans
  }

  private mutating func resolveErrorBody(_ steps: [StepSyntax]) -> [StepPlan] {
    errorDepth += 1
    defer { errorDepth -= 1 }
    return resolveBody(steps)
  }

  private mutating func resolveEnding(_ branch: BranchSyntax, _ locals: Locals, _ action: ActionPlan?) -> BranchPlan.Ending? {
    let then = branch.then ?? Located("fail", branch.span)
    switch then.value {
    case "continue": return .continue(outputs: resolveOutputs(branch.outputs, locals))
    case "retry":
      checkRetryBranch(branch, action)
      guard let max = branch.max else {
        report(.missingKey, "`then: retry` needs a `max`", at: then.span, help: ["add `max: 2`: how often it may run again"])
        return nil
      }
      return .retry(max: max.value)
    case "fail":
      if let code = branch.code { checkUserCode(code) }
      return .fail(code: branch.code?.value, message: branch.message.map { resolveData($0, .string(TextRules()), named: "message", locals) })
    case "end":
      let passed = branch.verdict.flatMap { resolveEnd($0) } ?? true
      return .end(passed: passed, code: branch.code?.value)
    default:
      reportUnknown(.invalidValue, "ending", then, among: ["continue", "retry", "fail", "end"])
      return nil
    }
  }

  private mutating func checkRetryBranch(_ branch: BranchSyntax, _ action: ActionPlan?) {
    switch action {
    case .handler(let handler)?:
      for code in branch.when { checkResendable(code, handler) }
    case .group(let steps)?:
      if let once = steps.flatMap(\.all).first(where: { $0.effect == .once }) {
        report(
          .unsafeRetry, "this group holds `\(once.id)`, which must happen once, and cannot run again", at: branch.then?.span ?? branch.span,
          related: [(once.place.span, "must happen once")])
      }
    case .wait?, .fail?, .end?, nil: break
    }
  }

  private mutating func checkCodes(_ branch: BranchSyntax, _ action: ActionPlan?, _ seen: [(pattern: CodePattern, span: Span)]) {
    for code in branch.when {
      if code.value == "any", branch.reason == nil {
        report(.missingKey, "`when: any` needs a `reason`", at: code.span, help: ["say why every error may be handled alike: `reason: …`"])
      }
      if let earlier = seen.first(where: { $0.pattern.text == "any" || $0.pattern.matches(code: code.value) }) {
        report(
          .unreachableBranch, "this branch can never be reached: `\(earlier.pattern.text)` above takes `\(code.value)` already", at: code.span,
          related: [(earlier.span, "takes it")])
      }
      checkPossible(code, action)
    }
  }

  /// No code that the step can never raise.
  private mutating func checkPossible(_ code: Located<String>, _ action: ActionPlan?) {
    let family = code.value.split(separator: ".").first.map(String.init) ?? ""
    let general = [
      "any", "network", "tls", "timeout", "auth", "assertion", "schema", "decode", "http", "poll", "repeat", "parallel", "indeterminate", "user",
    ]
    if general.contains(family) { return }
    let declared = action?.declaredErrors ?? []
    if declared.contains(where: { CodePattern(code.value).matches(code: $0) }) { return }
    let nearest = nearestName(to: code.value, among: declared + general)
    report(
      .impossibleCode, "this step can never raise `\(code.value)`", at: code.span,
      help: nearest.map { ["did you mean `\($0)`?"] } ?? (declared.isEmpty ? [] : ["it declares \(declared.map { "`\($0)`" }.joined(separator: ", "))"]))
  }
}

extension StatusRange {
  init(_ pattern: StatusPattern) {
    switch pattern {
    case .exactly(let status): self.init(statuses: status...status, text: "\(status)")
    case .hundred(let hundred): self.init(statuses: hundred * 100...hundred * 100 + 99, text: "\(hundred)xx")
    }
  }
}

extension ActionPlan {
  /// The codes that its handlers declare.
  var declaredErrors: [String] {
    switch self {
    case .handler(let handler): handler.step.errors.map(\.code)
    case .group(let steps): steps.flatMap { $0.action.declaredErrors }
    case .wait, .fail, .end: []
    }
  }
}

extension StepPlan {
  /// The step and all that stand in its body.
  var all: [StepPlan] {
    if case .group(let steps) = action { [self] + steps.flatMap(\.all) } else { [self] }
  }

  /// The effect of its requests; nil for what sends none itself.
  package var effect: Effect? {
    if case .handler(let handler) = action { handler.effect } else { nil }
  }
}
