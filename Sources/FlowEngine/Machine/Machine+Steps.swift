import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// One step: `if`, `with`, attempts, outputs, checks (language.md §3, "Order of one step").
extension Machine {
  /// - Parameter earlier: the execution that a branch repeats; its counts and its start go on, and it is the same
  ///   step in every report.
  mutating func begin(_ plan: StepPlan, in body: BodyID, continuing earlier: Activation? = nil) {
    let id = ActivationID(number: takeNumber())
    let identity = StepIdentity(id: plan.id, depth: plan.depth, place: plan.place)
    var activation = Activation(id: id, plan: plan, body: body, identity: identity, startedAt: earlier?.startedAt ?? now.elapsed)
    if let earlier {
      activation.branchRetries = earlier.branchRetries
      activation.earlierAttempts = earlier.allAttempts
      activation.requests = earlier.requests
      activation.lastRequest = earlier.lastRequest
    } else {
      emit(.stepStarted(StepStart(step: identity, action: plan.action.label, isGroup: plan.action.isGroup)))
    }
    do throws(DataError) {
      // 1 `if`
      if let condition = plan.condition, try evaluate(condition, frame).exposed != .bool(true) {
        return end(activation, .skipped, .completed)
      }
      // 2 `with`, once
      if case .handler(let handler) = plan.action {
        activation.with = try evaluate(handler.with, frame)?.mapValue ?? ValueMap()
        activation.dedupeKey = try handler.dedupeKey.flatMap { (key) throws(DataError) in try evaluate(key, frame)?.exposed.stringValue }
      }
    } catch {
      return fail(activation, .expression(error))
    }
    // 3 against the handler's shape, refined by what is known now
    if case .handler(let handler) = plan.action, let refusal = refusal(of: activation.with, handler) {
      return fail(activation, refusal)
    }
    if let timeout = plan.timeout {
      activation.hasTimer = true
      decisions.append(.startTimer(.stepTimeout(id), timeout))
    }
    perform(activation)
  }

  private func refusal(of with: ValueMap, _ handler: HandlerPlan) -> StepFailure? {
    let settings = handler.connection.map { prepared.settings[$0] } ?? ValueMap()
    let shape = handler.isPlainHTTP ? handler.step.input() : handler.step.refine(with, settings)
    let violations = shape.violations(in: with)
    guard !violations.isEmpty else { return nil }
    return StepFailure(
      "schema.input", title: "the step's input is not valid", detail: violations.map(\.message).joined(separator: "; "),
      problems: violations.map { .init(field: $0.pathText, message: $0.message) })
  }

  /// Does the action for the first time.
  private mutating func perform(_ activation: Activation) {
    var activation = activation
    switch activation.plan.action {
    case .handler: attempt(&activation)
    case .group(let steps):
      activation.phase = .inBody
      activation.attempts = 1
      activations[activation.id] = activation
      reset(steps)
      open(steps, .group(activation.id))
    case .choose, .forEach, .repeating, .parallel, .call, .set: preconditionFailure("not yet")
    case .wait(let duration):
      activation.phase = .pausing
      activations[activation.id] = activation
      decisions.append(.startTimer(.pause(activation.id), duration))
    case .fail(let code, let message): fail(activation, authored(code, message, frame, by: activation, from: nil))
    case .end(let passed):
      let failed = passed ? nil : Failed(failure: .ended, origin: activation.identity, attempt: 0)
      end(activation, .succeeded, .ended(passed: passed, failure: failed))
    }
  }

  // MARK: - attempts

  mutating func attempt(_ activation: inout Activation) {
    guard case .handler(let handler) = activation.plan.action else { return }
    activation.attempts += 1
    activation.phase = .attempting
    activations[activation.id] = activation
    decisions.append(
      .attempt(
        AttemptOrder(
          activation: activation.id, step: activation.identity, handler: handler, with: activation.with, attempt: activation.attempts,
          dedupeKey: activation.dedupeKey)))
  }

