import CEL
import FlowPlan
import StepKit
import Values

/// Where a `repeat` stands.
struct Round {
  /// From 0.
  var index = 0
  var carry: ValueMap
  var startedAt = Duration.zero
}

/// `repeat`: a loop with feedback.
extension Machine {
  mutating func startRepeat(_ loop: RepeatPlan, _ activation: Activation) {
    do throws(DataError) {
      let carry = try carried(ValueMap(), loop.carry, in: activation.scope)
      rounds[activation.id] = Round(carry: carry)
    } catch {
      return fail(activation, error)
    }
    startRound(loop, activation)
  }

  mutating func startRound(_ loop: RepeatPlan, _ activation: Activation) {
    guard let index = rounds[activation.id]?.index else { return }
    rounds[activation.id]?.startedAt = now.elapsed
    writeLoop(activation)
    enter(loop.body.steps, activation, key: String(index))
  }

  private mutating func writeLoop(_ activation: Activation) {
    guard let round = rounds[activation.id] else { return }
    var map = round.carry
    map["index"] = .int(Int64(round.index))
    write(.map(map), to: activation.plan.slots.loop, in: activation.scope)
  }

  /// All values are evaluated before any is written.
  private mutating func carried(_ carry: ValueMap, _ plans: [(name: String, value: DataPlan)], in scope: ScopeID) throws(DataError)
    -> ValueMap
  {
    var next = carry
    for plan in plans {
      if let value = try evaluate(plan.value, in: scope) { next[plan.name] = value }
    }
    return next
  }

  /// The steps of a round have run: `next`, `until`, then the next round.
  mutating func roundEnded(_ activation: Activation, _ loop: RepeatPlan) {
    guard let round = rounds[activation.id] else { return }
    let isLast = round.index + 1 >= loop.max
    do throws(DataError) {
      let carry = try carried(round.carry, loop.next, in: activation.scope)
      rounds[activation.id]?.carry = carry
      writeLoop(activation)
      if let until = loop.until {
        if try holds(until, frame(activation.scope)) { return endRepeat(activation, loop) }
        if isLast { return fail(activation, .exhausted(loop.max, until: until)) }
      }
    } catch {
      return fail(activation, error)
    }
    if isLast { return endRepeat(activation, loop) }
    rounds[activation.id]?.index += 1
    let pause = loop.every.map { round.startedAt + $0 - now.elapsed } ?? .zero
    guard pause > .zero, !isInterrupted(inside: activation), !isPast(round.index + 1, of: loop, activation) else {
      return startRound(loop, activation)
    }
    var activation = activation
    activation.phase = .pausing
    activations[activation.id] = activation
    decisions.append(.startTimer(.pause(activation.id), pause))
  }

  private mutating func endRepeat(_ activation: Activation, _ loop: RepeatPlan) {
    var activation = activation
    var outputs = rounds[activation.id]?.carry ?? ValueMap()
    activation.expectations += add(loop.body.outputs, to: &outputs, in: activation.scope)
    succeed(activation, outputs)
  }
}

extension StepFailure {
  fileprivate static func exhausted(_ max: Int, until: CompiledExpression) -> StepFailure {
    StepFailure(
      "repeat.exhausted", title: "`until` did not hold in \(max) \(max == 1 ? "round" : "rounds")", detail: until.program.source)
  }
}
