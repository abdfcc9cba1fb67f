import CEL
import Diagnostics
import FlowSyntax
import SourceText
import Values

/// `for_each`: over a list, a map or a table.
extension Resolver {
  /// What a loop goes over.
  struct Items {
    /// Nil where it is wrong, which is reported.
    var source: ForEachPlan.Source?
    var type = ValueType.error
    var isSecret = false
    /// How many there are at most, as far as is known.
    var bound: Int?
  }

  private static let roots = [
    "inputs", "secrets", "vars", "state", "steps", "run", "connections", "loop", "response", "request", "outputs", "error",
  ]

  mutating func resolveForEach(_ loop: ForEachSyntax, _ step: StepSyntax, _ index: Int) -> ResolvedBodies {
    let items = resolveItems(loop)
    checkBound(loop, items)
    let name = itemName(loop)
    let minItems = loop.minItems?.value ?? 1
    table[index].hasSecretItem = items.isSecret
    table[index].itemBound = loop.maxItems?.value ?? items.bound
    loops.append(
      Loop(
        item: (name, items.type), fields: [RecordType.Field("index", .int), RecordType.Field("key", .string)], slots: table[index].slots))
    let key = loop.itemKey.flatMap { resolveItemKey($0) }
    let before = state
    let body = resolveItemBody(loop, step)
    loops.removeLast()
    if minItems == 0 { state = before.joined(with: state, because: ("there may be no item", loop.key)) }
    let plan = items.source.map {
      ActionPlan.forEach(
        ForEachPlan(
          source: $0, itemKey: key, maxItems: table[index].itemBound, minItems: minItems, concurrency: loop.concurrency?.value ?? 1,
          stopsOnError: (loop.onItemError?.value ?? "stop") == "stop", body: body))
    }
    return ResolvedBodies(
      action: plan, outputs: RecordType(outputsName(step), [RecordType.Field("items", .list(.record(itemResult(body, step))))]),
      secretOutputs: body.outputs.contains(where: \.isSecret) ? ["items"] : [])
  }

  private mutating func resolveItemBody(_ loop: ForEachSyntax, _ step: StepSyntax) -> BodyPlan {
    func body(_ resolver: inout Resolver, _ ownSessions: [Int]) -> BodyPlan {
      let (steps, outputs) = resolver.resolveBody(loop.steps) { $0.resolveOutputs(step.outputs, Locals()) }
      return BodyPlan(steps: steps, outputs: outputs, ownSessions: ownSessions)
    }
    guard (loop.concurrency?.value ?? 1) > 1 else { return body(&self, []) }
    return resolveConcurrent(loop.steps, at: loop.concurrency?.span ?? loop.key) { body(&$0, $1) }
  }

  /// `{key, status, outputs, error}`. All items succeeded, unless a branch goes on where some did not.
  private func itemResult(_ body: BodyPlan, _ step: StepSyntax) -> RecordType {
    let outputs = ValueType.record(record("the outputs of an item", body.outputs))
    return RecordType(
      "an item of \(outputsName(step))",
      [
        RecordType.Field("key", .string), RecordType.Field("status", .string),
        RecordType.Field("outputs", step.mayGoOnFailed ? .nullable(outputs) : outputs),
        RecordType.Field("error", .nullable(.record(.error))),
      ])
  }

  private mutating func itemName(_ loop: ForEachSyntax) -> String {
    guard let name = loop.itemName else { return "item" }
    if Self.roots.contains(name.value) {
      report(
        .invalidValue, "an item cannot be called `\(name.value)`: the name has a meaning already", at: name.span,
        help: ["give it another name"])
      return "item"
    }
    return name.value
  }

  /// It names an item in reports, so that it is a text that everybody may see.
  private mutating func resolveItemKey(_ syntax: ExpressionSyntax) -> CompiledExpression? {
    guard let text = bareText(of: syntax, reporting: true), let key = compile(text, Locals()) else { return nil }
    switch key.program.type {
    case .string, .int, .uint, .double, .bool, .dyn, .error, .parameter: break
    case let other:
      report(
        .typeMismatch, "`key` names an item, so that it must be a string, not \(article(other))", at: text.trimmedFileSpan,
        label: "\(other)")
    }
    checkName(key, "the key of an item is shown in reports")
    return key
  }

  // MARK: - what it goes over

  private mutating func resolveItems(_ loop: ForEachSyntax) -> Items {
    switch loop.source {
    case .data(let data): return resolveItems(of: data)
    case .expression(let syntax):
      guard let text = bareText(of: syntax, reporting: true) else { return Items() }
      if text.text.trimmed.hasPrefix("csv(") { return resolveTable(text, minItems: loop.minItems) }
      guard let expression = compile(text, Locals()) else { return Items() }
      guard let type = itemType(of: expression.program.type, text) else { return Items() }
      return Items(
        source: .data(.expression(expression)), type: type, isSecret: isSecret(expression.program.expression),
        bound: itemBound(of: expression.program.expression))
    }
  }

  private mutating func resolveItems(of data: DataSyntax) -> Items {
    let plan = resolveData(data, nil, named: "in", Locals())
    let isSecret = firstSecret(in: plan) != nil
    switch plan {
    case .list(let items):
      return Items(source: .data(plan), type: commonType(items.map(\.type)), isSecret: isSecret, bound: items.count)
    case .map(let members):
      return Items(
        source: .data(plan), type: .record(.entry(key: .string, commonType(members.map(\.value.type)))), isSecret: isSecret,
        bound: members.count)
    case .expression(let expression):
      return Items(
        source: .data(plan), type: itemType(of: expression.program.type, expression.text) ?? .error, isSecret: isSecret,
        bound: itemBound(of: expression.program.expression))
    case .omit: return Items()
    case .constant, .text, .url:
      report(.typeMismatch, "`in` must be a list or a map", at: data.span, help: ["write a list, or an expression that gives one"])
      return Items()
    }
  }

  private func commonType(_ types: [ValueType]) -> ValueType {
    guard let first = types.first else { return .dyn }
    return types.dropFirst().reduce(first) { $0.widened(by: $1) ?? .dyn }
  }

  /// Nil where nothing can be gone over, which is reported.
  private mutating func itemType(of type: ValueType, _ text: EmbeddedText) -> ValueType? {
    switch type {
    case .list(let element): return element
    case .map(let key, let value): return .record(.entry(key: key, value))
    case .record(let record): return .record(.entry(key: .string, commonType(record.fields.map(\.type))))
    case .dyn, .parameter: return .dyn
    case .error: return .error
    case .nullable:
      report(
        .typeMismatch, "`for_each` goes over a list or a map, and this may be null", at: text.trimmedFileSpan, label: "\(type)",
        help: ["give it a fallback: `default(\(text.text.trimmed), [])`"])
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .optional, .type, .abstract:
      report(.typeMismatch, "`for_each` goes over a list or a map, not \(article(type))", at: text.trimmedFileSpan, label: "\(type)")
    }
    return nil
  }
}

extension RecordType {
  /// An item of a map.
  fileprivate static func entry(key: ValueType, _ value: ValueType) -> RecordType {
    RecordType("an item of a map", [Field("key", key), Field("value", value)])
  }
}
