import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// No secret flows to a URL, a log, a message, a name, or an output that is not marked secret.
extension Resolver {
  /// Whether a value is secret, as far as is known before the run: the mark of an operand goes over to the result, but
  /// for a bool.
  func isSecret(_ expression: Expression) -> Bool {
    if let path = expression.path { return isSecret(slot: path.slot, path.fields) }
    switch expression.kind {
    case .literal, .local, .unresolved, .has, .variable: return false
    case .select(let operand, _, _): return isSecret(operand)
    case .index(let operand, let index, _): return isSecret(operand) || isSecret(index)
    case .conditional(_, let yes, let no): return isSecret(yes) || isSecret(no)
    case .call, .and, .or, .not, .binary, .negate, .list, .map, .comprehension, .bind, .optionalMap, .fallback:
      return expression.type != .bool && expression.children.contains { isSecret($0) }
    }
  }

  /// - Parameter fields: those that are selected from the variable; none is the whole of it.
  private func isSecret(slot: Int, _ fields: [String]) -> Bool {
    let slots = Slots(count: 0)
    switch slot {
    case slots.secrets: return true
    case slots.inputs: return inputs.contains { $0.isSecret && (fields.first ?? $0.name.value) == $0.name.value }
    case slots.vars: return variables.contains { $0.value.isSecret && (fields.first ?? $0.key) == $0.key }
    case slots.outputs: return current.map { table[$0].secretOutputs.cover(fields) } ?? false
    default: break
    }
    guard let (index, part) = table.entry(ofSlot: slot) else { return false }
    switch part {
    case .outputs: return table[index].secretOutputs.cover(fields)
    case .item: return table[index].hasSecretItem
    case .loop: return table[index].secretCarry.cover(fields)
    case .status, .response, .error: return false
    }
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

  /// `{ value: …, secret_in_url: REASON }` states both, and a reason is a text.
  mutating func checkReasons(_ with: [DataSyntax.Entry]) {
    guard case .map(let parameters, _)? = with.first(where: { $0.key.value == "query" })?.value else { return }
    for case (let name, .map(let members, _)) in parameters.map({ ($0.key, $0.value) }) {
      guard let reason = members.first(where: { $0.key.value == "secret_in_url" }) else { continue }
      if reason.value.constant?.stringValue?.isEmpty ?? true {
        report(
          .invalidValue, "`secret_in_url` says why the secret must stand there", at: reason.value.span, help: ["write the reason as a text"]
        )
      }
      if !members.contains(where: { $0.key.value == "value" }) {
        report(.missingKey, "`query.\(name.value).value` is missing", at: name.span, help: ["write `value: …` beside `secret_in_url`"])
      }
      for other in members where other.key.value != "secret_in_url" && other.key.value != "value" {
        reportUnknown(.unknownKey, "key", other.key, among: ["value", "secret_in_url"])
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

  /// A text that names something where everybody sees it.
  mutating func checkName(_ expression: CompiledExpression, _ reason: String) {
    if isSecret(expression.program.expression) { reportExposed("a secret stands in a name: \(reason)", expression) }
  }

  mutating func checkName(_ data: DataPlan, _ reason: String) {
    if let secret = firstSecret(in: data) { reportExposed("a secret stands in a name: \(reason)", secret) }
  }

  /// What lasts between runs stands in a file that nobody guards.
  mutating func checkKept(_ value: DataPlan) {
    guard let secret = firstSecret(in: value) else { return }
    reportExposed("a secret is kept between runs", secret, help: ["keep what finds it again, such as an id"])
  }

  mutating func reportExposed(_ message: String, _ secret: CompiledExpression, help: [String] = []) {
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

extension Set<String> {
  /// Whether a path of fields leads to, into or around one of these dotted names.
  fileprivate func cover(_ fields: [String]) -> Bool {
    if fields.isEmpty { return !isEmpty }
    let path = fields.joined(separator: ".")
    return contains { $0 == path || $0.hasPrefix("\(path).") || path.hasPrefix("\($0).") }
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
