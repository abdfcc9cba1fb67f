import CEL
import Diagnostics
import SourceText
import StepKit
import Values

/// No secret flows to a URL, a log, a message, a name, or an output that is not marked secret.
extension Resolver {
  /// Whether a value is secret, as far as is known before the run: the mark of an operand goes over to the result, but
  /// for a bool.
  func isSecret(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .literal, .local, .unresolved, .has: return false
    case .variable(_, let slot): return isSecret(slot: slot, field: nil)
    case .select(let operand, let field, _):
      if case .variable(_, let slot) = operand.kind { return isSecret(slot: slot, field: field.value) }
      return isSecret(operand)
    case .index(let operand, let index, _):
      if case .variable(_, let slot) = operand.kind, case .literal(.string(let field)) = index.kind {
        return isSecret(slot: slot, field: field) || isSecret(index)
      }
      return isSecret(operand) || isSecret(index)
    case .conditional(_, let yes, let no): return isSecret(yes) || isSecret(no)
    case .call, .and, .or, .not, .binary, .negate, .list, .map, .comprehension, .bind, .optionalMap, .fallback:
      return expression.type != .bool && expression.children.contains { isSecret($0) }
    }
  }

  private func isSecret(slot: Int, field: String?) -> Bool {
    let slots = Slots(count: 0)
    if slot == slots.secrets { return true }
    if slot == slots.inputs { return inputs.contains { $0.isSecret && (field == nil || field == $0.name.value) } }
    var owner: Int?
    if slot == slots.outputs { owner = current }
    if let (index, part) = table.entry(ofSlot: slot), part == .outputs { owner = index }
    guard let owner else { return false }
    return field.map { table[owner].secretOutputs.contains($0) } ?? !table[owner].secretOutputs.isEmpty
  }

  /// The first expression in a tree whose value is secret.
  func firstSecret(in data: DataPlan) -> CompiledExpression? {
    switch data {
    case .constant, .omit: nil
    case .expression(let expression): isSecret(expression.program.expression) ? expression : nil
    case .text(let segments), .url(let segments):
      segments.lazy.compactMap { segment -> CompiledExpression? in
        if case .expression(let expression) = segment, isSecret(expression.program.expression) { expression } else { nil }
      }.first
    case .list(let items): items.lazy.compactMap { firstSecret(in: $0) }.first
    case .map(let members): members.lazy.compactMap { firstSecret(in: $0.value) }.first
    }
  }

  // MARK: - where it may not go

  /// A value in a place whose shape forgets that it is secret.
  mutating func checkSecret(_ expression: CompiledExpression, _ shape: Shape, named name: String) {
    guard !shape.takesSecrets, isSecret(expression.program.expression) else { return }
    reportExposed("`\(name)` does not take a secret: it is shown in reports", expression)
  }

  /// Addresses are shown in reports, and kept by servers on the way.
  mutating func checkURL(_ parts: [(key: String, value: DataPlan)]) {
    for (key, value) in parts {
      switch key {
      case "url":
        if let secret = firstSecret(in: value) {
          reportExposed("a secret stands in a URL", secret, help: ["send it in a header or in the body"])
        }
      case "path", "query":
        guard case .map(let members) = value else { continue }
        for (name, member) in members where !member.hasReason {
          guard let secret = firstSecret(in: member) else { continue }
          let reasoned = "if it must stand there, write `\(name): { value: …, secret_in_url: REASON }`"
          reportExposed(
            "a secret stands in a URL: `\(key).\(name)`", secret, help: key == "query" ? [reasoned] : ["send it in a header or in the body"]
          )
        }
      default: break
      }
    }
  }

  mutating func checkLog(_ with: DataPlan) {
    if let secret = firstSecret(in: with) {
      reportExposed("a secret is logged", secret, help: ["leave it out: it would show as `[secret]`"])
    }
  }

  mutating func checkOutput(_ output: OutputPlan) {
    guard !output.isSecret, let secret = firstSecret(in: output.value) else { return }
    reportExposed(
      "the output `\(output.name)` holds a secret and is not marked so", secret,
      help: ["write `\(output.name): { value: …, secret: true }`"])
  }

  private mutating func reportExposed(_ message: String, _ secret: CompiledExpression, help: [String] = []) {
    report(.secretExposed, message, at: secret.text.trimmedFileSpan, label: "secret", help: help)
  }
}

extension Shape {
  /// Whether a secret stays one in it.
  fileprivate var takesSecrets: Bool {
    switch self {
    case .secret, .any: true
    case .nullable(let inner): inner.takesSecrets
    case .list(let item), .map(let item): item.takesSecrets
    case .record(let record): record.fields.contains { $0.shape.takesSecrets }
    case .string, .int, .number, .bool, .choice, .numberOrText: false
    }
  }
}

extension RecordShape {
  /// The fields whose values are secret.
  var secretFields: Set<String> {
    Set(
      fields.filter { field in
        var shape = field.shape
        while case .nullable(let inner) = shape { shape = inner }
        if case .secret = shape { return true }
        return false
      }.map(\.name))
  }
}

extension DataPlan {
  /// `{ value: …, secret_in_url: REASON }`
  fileprivate var hasReason: Bool {
    if case .map(let members) = self { members.contains { $0.key == "secret_in_url" } } else { false }
  }
}
