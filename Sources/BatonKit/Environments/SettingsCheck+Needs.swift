import Diagnostics
import FlowPlan
import SourceText
import StepKit
import Values

/// Settings that a step cannot do without, although its connection can.
extension SettingsCheck {
  /// What steps need and their connections certainly lack: nothing that an environment or a caller may still give.
  /// - Parameter isWhole: whether every step found its connection.
  func needs(of flow: Plan, isWhole: Bool) -> [Diagnostic] {
    flow.needySteps.flatMap { step, handler -> [Diagnostic] in
      guard let index = handler.connection else { return isWhole ? unconnected(step, handler, in: flow) : [] }
      let connection = flow.connections[index]
      guard !connection.isBorrowed, !mayGetMore else { return [] }
      let settings = assumed(connection)
      return handler.needs.filter { !isMet($0, by: settings, of: connection) }.map { lack($0, step, handler, connection) }
    }
  }

  /// The same where a run has all of its settings.
  func needs(of run: PreparedRun) -> [Diagnostic] {
    run.plan.needySteps.flatMap { step, handler -> [Diagnostic] in
      guard let index = handler.connection else { return [] }
      let connection = run.plan.connections[index]
      guard !connection.isBorrowed else { return [] }
      let settings = run.settings[index]
      return handler.needs.filter { $0.isLacking(in: settings, of: connection.system) }.map { lack($0, step, handler, connection) }
    }
  }

  private func isMet(_ need: NeededSetting, by settings: ValueMap, of connection: ConnectionPlan) -> Bool {
    switch need.what {
    case .tokens:
      if connection.tokenClasses == nil { return true }
    case .setting(let name):
      // The sandbox has all of a system's hosts; a flow that names none of them is made for it.
      if connection.system.hasSandbox, connection.system.urls.contains(name), settings["base_url"] == nil { return true }
      if connection.isUnknown(name) { return true }
    }
    return !need.isLacking(in: settings, of: connection.system)
  }

  private func lack(_ need: NeededSetting, _ step: StepPlan, _ handler: HandlerPlan, _ connection: ConnectionPlan) -> Diagnostic {
    let alias = "the connection `\(connection.alias)`"
    let place = environment.map { " under `\(connection.alias)`, in the flow or in the environment `\($0.name)`" } ?? ""
    let message: String
    var help: String
    switch need.what {
    case .tokens:
      message = "`\(handler.label)` needs a connection with tokens, and \(alias) has none"
      help = "give it `oauth`\(place), or name another one with `connection:`"
    case .setting(let name):
      message = "`\(handler.label)` needs `\(name)`, and \(alias) has none"
      help = "give it `\(name)`\(place)"
      if let about = connection.system.about(name) { help += ": \(about)" }
    }
    if case .unlessGiven(let input) = need.condition {
      help = "give the step `\(input)`, or \(help.replacing("give it", with: "the connection"))"
    }
    return Diagnostic(
      .missingKey, message, at: step.place, related: [.init(connection.place, "declared here")], help: [help])
  }

  /// A step of OAuth's goes over a connection only where it names one.
  private func unconnected(_ step: StepPlan, _ handler: HandlerPlan, in flow: Plan) -> [Diagnostic] {
    let aliases = flow.connections.filter { $0.tokenClasses?.isEmpty != true }.map { "`\($0.alias)`" }.joined(separator: ", ")
    return handler.needs.map { need in
      switch (need.what, need.condition) {
      case (.setting, .unlessGiven(let input)):
        Diagnostic(
          .missingKey, "`\(handler.label)` needs `\(input)`", at: step.place,
          help: ["give it, or name a `connection:` whose `oauth` has it"])
      case (.setting, .always), (.setting, .onlyIf), (.tokens, _):
        Diagnostic(
          .missingKey, "`\(handler.label)` needs a connection with tokens, and names none", at: step.place,
          help: ["add `connection:` with \(aliases.isEmpty ? "one that has `oauth`" : "one of \(aliases)")"])
      }
    }
  }
}

extension NeededSetting {
  /// - Parameter settings: with their defaults, or without.
  fileprivate func isLacking(in settings: ValueMap, of system: SystemDescription) -> Bool {
    switch what {
    case .tokens: return system.tokens?.classes(settings).isEmpty ?? true
    case .setting(let name):
      let path = name.split(separator: ".").map(String.init)
      if path.count == 1, system.settings().field(name)?.fallback != nil { return false }
      var value: Value? = .map(settings)
      for part in path { value = value?.exposed.mapValue?[part] }
      return value == nil || value?.exposed == .null || value?.exposed == ""
    }
  }
}

extension HandlerPlan {
  /// What this step asks of its connection, as far as its input is known.
  fileprivate var needs: [NeededSetting] {
    guard !step.about.needs.isEmpty, case .map(let members) = with else { return [] }
    return step.about.needs.filter { need in
      switch need.condition {
      case .always: true
      case .unlessGiven(let input): !members.contains { $0.key == input }
      case .onlyIf(let input, let value):
        members.contains { key, member in
          if case .constant(let given) = member { key == input && given.exposed == value } else { false }
        }
      }
    }
  }
}

extension Plan {
  /// Its steps, at any depth, with handlers that need something.
  fileprivate var needySteps: [(StepPlan, HandlerPlan)] {
    (steps + finally).flatMap(\.withInner).compactMap { step in
      guard case .handler(let handler) = step.action, !handler.needs.isEmpty else { return nil }
      return (step, handler)
    }
  }
}

extension ConnectionPlan {
  /// Whether a setting is there, and only the run tells what it is; `oauth.client_id` stands in `oauth`.
  fileprivate func isUnknown(_ name: String) -> Bool {
    let whole = name.split(separator: ".").first.map(String.init) ?? name
    guard case .map(let members) = settings else { return true }
    return members.contains { $0.key == whole } && assumed[whole] == nil
  }
}

extension SystemDescription {
  /// What a setting is, in a message; nil for one inside another, whose name says it.
  fileprivate func about(_ setting: String) -> String? {
    guard let text = settings().field(setting)?.about, !text.isEmpty else { return nil }
    let words = text.hasSuffix(".") ? String(text.dropLast()) : text
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
