import CEL
import FlowPlan
import SourceText
import StepKit
import Values

/// Data with expressions in it, as far as it is known before the run.
extension KnownScope {
  /// The value that the run will have; nil where anything in it is not known yet.
  func exact(_ data: DataPlan) -> Value? {
    guard isKnown(data) else { return nil }
    return (try? data.evaluate(frame)) ?? nil
  }

  /// The value with `⟨…⟩` for what is not known yet. Texts are put together piece by piece, so that a secret hides itself and
  /// not what stands around it.
  func shown(_ data: DataPlan) -> Value? {
    switch data {
    case .constant(let value): value
    case .omit: nil
    case .expression(let expression): shown(expression)
    case .text(let segments): .string(joined(segments, isURL: false))
    case .url(let segments): .string(joined(segments, isURL: true))
    case .list(let items): .list(items.compactMap { shown($0) })
    case .map(let members):
      .map(members.reduce(into: ValueMap()) { $0[$1.key] = shown($1.value) })
    }
  }

  /// The members of a map.
  func shownMembers(_ data: DataPlan) -> ValueMap { shown(data)?.mapValue ?? ValueMap() }

  private func shown(_ expression: CompiledExpression) -> Value {
    if knows(expression.program.expression), let value = try? expression.evaluate(frame) { return value }
    let name = Value.string(placeholder(expression.source))
    return readsSecret(expression.program.expression) ? name.hidden() : name
  }

  private func joined(_ segments: [DataPlan.TextSegment], isURL: Bool) -> String {
    var text = ""
    for segment in segments {
      switch segment {
      case .literal(let literal): text += literal
      case .expression(let expression):
        let value = shown(expression)
        let part = value.redacted.templateText ?? placeholder(expression.source)
        let isEncoded = isURL && !text.isEmpty && !value.containsSecret && knows(expression.program.expression)
        text += isEncoded ? Self.encoded(part, after: text) : part
      }
    }
    return text
  }

  private static func encoded(_ part: String, after text: String) -> String {
    guard text.hasSuffix("/"), !text.contains("?") else { return PercentEncoding.component(part) }
    return PercentEncoding.pathSegment(part) ?? placeholder(part)
  }

  private var frame: FlowFrame {
    var slots = [Value?](repeating: nil, count: plan.slots.count)
    slots[plan.slots.inputs] = .map(inputs)
    slots[plan.slots.secrets] = .map(secrets)
    return FlowFrame(slots: slots)
  }

  // MARK: - what expressions read

  private func isKnown(_ data: DataPlan) -> Bool {
    switch data {
    case .constant, .omit: true
    case .expression(let expression): knows(expression.program.expression)
    case .text(let segments), .url(let segments):
      segments.allSatisfy { if case .expression(let expression) = $0 { knows(expression.program.expression) } else { true } }
    case .list(let items): items.allSatisfy { isKnown($0) }
    case .map(let members): members.allSatisfy { isKnown($0.value) }
    }
  }

  /// Whether it reads nothing but inputs and secrets that are known.
  private func knows(_ expression: Expression) -> Bool {
    if case .has(let operand, let field) = expression.kind, let path = operand.path {
      return knows(slot: path.slot, path.fields.first ?? field.value)
    }
    if let path = expression.path { return knows(slot: path.slot, path.fields.first) }
    if case .call(let function, _, _) = expression.kind, function.isAnsweredByHost { return false }
    return expression.children.allSatisfy { knows($0) }
  }

  private func knows(slot: Int, _ member: String?) -> Bool {
    switch slot {
    case plan.slots.inputs: member.map { !unknownInputs.contains($0) } ?? unknownInputs.isEmpty
    case plan.slots.secrets: member.map { secrets[$0] != nil } ?? false
    default: false
    }
  }

  private func readsSecret(_ expression: Expression) -> Bool {
    guard let path = expression.path else { return expression.children.contains { readsSecret($0) } }
    switch path.slot {
    case plan.slots.secrets: return true
    case plan.slots.inputs: return plan.inputs.contains { $0.isSecret && (path.fields.isEmpty || $0.name.value == path.fields.first) }
    default: return false
    }
  }
}
