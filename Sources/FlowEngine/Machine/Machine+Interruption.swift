import FlowPlan
import StepKit
import Values

/// Timers, and what stops early.
extension Machine {
  mutating func timerFired(_ timer: TimerID) {
    switch timer {
    case .pause(let id):
      guard var activation = activations[id], activation.phase == .pausing else { return }
      switch activation.plan.action {
      case .wait: succeed(activation, ValueMap())
      case .repeating(let loop): startRound(loop, activation)
      case .handler: attempt(&activation)
      case .group, .choose, .forEach, .parallel, .call, .set, .fail, .end: break
      }
    case .stepTimeout(let id):
      guard activations[id]?.hasTimer == true else { return }
      activations[id]?.hasTimer = false
      activations[id]?.isTimedOut = true
      if activations[id]?.plan.action.isGroup == true { unwind() } else { unwind(id) }
    case .pollTimeout(let id):
      guard let activation = activations[id], activation.hasPollTimer else { return }
      activations[id]?.hasPollTimer = false
      activations[id]?.isPollOver = true
      unwind(id)
    case .callGrace(let id):
      guard calls[id]?.hasGrace == true else { return }
      calls[id]?.hasGrace = false
      activations[id]?.isGraceOver = true
      unwind()
    case .callBudget(let id):
      guard calls[id]?.hasBudgetTimer == true else { return }
      calls[id]?.hasBudgetTimer = false
      activations[id]?.isTimedOut = true
      activations[id]?.isOverBudget = true
      unwind()
    case .runBudget:
      guard ending == nil else { return }
      isOverBudget = true
      stop()
    case .undoGrace, .finallyGrace:
      guard grace == timer else { return }
      grace = nil
      stop()
    }
  }

  /// Starts nothing new and unwinds what runs.
  mutating func stop() {
    isStopping = true
    unwind()
  }

  /// Stops what may not go on, innermost first. What a step is interrupted by is found by `interruption` when it ends.
  mutating func unwind() {
    for id in activations.keys.sorted(by: { $0.number > $1.number }) { unwind(id) }
  }

  /// Stops what one step does itself, where it may not go on.
  private mutating func unwind(_ id: ActivationID) {
    guard let activation = activations[id] else { return }
    let isOver = activation.isTimedOut || activation.isPollOver
    guard let cause = isOver ? .timedOut : interruption(of: activation.body) else { return }
    switch activation.phase {
    // Where something beside it failed, what is in flight ends.
    case .attempting: if cause > .windingDown { decisions.append(.cancelAttempt(id)) }
    case .pausing:
      decisions.append(.cancelTimer(.pause(id)))
      fail(activation, interruptedPause(activation))
    case .starting, .opening, .inBody, .committing, .inBranch, .undoing, .reconciling, .closing: break
    }
  }

  /// A pause has sent nothing itself; what the attempt before it has sent stays true.
  func interruptedPause(_ activation: Activation) -> Failed {
    var failed = Failed(failure: .cancelled, origin: activation.identity, attempt: activation.allAttempts)
    guard let last = activation.failure else { return failed }
    failed.failure.sent = last.failure.sent
    failed.failure.isRejected = last.failure.isRejected
    return failed.caused(by: last)
  }

  mutating func stopTimers(_ activation: inout Activation) {
    if activation.hasTimer { decisions.append(.cancelTimer(.stepTimeout(activation.id))) }
    if activation.hasPollTimer { decisions.append(.cancelTimer(.pollTimeout(activation.id))) }
    activation.hasTimer = false
    activation.hasPollTimer = false
  }
}
