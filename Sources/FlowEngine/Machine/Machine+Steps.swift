import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// One step: `if`, `with`, attempts, outputs, checks (language.md §3, "Order of one step").
extension Machine {
  /// - Parameters:
  ///   - earlier: the execution that a branch repeats; its counts and its start go on.
  mutating func begin(_ plan: StepPlan, in body: BodyID, continuing earlier: Activation? = nil, retries: [Int: Int] = [:]) {
    let id = ActivationID(number: takeNumber())
    let identity = StepIdentity(id: plan.id, depth: plan.depth, place: plan.place)
    var activation = Activation(id: id, plan: plan, body: body, identity: identity, startedAt: earlier?.startedAt ?? now.elapsed)
    activation.branchRetries = retries
    activation.earlierAttempts = earlier.map { $0.earlierAttempts + $0.attempts } ?? 0
    activation.requests = earlier?.requests ?? []
    emit(.stepStarted(StepStart(step: identity, action: plan.action.label, isGroup: plan.action.isGroup)))
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
    if let timeout = plan.timeout { decisions.append(.startTimer(.stepTimeout(id), timeout)) }
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
      activations[activation.id] = activation
      reset(steps)
      open(steps, .group(activation.id))
    case .wait(let duration):
      activation.phase = .pausing
      activations[activation.id] = activation
      decisions.append(.startTimer(.pause(activation.id), duration))
    case .fail(let code, let message): fail(activation, authored(code, message, frame, cause: nil))
    case .end(let passed): end(activation, .succeeded, .ended(passed: passed, failure: nil))
    }
  }

  /// An error that the flow itself raises.
  mutating func authored(_ code: String?, _ message: DataPlan?, _ slots: [Value?], cause: StepFailure?) -> StepFailure {
    var text = ""
    do throws(DataError) {
      text = try message.flatMap { (message) throws(DataError) in try evaluate(message, slots)?.redacted.templateText } ?? ""
    } catch {
      return .expression(error)
    }
    guard let code else {
      guard var failure = cause else { return StepFailure("user.failed", title: "the flow failed here", detail: text) }
      if !text.isEmpty { failure.detail = text }
      return failure
    }
    return StepFailure(
      code, title: text.isEmpty ? "the flow failed here" : text, sent: cause?.sent ?? .no, isRejected: cause?.isRejected ?? false,
      answer: cause?.answer, cause: cause)
  }

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
    guard var activation = activations[id], activation.phase == .attempting else { return }
    requestCount += outcome.requests.count
    activation.requests += outcome.requests
    activation.response = outcome.response
    switch outcome.result {
    case .failure(let failure): fail(activation, failure)
    case .success(let outputs): succeed(activation, outputs)
    }
  }

  /// The action worked: status, outputs, checks.
  mutating func succeed(_ activation: Activation, _ outputs: ValueMap) {
    var activation = activation
    // 6 the status, where it is the flow's business
    if let failure = unexpectedStatus(activation) { return fail(activation, failure) }
    let plan = activation.plan
    var local = frame
    local[self.plan.slots.outputs] = .map(outputs)
    if let response = activation.response { local[self.plan.slots.response] = response.value }
    // 8 outputs; one that cannot be evaluated is a failed check
    var all = outputs
    for output in plan.outputs {
      do throws(DataError) {
        let value = try evaluate(output.value, local)
        all[output.name] = output.isSecret ? value?.hidden() : value
      } catch {
        activation.expectations.append(
          ExpectationReport(expression: "outputs.\(output.name)", place: error.place, isMet: false, problem: error.message))
      }
    }
    local[self.plan.slots.outputs] = .map(all)
    // 9 every check
    activation.expectations += plan.expect.checks.map { check($0, activation, local) }
    if let failure = unmet(activation) { return fail(activation, failure) }
    if let expected = plan.expect.error {
      return fail(activation, StepFailure("assertion", title: "the step succeeded, and `\(expected.value.text)` was expected", sent: .yes))
    }
    frame[plan.slots.outputs] = .map(all)
    if let response = activation.response { frame[plan.slots.response] = response.value }
    end(activation, .succeeded, .completed)
  }

  mutating func groupEnded(_ id: ActivationID, _ result: BodyResult) {
    guard let activation = activations[id] else { return }
    switch result {
    case .completed: succeed(activation, ValueMap())
    case .failed(let failed): fail(activation, failed)
    case .ended: end(activation, .succeeded, result)
    case .cancelled:
      if activation.isTimedOut { return fail(activation, .cancelled) }
      end(activation, .cancelled, .cancelled)
    }
  }

  /// 11 The step is over.
  mutating func end(_ activation: Activation, _ status: StepStatus, _ result: BodyResult, error: Failed? = nil) {
    activations[activation.id] = nil
    if activation.plan.timeout != nil { decisions.append(.cancelTimer(.stepTimeout(activation.id))) }
    let status = activation.isInDoubt ? StepStatus.indeterminate : status
    frame[activation.plan.slots.status] = .string(status.rawValue)
    if let error { frame[activation.plan.slots.error] = error.value }
    let report = StepReport(
      step: activation.identity, action: activation.plan.action.label, isGroup: activation.plan.action.isGroup, status: status,
      attempts: activation.earlierAttempts + activation.attempts, requests: activation.requests.count, duration: now.elapsed - activation.startedAt,
      error: error?.report, expectations: activation.expectations, lastRequest: activation.requests.last)
    steps.append(report)
    emit(.stepEnded(report))
    proceed(after: activation, result)
  }
}

extension StepFailure {
  static let cancelled = StepFailure("cancelled", title: "cancelled")
}
