import FlowSyntax
import SourceText

extension ScenarioSyntax {
  /// The case with what it does not state taken from the defaults: maps by their keys, lists as a whole.
  func merged(over defaults: ScenarioSyntax) -> ScenarioSyntax {
    var merged = self
    merged.tags = defaults.tags + tags
    merged.skip = skip ?? defaults.skip
    merged.inputs = defaults.inputs.merged(with: inputs)
    merged.secrets = defaults.secrets.merged(with: secrets)
    merged.answers = answers.merged(over: defaults.answers)
    merged.given = defaults.given.merged(with: given)
    if faults.isEmpty { merged.faults = defaults.faults }
    if events.isEmpty { merged.events = defaults.events }
    if routes.isEmpty { merged.routes = defaults.routes }
    if then.isEmpty { merged.then = defaults.then }
    merged.expect = expect.map { own in defaults.expect.map { own.merged(over: $0) } ?? own } ?? defaults.expect
    return merged
  }
}

extension ScenarioExpectSyntax {
  fileprivate func merged(over defaults: ScenarioExpectSyntax) -> ScenarioExpectSyntax {
    var merged = self
    // Who states how a run ends says all of it: `code` beside the verdict of the defaults would mean another thing.
    let statesEnd = verdict != nil || code != nil
    if !statesEnd {
      merged.verdict = defaults.verdict
      merged.code = defaults.code
    }
    let isPassed = merged.code == nil && merged.verdict?.value ?? "passed" == "passed"
    if isPassed || outputs != nil { merged.outputs = merging(defaults.outputs, outputs) }
    merged.steps = defaults.steps.filter { step in !steps.contains { $0.id.value == step.id.value } } + steps
    merged.requests = defaults.requests.filter { route in !requests.contains { $0.route.value == route.route.value } } + requests
    if that.isEmpty { merged.that = defaults.that }
    merged.maxDuration = maxDuration ?? defaults.maxDuration
    return merged
  }
}

/// The second over the first: maps by their keys.
private func merging(_ first: DataSyntax?, _ second: DataSyntax?) -> DataSyntax? {
  guard let first else { return second }
  guard let second else { return first }
  guard case .map(let lower, _) = first, case .map(let upper, let span) = second else { return second }
  return .map(lower.merged(with: upper), span)
}

extension [DataSyntax.Entry] {
  /// The entries with others over them: maps by their keys, at any depth.
  func merged(with upper: [DataSyntax.Entry]) -> [DataSyntax.Entry] {
    var merged = self
    for entry in upper {
      guard let position = merged.firstIndex(where: { $0.key.value == entry.key.value }) else {
        merged.append(entry)
        continue
      }
      merged[position] = DataSyntax.Entry(key: entry.key, value: merging(merged[position].value, entry.value) ?? entry.value)
    }
    return merged
  }
}

extension [AnswerSyntax] {
  func merged(over lower: [AnswerSyntax]) -> [AnswerSyntax] {
    lower.filter { answer in !contains { $0.prompt.value == answer.prompt.value } } + self
  }
}
