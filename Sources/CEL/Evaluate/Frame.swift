import SourceText
import Values

/// A lowered expression: computes the value within a frame.
typealias Operation = @Sendable (inout Frame) throws(EvaluationError) -> Value

/// What one evaluation reads and changes.
struct Frame {
  let slots: [Value?]
  /// The values of local names by their numbers.
  var locals: [Value]
  var meter: Meter
  let answer: Program.HostAnswer?

  init(slots: [Value?], localCount: Int, budget: Budget, answer: Program.HostAnswer?) {
    self.slots = slots
    locals = Array(repeating: .null, count: localCount)
    meter = Meter(budget)
    self.answer = answer
  }

  mutating func step(_ span: Span) throws(EvaluationError) {
    do throws(Failure) { try meter.spend() } catch { throw error.at(span) }
  }
}

extension Failure {
  func at(_ span: Span) -> EvaluationError { EvaluationError(reason, message, at: span) }
}

/// Runs the body; a failure in it becomes an error of the span.
func located<Result>(
  _ span: Span, _ body: () throws(Failure) -> Result
) throws(EvaluationError) -> Result {
  do throws(Failure) { return try body() } catch { throw error.at(span) }
}
