import CEL
import FlowEvents
import FlowPlan
import HTTPTypes
import SourceText
import StepKit
import Values

/// `expect`: the status, and every check, whatever the others say.
extension Machine {
  /// A status that is not one of those wanted; nil where it is, or is the handler's own business.
  func unexpectedStatus(_ activation: Activation) -> StepFailure? {
    guard case .handler(let handler) = activation.plan.action, handler.isPlainHTTP, let reply = activation.response else { return nil }
    let wanted = activation.plan.expect.statuses
    if wanted.isEmpty ? reply.isSuccess : wanted.contains(where: { $0.value.statuses.contains(reply.status) }) { return nil }
    var failure = StepFailure.http(reply)
    failure.tags = ["assertion"]
    if !wanted.isEmpty {
      failure.tags.append(StepFailure.statedStatus)
      failure.title = "expected status \(wanted.map(\.value.text).joined(separator: " or ")), got \(reply.status)"
    }
    return failure
  }

  func unmet(_ activation: Activation) -> StepFailure? {
    let unmet = activation.expectations.count { !$0.isMet }
    guard unmet > 0 else { return nil }
    let first = activation.expectations.first { !$0.isMet }
    return StepFailure(
      "assertion", title: unmet == 1 ? "an expectation is not met" : "\(unmet) expectations are not met", detail: first.map(\.expression) ?? "",
      sent: .yes, answer: activation.response?.answer)
  }

  mutating func check(_ check: CheckPlan, _ activation: Activation, _ local: [Value?]) -> ExpectationReport {
    do throws(DataError) {
      switch check.kind {
      case .that(let expression): return try checkExpression(expression, check, local)
      case .header(let name, let expected):
        let actual = activation.response?.value["headers"]?[name]
        return report(check, expected: try evaluate(expected, local) ?? .null, actual: actual ?? .null)
      case .body(let expected):
        return bodyReport(check, expected: try evaluate(expected, local) ?? .null, actual: activation.response?.body ?? .null)
      case .maxDuration(let limit):
        let duration = activation.response?.duration ?? now.elapsed - activation.startedAt
        return ExpectationReport(
          expression: check.text, place: check.place, isMet: duration <= limit, expected: "at most \(limit.text)", actual: duration.text)
      }
    } catch {
      return ExpectationReport(expression: check.text, place: error.place, isMet: false, problem: error.message)
    }
  }

  private mutating func checkExpression(_ expression: CompiledExpression, _ check: CheckPlan, _ local: [Value?]) throws(DataError) -> ExpectationReport {
    let value = try evaluate(expression, local)
    let isMet = value.exposed == .bool(true)
    var report = ExpectationReport(expression: check.text, place: check.place, isMet: isMet)
    guard !isMet else { return report }
    if let (name, operands) = expression.sides(local) {
      report.expected = "\(name) \(operands.expected.redacted.json())"
      report.actual = operands.actual.redacted.json()
    } else {
      report.expected = "true"
      report.actual = value.redacted.json()
    }
    return report
  }

  private func report(_ check: CheckPlan, expected: Value, actual: Value) -> ExpectationReport {
    ExpectationReport(
      expression: check.text, place: check.place, isMet: expected.fullyExposed.matchesText(actual), expected: expected.redacted.json(),
      actual: actual.redacted.json())
  }

  private func bodyReport(_ check: CheckPlan, expected: Value, actual: Value) -> ExpectationReport {
    let differences = BodyMatch.differences(expected: expected.fullyExposed, actual: actual)
    return ExpectationReport(
      expression: check.text, place: check.place, isMet: differences.isEmpty,
      expected: differences.isEmpty ? nil : differences.map { "\($0.path): \($0.expected)" }.joined(separator: "\n"),
      actual: differences.isEmpty ? nil : differences.map { "\($0.path): \($0.actual)" }.joined(separator: "\n"))
  }
}

extension Value {
  /// Headers are text: `expect: { headers: { retry-after: 5 } }` means `"5"`.
  fileprivate func matchesText(_ actual: Value) -> Bool {
    self == actual || (templateText.map { .string($0) } == actual)
  }
}

extension CompiledExpression {
  /// The two sides of a failed comparison, evaluated on their own; nil for anything else.
  fileprivate func sides(_ slots: [Value?]) -> (name: String, (actual: Value, expected: Value))? {
    guard case .binary(let comparison, let left, let right) = program.expression.kind, let actual = value(of: left, slots), let expected = value(of: right, slots)
    else { return nil }
    return (comparison.rawValue, (actual, expected))
  }

  private func value(of part: Expression, _ slots: [Value?]) -> Value? {
    if case .literal(let value) = part.kind { return value }
    guard let path = part.path, var value = slots[path.slot] else { return nil }
    for field in path.fields {
      guard let member = value.exposed[field] else { return nil }
      value = member
    }
    return value
  }
}

extension Duration {
  /// `340 ms`, `1.5 s`, for people.
  package var text: String {
    let milliseconds = Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
    return "\((milliseconds / 100).rounded() / 10) s"
  }
}
