import Diagnostics
import FlowPlan
import FlowSyntax
import SourceText
import StepKit
import Values

/// One plan's way from what it is given to its outline: that of a run, up to the first request.
struct FlowPlanning {
  let plan: Plan
  let givens: Givens
  let terminal: Terminal
  let isLive: Bool
  let confirmed: [String]
  let records: [LiveRecords]
  /// Whether a person can answer a question.
  let canAsk: Bool

  /// - Throws: what cannot be read at all, as findings.
  func outline() async throws(Findings) -> FlowOutline {
    let project = Project(of: plan.file.path)
    let environment = try givens.environment.map { name throws(Findings) in try RunEnvironment.load(name, of: project) }
    let (readable, commands) = Self.withoutCommands(environment, for: plan)
    let values = readable.map { EnvironmentValues(environment: $0, variables: terminal.environment) }
    var (given, _) = try await givens.read(for: plan, terminal, values: values)
    // A program may answer a prompt; it is not run for a plan.
    given.answers.formUnion((values?.commands(of: plan) ?? [:]).keys)
    given.hasTerminal = canAsk
    if let environment { given.adopt(environment, for: [plan] + plan.calledPlans) }

    let (run, diagnostics) = plan.prepare(given)
    let scope = run.map { KnownScope($0) } ?? scope(given)
    terminal.hide(Value.map(scope.inputs).secretTexts + Value.map(scope.secrets).secretTexts)
    let gate = LiveGate(
      environment: environment, isAsked: isLive, confirmed: confirmed, canAsk: canAsk, variables: terminal.environment, records: records)
    let live = gate.findings(in: scope)
    var findings = diagnostics.filter { !Self.isMissing($0) && !isOfUnknown($0, in: scope) }
    let settings = SettingsCheck(project: project, environment: environment)
    if let run {
      let checks = RunChecks(settings: settings, mayExec: givens.allowsExec || environment?.mayExec == true, gate: gate)
      findings += checks.findings(in: run).filter { !live.contains($0) }
    } else {
      findings += settings.steps(of: plan)
    }
    if let environment {
      let check = HostCheck(environment: environment)
      findings += check.findings(in: plan)
      if let run { findings += check.findings(in: run) { _ in false } }
    }
    // Without `--live` the block of the emergency says what lacks; nobody meant to fire it yet.
    if isLive || !confirmed.isEmpty { findings += live }
    let allowed = run.map { AllowedHosts($0, given: given, environment: environment, own: []) }
    var outline = FlowOutline(scope, environment: environment, gate: gate) { address in
      if let environment { return environment.hosts.patterns.contains { $0.matches(address) } }
      return allowed.map { $0.refusal(of: address) == nil }
    }
    let unread = Set(commands.map { "the secret `\($0.secret)` is missing" })
    outline.missing = diagnostics.filter { Self.isMissing($0) && !unread.contains($0.message) }.map { finding in
      // The variable that the environment names says more than where secrets come from in general.
      guard finding.kind == .missingSecret, let values else { return finding }
      let better = plan.secrets.compactMap { given.secrets[$0.value] == nil ? values.unset($0, in: plan.file) : nil }
      return better.first { $0.related.first?.place == finding.place } ?? finding
    }
    outline.missing += addressesMissing(in: scope).filter { finding in !outline.missing.contains { $0.message == finding.message } }
    outline.commands = commands
    outline.findings = findings
    return outline
  }

  /// What somebody may still give, and a plan does without.
  private static func isMissing(_ diagnostic: Diagnostic) -> Bool {
    [.missingInput, .missingSecret, .missingAnswer, .missingKey].contains(diagnostic.kind)
  }

  /// Whether a connection is refused only because some of its settings are not known yet.
  private func isOfUnknown(_ finding: Diagnostic, in scope: KnownScope) -> Bool {
    guard finding.kind == .invalidValue else { return false }
    return zip(plan.connections, scope.settings).contains { connection, settings in
      guard finding.place == connection.place, !settings.unknown.isEmpty else { return false }
      var filled = settings.values
      for (key, _) in settings.unknown { filled[key] = Value.string("unknown").hidden() }
      return (try? connection.system.endpoint(filled)) != nil
    }
  }

  /// A wrong setting hides that an address is missing.
  private func addressesMissing(in scope: KnownScope) -> [Diagnostic] {
    zip(plan.connections, scope.settings).compactMap { connection, settings in
      guard !connection.isBorrowed, settings.values["base_url"] == nil, settings.unknown["base_url"] == nil else { return nil }
      return Diagnostic(
        .missingKey, "the connection `\(connection.alias)` has no `base_url`", at: connection.place,
        help: ["write `base_url: https://…` under it, or name an environment that has one with `--env NAME`"])
    }
  }

  /// The environment without the secrets that programs print, and what they are.
  private static func withoutCommands(
    _ environment: RunEnvironment?, for plan: Plan
  ) -> (RunEnvironment?, commands: [(secret: String, words: [String])]) {
    guard var environment else { return (nil, []) }
    var commands: [(secret: String, words: [String])] = []
    for secret in plan.secrets.map(\.value) {
      guard case .command(let words, _)? = environment.secrets[secret]?.source else { continue }
      commands.append((secret, words.map(\.value)))
      environment.secrets[secret] = nil
    }
    return (environment, commands)
  }

  /// What is known where a run would be refused.
  private func scope(_ given: RunGivens) -> KnownScope {
    // Where nothing but secrets and answers is missing, the inputs are as a run has them.
    var filled = given
    filled.hasTerminal = true
    for secret in plan.secrets where filled.secrets[secret.value] == nil { filled.secrets[secret.value] = "unknown" }
    let inputs =
      plan.prepare(filled).run?.inputs.mapValue
      ?? plan.inputs.reduce(into: ValueMap()) { map, input in
        map[input.name.value] = given.inputs[input.name.value].map { input.value(of: $0) }
      }
    let secrets = given.secrets.filter { name, _ in plan.secrets.contains { $0.value == name } }
    return KnownScope(
      plan, givens: given, inputs: inputs,
      secrets: plan.secrets.reduce(into: ValueMap()) { map, secret in
        map[secret.value] = secrets[secret.value].map { Value.string($0).hidden() }
      })
  }
}

extension RunGivens {
  /// The settings that the environment has for the connections of flows.
  fileprivate mutating func adopt(_ environment: RunEnvironment, for flows: [Plan]) {
    for connection in flows.flatMap(\.connections) where !connection.isBorrowed {
      if let own = environment.connection(for: connection) { connections[connection.alias] = own.settings }
    }
  }
}
