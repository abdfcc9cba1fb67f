import FlowPlan
import StepKit
import Values

/// Timers, and what stops early.
extension Machine {
  mutating func timerFired(_ timer: TimerID) {
    switch timer {
    case .pause(let id):
      guard var activation = activations[id], activation.phase == .pausing else { return }
      if case .wait = activation.plan.action { return succeed(activation, ValueMap()) }
      attempt(&activation)
    case .stepTimeout(let id):
      guard activations[id]?.hasTimer == true else { return }
      activations[id]?.hasTimer = false
      activations[id]?.isTimedOut = true
      interrupt { $0.id == id || $1.contains { $0.id == id } }
    case .runBudget:
      guard ending == nil else { return }
      isOverBudget = true
      stop()
    case .finallyGrace:
      hasGraceTimer = false
      stop()
    }
  }

  /// Starts nothing new and unwinds what runs.
  mutating func stop() {
    isStopping = true
    interrupt { _, _ in true }
  }

  /// Innermost first. What a step is interrupted by is found by `isInterrupted` when it ends.
  private mutating func interrupt(where isMeant: (Activation, _ around: [Activation]) -> Bool) {
    for id in activations.keys.sorted(by: { $0.number > $1.number }) {
      guard let activation = activations[id], isMeant(activation, around(activation.body)) else { continue }
      switch activation.phase {
      case .attempting: decisions.append(.cancelAttempt(id))
      case .pausing:
        decisions.append(.cancelTimer(.pause(id)))
        fail(activation, interruptedPause(activation))
      case .starting, .inBody, .inBranch: break
      }
    }
  }

  /// A pause has sent nothing itself; what the attempt before it has sent stays true.
  private func interruptedPause(_ activation: Activation) -> Failed {
    var failed = Failed(failure: .cancelled, origin: activation.identity, attempt: activation.allAttempts)
    guard let last = activation.failure else { return failed }
    failed.failure.sent = last.failure.sent
    failed.failure.isRejected = last.failure.isRejected
    return failed.caused(by: last)
  }

  mutating func stopTimer(_ activation: inout Activation) {
    guard activation.hasTimer else { return }
    activation.hasTimer = false
    decisions.append(.cancelTimer(.stepTimeout(activation.id)))
  }
}
