package import Values

/// A compiled expression; may be evaluated from several tasks at once.
package struct Program: Sendable {
  package let source: String
  /// The checked expression, for walking.
  package let expression: Expression
  private let operation: Operation
  private let localCount: Int

  /// The type of its values; dyn where it is known only at run time.
  package var type: ValueType { expression.type }

  init(source: String, expression: Expression, localCount: Int) {
    self.source = source
    self.expression = expression
    self.localCount = localCount
    operation = Lowering.lower(expression)
  }

  /// A call of a function that the host answers.
  package struct HostCall: Sendable {
    package let function: String
    /// Tells this call from every other call in the program; the same at every evaluation.
    package let site: Int
    package let arguments: [Value]
  }

  package typealias HostAnswer = (HostCall) throws(HostFailure) -> Value

  /// The value of the expression.
  ///
  /// - Parameters:
  ///   - slots: the values of the declared variables, each at the slot of its variable; nil for what does not exist.
  ///   - answer: answers calls of host functions; it throws a text that says why there is no value.
  /// - Throws: where an operation fails, something does not exist, or the budget is used up; the span is that of the
  ///   smallest sub-expression that failed.
  package func evaluate(
    _ slots: [Value?], budget: Budget = Budget(), answer: HostAnswer? = nil
  ) throws(EvaluationError) -> Value {
    var frame = Frame(slots: slots, localCount: localCount, budget: budget, answer: answer)
    return try operation(&frame)
  }
}

/// Why the host has no answer to a call.
package struct HostFailure: Error, Hashable, Sendable {
  package var message: String

  package init(_ message: String) { self.message = message }
}
