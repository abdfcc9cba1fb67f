import FlowEvents
import FlowPlan
import HTTPTypes
import SourceText
import StepKit
import Values

/// 10 On error: what it is, and `retry`.
extension Machine {
  mutating func fail(_ activation: Activation, _ failure: StepFailure, isOfChecks: Bool = false) {
    fail(activation, Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts), isOfChecks: isOfChecks)
  }

  /// - Parameter isOfChecks: whether `expect` raised it, so that it is not what an `expect: { error }` waits for.
  mutating func fail(_ activation: Activation, _ failed: Failed, isOfChecks: Bool = false) {
    var activation = activation
    var failed = failed
    if activation.isTimedOut, failed.failure.yieldsToTimeout { failed = timedOut(activation, failed) }
    if activation.isInDoubt, failed.failure.code != "indeterminate" { failed = failed.asIndeterminate }
    if activation.isInDoubt { doubt = doubt ?? failed }
    if let expected = activation.plan.expect.error, !isOfChecks {
      if expected.value.matches(failed.failure) { return endExpectedFailure(activation, failed, expected) }
      activation.expectations.append(report(expected, met: failed))
    }
    if isInterrupted(activation.body) || !failed.failure.isCatchable { return giveUp(activation, failed) }
    if let delay = retryDelay(activation, failed.failure) { return pause(activation, failed, for: delay) }
    takeBranch(activation, failed)
  }

  private func timedOut(_ activation: Activation, _ failed: Failed) -> Failed {
    let code = activation.plan.action.label == "prompt" ? "timeout.prompt" : "timeout.step"
    let failure = StepFailure(
      code, title: "the step took longer than its timeout", sent: failed.failure.sent, isRejected: failed.failure.isRejected)
    let timeout = Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts)
    guard failed.failure.code == "cancelled" else { return timeout.caused(by: failed) }
    return failed.cause.map(timeout.caused(by:)) ?? timeout
  }

  /// Nobody takes the error here.
  mutating func giveUp(_ activation: Activation, _ failed: Failed) {
    if failed.failure.code == "cancelled", isInterrupted(activation.body) {
      return end(activation, .cancelled, .cancelled(failed), error: failed)
    }
    end(activation, .failed, .failed(failed), error: failed)
  }

  // MARK: - expect: { error: CODE }

  private mutating func endExpectedFailure(_ activation: Activation, _ failed: Failed, _ expected: Located<CodePattern>) {
    var activation = activation
    var local = frame
    local[plan.slots.error] = failed.value
    local[plan.slots.response] = activation.response?.value
    activation.expectations = [report(expected, met: failed)] + activation.plan.expect.checks.map { check($0, activation, local) }
    if let failure = unmet(activation) {
      let unmet = Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts, causes: [failed])
      return isInterrupted(activation.body) ? giveUp(activation, unmet) : takeBranch(activation, unmet)
    }
    frame[activation.plan.slots.error] = failed.value
    end(activation, .succeeded, .completed)
  }

  /// - Parameter failed: what was raised; nil where the step succeeded.
  func report(_ expected: Located<CodePattern>, met failed: Failed?) -> ExpectationReport {
    ExpectationReport(
      expression: "error: \(expected.value.text)", place: Place(plan.file, expected.span),
      isMet: failed.map { expected.value.matches($0.failure) } ?? false, expected: expected.value.text,
      actual: failed.map { [$0.failure.code, $0.failure.title, $0.failure.detail].filter { !$0.isEmpty }.joined(separator: ": ") }
        ?? "no error")
  }

  // MARK: - retry

  /// The pause before the next attempt; nil where there is none.
  private mutating func retryDelay(_ activation: Activation, _ failure: StepFailure) -> Duration? {
    guard let retry = activation.plan.retry, let effect = activation.effect, activation.attempts < retry.attempts, !activation.isTimedOut,
      retry.when.contains(where: { $0.matches(failure) }), effect.allowsRetry(sent: failure.sent, isRejected: failure.isRejected)
    else { return nil }
    if let header = failure.answer?.headers[.retryAfter], let wished = RetryAfter.delay(header, now: now.wall) {
      return min(wished, retry.maxDelay)
    }
    let ceiling = retry.ceiling(after: activation.attempts)
    return retry.hasFullJitter ? ceiling * Double.random(in: 0...1, using: &random) : ceiling
  }

  private mutating func pause(_ activation: Activation, _ failed: Failed, for delay: Duration) {
    var activation = activation
    activation.phase = .pausing
    activation.expectations = []
    activation.failure = failed
    activations[activation.id] = activation
    emit(.retryScheduled(step: activation.identity, attempt: activation.allAttempts, error: failed.report, delay: delay))
    decisions.append(.startTimer(.pause(activation.id), delay))
  }
}

extension RetryPlan {
  /// `delay × factor^(attempts - 1)`, at most `max_delay`.
  fileprivate func ceiling(after attempts: Int) -> Duration {
    var ceiling = min(delay, maxDelay)
    for _ in 1..<max(attempts, 1) where ceiling < maxDelay && ceiling > .zero {
      // Compared before it is multiplied: a large factor would overflow.
      ceiling = factor >= maxDelay / ceiling ? maxDelay : ceiling * factor
    }
    return ceiling
  }
}
