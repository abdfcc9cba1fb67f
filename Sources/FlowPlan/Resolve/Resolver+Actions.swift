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
    if about.token == .user { checkSignedIn(about.name, connection, at: name.span) }
    checkModifiers(step, about)
    if about.name == "log" { checkLog(with) }
    if about.name == "prompt" { notePrompt(step, index, at: name.span) }
    if about.signsIn, let connection, handler.signsIn(literals) == true {
      state.signIns[connection] = [FlowState.SignIn(step: index)]
    }
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

  /// Definite authentication: a step that needs a user's token has one on every path.
  mutating func checkSignedIn(_ name: String, _ connection: Int?, at span: Span) {
    guard let connection, !connections[connection].hasStoredUser else { return }
    let proof = proof
    let ways = state.signIns[connection] ?? []
    let isSignedIn = ways.contains { way in
      proof.succeeded.contains(way.step) || !way.isDoubtful && way.conditions.isSubset(of: proof.holds)
    }
    if isSignedIn { return }
    let plan = connections[connection]
    // The flow that calls this one may have signed in on what it lends.
    if plan.isBorrowed, !ways.contains(where: \.isDoubtful) {
      borrowedNeeds[connection] = borrowedNeeds[connection] ?? span
      return
    }
    let logIn = plan.system.steps.first { $0.about.signsIn }?.about.name
    let last = ways.last.map { (entry: table[$0.step], isDoubtful: $0.isDoubtful) }
    var related: [(Span, String)] = []
    var help: [String] = []
    if let last {
      let isFailing = ways.last.map { failing.contains($0.step) } ?? false
      related = [(last.entry.place, isFailing ? "this log-in has failed here" : "signs in, but not on every way here")]
      let status = "`if: steps.\(last.entry.id).status == 'succeeded'`"
      if last.entry.idSpan != nil, scope.starts(with: last.entry.scope), !isFailing {
        help = [last.isDoubtful ? "run this step under \(status)" : "run this step under the same `if`, or under \(status)"]
      }
    }
    if help.isEmpty, let logIn { help = ["sign in before it: `uses: \(logIn)`"] }
    if ownSessions.contains(connection), ways.isEmpty {
      help.append("what runs beside others and signs in has a session of its own: a log-in before it does not count here")
    }
    report(
      .notAuthenticated,
      "`\(name)` needs a signed-in user, and \(ways.isEmpty ? "nobody has signed in" : "not every way here signs one in") on `\(plan.alias)`",
      at: span, label: "needs a user token", related: related, help: help)
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

extension ConnectionPlan {
  /// Whether its settings hold a user's credentials, so that no step has to sign in.
  var hasStoredUser: Bool {
    guard case .map(let members) = settings else { return false }
    var given = ValueMap()
    for (key, value) in members {
      if case .constant(let constant) = value { given[key] = constant } else { given[key] = "" }
    }
    return system.signsIn(given)
  }
}
