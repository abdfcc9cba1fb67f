import SourceText
import Values

/// Makes operations of checked expressions: one closure a node, its names already bound.
enum Lowering {
  static func lower(_ expression: Expression) -> Operation {
    let span = expression.span
    switch expression.kind {
    case .literal(let value): return { _ throws(EvaluationError) in value }
    case .variable(let name, let slot):
      return { frame throws(EvaluationError) in
        guard slot < frame.slots.count, let value = frame.slots[slot] else {
          throw EvaluationError(.missing, "`\(name)` has no value", at: span)
        }
        return value
      }
    case .local(_, let number): return { frame throws(EvaluationError) in frame.locals[number] }
    case .select(let operand, let field, let isOptional): return select(operand, field.value, isOptional, span)
    case .has(let operand, let field): return has(operand, field.value, span)
    case .index(let operand, let index, let isOptional): return self.index(operand, index, isOptional, span)
    case .call(let function, _, let arguments): return call(function, arguments, expression.id, span)
    case .and(let operands): return logic(operands, deciding: false, span)
    case .or(let operands): return logic(operands, deciding: true, span)
    case .not(let operand): return not(operand, span)
    case .conditional(let condition, let yes, let no): return conditional(condition, yes, no, span)
    case .binary(let operation, let a, let b): return binary(operation, a, b, span)
    case .negate(let operand):
      return unary(operand, span) { value, _ throws(Failure) in try Arithmetic.negate(value) }
    case .list(let elements): return list(elements, span)
    case .map(let entries): return map(entries, span)
    case .comprehension(let comprehension): return self.comprehension(comprehension, span)
    case .bind(let number, let value, let body):
      let value = lower(value)
      let body = lower(body)
      return { frame throws(EvaluationError) in
        frame.locals[number] = try value(&frame)
        return try body(&frame)
      }
    case .optionalMap(let target, let number, let body, let isFlat): return optionalMap(target, number, body, isFlat, span)
    case .fallback(let path, let fallback): return self.fallback(path, fallback)
    case .unresolved(let message):
      return { _ throws(EvaluationError) in throw EvaluationError(.failed, message, at: span) }
    }
  }

  /// An operation on one operand; a secret operand makes a secret result.
  private static func unary(
    _ operand: Expression, _ span: Span, _ compute: @escaping @Sendable (Value, inout Meter) throws(Failure) -> Value
  ) -> Operation {
    let operand = lower(operand)
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let value = try operand(&frame)
      return try Secrecy.apply(to: value, span) { value throws(Failure) in try compute(value, &frame.meter) }
    }
  }

  private static func binary(_ operation: Operator, _ a: Expression, _ b: Expression, _ span: Span) -> Operation {
    let compute: @Sendable (Value, Value, inout Meter) throws(Failure) -> Value
    switch operation {
    case .equal: compute = { a, b, meter throws(Failure) in .bool(try Equality.areEqual(a, b, &meter)) }
    case .notEqual: compute = { a, b, meter throws(Failure) in .bool(try !Equality.areEqual(a, b, &meter)) }
    case .less: compute = { a, b, meter throws(Failure) in .bool(try ordered(a, b, &meter) == .less) }
    case .lessOrEqual:
      compute = { a, b, meter throws(Failure) in
        let order = try ordered(a, b, &meter)
        return .bool(order == .less || order == .equal)
      }
    case .greater: compute = { a, b, meter throws(Failure) in .bool(try ordered(a, b, &meter) == .greater) }
    case .greaterOrEqual:
      compute = { a, b, meter throws(Failure) in
        let order = try ordered(a, b, &meter)
        return .bool(order == .greater || order == .equal)
      }
    case .isIn: compute = { a, b, meter throws(Failure) in .bool(try Equality.contains(b, a, &meter)) }
    case .add: compute = { a, b, meter throws(Failure) in try Arithmetic.add(a, b, &meter) }
    case .subtract: compute = { a, b, _ throws(Failure) in try Arithmetic.subtract(a, b) }
    case .multiply: compute = { a, b, _ throws(Failure) in try Arithmetic.multiply(a, b) }
    // What is declared a `number` is a double even where JSON says `10`, so that `10 / 4` is 2.5.
    case .divide where a.type == .double || b.type == .double:
      compute = { a, b, _ throws(Failure) in try Arithmetic.divideDoubles(a, b) }
    case .divide: compute = { a, b, _ throws(Failure) in try Arithmetic.divide(a, b) }
    case .remainder: compute = { a, b, _ throws(Failure) in try Arithmetic.remainder(a, b) }
    case .and, .or: compute = { _, _, _ throws(Failure) in throw .noOverload }
    }
    let a = lower(a)
    let b = lower(b)
    return { frame throws(EvaluationError) in
      try frame.step(span)
      let x = try a(&frame)
      let y = try b(&frame)
      return try Secrecy.apply(to: x, y, span) { x, y throws(Failure) in try compute(x, y, &frame.meter) }
    }
  }

  private static func ordered(_ a: Value, _ b: Value, _ meter: inout Meter) throws(Failure) -> Ordering.Result {
    if case .string(let x) = a, case .string(let y) = b { try meter.spend(steps: min(x.utf8.count, y.utf8.count) >> 7) }
    return try Ordering.compare(a, b)
  }

  private static func call(_ function: Function, _ arguments: [Expression], _ site: Int, _ span: Span) -> Operation {
    guard function.takes(arguments.count) else { return { _ throws(EvaluationError) in throw Failure.noOverload.at(span) } }
    let operands = arguments.map(lower)
    guard let implementation = function.implementation else { return hostCall(function.name, operands, site, span) }
    let secrecy = function.secrecy
    return { frame throws(EvaluationError) in
      try frame.step(span)
      var values: [Value] = []
      values.reserveCapacity(operands.count)
      for operand in operands { values.append(try operand(&frame)) }
      return try Secrecy.apply(to: values, secrecy, span) { values throws(Failure) in
        switch secrecy {
        case .reads: for value in values { try frame.meter.spendReading(value) }
        case .moves: for case .string(let text) in values { try frame.meter.spend(steps: text.utf8.count >> 5) }
        }
        let result = try implementation(values, &frame.meter)
        try frame.meter.spendMaking(result)
        return result
      }
    }
  }

  private static func hostCall(_ name: String, _ operands: [Operation], _ site: Int, _ span: Span) -> Operation {
    { frame throws(EvaluationError) in
      try frame.step(span)
      var values: [Value] = []
      for operand in operands { values.append(try operand(&frame)) }
      guard let answer = frame.answer else {
        throw EvaluationError(.missing, "`\(name)` has no meaning here", at: span)
      }
      return try Secrecy.apply(to: values, .reads, span) { values throws(Failure) in
        do throws(HostFailure) {
          return try answer(Program.HostCall(function: name, site: site, arguments: values))
        } catch {
          throw Failure(error.message)
        }
      }
    }
  }
}
