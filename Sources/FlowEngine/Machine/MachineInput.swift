package import FlowEvents
package import FlowPlan
package import StepKit
package import Values

/// When something happened: on the monotonic clock since the run's start, and on the wall clock for display.
package struct Moment: Hashable, Sendable {
  package var elapsed: Duration
  package var wall: Timestamp

  package init(elapsed: Duration, wall: Timestamp) {
    self.elapsed = elapsed
    self.wall = wall
  }
}

/// Names one execution of one step; never used twice in a run.
package struct ActivationID: Hashable, Sendable {
  package let number: Int
}

/// What happens to a run.
package enum MachineInput: Sendable {
  case start
  case attemptEnded(ActivationID, AttemptOutcome)
  case timerFired(TimerID)
  /// A signal asked for the end; the exit code is that of the signal.
  case cancel(exitCode: Int)
}

/// What one attempt of a handler gave.
package struct AttemptOutcome: Sendable {
  package var result: Result<ValueMap, StepFailure>
  /// The last whole answer of the attempt.
  package var response: HTTPReply?
  package var requests: [RequestReport]
  package var duration: Duration

  package init(result: Result<ValueMap, StepFailure>, response: HTTPReply?, requests: [RequestReport], duration: Duration) {
    self.result = result
    self.response = response
    self.requests = requests
    self.duration = duration
  }
}

package enum TimerID: Hashable, Sendable {
  /// The pause before the next attempt, or a `wait`.
  case pause(ActivationID)
  /// The `timeout` of a step with all that happens in it.
  case stepTimeout(ActivationID)
  case runBudget
}

/// What the machine wants done.
package enum Decision: Sendable {
  case attempt(AttemptOrder)
  case cancelAttempt(ActivationID)
  case startTimer(TimerID, Duration)
  case cancelTimer(TimerID)
  case emit(RunEvent)
  case finish(RunReport)
}

/// One attempt of a handler, with everything rendered.
package struct AttemptOrder: Sendable {
  package let activation: ActivationID
  package let step: StepIdentity
  package let handler: HandlerPlan
  package let with: ValueMap
  /// From 1.
  package let attempt: Int
  package let dedupeKey: String?
}
