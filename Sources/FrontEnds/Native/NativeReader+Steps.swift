internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

extension NativeReader {
  /// A list of steps, with those left out that could not be read.
  mutating func steps(_ node: Node, _ name: String, mayBeEmpty: Bool = false) -> [StepSyntax] {
    guard let items = items(node, name) else { return [] }
    if items.isEmpty, !mayBeEmpty { report(.invalidValue, "\(ticked(name)) has no step", node.span) }
    return items.compactMap { step($0) }
  }

  private mutating func step(_ node: Node) -> StepSyntax? {
    guard let fields = fields(node, of: "a step", known: NativeKeys.step) else { return nil }
    let id = fields["id"].flatMap { identifier($0) }
    let name = fields["name"].flatMap { template($0, "name") }
    let condition = fields["if"].flatMap { expression($0, "if") }
    // The modifiers are read even where the action is broken, for what is wrong with them.
    var step = StepSyntax(span: node.span, action: .group([], node.span))
    modifiers(fields, into: &step)
    guard let action = action(fields) else {
      if let id { unreadableSteps.append(id) }
      return nil
    }
    step.action = action
    (step.id, step.name, step.condition) = (id, name, condition)
    return step
  }

  // MARK: action

  private mutating func action(_ fields: Fields) -> ActionSyntax? {
    let found = fields.entries.filter { NativeKeys.actions.contains($0.key.value) }
    guard let entry = found.first else {
      if !fields.hasUnknownKey {
        report(
          .missingKey, "a step needs an action", firstLine(of: fields.span),
          help: ["one of \(list(NativeKeys.actions, "or"))"])
      }
      return nil
    }
    for other in found.dropFirst() {
      report(
        .invalidValue, "a step has one action, this one has `\(entry.key.value)` and `\(other.key.value)`", other.key.span,
        label: "a second action", related: [.init(Place(file, entry.key.span), "the first one")], help: ["make two steps of it"])
    }
    let action = action(entry, fields)
    checkModifiers(fields, of: entry.key)
    return found.count == 1 ? action : nil
  }

  /// Nil, with the reason reported, for one that is broken.
  private mutating func action(_ entry: Node.Entry, _ fields: Fields) -> ActionSyntax? {
    let node = entry.value
    switch entry.key.value {
    case "uses": return text(node, "uses").map { .uses($0) }
    case "group": return .group(steps(node, "group"), entry.key.span)
    case "switch": return choose(entry)
    case "for_each": return forEach(entry, fields)
    case "repeat": return repeating(entry, fields)
    case "parallel": return parallel(entry)
    case "call": return call(node, fields)
    case "set": return set(entry)
    case "wait": return duration(node, "wait").map { .wait($0) }
    case "end": return choice(node, "end", NativeKeys.verdicts).map { .end(verdict: $0) }
    case "fail": return fail(node)
    default:
      guard NativeKeys.methods.contains(entry.key.value) else { return nil }
      return template(node, entry.key.value).map { .http(method: entry.key, target: $0) }
    }
  }

  /// Keys that mean nothing beside an action.
  private mutating func checkModifiers(_ fields: Fields, of action: Located<String>) {
    let allowed = NativeKeys.modifiers(of: action.value) + NativeKeys.companions(of: action.value)
    for entry in fields.entries {
      let key = entry.key.value
      guard NativeKeys.modifiers.contains(key) || NativeKeys.companions.contains(key), !allowed.contains(key) else { continue }
      report(
        .invalidValue, "`\(action.value)` takes no `\(key)`", entry.key.span,
        related: [.init(Place(file, action.span), "the action")], help: mend(key, beside: action.value).map { [$0] } ?? [])
    }
  }

  /// Where a key belongs that stands beside an action that does not take it.
  private func mend(_ key: String, beside action: String) -> String? {
    switch (key, action) {
    case ("outputs", "switch"): "each case has its `outputs`"
    case ("outputs", "parallel"): "each branch has its own: `NAME: { steps: […], outputs: {…} }`"
    case ("steps", "group"): "`group` holds its steps: `group: […]`"
    case ("steps", "switch"): "each case has its `steps`"
    case ("steps", "parallel"): "each branch has its steps: `branches: { NAME: […] }`"
    case ("retry", "group"), ("retry", "call"): "a branch of `on_error` runs it again: `then: retry` with `max`"
    case ("retry", "switch"), ("retry", "for_each"), ("retry", "repeat"), ("retry", "parallel"): "put `retry` on the steps inside"
    case ("expect", "group"), ("expect", "switch"), ("expect", "for_each"), ("expect", "repeat"), ("expect", "parallel"):
      "put `expect` on the steps inside"
    case ("next", "for_each"): "values that go on from one round to the next belong to `repeat`"
    default: nil
    }
  }
}
