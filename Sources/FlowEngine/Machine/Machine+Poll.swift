import CEL
import FlowEvents
import FlowPlan
import StepKit
import Values

/// 7 `poll`: the same request until its answer is as wished.
extension Machine {
  /// Tests an answer.
  /// - Parameter tolerated: an error with which the poll goes on; what its answer lacks is no error then.
  mutating func test(_ poll: PollPlan, _ activation: Activation, _ outputs: ValueMap, tolerated: StepFailure?) {
    writeModifiers(activation, outputs)
    let local = frame(activation.scope)
    do throws(DataError) {
      if let failIf = poll.failIf, try holds(failIf, local) {
        return fail(
          activation,
          StepFailure(
            "poll.failed", title: "the answer says that what is waited for will not come", detail: failIf.program.source,
            sent: .yes, answer: activation.response?.answer, cause: tolerated))
      }
      if try holds(poll.until, local) { return succeed(activation, outputs) }
    } catch {
      if tolerated == nil { return fail(activation, error) }
    }
    wait(poll, activation, tolerated)
  }

  /// The answer is not yet as wished.
  private mutating func wait(_ poll: PollPlan, _ activation: Activation, _ tolerated: StepFailure?) {
    var activation = activation
    activation.failure = tolerated.map { Failed(failure: $0, origin: activation.identity, attempt: activation.allAttempts) }
    if activation.isTimedOut || activation.isPollOver || isInterrupted(activation.body) {
      return fail(activation, interruptedPause(activation))
    }
    let isLate = activation.pollDeadline.map { now.elapsed + poll.every >= $0 } ?? false
    // What must happen once has happened, whatever the answer says.
    if isLate || activation.effect == .once {
      return fail(
        activation,
        StepFailure(
          "timeout.poll", title: "the answer was not as wished within \(poll.timeout.text)", detail: poll.until.program.source, sent: .yes,
          answer: activation.response?.answer, cause: tolerated))
    }
    activation.phase = .pausing
    activation.polledAttempts = activation.attempts
    activation.expectations = []
    activations[activation.id] = activation
    emit(.pollScheduled(step: activation.identity, attempt: activation.allAttempts, delay: poll.every))
    decisions.append(.startTimer(.pause(activation.id), poll.every))
  }
}
