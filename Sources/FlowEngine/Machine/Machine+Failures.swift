import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// 10 On error: `retry`, then the first branch that matches.
extension Machine {
  mutating func fail(_ activation: Activation, _ failure: StepFailure) {
    fail(activation, Failed(failure: failure, origin: activation.identity, attempt: activation.attempts))
  }

  mutating func fail(_ activation: Activation, _ failed: Failed) {
    var activation = activation
    var failed = failed
    if activation.isTimedOut { failed.failure = timedOut(activation, failed.failure) }
    if leavesDoubt(activation, failed.failure) {
      failed.failure = failed.failure.asIndeterminate
      activation.isInDoubt = true
      doubt = doubt ?? failed
    }
    if let expected = activation.plan.expect.error, expected.value.matches(failed.failure) {
      return endExpectedFailure(activation, failed)
    }
    if isInterrupted(activation) || !failed.failure.isCatchable { return giveUp(activation, failed) }
    if let delay = retryDelay(activation, failed.failure) { return pause(activation, failed, for: delay) }
    takeBranch(activation, failed, from: 0)
  }

  private func leavesDoubt(_ activation: Activation, _ failure: StepFailure) -> Bool {
    guard case .handler(let handler) = activation.plan.action, handler.effect == .once, failure.code != "indeterminate" else { return false }
    return failure.leavesDoubt
  }

  private func timedOut(_ activation: Activation, _ failure: StepFailure) -> StepFailure {
    let code = activation.plan.action.label == "prompt" ? "timeout.prompt" : "timeout.step"
    return StepFailure(
      code, title: "the step took longer than its timeout", sent: failure.sent, isRejected: failure.isRejected,
      cause: failure.code == "cancelled" ? nil : failure)
  }

  private mutating func endExpectedFailure(_ activation: Activation, _ failed: Failed) {
    frame[activation.plan.slots.error] = failed.value
    end(activation, .succeeded, .completed)
  }

  /// Nobody takes the error here.
  mutating func giveUp(_ activation: Activation, _ failed: Failed) {
    if failed.failure.code == "cancelled", isStopping { return end(activation, .cancelled, .cancelled) }
    if failed.failure.code == "cancelled", isInterrupted(activation) { return end(activation, .cancelled, .cancelled) }
    end(activation, .failed, .failed(failed), error: failed)
  }

  // MARK: - retry

  /// The pause before the next attempt; nil where there is none.
  private mutating func retryDelay(_ activation: Activation, _ failure: StepFailure) -> Duration? {
    guard let retry = activation.plan.retry, case .handler(let handler) = activation.plan.action, activation.attempts < retry.attempts,
      !activation.isTimedOut, retry.when.contains(where: { $0.matches(failure) }),
      handler.effect.allowsRetry(sent: failure.sent, isRejected: failure.isRejected)
    else { return nil }
    if let wished = activation.response.flatMap({ retryAfter($0) }) { return min(wished, retry.maxDelay) }
    var ceiling = retry.delay
    for _ in 1..<max(activation.attempts, 1) { ceiling = min(ceiling * retry.factor, retry.maxDelay) }
    ceiling = min(ceiling, retry.maxDelay)
    return retry.hasFullJitter ? ceiling * Double.random(in: 0...1, using: &random) : ceiling
  }

  /// `Retry-After` in seconds (RFC 9110 §10.2.3).
  private func retryAfter(_ reply: HTTPReply) -> Duration? {
    reply.value["headers"]?["retry-after"]?.stringValue.flatMap { Int($0) }.map { .seconds(max($0, 0)) }
  }

  private mutating func pause(_ activation: Activation, _ failed: Failed, for delay: Duration) {
    var activation = activation
    activation.phase = .pausing
    activation.expectations = []
    activations[activation.id] = activation
    emit(.retryScheduled(step: activation.identity, attempt: activation.attempts, error: failed.report, delay: delay))
    decisions.append(.startTimer(.pause(activation.id), delay))
  }

  // MARK: - branches

  private mutating func takeBranch(_ activation: Activation, _ failed: Failed, from first: Int) {
    for (index, branch) in activation.plan.branches.enumerated().dropFirst(first) {
      guard branch.when.contains(where: { $0.matches(failed.failure) }) else { continue }
      var local = frame
      local[plan.slots.error] = failed.value
      do throws(DataError) {
        if let condition = branch.condition, try evaluate(condition, local).exposed != .bool(true) { continue }
      } catch {
        return giveUp(activation, Failed(failure: .expression(error), origin: activation.identity, attempt: activation.attempts))
      }
      if case .retry(let max) = branch.ending, !mayRunAgain(activation, failed.failure, branch: index, max: max) { continue }
      return enter(branch, index, activation, failed)
    }
    giveUp(activation, failed)
  }

  /// Whether `then: retry` is legal and not used up.
  private func mayRunAgain(_ activation: Activation, _ failure: StepFailure, branch: Int, max: Int) -> Bool {
    guard activation.branchRetries[branch, default: 0] < max, !activation.isInDoubt, !activation.isTimedOut else { return false }
    switch activation.plan.action {
    case .handler(let handler): return handler.effect.allowsRetry(sent: failure.sent, isRejected: failure.isRejected)
    case .group(let steps):
      guard failure.code != "indeterminate" else { return false }
      let origin = steps.flatMap(\.withInner).first { frame[$0.slots.status] == "failed" && $0.effect == .unsafe }
      return origin == nil || failure.sent != .maybe
    case .wait, .fail, .end: return true
    }
  }

