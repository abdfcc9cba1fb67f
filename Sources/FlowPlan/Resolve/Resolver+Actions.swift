import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

extension Resolver {
  /// The action of a step that has no body; others are resolved with their outputs.
  mutating func resolveAction(_ step: StepSyntax, _ index: Int) -> ActionPlan? {
    switch step.action {
    case .uses(let name): return resolveTyped(step, name, index)
    case .http(let method, let target): return resolveHTTP(step, method, target)
    case .group, .choose, .forEach, .repeating, .parallel: return nil
    case .call(let call): return resolveCall(call, step, index)
    case .set(let entries, let span): return resolveSet(entries, at: span)
    case .wait(let duration): return .wait(duration.value)
    case .fail(let code, let message):
      checkUserCode(code)
      return .fail(code: code.value, message: message.map { resolveData($0, .string(TextRules()), named: "message", Locals()) })
    case .end(let verdict):
      return resolveEnd(verdict, at: verdict.span, help: "take the step out").map { .end(passed: $0) }
    }
  }

  /// Whether the flow ends here as passed; nil where it ends neither way.
  mutating func resolveEnd(_ verdict: Located<String>, at span: Span, help: String) -> Bool? {
    guard verdict.value == "passed" || verdict.value == "failed" else {
      report(.invalidValue, "a flow ends `passed` or `failed`, not `\(verdict.value)`", at: verdict.span)
      return nil
    }
    if isInReconcile {
      report(
        .invalidValue, "`end` has no place in `reconcile`: it finds out what became of a request, and ends no flow", at: span,
        help: [help])
    } else if isInFinally || isInUndo {
      report(.invalidValue, "`end` has no meaning in `\(isInUndo ? "undo" : "finally")`: the flow has ended", at: span, help: [help])
    } else if verdict.value == "passed" {
      exits.append((state, span))
    }
    return verdict.value == "passed"
  }

  mutating func checkUserCode(_ code: Located<String>) {
    guard !code.value.hasPrefix("user.") || code.value.utf8.count == 5 else { return }
    let last = code.value.split(separator: ".").last ?? "rejected"
    report(
      .invalidValue, "`\(code.value)` is no code of the flow's own", at: code.span,
      help: ["codes of a flow start with `user.`, such as `user.\(last)`"])
  }

  // MARK: - typed steps

  private mutating func resolveTyped(_ step: StepSyntax, _ name: Located<String>, _ index: Int) -> ActionPlan? {
    guard let handler = catalogue.step(name.value) else {
      reportUnknownStep(name)
      return nil
    }
    if name.value == "http" { return resolvePlain(step, handler, extra: [], label: "http", at: name.span, url: literalURL(step)) }
    let about = handler.about
    let connection = about.system.flatMap { self.connection(of: step, system: $0, at: name.span) }
    let literals = constants(step.with)
    let settings = connection.map { constants(of: connections[$0]) } ?? ValueMap()
    let with = resolveMap(step.with, at: name.span, .record(handler.refine(literals, settings)), named: "", Locals())
    if about.token == .user, !step.expectsNobody { checkSignedIn(about.name, connection, at: name.span) }
    checkModifiers(step, about)
    if about.name == "log" { checkLog(with) }
    if about.name == "prompt" { notePrompt(step, index, at: name.span) }
    if about.signsIn, let connection, handler.signsIn(literals) == true {
      state.signIn(FlowState.SignIn(step: index), on: connection)
    }
    if let connection, about.signsOut.isCertain(literals) { state.signOut(index, on: connection) }
    return .handler(
      HandlerPlan(
        step: handler, label: about.name, connection: connection, with: with, effect: about.effect, attemptTimeout: attemptTimeout(step),
        dedupeKey: resolveDedupeKey(step), idempotency: nil, isPlainHTTP: false, validFor: step.validFor?.value ?? .seconds(300),
        unverifiable: step.unverifiable?.value))
  }

  /// A step such as `oauth/token` belongs to no system that a connection could be of: it uses one only where it says so.
  private mutating func connection(of step: StepSyntax, system: String, at span: Span) -> Int? {
    if catalogue.system(system) != nil { return connection(for: step, system: system, at: span) }
    return step.connection.flatMap { connection(named: $0) }
  }

  private mutating func reportUnknownStep(_ name: Located<String>) {
    if let system = catalogue.systems.first(where: { name.value.hasPrefix("\($0.name)/") }) {
      return reportUnknown(
        .unknownStep, "step", name, among: system.steps.map(\.about.name), help: ["`baton steps` lists them all"])
    }
    reportUnknown(.unknownStep, "step", name, among: catalogue.stepNames, help: ["`baton steps` lists them all"])
  }

  private mutating func checkModifiers(_ step: StepSyntax, _ about: About) {
    if let effect = step.effect {
      report(
        .invalidValue, "the effect of `\(about.name)` is `\(about.effect.rawValue)` and cannot be changed", at: effect.span,
        help: ["`effect` is for plain requests; leave it out"])
    }
    if let connection = step.connection, about.system == nil {
      report(.invalidValue, "`\(about.name)` uses no connection", at: connection.span, help: ["leave `connection` out"])
    }
    if let key = step.idempotencyKey {
      report(
        .invalidValue, "`\(about.name)` has no place for an idempotency key", at: key.value.span,
        help: ["`idempotency_key` is for plain requests; leave it out"])
    }
    checkEmergencyModifiers(step, of: about.name, isEmergency: about.isEmergency)
  }

  private mutating func notePrompt(_ step: StepSyntax, _ index: Int, at span: Span) {
    let secret = step.with.first { $0.key.value == "secret" }
    prompts.append(
      PromptPlan(
        stepID: table[index].id, place: Place(file, step.id?.span ?? span),
        readsOutbox: step.with.contains { ["sms_to", "mail_to"].contains($0.key.value) },
        isSecret: secret.map { $0.value.constant != .bool(false) } ?? false))
  }

  func attemptTimeout(_ step: StepSyntax) -> Duration {
    step.attemptTimeout?.value ?? document.defaults.attemptTimeout?.value ?? .seconds(30)
  }

  func constants(_ entries: [DataSyntax.Entry]) -> ValueMap {
    var map = ValueMap()
    for entry in entries { map[entry.key.value] = entry.value.constant }
    return map
  }

  private func constants(of connection: ConnectionPlan) -> ValueMap {
    guard let syntax = document.connections.first(where: { $0.alias.value == connection.alias }) else { return ValueMap() }
    return constants(syntax.settings)
  }
}
