import CEL
import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// The frame of values that expressions read.
extension Machine {
  static func initialFrame(_ prepared: PreparedRun) -> [Value?] {
    let plan = prepared.plan
    var frame = [Value?](repeating: nil, count: plan.slots.count)
    frame[plan.slots.inputs] = prepared.inputs
    frame[plan.slots.secrets] = prepared.secrets
    for step in (plan.steps + plan.finally).flatMap(\.withInner) { reset(step, in: &frame) }
    return frame
  }

  /// A step that has not run has empty outputs, so that `has()` and `default()` may ask.
  private static func reset(_ step: StepPlan, in frame: inout [Value?]) {
    frame[step.slots.outputs] = .map(ValueMap())
    frame[step.slots.status] = "not_run"
    frame[step.slots.response] = .map(ValueMap())
    frame[step.slots.error] = .null
  }

  mutating func reset(_ steps: [StepPlan]) {
    for step in steps.flatMap(\.withInner) {
      Self.reset(step, in: &frame)
      uncertain.remove(step.slots.first)
    }
  }

  mutating func writeRun() {
    var run = ValueMap()
    run["id"] = .string(runID)
    run["verdict"] = .string(ending?.verdict.rawValue ?? "running")
    run["code"] = ending?.failed.map { .string($0.failure.code) } ?? .null
    run["error"] = ending?.failed?.value ?? .null
    run["started"] = .timestamp(startedAt)
    run["environment"] = .string(environment)
    frame[plan.slots.run] = .map(run)
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
