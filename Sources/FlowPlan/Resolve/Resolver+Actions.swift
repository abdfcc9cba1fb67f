import Diagnostics
import FlowSyntax
import HTTPTypes
import SourceText
import StepKit
import Values

extension Resolver {
  mutating func resolveAction(_ step: StepSyntax, _ index: Int) -> ActionPlan? {
    switch step.action {
    case .uses(let name): return resolveTyped(step, name)
    case .http(let method, let target): return resolveHTTP(step, method, target)
    case .group(let steps, _): return .group(resolveBody(steps))
    case .wait(let duration): return .wait(duration.value)
    case .fail(let code, let message):
      checkUserCode(code)
      return .fail(code: code.value, message: message.map { resolveData($0, .string(TextRules()), named: "message", Locals()) })
    case .end(let verdict): return resolveEnd(verdict).map { .end(passed: $0) }
    }
  }

  mutating func resolveEnd(_ verdict: Located<String>) -> Bool? {
    if verdict.value == "passed" || verdict.value == "failed" { return verdict.value == "passed" }
    report(.invalidValue, "a flow ends `passed` or `failed`, not `\(verdict.value)`", at: verdict.span)
    return nil
  }

  mutating func checkUserCode(_ code: Located<String>) {
    guard !code.value.hasPrefix("user.") || code.value.count == 5 else { return }
    report(
      .invalidValue, "`\(code.value)` is no code of the flow's own", at: code.span, help: ["codes of a flow start with `user.`, such as `user.\(code.value.split(separator: ".").last ?? "rejected")`"])
  }

  // MARK: - typed steps

  private mutating func resolveTyped(_ step: StepSyntax, _ name: Located<String>) -> ActionPlan? {
    guard let handler = catalogue.step(name.value) else {
      reportUnknown(.unknownStep, "step", name, among: catalogue.stepNames, help: ["`baton steps` lists them all"])
      return nil
    }
    if name.value == "http" { return resolvePlain(step, handler, extra: [], label: "http", at: name.span) }
    let about = handler.about
    let connection = about.system.flatMap { self.connection(for: step, system: $0, at: name.span) }
    let literals = constants(step.with)
    let settings = connection.map { constants(of: connections[$0]) } ?? ValueMap()
    let shape = handler.refine(literals, settings)
    let with = resolveMap(step.with, step.withSpan ?? name.span, .record(shape), named: "", Locals())
    checkToken(about, connection, at: name.span)
    checkEffect(step, about)
    if about.name == "prompt" { notePrompt(step, literals, at: name.span) }
    if about.signsIn, let connection, handler.signsIn(literals) == true { state.signedIn.insert(connection) }
    let dedupeKey = step.dedupeKey.map { resolveData($0, .string(TextRules()), named: "dedupe_key", Locals()) }
    return .handler(
      HandlerPlan(
        step: handler, label: about.name, connection: connection, with: with, effect: about.effect,
        attemptTimeout: attemptTimeout(step), dedupeKey: dedupeKey, isPlainHTTP: false))
  }

  private mutating func checkToken(_ about: About, _ connection: Int?, at span: Span) {
    guard about.token == .user, let connection, !state.signedIn.contains(connection) else { return }
    let plan = connections[connection]
    let logIn = plan.system.steps.first { $0.about.signsIn }?.about.name
    report(
      .notAuthenticated, "`\(about.name)` needs a signed-in user, and not every way here signs one in on `\(plan.alias)`", at: span,
      label: "needs a user token", help: logIn.map { ["run `uses: \($0)` before it, on every path"] } ?? [])
  }

  private mutating func checkEffect(_ step: StepSyntax, _ about: About) {
    if let effect = step.effect {
      report(
        .invalidValue, "the effect of `\(about.name)` is `\(about.effect.rawValue)` and cannot be changed", at: effect.span,
        help: ["`effect:` is for plain requests"])
    }
    guard about.isEmergency, step.dedupeKey == nil else { return }
    report(
      .missingDedupeKey, "`\(about.name)` sets off an emergency response and needs a `dedupe_key`", at: step.action.span,
      help: ["a text that is the same for the same emergency, such as `dedupe_key: ${{ inputs.incident_id }}`"])
  }

