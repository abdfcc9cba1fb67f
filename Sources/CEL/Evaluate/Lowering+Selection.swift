import SourceText
import Values

extension Lowering {
  static func select(_ operand: Expression, _ field: String, _ isOptional: Bool, _ span: Span) -> Operation {
    let operand = lower(operand)
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let value = try operand(&frame)
      // The common case, without a detour.
      if case .map(let map) = value, !isOptional {
        if let member = map[field] { return member }
        throw EvaluationError(.missing, "no field `\(field)`", at: span)
      }
      return try Secrecy.apply(to: value, span) { value throws(Failure) in
        try Selection.select(value, field, isOptional: isOptional)
      }
    }
  }

  static func has(_ operand: Expression, _ field: String, _ span: Span) -> Operation {
    let operand = lower(operand)
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let value = try operand(&frame).exposed
      return .bool(try located(span) { () throws(Failure) in try Selection.has(value, field) })
    }
  }

  static func index(_ operand: Expression, _ index: Expression, _ isOptional: Bool, _ span: Span) -> Operation {
    let operand = lower(operand)
    let index = lower(index)
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let value = try operand(&frame)
      let key = try index(&frame)
      return try Secrecy.apply(to: value, key, span) { value, key throws(Failure) in
        try Selection.index(value, key, isOptional: isOptional)
      }
    }
  }

  /// `default(path, fallback)`: what is missing or null anywhere in the path gives the fallback.
  static func fallback(_ path: Expression, _ fallback: Expression) -> Operation {
    let path = lenient(path)
    let fallback = lower(fallback)
    return { frame throws(EvaluationError) in
      if let value = try path(&frame) { return value }
      return try fallback(&frame)
    }
  }

  /// The value of a path, or nil where a part of it is missing or null.
  private static func lenient(_ path: Expression) -> @Sendable (inout Frame) throws(EvaluationError) -> Value? {
    let span = path.span
    switch path.kind {
    case .variable(_, let slot):
      return { frame throws(EvaluationError) in
        slot < frame.slots.count ? frame.slots[slot].flatMap { $0.present } : nil
      }
    case .select(let operand, let field, _):
      let operand = lenient(operand)
      let name = field.value
      return { frame throws(EvaluationError) in
        try frame.step(span)
        guard let value = try operand(&frame) else { return nil }
        return try step(value, span) { value throws(Failure) in try Selection.select(value, name, isOptional: true) }
      }
    case .index(let operand, let index, _):
      let operand = lenient(operand)
      let index = lower(index)
      return { frame throws(EvaluationError) in
        try frame.step(span)
        guard let value = try operand(&frame) else { return nil }
        let key = try index(&frame)
        let isSecret = key.isMarked
        let member = try step(value, span) { value throws(Failure) in
          try Selection.index(value, key.exposed, isOptional: true)
        }
        return isSecret ? member?.hidden() : member
      }
    default:
      let operation = lower(path)
      return { frame throws(EvaluationError) in try operation(&frame).present }
    }
  }

  private static func step(
    _ value: Value, _ span: Span, _ select: (Value) throws(Failure) -> Value
  ) throws(EvaluationError) -> Value? {
    let isSecret = value.isMarked
    let found = try located(span) { () throws(Failure) in try select(value.exposed) }
    guard let member = found.present else { return nil }
    return isSecret ? member.hidden() : member
  }

  static func optionalMap(
    _ target: Expression, _ number: Int, _ body: Expression, _ isFlat: Bool, _ span: Span
  ) -> Operation {
    let target = lower(target)
    let body = lower(body)
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let value = try target(&frame)
      guard case .optional(let inner) = value.exposed else {
        throw EvaluationError(.failed, "expected an optional, got `\(value.typeName)`", at: span)
      }
      guard let inner else { return .optional(nil) }
      frame.locals[number] = value.isMarked ? inner.hidden() : inner
      let result = try body(&frame)
      return isFlat ? result : .optional(result)
    }
  }
}

extension Value {
  /// The value, unless it is null or an empty optional; what an optional holds.
  fileprivate var present: Value? {
    switch self {
    case .null, .optional(nil): nil
    case .optional(let inner?): inner.present
    case .secret(let inner): inner.present?.hidden()
    default: self
    }
  }
}