  private mutating func enter(_ branch: BranchPlan, _ index: Int, _ activation: Activation, _ failed: Failed) {
    var activation = activation
    activation.failure = failed
    activation.phase = .inBody
    activations[activation.id] = activation
    emit(.branchTaken(step: activation.identity, error: failed.report, then: branch.ending.name))
    let outer = frame[plan.slots.error]
    frame[plan.slots.error] = failed.value
    reset(branch.body)
    let id = BodyID(number: takeNumber())
    bodies[id] = Body(id: id, steps: branch.body, owner: .branch(activation.id, index: index), outerError: outer)
    advance(id)
  }

  mutating func branchEnded(_ id: ActivationID, _ index: Int, _ result: BodyResult) {
    guard let activation = activations[id], let original = activation.failure else { return }
    switch result {
    case .completed: conclude(activation, activation.plan.branches[index], index, original)
    case .failed(var failed):
      // An error in `do` becomes the step's, the original its cause.
      if failed.failure.causes.isEmpty { failed.failure.causes = [original.failure] }
      giveUp(activation, failed)
    case .ended: end(activation, .recovered, result, error: original)
    case .cancelled: end(activation, .cancelled, .cancelled, error: original)
    }
  }

  /// What the branch's `then` says.
  private mutating func conclude(_ activation: Activation, _ branch: BranchPlan, _ index: Int, _ original: Failed) {
    var local = frame
    local[plan.slots.error] = original.value
    switch branch.ending {
    case .continue(let outputs):
      var supplied = ValueMap()
      do throws(DataError) {
        for output in outputs { supplied[output.name] = try evaluate(output.value, local) }
      } catch {
        return giveUp(activation, Failed(failure: .expression(error), origin: activation.identity, attempt: activation.attempts))
      }
      frame[activation.plan.slots.outputs] = .map(supplied)
      end(activation, .recovered, .completed, error: original)
    case .retry: runAgain(activation, index)
    case .fail(let code, let message):
      let failure = authored(code, message, local, cause: original.failure)
      giveUp(activation, Failed(failure: failure, origin: code == nil ? original.origin : activation.identity, attempt: original.attempt))
    case .end(let passed, let code):
      let failure = passed ? nil : Failed(failure: authored(code ?? "user.ended", nil, local, cause: original.failure), origin: activation.identity, attempt: original.attempt)
      end(activation, .recovered, .ended(passed: passed, failure: failure), error: original)
    }
  }

  /// The step or group again, everything evaluated anew.
  private mutating func runAgain(_ activation: Activation, _ index: Int) {
    var retries = activation.branchRetries
    retries[index, default: 0] += 1
    if activation.plan.timeout != nil { decisions.append(.cancelTimer(.stepTimeout(activation.id))) }
    activations[activation.id] = nil
    begin(activation.plan, in: activation.body, continuing: activation, retries: retries)
  }

  // MARK: - timers and interruption

  mutating func timerFired(_ timer: TimerID) {
    switch timer {
    case .pause(let id):
      guard var activation = activations[id], activation.phase == .pausing else { return }
      if case .wait = activation.plan.action { return succeed(activation, ValueMap()) }
      attempt(&activation)
    case .stepTimeout(let id):
      guard activations[id] != nil else { return }
      activations[id]?.isTimedOut = true
      interrupt(inside: id)
    case .runBudget:
      guard ending == nil else { return }
      isOverBudget = true
      interruptAll()
    }
  }

  /// Whether something around the step has been stopped, so that it is to unwind.
  func isInterrupted(_ activation: Activation) -> Bool {
    isStopping || outer(activation).contains { $0.isTimedOut }
  }

  /// The activations around one, innermost first.
  private func outer(_ activation: Activation) -> [Activation] {
    var found: [Activation] = []
    var body = bodies[activation.body]
    while let current = body {
      switch current.owner {
      case .main, .finally: body = nil
      case .group(let id), .branch(let id, _):
        guard let owner = activations[id] else { return found }
        found.append(owner)
        body = bodies[owner.body]
      }
    }
    return found
  }

  mutating func interruptAll() {
    for activation in activations.values.sorted(by: { $0.id.number > $1.id.number }) { interrupt(activation) }
  }

  private mutating func interrupt(inside id: ActivationID) {
    for activation in activations.values.sorted(by: { $0.id.number > $1.id.number })
    where activation.id == id || outer(activation).contains(where: { $0.id == id }) {
      interrupt(activation)
    }
  }

  private mutating func interrupt(_ activation: Activation) {
    switch activation.phase {
    case .attempting: decisions.append(.cancelAttempt(activation.id))
    case .pausing:
      decisions.append(.cancelTimer(.pause(activation.id)))
      fail(activation, .cancelled)
    case .starting, .inBody: break
    }
  }
}
