internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

extension NativeReader {
  /// A list of steps, with those left out that could not be read.
  mutating func steps(_ node: Node, _ name: String) -> [StepSyntax] {
    guard let items = items(node, name) else { return [] }
    if items.isEmpty { report(.invalidValue, "`\(name)` has no step", node.span) }
    return items.compactMap { step($0) }
  }

  private mutating func step(_ node: Node) -> StepSyntax? {
    // A loop's own keys stand beside its action, which says that it is not built yet.
    var companions: [String] = []
    if case .mapping(let entries) = node.content, entries.contains(where: { NativeKeys.actionsNotYet.contains($0.key.value) }) {
      companions = NativeKeys.companionsNotYet
    }
    guard
      let fields = fields(
        node, of: "a step", known: NativeKeys.step + companions,
        notYet: NativeKeys.actionsNotYet + NativeKeys.modifiersNotYet)
    else { return nil }
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
    let found = fields.entries.filter { NativeKeys.actions.contains($0.key.value) || NativeKeys.actionsNotYet.contains($0.key.value) }
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
    let action = action(entry)
    checkModifiers(fields, of: entry.key)
    return found.count == 1 ? action : nil
  }

  /// Nil, with the reason reported, for one that is broken or not built yet.
  private mutating func action(_ entry: Node.Entry) -> ActionSyntax? {
    let node = entry.value
    switch entry.key.value {
    case "uses": return text(node, "uses").map { .uses($0) }
    case "group":
      let steps = steps(node, "group")
      return .group(steps, entry.key.span)
    case "wait": return duration(node, "wait").map { .wait($0) }
    case "end": return choice(node, "end", NativeKeys.verdicts).map { .end(verdict: $0) }
    case "fail": return fail(node)
    default:
      guard NativeKeys.methods.contains(entry.key.value) else { return nil }
      return template(node, entry.key.value).map { .http(method: entry.key, target: $0) }
    }
  }

  private mutating func fail(_ node: Node) -> ActionSyntax? {
    guard let fields = fields(node, of: "`fail`", known: NativeKeys.fail) else { return nil }
    let message = fields["message"].flatMap { template($0, "message") }
    guard let code = fields["code"] else {
      reportMissing("code", in: "`fail`", node.span)
      return nil
    }
    return text(code, "code").map { .fail(code: $0, message: message) }
  }

  /// Modifiers that mean nothing beside an action.
  private mutating func checkModifiers(_ fields: Fields, of action: Located<String>) {
    let allowed = NativeKeys.modifiers(of: action.value)
    for entry in fields.entries where NativeKeys.modifiers.contains(entry.key.value) && !allowed.contains(entry.key.value) {
      report(
        .invalidValue, "`\(action.value)` takes no `\(entry.key.value)`", entry.key.span,
        related: [.init(Place(file, action.span), "the action")])
    }
  }

  // MARK: modifiers

  private mutating func modifiers(_ fields: Fields, into step: inout StepSyntax) {
    if let with = fields["with"] {
      step.with = dataMap(with, "with")
      step.withSpan = with.span
    }
    step.connection = fields["connection"].flatMap { text($0, "connection") }
    step.expect = fields["expect"].flatMap { expect($0) }
    step.outputs = fields["outputs"].map { outputs($0) } ?? []
    step.retry = fields["retry"].flatMap { retry($0) }
    step.timeout = fields["timeout"].flatMap { duration($0, "timeout") }
    step.attemptTimeout = fields["attempt_timeout"].flatMap { duration($0, "attempt_timeout") }
    step.effect = fields["effect"].flatMap { choice($0, "effect", NativeKeys.effects) }
    step.dedupeKey = fields["dedupe_key"].flatMap { template($0, "dedupe_key") }
    step.onError = fields["on_error"].map { branches($0) } ?? []
  }

  mutating func retry(_ node: Node) -> RetrySyntax? {
    guard let fields = fields(node, of: "`retry`", known: NativeKeys.retry) else {
      return nil
    }
    var retry = RetrySyntax(span: node.span)
    retry.attempts = fields["attempts"].flatMap { integer($0, "attempts", 1...Int.max) }
    retry.when = fields["when"].map { codes($0, "when") } ?? []
    retry.delay = fields["delay"].flatMap { duration($0, "delay") }
    retry.factor = fields["factor"].flatMap { number($0, "factor", atLeast: 1) }
    retry.maxDelay = fields["max_delay"].flatMap { duration($0, "max_delay") }
    retry.jitter = fields["jitter"].flatMap { choice($0, "jitter", NativeKeys.jitters) }
    return retry
  }
}
