import SourceText
import Values

extension Lowering {
  /// `&&` and `||`: the deciding value wins over failures and non-bools on either side (language definition, "Logical
  /// Operators").
  static func logic(_ operands: [Expression], deciding: Bool, _ span: Span) -> Operation {
    let lowered = operands.map { (lower($0), $0.span) }
    return { frame throws(EvaluationError) in
      var failure: EvaluationError?
      for (operand, operandSpan) in lowered {
        try frame.step(span)
        do throws(EvaluationError) {
          let value = try operand(&frame).exposed
          if case .bool(let flag) = value {
            if flag == deciding { return .bool(deciding) }
          } else {
            failure = failure ?? notBool(value, operandSpan)
          }
        } catch {
          if error.reason == .exhausted { throw error }
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      return .bool(!deciding)
    }
  }

  static func not(_ operand: Expression, _ span: Span) -> Operation {
    let lowered = lower(operand)
    let operandSpan = operand.span
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let value = try lowered(&frame).exposed
      guard case .bool(let flag) = value else { throw notBool(value, operandSpan) }
      return .bool(!flag)
    }
  }

  static func conditional(_ condition: Expression, _ yes: Expression, _ no: Expression, _ span: Span) -> Operation {
    let conditionSpan = condition.span
    let condition = lower(condition)
    let yes = lower(yes)
    let no = lower(no)
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let value = try condition(&frame).exposed
      guard case .bool(let flag) = value else { throw notBool(value, conditionSpan) }
      return flag ? try yes(&frame) : try no(&frame)
    }
  }

  static func notBool(_ value: Value, _ span: Span) -> EvaluationError {
    EvaluationError(.failed, "expected a bool, got `\(value.typeName)`", at: span)
  }
}
