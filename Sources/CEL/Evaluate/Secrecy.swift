import SourceText
import Values

/// The one place where marks are taken off before computing and put on the result.
///
/// A secret operand makes a secret result, save for a bool: a condition on a secret is not itself one. The message of a
/// failure may quote an operand, so with a secret operand it is replaced.
enum Secrecy {
  @inline(__always)
  static func apply(
    to value: Value, _ span: Span, _ compute: (Value) throws(Failure) -> Value
  ) throws(EvaluationError) -> Value {
    guard case .secret(let exposed) = value else { return try located(span) { () throws(Failure) in try compute(value) } }
    return try hidden(span) { () throws(Failure) in try compute(exposed) }
  }

  @inline(__always)
  static func apply(
    to a: Value, _ b: Value, _ span: Span, _ compute: (Value, Value) throws(Failure) -> Value
  ) throws(EvaluationError) -> Value {
    switch (a, b) {
    case (.secret, _), (_, .secret): return try hidden(span) { () throws(Failure) in try compute(a.exposed, b.exposed) }
    default: return try located(span) { () throws(Failure) in try compute(a, b) }
    }
  }

  static func apply(
    to values: [Value], _ secrecy: Function.Secrecy, _ span: Span, _ compute: ([Value]) throws(Failure) -> Value
  ) throws(EvaluationError) -> Value {
    switch secrecy {
    case .moves:
      guard values.contains(where: \.isMarked) else { return try located(span) { () throws(Failure) in try compute(values) } }
      return try hidden(span) { () throws(Failure) in try compute(values.map(\.exposed)) }
    case .reads:
      guard values.contains(where: \.containsSecret) else {
        return try located(span) { () throws(Failure) in try compute(values) }
      }
      return try hidden(span) { () throws(Failure) in try compute(values.map(\.fullyExposed)) }
    }
  }

  private static func hidden(_ span: Span, _ compute: () throws(Failure) -> Value) throws(EvaluationError) -> Value {
    do throws(Failure) {
      let result = try compute()
      if case .bool = result { return result }
      return result.hidden()
    } catch {
      guard error.reason == .exhausted else {
        throw EvaluationError(error.reason, "the operation failed; an operand is secret, so no more is told", at: span)
      }
      throw error.at(span)
    }
  }
}

extension Value {
  /// Whether the value itself is marked, whatever may be inside it.
  var isMarked: Bool { if case .secret = self { true } else { false } }
}
