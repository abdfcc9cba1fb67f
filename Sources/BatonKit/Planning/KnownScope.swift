import FlowPlan
import SourceText
import StepKit
import Values

/// What of a flow's data is known before it runs: its inputs, its secrets, and what follows from them.
struct KnownScope {
  /// Settings of one connection.
  struct Settings {
    var values = ValueMap()
    /// What stands in for those that nobody knows yet, by name.
    var unknown = ValueMap()
  }

  let plan: Plan
  let givens: RunGivens
  let inputs: ValueMap
  /// Inputs that the run will have, and whose values nobody knows yet.
  let unknownInputs: Set<String>
  /// Without those that nobody knows yet.
  let secrets: ValueMap
  /// By index in `plan.connections`.
  private(set) var settings: [Settings] = []

  /// All of a run's inputs, secrets and settings are known.
  init(_ run: PreparedRun) {
    plan = run.plan
    givens = run.givens
    inputs = run.inputs.mapValue ?? ValueMap()
    unknownInputs = []
    secrets = run.secrets.mapValue ?? ValueMap()
    settings = run.settings.map { Settings(values: $0) }
  }

  /// - Parameters:
  ///   - inputs: normalised; those that it lacks have their defaults, and are unknown where they are required.
  ///   - unknown: further inputs that nobody knows.
  ///   - lent: the settings of connections that a calling flow lends, by index.
  init(
    _ plan: Plan, givens: RunGivens, inputs given: ValueMap, unknown: Set<String> = [], secrets: ValueMap, lent: [Int: Settings] = [:]
  ) {
    self.plan = plan
    self.givens = givens
    self.secrets = secrets
    var inputs = given
    var unknown = unknown
    for input in plan.inputs where inputs[input.name.value] == nil && !unknown.contains(input.name.value) {
      if let fallback = input.fallback {
        inputs[input.name.value] = input.normalised(fallback)
      } else if input.isRequired {
        unknown.insert(input.name.value)
      }
    }
    self.inputs = inputs
    unknownInputs = unknown
    settings = plan.connections.indices.map { lent[$0] ?? ownSettings(of: plan.connections[$0]) }
  }

  /// The scope of a flow that a step of this one calls.
  func scope(of call: CallPlan) -> KnownScope {
    var inputs = ValueMap()
    var unknown: Set<String> = []
    if case .map(let members) = call.with {
      for (name, member) in members {
        if case .omit = member { continue }
        let input = call.flow.inputs.first { $0.name.value == name }
        if let value = exact(member) { inputs[name] = input?.normalised(value) ?? value } else { unknown.insert(name) }
      }
    }
    var secrets = ValueMap()
    for (theirs, ours) in call.secrets { secrets[theirs] = self.secrets[ours] }
    var lent: [Int: Settings] = [:]
    for (index, connection) in call.connections.enumerated() {
      if case .lent(let ours) = connection, settings.indices.contains(ours) { lent[index] = settings[ours] }
    }
    return KnownScope(call.flow, givens: givens, inputs: inputs, unknown: unknown, secrets: secrets, lent: lent)
  }

  /// As `Plan.prepare` puts them together, as far as they are known.
  private func ownSettings(of connection: ConnectionPlan) -> Settings {
    var own = Settings()
    if case .map(let members) = connection.settings {
      for (key, member) in members {
        if let value = exact(member) { own.values[key] = value } else if case .omit = member {} else { own.unknown[key] = shown(member) }
      }
    } else if case .constant(.map(let map)) = connection.settings {
      own.values = map
    }
    for source in [connection.system.name, connection.alias] {
      for (key, value) in givens.connections[source] ?? ValueMap() {
        own.values[key] = value
        own.unknown[key] = nil
      }
    }
    for field in connection.system.settings().fields where own.values[field.name] == nil && own.unknown[field.name] == nil {
      own.values[field.name] = field.fallback
    }
    return own
  }
}

extension KnownScope {
  /// Where a connection leads; nil where that is not known.
  func base(of connection: Int) -> WebAddress? {
    guard settings.indices.contains(connection), settings[connection].unknown["base_url"] == nil else { return nil }
    let values = settings[connection].values
    if let base = (try? plan.connections[connection].system.endpoint(values))?.base { return base }
    return values["base_url"]?.exposed.stringValue.flatMap { try? WebAddress($0) }
  }

  /// The same, or what stands in for it.
  func shownBase(of connection: Int) -> String {
    if let base = base(of: connection) { return base.text.withoutLastSlash }
    guard settings.indices.contains(connection), let unknown = settings[connection].unknown["base_url"] else {
      return placeholder("base_url of \(plan.connections[connection].alias)")
    }
    return unknown.redacted.stringValue ?? unknown.json()
  }
}

extension InputPlan {
  /// Phones as E.164; what is secret is hidden.
  func normalised(_ value: Value) -> Value {
    var value = value
    if let phoneRegion, let text = value.exposed.stringValue, let number = e164(text, region: phoneRegion) { value = .string(number) }
    return isSecret ? value.hidden() : value
  }

  /// The value that a run is given, as far as it can be read.
  func value(of given: RunGivens.Given) -> Value {
    switch given {
    case .data(let value): return normalised(value)
    case .text(let text):
      if type == .string { return normalised(.string(text)) }
      return normalised((try? JSON.parse(text)) ?? .string(text))
    }
  }
}

extension String {
  var withoutLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

/// What stands for a value that is not known before the run: `⟨inputs.phone⟩`.
func placeholder(_ source: String) -> String {
  let words = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  return "⟨\(words.count > 80 ? words.prefix(79) + "…" : words)⟩"
}