  mutating func attemptEnded(_ id: ActivationID, _ outcome: AttemptOutcome) {
    guard var activation = activations[id], activation.phase == .attempting, case .handler(let handler) = activation.plan.action else {
      return
    }
    activation.response = outcome.response
    activation.attemptDuration = outcome.duration
    // 6 what came of it
    switch classified(outcome, handler, &activation) {
    case .success(let outputs): succeed(activation, outputs)
    case .failure(let failure):
      if handler.effect == .once, failure.leavesDoubt { activation.isInDoubt = true }
      if handler.effect == .unsafe, failure.sent == .maybe, !failure.isRejected { uncertain.insert(activation.plan.slots.first) }
      fail(activation, failure)
    }
  }

  /// The action worked: outputs, checks.
  mutating func succeed(_ activation: Activation, _ outputs: ValueMap) {
    var activation = activation
    let plan = activation.plan
    let response = activation.response?.value
    // Only the step's own modifiers can name these two slots, so nothing has to be put back.
    frame[self.plan.slots.outputs] = .map(outputs)
    frame[self.plan.slots.response] = response
    // 8 outputs; one that cannot be evaluated is a failed check
    var all = outputs
    for output in plan.outputs {
      do throws(DataError) {
        let value = try evaluate(output.value, frame)
        all[output.name] = output.isSecret ? value?.hidden() : value
      } catch {
        // What must happen once has happened: that its answer is unreadable takes nothing from it.
        if activation.effect == .once { continue }
        activation.expectations.append(
          ExpectationReport(expression: "outputs.\(output.name)", place: error.place, isMet: false, problem: error.message))
      }
    }
    frame[self.plan.slots.outputs] = .map(all)
    // 9 every check
    if let expected = plan.expect.error {
      activation.expectations.append(report(expected, met: nil))
    } else {
      activation.expectations += plan.expect.checks.map { check($0, activation, frame) }
    }
    if let failure = unmet(activation) { return fail(activation, failure, isOfChecks: true) }
    frame[plan.slots.outputs] = .map(all)
    if let response { frame[plan.slots.response] = response }
    end(activation, .succeeded, .completed)
  }

  mutating func groupEnded(_ id: ActivationID, _ result: BodyResult) {
    guard let activation = activations[id] else { return }
    switch result {
    case .completed: succeed(activation, ValueMap())
    case .failed(let failed): fail(activation, failed)
    case .ended: end(activation, .succeeded, result)
    case .cancelled(let failed):
      guard activation.isTimedOut else { return end(activation, .cancelled, result, error: failed) }
      fail(activation, failed ?? Failed(failure: .cancelled, origin: activation.identity, attempt: activation.allAttempts))
    }
  }

  /// 11 The step is over.
  mutating func end(_ activation: Activation, _ status: StepStatus, _ result: BodyResult, error: Failed? = nil) {
    var activation = activation
    stopTimer(&activation)
    activations[activation.id] = nil
    // Like its duration, a step's requests hold those of all that ran inside it.
    if let owner = bodies[activation.body]?.owner.activation { activations[owner]?.requests += activation.requests }
    let status = activation.isInDoubt ? StepStatus.indeterminate : status
    frame[activation.plan.slots.status] = .string(status.rawValue)
    if let error { frame[activation.plan.slots.error] = error.value }
    let report = StepReport(
      step: activation.identity, action: activation.plan.action.label, isGroup: activation.plan.action.isGroup, status: status,
      attempts: activation.allAttempts, requests: activation.requests, duration: now.elapsed - activation.startedAt,
      error: error?.report, expectations: activation.expectations, lastRequest: activation.lastRequest)
    steps.append(report)
    emit(.stepEnded(report))
    proceed(after: activation, result)
  }
}

extension StepFailure {
  /// What `end: failed` leaves behind.
  static let ended = StepFailure("user.ended", title: "the flow ended itself as failed")
}
