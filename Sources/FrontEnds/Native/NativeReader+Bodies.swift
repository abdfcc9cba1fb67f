internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

/// Actions that hold steps: `switch`, `for_each`, `repeat`, `parallel`.
extension NativeReader {
  // MARK: switch

  mutating func choose(_ entry: Node.Entry) -> ActionSyntax? {
    guard let items = items(entry.value, "switch") else { return nil }
    var cases: [CaseSyntax] = []
    var otherwise: Span?
    for item in items {
      guard let fields = fields(item, of: "a case of `switch`", known: NativeKeys.switchCase) else { continue }
      if let otherwise {
        report(
          .unreachableBranch, "no case is tried after `else`", firstLine(of: item.span),
          related: [.init(Place(file, otherwise), "`else` stands here")], help: ["make `else` the last case"])
      }
      if let last = fields.entry("else") { otherwise = last.key.span }
      if let found = switchCase(fields) { cases.append(found) }
    }
    if otherwise == nil {
      report(
        .missingKey, "`switch` needs an `else`", entry.key.span,
        help: ["say what is done where no case holds; `- else: []` at its end does nothing"])
    }
    return .choose(cases, entry.key.span)
  }

  private mutating func switchCase(_ fields: Fields) -> CaseSyntax? {
    let condition = fields["if"].flatMap { expression($0, "if") }
    var body = BodySyntax(steps: [], outputs: fields["outputs"].map { outputs($0) } ?? [], span: fields.span)
    let inner = fields["steps"].map { steps($0, "steps", mayBeEmpty: true) }
    guard let last = fields.entry("else") else {
      if fields["if"] == nil, !fields.hasUnknownKey {
        reportMissing("if", in: "a case of `switch`", fields.span, help: ["the last case has `else` in its place"])
      } else if fields["steps"] == nil, fields["outputs"] == nil, !fields.hasUnknownKey {
        reportMissing("steps", in: "a case of `switch`", fields.span, help: ["write `steps: []` if nothing is to be done"])
      }
      body.steps = inner ?? []
      return condition.map { CaseSyntax(condition: $0, body: body) }
    }
    if let both = fields.entry("if") {
      report(
        .invalidValue, "a case has `if` or `else`, this one has both", both.key.span,
        related: [.init(Place(file, last.key.span), "`else` stands here")])
    }
    if let steps = fields.entry("steps") {
      report(
        .invalidValue, "`else` holds its steps: `steps` has no place beside it", steps.key.span,
        related: [.init(Place(file, last.key.span), "`else` stands here")], help: ["put the steps under `else:`"])
      body.steps = inner ?? []
    }
    if fields["steps"] == nil || !last.value.isNull { body.steps = steps(last.value, "else", mayBeEmpty: true) }
    return CaseSyntax(condition: nil, body: body)
  }

  // MARK: loops

  /// - Parameter step: the whole step; its `steps` stand beside `for_each`.
  mutating func forEach(_ entry: Node.Entry, _ step: Fields) -> ActionSyntax? {
    let steps = loopSteps(entry, step)
    guard
      let fields = fields(entry.value, of: "`for_each`", known: NativeKeys.forEach, beside: ["steps", "outputs"])
    else { return nil }
    // The rest is read even where the list is broken, for what is wrong with it.
    var loop = ForEachSyntax(key: entry.key.span, source: .data(.list([], entry.value.span)), steps: steps)
    loop.itemName = fields["as"].flatMap { variable($0, "as") }
    loop.itemKey = fields["key"].flatMap { expression($0, "key") }
    loop.maxItems = fields["max_items"].flatMap { integer($0, "max_items", 1...Int.max) }
    loop.minItems = fields["min_items"].flatMap { integer($0, "min_items", 0...Int.max) }
    loop.concurrency = fields["concurrency"].flatMap { integer($0, "concurrency", 1...Int.max) }
    loop.onItemError = fields["on_item_error"].flatMap { choice($0, "on_item_error", NativeKeys.concurrentEndings) }
    if let least = loop.minItems, let most = loop.maxItems, least.value > most.value {
      report(
        .invalidValue, "`min_items` is more than `max_items`", least.span,
        related: [.init(Place(file, most.span), "at most \(most.value)")])
    }
    guard let source = fields["in"] else {
      if !fields.hasUnknownKey {
        reportMissing("in", in: "`for_each`", entry.key.span, help: ["name the list that it goes through, such as `in: inputs.users`"])
      }
      return nil
    }
    guard let items = items(of: source) else { return nil }
    loop.source = items
    return .forEach(loop)
  }

