package import SourceText
import Values

/// What one evaluation may use up; a hostile expression ends in an error well within a tenth of a second.
package struct Budget: Hashable, Sendable {
  /// Operations, calls and rounds of comprehensions, and elements that an operation has to look at.
  package var steps: Int
  /// Bytes of texts, and 16 for each element, that the evaluation produces on its way.
  package var outputBytes: Int

  package init(steps: Int = 500_000, outputBytes: Int = 16 << 20) {
    self.steps = steps
    self.outputBytes = outputBytes
  }
}

/// Why an evaluation has no value.
package struct EvaluationError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// An operation has no result for its operands, such as a division by zero.
    case failed
    /// A variable, field, key or index does not exist.
    case missing
    /// The budget is used up.
    case exhausted
  }

  package var reason: Reason
  /// Lower case, no full stop; never holds a secret.
  package var message: String
  /// The sub-expression that failed: UTF-8 offsets in the source.
  package var span: Span

  package init(_ reason: Reason, _ message: String, at span: Span) {
    self.reason = reason
    self.message = message
    self.span = span
  }
}

/// Why a function has no result; becomes an `EvaluationError` where it was called.
struct Failure: Error {
  var reason: EvaluationError.Reason = .failed
  var message: String

  init(_ message: String, reason: EvaluationError.Reason = .failed) {
    self.message = message
    self.reason = reason
  }

  static let exhausted = Failure("the expression takes too many steps or makes too large a value", reason: .exhausted)
}

/// Counts a budget down.
struct Meter {
  private var steps: Int
  private var outputBytes: Int

  init(_ budget: Budget) {
    steps = budget.steps
    outputBytes = budget.outputBytes
  }

  mutating func spend(steps count: Int = 1) throws(Failure) {
    steps -= count
    if steps < 0 { throw .exhausted }
  }

  mutating func spend(outputBytes count: Int) throws(Failure) {
    outputBytes -= count
    if outputBytes < 0 { throw .exhausted }
  }

  /// Pays for looking at all of a value.
  mutating func spendReading(_ value: Value) throws(Failure) {
    switch value {
    case .null, .bool, .int, .uint, .double, .decimal, .timestamp, .duration, .type, .optional(nil): return
    case .string(let text): try spend(steps: text.utf8.count >> 5)
    case .bytes(let bytes): try spend(steps: bytes.count >> 5)
    case .list(let items):
      try spend(steps: 1 + items.count)
      for item in items { try spendReading(item) }
    case .map(let map):
      try spend(steps: 1 + map.count)
      for (_, value) in map { try spendReading(value) }
    case .optional(let inner?), .secret(let inner): try spendReading(inner)
    }
  }

  /// Pays for a value that was made. Lists and maps are paid to their leaves, because parts that are shared in memory
  /// are not shared by whoever reads the value: `[x, x]` thirty times over has a billion elements.
  mutating func spendMaking(_ value: Value) throws(Failure) {
    switch value {
    case .null, .bool, .int, .uint, .double, .decimal, .timestamp, .duration, .type, .optional(nil): return
    case .string(let text): try spend(outputBytes: text.utf8.count)
    case .bytes(let bytes): try spend(outputBytes: bytes.count)
    case .list(let items):
      try spend(outputBytes: 16 * (items.count + 1))
      for item in items { try spendMaking(item) }
    case .map(let map):
      try spend(outputBytes: 16 * (map.count + 1))
      for (_, value) in map { try spendMaking(value) }
    case .optional(let inner?), .secret(let inner): try spendMaking(inner)
    }
  }
}
