import CEL
import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// The frame of values that expressions read.
extension Machine {
  /// Writes `run` for the run's own flow.
  mutating func writeRun(in scope: ScopeID = .run) { writeRun(ending?.verdict, ending?.failed, in: scope) }

  /// - Parameter verdict: nil while the steps run.
  mutating func writeRun(_ verdict: Verdict?, _ failed: Failed?, in scope: ScopeID) {
    var run = ValueMap()
    run["id"] = .string(runID)
    run["verdict"] = .string(verdict?.rawValue ?? "running")
    run["code"] = failed.map { .string($0.failure.code) } ?? .null
    run["error"] = failed?.value ?? .null
    run["started"] = .timestamp(startedAt)
    run["environment"] = .string(environment)
    write(.map(run), to: slots.run, in: scope)
  }

  mutating func evaluate(_ data: DataPlan, in scope: ScopeID) throws(DataError) -> Value? { try evaluate(data, frame(scope)) }

  mutating func evaluate(_ expression: CompiledExpression, in scope: ScopeID) throws(DataError) -> Value {
    try evaluate(expression, frame(scope))
  }

  /// Whether a condition is true. One whose type is known only now may turn out to be none: `"yes"` is not true.
  mutating func holds(_ condition: CompiledExpression, _ slots: [Value?]) throws(DataError) -> Bool {
    let value = try evaluate(condition, slots).exposed
    guard case .bool(let holds) = value else {
      throw DataError(message: "a condition is true or false, and this is \(value.typeName)", place: condition.place)
    }
    return holds
  }

  /// The value of an output; one that is marked secret is hidden from here on, wherever else it stands.
  mutating func value(of output: OutputPlan, _ slots: [Value?]) throws(DataError) -> Value? {
    let value = try evaluate(output.value, slots)
    guard output.isSecret, let hidden = value?.hidden() else { return value }
    let texts = hidden.secretTexts
    if !texts.isEmpty { decisions.append(.hide(texts)) }
    return hidden
  }

  /// Adds outputs by name. One that cannot be evaluated is a failed check.
  mutating func add(_ outputs: [OutputPlan], to all: inout ValueMap, in scope: ScopeID) -> [ExpectationReport] {
    var problems: [ExpectationReport] = []
    for output in outputs {
      do throws(DataError) {
        all[output.name] = try value(of: output, frame(scope))
      } catch {
        problems.append(
          ExpectationReport(expression: "outputs.\(output.name)", place: error.place, isMet: false, problem: error.message))
      }
    }
    return problems
  }

  mutating func evaluate(_ data: DataPlan, _ slots: [Value?]) throws(DataError) -> Value? {
    try withAnswers { (answer: @escaping Program.HostAnswer) throws(DataError) in try data.evaluate(FlowFrame(slots: slots, answer: answer))
    }
  }

  mutating func evaluate(_ expression: CompiledExpression, _ slots: [Value?]) throws(DataError) -> Value {
    try withAnswers { (answer: @escaping Program.HostAnswer) throws(DataError) in
      try expression.evaluate(FlowFrame(slots: slots, answer: answer))
    }
  }

  /// Answers `uuid()`, `now()` and `random_int()` from the run's seed and the moment of the step.
  private mutating func withAnswers<Result>(
    _ body: (@escaping Program.HostAnswer) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let generator = HostAnswers(random, now.wall)
    defer { random = generator.random }
    return try body { (call: Program.HostCall) throws(HostFailure) -> Value in try generator.answer(call) }
  }
}

/// The answers of one evaluation; a class, since the closure that carries it cannot be `inout`.
private final class HostAnswers {
  var random: SeededGenerator
  let now: Timestamp

  init(_ random: SeededGenerator, _ now: Timestamp) {
    self.random = random
    self.now = now
  }

  func answer(_ call: Program.HostCall) throws(HostFailure) -> Value {
    switch call.function {
    case "uuid": return .string(random.uuid())
    case "now": return .timestamp(now)
    case "random_int":
      guard let low = call.arguments.first?.intValue, let high = call.arguments.last?.intValue, low <= high else {
        throw HostFailure("`random_int(a, b)` needs a ≤ b")
      }
      return .int(Int64.random(in: low...high, using: &random))
    default: throw HostFailure("`\(call.function)` has no answer here")
    }
  }
}
