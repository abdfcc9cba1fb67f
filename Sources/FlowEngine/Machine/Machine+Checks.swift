import CEL
import FlowEvents
import FlowPlan
import JSONSchema
import HTTPTypes
import SourceText
import StepKit
import Values

/// `expect`: the status, and every check, whatever the others say.
extension Machine {
  /// 6 What an attempt comes to: for a plain request the flow says which statuses are right, for a typed step its
  /// handler; of what must happen once, a whole answer of the right status is success whatever its body.
  func classified(_ outcome: AttemptOutcome, _ handler: HandlerPlan, _ activation: inout Activation) -> Result<ValueMap, StepFailure> {
    let result = handler.isPlainHTTP ? weighed(outcome, &activation) : outcome.result
    guard case .failure(let failure) = result, handler.effect == .once, let reply = outcome.response, reply.isSuccess,
      failure.isOfReading
    else { return result }
    return .success(ValueMap())
  }

  private func weighed(_ outcome: AttemptOutcome, _ activation: inout Activation) -> Result<ValueMap, StepFailure> {
    let wanted = activation.plan.expect.statuses
    guard let answer = outcome.answer else { return outcome.result }
    let isMet = wanted.isEmpty ? answer.status / 100 == 2 : wanted.contains { $0.value.statuses.contains(answer.status) }
    let text = wanted.map(\.value.text).joined(separator: " or ")
    // A refused session is no answer, unless the flow asked for just that.
    if case .failure(let failure) = outcome.result, failure.code != "http.\(answer.status)", !isMet || wanted.isEmpty {
      return outcome.result
    }
    if let first = wanted.first {
      activation.expectations = [
        ExpectationReport(
          expression: "status: \(text)", place: Place(activation.plan.place.file, first.span), isMet: isMet, expected: text,
          actual: "\(answer.status)")
      ]
    }
    if isMet { return .success(ValueMap()) }
    var failure: StepFailure
    switch outcome.result {
    case .failure(let raised): failure = raised
    case .success: failure = .http(answer)
    }
    failure.tags.append("assertion")
    if !wanted.isEmpty {
      failure.tags.append(StepFailure.statedStatus)
      failure.title = "expected status \(text), got \(answer.status)"
    }
    return .failure(failure)
  }

  func unmet(_ activation: Activation) -> StepFailure? {
    let unmet = activation.expectations.count { !$0.isMet }
    guard unmet > 0 else { return nil }
    let first = activation.expectations.first { !$0.isMet }
    return StepFailure(
      "assertion", title: unmet == 1 ? "an expectation is not met" : "\(unmet) expectations are not met",
      detail: first.map(\.expression) ?? "",
      sent: .yes, answer: activation.response?.answer)
  }

  mutating func check(_ check: CheckPlan, _ activation: Activation, _ local: [Value?]) -> ExpectationReport {
    do throws(DataError) {
      switch check.kind {
      case .that(let expression): return try checkExpression(expression, check, local)
      case .header(let name, let expected):
        let wanted = try evaluate(expected, local) ?? .null
        return report(check, BodyMatch.differences(header: name, expected: wanted, actual: activation.response?.value["headers"]?[name]))
      case .body(let expected):
        return report(
          check, BodyMatch.differences(expected: try evaluate(expected, local) ?? .null, actual: activation.response?.body ?? .null))
      case .schema(let schema):
        let violations = schema.validate((activation.response?.body ?? .null).fullyExposed)
        return ExpectationReport(
          expression: check.text, place: check.place, isMet: violations.isEmpty, expected: "valid",
          actual: violations.first?.message)
      case .maxDuration(let limit):
        let duration = isPlainHTTP(activation) ? activation.response?.duration ?? activation.attemptDuration : activation.attemptDuration
        return ExpectationReport(
          expression: check.text, place: check.place, isMet: duration <= limit, expected: "at most \(limit.text)", actual: duration.text)
      }
    } catch {
      return ExpectationReport(expression: check.text, place: error.place, isMet: false, problem: error.message)
    }
  }

  private mutating func checkExpression(_ expression: CompiledExpression, _ check: CheckPlan, _ local: [Value?]) throws(DataError)
    -> ExpectationReport
  {
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

  private func isPlainHTTP(_ activation: Activation) -> Bool {
    if case .handler(let handler) = activation.plan.action { handler.isPlainHTTP } else { false }
  }

  private func report(_ check: CheckPlan, _ differences: [BodyMatch.Difference]) -> ExpectationReport {
    ExpectationReport(
      expression: check.text, place: check.place, isMet: differences.isEmpty,
      expected: differences.isEmpty ? nil : differences.map { "\($0.path): \($0.expected)" }.joined(separator: "\n"),
      actual: differences.isEmpty ? nil : differences.map { "\($0.path): \($0.actual)" }.joined(separator: "\n"))
  }
}

extension AttemptOutcome {
  /// The whole answer, whatever its handler made of it; nil where there is none.
  fileprivate var answer: HTTPReply? {
    guard let response else { return nil }
    switch result {
    case .success: return response
    case .failure(let failure): return failure.answer?.status == response.status ? response : nil
    }
  }
}

extension CompiledExpression {
  /// The two sides of a failed comparison, evaluated on their own; nil for anything else.
  fileprivate func sides(_ slots: [Value?]) -> (name: String, (actual: Value, expected: Value))? {
    guard case .binary(let comparison, let left, let right) = program.expression.kind, let actual = value(of: left, slots),
      let expected = value(of: right, slots)
    else { return nil }
    return (comparison.rawValue, (actual, expected))
  }

  private func value(of part: Expression, _ slots: [Value?]) -> Value? {
    if case .literal(let value) = part.kind { return value }
    guard let path = part.path, var value = slots[path.slot] else { return nil }
    for field in path.fields {
      guard let member = value.exposed[field] else { return nil }
      // What is in a secret is one too.
      if case .secret = value { value = member.hidden() } else { value = member }
    }
    return value
  }
}
