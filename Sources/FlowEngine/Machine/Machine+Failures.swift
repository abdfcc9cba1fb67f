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

  mutating func fail(_ activation: Activation, _ error: DataError) { fail(activation, Failed(error, of: activation)) }

  /// - Parameter isOfChecks: whether `expect` raised it, so that it is not what an `expect: { error }` waits for.
  mutating func fail(_ activation: Activation, _ failed: Failed, isOfChecks: Bool = false) {
    var activation = activation
    var failed = failed
    if activation.isTimedOut || activation.isPollOver, failed.failure.yieldsToTimeout { failed = timedOut(activation, failed) }
    if activation.isInDoubt, failed.failure.code != "indeterminate" { failed = failed.asIndeterminate }
    if recallBranch(activation) || lookUp(activation, failed) { return }
    if activation.isInDoubt {
      doubt = doubt ?? failed
      markUncertain(around: activation.body)
    }
    if let expected = activation.plan.expect.error, !isOfChecks {
      if expected.value.matches(failed.failure) { return endExpectedFailure(activation, failed, expected) }
      activation.expectations.append(report(expected, met: failed, by: activation))
    }
    guard failed.failure.isCatchable else { return giveUp(activation, failed) }
    switch interruption(of: activation.body) {
    case nil: break
    // Nobody answers the error, since nothing new starts; it is not one that was left unanswered.
    case .windingDown where isAnswered(activation, failed.failure):
      return end(activation, .cancelled, .cancelled(failed), error: failed)
    case .windingDown, .timedOut, .stopped: return giveUp(activation, failed)
    }
    if let delay = retryDelay(activation, failed.failure) { return pause(activation, failed, for: delay) }
    takeBranch(activation, failed)
  }

  /// Whether a retry or a branch would take an error.
  private func isAnswered(_ activation: Activation, _ failure: StepFailure) -> Bool {
    mayRetry(activation, failure) || activation.plan.branches.contains { $0.when.contains { $0.matches(failure) } }
  }

  private func timedOut(_ activation: Activation, _ failed: Failed) -> Failed {
    var (code, title) = ("timeout.step", "the step took longer than its timeout")
    if activation.plan.action.label == "prompt" { code = "timeout.prompt" }
    if !activation.isTimedOut { (code, title) = ("timeout.poll", "the answer was not as wished in time") }
    var failure = StepFailure(code, title: title, sent: failed.failure.sent, isRejected: failed.failure.isRejected)
    var origin = activation.identity
    if activation.isOverBudget, case .call(let call) = activation.plan.action {
      failure = .overBudget("`\(call.flow.name)`", sent: failed.failure.sent)
      origin.place = call.flow.budget.timePlace ?? origin.place
    }
    let timeout = Failed(failure: failure, origin: origin, attempt: activation.allAttempts)
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
    writeModifiers(activation, ValueMap())
    var local = frame(activation.scope)
    local[slots.error] = failed.value
    activation.expectations =
      [report(expected, met: failed, by: activation)] + activation.plan.expect.checks.map { check($0, activation, local) }
    if let failure = unmet(activation) {
      let unmet = Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts, causes: [failed])
      return isInterrupted(activation.body) ? giveUp(activation, unmet) : takeBranch(activation, unmet)
    }
    write(failed.value, to: activation.plan.slots.error, in: activation.scope)
    end(activation, .succeeded, .completed)
  }

  /// - Parameter failed: what was raised; nil where the step succeeded.
  func report(_ expected: Located<CodePattern>, met failed: Failed?, by activation: Activation) -> ExpectationReport {
    ExpectationReport(
      expression: "error: \(expected.value.text)", place: Place(activation.plan.place.file, expected.span),
      isMet: failed.map { expected.value.matches($0.failure) } ?? false, expected: expected.value.text,
      actual: failed.map { [$0.failure.code, $0.failure.title, $0.failure.detail].filter { !$0.isEmpty }.joined(separator: ": ") }
        ?? "no error")
  }

  // MARK: - retry

  /// The pause before the next attempt; nil where there is none.
  private mutating func retryDelay(_ activation: Activation, _ failure: StepFailure) -> Duration? {
    guard let retry = activation.plan.retry, mayRetry(activation, failure) else { return nil }
    if let header = failure.answer?.headers[.retryAfter], let wished = RetryAfter.delay(header, now: now.wall) {
      return min(wished, retry.maxDelay)
    }
    if let moment = failure.retryAt { return min(moment.since(now.wall), retry.maxDelay) }
    if let wished = wishedDelay(retry, activation) { return min(max(wished, .zero), retry.maxDelay) }
    let ceiling = retry.ceiling(after: activation.attempts - activation.polledAttempts)
    return retry.hasFullJitter ? ceiling * Double.random(in: 0...1, using: &random) : ceiling
  }

  private func mayRetry(_ activation: Activation, _ failure: StepFailure) -> Bool {
    guard let retry = activation.plan.retry, let effect = activation.effect, !activation.isTimedOut, !activation.isPollOver else {
      return false
    }
    return activation.attempts - activation.polledAttempts < retry.attempts && retry.when.contains { $0.matches(failure) }
      && effect.allowsRetry(sent: failure.sent, isRejected: failure.isRejected)
  }

  /// `delay` as the answer has it; nil where there is no answer, or nothing of the kind in it.
  private mutating func wishedDelay(_ retry: RetryPlan, _ activation: Activation) -> Duration? {
    guard let expression = retry.delayExpression, activation.response != nil else { return nil }
    writeModifiers(activation, ValueMap())
    do throws(DataError) {
      guard case .duration(let span) = try evaluate(expression, in: activation.scope).exposed else { return nil }
      return span.duration
    } catch {
      return nil
    }
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