  private mutating func notePrompt(_ step: StepSyntax, _ literals: ValueMap, at span: Span) {
    prompts.append(
      PromptPlan(
        stepID: step.id?.value ?? "prompt", place: Place(file, span),
        readsSMS: step.with.contains { $0.key.value == "sms_to" }, isSecret: literals["secret"] == .bool(true)))
  }

  // MARK: - plain HTTP

  private mutating func resolveHTTP(_ step: StepSyntax, _ method: Located<String>, _ target: DataSyntax) -> ActionPlan? {
    guard let handler = catalogue.step("http") else { return nil }
    let verb = method.value.uppercased()
    var url = resolveData(target, .string(TextRules()), named: method.value, Locals())
    if case .text(let segments) = url { url = .url(segments) }
    let name = target.constant?.stringValue ?? target.sourceText
    let extra: [(key: String, value: DataPlan)] = [("method", .constant(.string(verb))), ("url", url)]
    return resolvePlain(step, handler, extra: extra, label: "\(verb) \(name)", at: method.span, target: name)
  }

  private mutating func resolvePlain(
    _ step: StepSyntax, _ handler: AnyStep, extra: [(key: String, value: DataPlan)], label: String, at span: Span, target: String? = nil
  ) -> ActionPlan? {
    let given = Set(extra.map(\.key))
    var shape = handler.input()
    for index in shape.fields.indices where given.contains(shape.fields[index].name) { shape.fields[index].isRequired = false }
    for entry in step.with where given.contains(entry.key.value) {
      report(.duplicateKey, "`\(entry.key.value)` is stated by `\(label)` already", at: entry.key.span, related: [(span, "here")])
    }
    guard case .map(let members) = resolveMap(step.with, step.withSpan ?? span, .record(shape), named: "", Locals()) else { return nil }
    let literals = constants(step.with)
    let url = target ?? literals["url"]?.stringValue ?? ""
    let connection = plainConnection(for: step, isAbsolute: !url.hasPrefix("/"), at: span)
    let verb = label == "http" ? (literals["method"]?.stringValue ?? "GET").uppercased() : String(label.prefix { $0 != " " })
    return .handler(
      HandlerPlan(
        step: handler, label: label, connection: connection, with: .map(extra + members.filter { !given.contains($0.key) }),
        effect: plainEffect(step, verb), attemptTimeout: attemptTimeout(step), dedupeKey: nil, isPlainHTTP: true))
  }

  private mutating func plainEffect(_ step: StepSyntax, _ verb: String) -> Effect {
    if let stated = step.effect {
      if let effect = Effect(rawValue: stated.value) { return effect }
      reportUnknown(.invalidValue, "effect", stated, among: Effect.allCases.map(\.rawValue))
    }
    switch verb {
    case "GET", "HEAD", "OPTIONS": return .read
    case "PUT", "DELETE": return .idempotent
    default: return .unsafe
    }
  }

  private func attemptTimeout(_ step: StepSyntax) -> Duration {
    step.attemptTimeout?.value ?? document.defaults.attemptTimeout?.value ?? .seconds(30)
  }

  private func constants(_ entries: [DataSyntax.Entry]) -> ValueMap {
    var map = ValueMap()
    for entry in entries { map[entry.key.value] = entry.value.constant }
    return map
  }

  private func constants(of connection: ConnectionPlan) -> ValueMap {
    guard let syntax = document.connections.first(where: { $0.alias.value == connection.alias }) else { return ValueMap() }
    return constants(syntax.settings)
  }
}

extension DataSyntax {
  fileprivate var sourceText: String {
    if case .scalar(let scalar) = self { scalar.text.text } else { "" }
  }
}