  /// `in`: an expression, or a list or a map in place.
  private mutating func items(of node: Node) -> ForEachSyntax.Source? {
    if case .scalar = node.content { return expression(node, "in").map { .expression($0) } }
    return .data(data(node))
  }

  mutating func repeating(_ entry: Node.Entry, _ step: Fields) -> ActionSyntax? {
    var loop = RepeatSyntax(key: entry.key.span, steps: loopSteps(entry, step))
    loop.next = step["next"].map { dataMap($0, "next") } ?? []
    guard
      let fields = fields(entry.value, of: "`repeat`", known: NativeKeys.repeating, beside: ["steps", "next", "outputs"])
    else { return nil }
    loop.max = fields["max"].flatMap { integer($0, "max", 1...Int.max) }
    loop.every = fields["every"].flatMap { duration($0, "every") }
    loop.until = fields["until"].flatMap { expression($0, "until") }
    loop.carry = fields["carry"].map { dataMap($0, "carry") } ?? []
    if fields["max"] == nil, !fields.hasUnknownKey {
      report(.unbounded, "`repeat` needs `max`", entry.key.span, help: ["say how often at most, such as `max: 20`"])
    }
    checkNext(loop, step)
    return .repeating(loop)
  }

  /// What `next` names is what `carry` begins with.
  private mutating func checkNext(_ loop: RepeatSyntax, _ step: Fields) {
    let names = loop.carry.map(\.key.value)
    for entry in loop.next where !names.contains(entry.key.value) {
      let near = nearest(to: entry.key.value, among: names)
      report(
        .unknownName, "`next` sets `\(entry.key.value)`, which `carry` does not have", entry.key.span,
        help: [near.map { "did you mean `\($0)`?" } ?? "give it a first value in `carry`"])
    }
  }

  private mutating func loopSteps(_ action: Node.Entry, _ step: Fields) -> [StepSyntax] {
    if let node = step["steps"] { return steps(node, "steps") }
    // Steps inside the action's own map are told where they belong.
    if case .mapping(let entries) = action.value.content, entries.contains(where: { $0.key.value == "steps" }) { return [] }
    if !step.hasUnknownKey {
      let name = action.key.value
      reportMissing("steps", in: "`\(name)`", action.key.span, help: ["put them beside `\(name)`, in the same step"])
    }
    return []
  }

  // MARK: parallel

  mutating func parallel(_ entry: Node.Entry) -> ActionSyntax? {
    guard let fields = fields(entry.value, of: "`parallel`", known: NativeKeys.parallel) else { return nil }
    var parallel = ParallelSyntax(key: entry.key.span, branches: [])
    parallel.onBranchError = fields["on_branch_error"].flatMap { choice($0, "on_branch_error", NativeKeys.concurrentEndings) }
    guard let node = fields["branches"] else {
      if !fields.hasUnknownKey {
        reportMissing(
          "branches", in: "`parallel`", entry.key.span, help: ["give each branch a name and its steps: `branches: { one: […], two: […] }`"])
      }
      return nil
    }
    let branches = entries(node, "branches") ?? []
    if branches.isEmpty, case .mapping = node.content { report(.invalidValue, "`branches` has no branch", node.span) }
    for branch in branches {
      checkName(branch.key, "a branch's name")
      if let body = body(branch.value, "the branch `\(branch.key.value)`") {
        parallel.branches.append(.init(name: branch.key, body: body))
      }
    }
    return .parallel(parallel)
  }

  /// `[steps]` or `{steps, outputs}`.
  private mutating func body(_ node: Node, _ what: String) -> BodySyntax? {
    if case .sequence = node.content { return BodySyntax(steps: steps(node, what), span: node.span) }
    guard let fields = fields(node, of: what, known: NativeKeys.body, shape: "a list of steps, or a map with `steps` and `outputs`") else {
      return nil
    }
    let made = fields["outputs"].map { outputs($0) } ?? []
    guard let inner = fields["steps"] else {
      if !fields.hasUnknownKey { reportMissing("steps", in: what, node.span) }
      return nil
    }
    return BodySyntax(steps: steps(inner, "steps"), outputs: made, span: node.span)
  }
}
