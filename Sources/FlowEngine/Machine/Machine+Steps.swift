import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// One step: `if`, `with`, the action (language.md §3, "Order of one step").
extension Machine {
  /// - Parameter earlier: the execution that a branch repeats; its counts and its start go on, and it is the same
  ///   step in every report.
  mutating func begin(_ plan: StepPlan, in body: Body, continuing earlier: Activation? = nil) {
    let identity = earlier?.identity ?? identity(of: plan, in: body)
    var activation = Activation(
      id: ActivationID(number: takeNumber()), plan: plan, body: body.id, scope: body.scope, identity: identity,
      path: body.prefix + identity.title, startedAt: earlier?.startedAt ?? now.elapsed)
    if let earlier {
      activation.branchRetries = earlier.branchRetries
      activation.earlierAttempts = earlier.allAttempts
      activation.requests = earlier.requests
      activation.lastRequest = earlier.lastRequest
    } else {
      emit(.stepStarted(StepStart(step: identity, action: plan.action.label, isGroup: plan.action.isGroup)))
    }
    recall(&activation)
    // What is evaluated again comes to what it came to then.
    let moment = now
    now.wall = activation.past?.started?.at ?? now.wall
    defer { now = moment }
    if activation.isRestored { return restore(activation) }
    do throws(DataError) {
      // 1 `if`
      if let condition = plan.condition, activation.past == nil, try !holds(condition, frame(activation.scope)) {
        return end(activation, .skipped, .completed)
      }
      // 2 `with`, once
      if case .handler(let handler) = plan.action { try render(handler, &activation) }
    } catch {
      return fail(activation, error)
    }
    // 3 against the handler's shape, refined by what is known now
    if case .handler(let handler) = plan.action, let refusal = refusal(of: activation, handler) {
      return fail(activation, refusal)
    }
    // 4 written down
    noteStart(activation)
  }

  private mutating func identity(of plan: StepPlan, in body: Body) -> StepIdentity {
    stepNumber += 1
    return StepIdentity(
      id: plan.id, depth: plan.depth + (scopes[body.scope]?.flow.depth ?? 0), place: plan.place, keys: body.keys, number: stepNumber,
      parent: body.parent, part: body.part)
  }

  private mutating func render(_ handler: HandlerPlan, _ activation: inout Activation) throws(DataError) {
    let scope = activation.scope
    activation.with = try evaluate(handler.with, in: scope)?.mapValue ?? ValueMap()
    activation.dedupeKey = try handler.dedupeKey.map { (data) throws(DataError) in try key(data, "dedupe", activation).text }
    if let idempotency = handler.idempotency {
      let (text, value) = try key(idempotency.value, "idempotency", activation)
      activation.idempotencyKey = text
      if handler.isPlainHTTP { activation.with.addHeader(idempotency.header, value) }
    }
    if handler.isPlainHTTP { activation.request = activation.with.visibleRequest }
  }

  /// Without its key a step is another one, which may not be sent again: there is always one.
  private mutating func key(_ data: DataPlan, _ name: String, _ activation: Activation) throws(DataError) -> (text: String, value: Value) {
    guard let value = try evaluate(data, in: activation.scope), let text = value.exposed.templateText, !text.isEmpty else {
      throw DataError(message: "the \(name) key is no text, or an empty one", place: activation.plan.place)
    }
    return (text, value)
  }

  private func refusal(of activation: Activation, _ handler: HandlerPlan) -> StepFailure? {
    let settings = handler.connection.flatMap { scopes[activation.scope]?.flow.settings[$0] } ?? ValueMap()
    let shape = handler.isPlainHTTP ? handler.step.input() : handler.step.refine(activation.with, settings)
    let violations = shape.violations(in: activation.with)
    guard !violations.isEmpty else { return nil }
    return StepFailure(
      "schema.input", title: "the step's input is not valid", detail: violations.map(\.message).joined(separator: "; "),
      problems: violations.map { .init(field: $0.pathText, message: $0.message) })
  }

  /// Does the action for the first time.
  mutating func perform(_ activation: Activation) {
    var activation = activation
    if let timeout = activation.plan.timeout {
      activation.hasTimer = true
      decisions.append(.startTimer(.stepTimeout(activation.id), timeout))
    }
    if activation.plan.action.isGroup { activation.attempts = 1 }
    switch activation.plan.action {
    case .handler: attempt(&activation)
    case .group(let steps): enter(steps, activation)
    case .choose(let cases): choose(cases, activation)
    case .forEach(let loop): spread(loop, activation)
    case .repeating(let loop): startRepeat(loop, activation)
    case .parallel(let parallel): spread(parallel, activation)
    case .call(let call): startCall(call, activation)
    case .set(let assignments): set(assignments, activation)
    case .wait(let duration):
      activation.phase = .pausing
      activations[activation.id] = activation
      decisions.append(.startTimer(.pause(activation.id), duration))
    case .fail(let code, let message): fail(activation, authored(code, message, frame(activation.scope), by: activation, from: nil))
    case .end(let passed):
      let failed = passed ? nil : Failed(failure: .ended, origin: activation.identity, attempt: 0)
      end(activation, .succeeded, .ended(passed: passed, failure: failed))
    }
  }

  /// Runs steps inside the step, in its scope.
  mutating func enter(_ steps: [StepPlan], _ activation: Activation, key: String? = nil) {
    var activation = activation
    activation.phase = .inBody
    activations[activation.id] = activation
    reset(steps, in: activation.scope)
    open(steps, .action(activation.id), in: activation, key: key)
  }

  /// `switch`: the first case that holds.
  private mutating func choose(_ cases: [CasePlan], _ activation: Activation) {
    var activation = activation
    do throws(DataError) {
      for (index, choice) in cases.enumerated() {
        if let condition = choice.condition, try !holds(condition, frame(activation.scope)) { continue }
        activation.chosen = index
        return enter(choice.body.steps, activation)
      }
    } catch {
      return fail(activation, error)
    }
    // The last case has no condition; where a plan lacks it, nothing is chosen.
    succeed(activation, ValueMap())
  }

  /// The steps inside are over.
  mutating func actionEnded(_ id: ActivationID, _ result: BodyResult) {
    guard var activation = activations[id] else { return }
    if recallBranch(activation) { return }
    switch result {
    case .completed:
      var outputs = ValueMap()
      switch activation.plan.action {
      case .choose(let cases):
        activation.expectations += add(cases[activation.chosen].body.outputs, to: &outputs, in: activation.scope)
        succeed(activation, outputs)
      case .repeating(let loop): roundEnded(activation, loop)
      case .handler, .group, .forEach, .parallel, .call, .set, .wait, .fail, .end: succeed(activation, outputs)
      }
    case .failed(let failed): fail(activation, failed)
    case .ended: end(activation, .succeeded, result)
    case .cancelled(let failed):
      guard activation.isTimedOut else { return end(activation, .cancelled, result, error: failed) }
      fail(activation, failed ?? Failed(failure: .cancelled, origin: activation.identity, attempt: activation.allAttempts))
    }
  }

  /// 11 The step is over: written down, then told.
  mutating func end(_ activation: Activation, _ status: StepStatus, _ result: BodyResult, error: Failed? = nil) {
    var activation = activation
    stopTimers(&activation)
    let status = activation.isInDoubt ? StepStatus.indeterminate : status
    let end = activation.remembered(StepEnd(status: status, result: result, error: error), hasDoubt: doubt != nil)
    activation.end = end
    noteEnd(activation, end)
  }

  mutating func finish(_ activation: Activation, _ end: StepEnd) {
    forget(activation)
    // Like its duration, a step's requests hold those of all that ran inside it.
    if let owner = bodies[activation.body]?.owner.activation { activations[owner]?.requests += activation.requests }
    write(.string(end.status.rawValue), to: activation.plan.slots.status, in: activation.scope)
    if let error = end.error { write(error.value, to: activation.plan.slots.error, in: activation.scope) }
    // What runs when the steps are over has nothing behind it that would undo it.
    if let undo = activation.plan.undo, activation.identity.part == .steps,
      end.status == .succeeded || end.status == .replayed || activation.isFoundDelivered
    {
      arm(undo, activation)
    }
    let report = StepReport(
      step: activation.identity, action: activation.plan.action.label, isGroup: activation.plan.action.isGroup, status: end.status,
      attempts: activation.allAttempts, requests: activation.requests, duration: now.elapsed - activation.startedAt,
      error: end.error?.report, expectations: activation.expectations, lastRequest: activation.lastRequest,
      isRestored: activation.isRestored)
    steps.append(report)
    emit(.stepEnded(report))
    proceed(after: activation, end.result)
  }

  /// This execution is over.
  mutating func forget(_ activation: Activation) {
    activations[activation.id] = nil
    guard activation.plan.action.isGroup else { return }
    rounds[activation.id] = nil
    spreads[activation.id] = nil
    calls[activation.id] = nil
  }
}

extension StepFailure {
  /// What `end: failed` leaves behind.
  static let ended = StepFailure(endedCode, title: "the flow ended itself as failed")
}

extension ValueMap {
  /// Adds a header to the input of a plain request, unless its author gave one of that name.
  fileprivate mutating func addHeader(_ name: String, _ value: Value) {
    var headers = self["headers"]?.exposed.mapValue ?? ValueMap()
    guard !headers.contains(where: { $0.key.text.lowercased() == name.lowercased() }) else { return }
    headers[name] = value
    self["headers"] = .map(headers)
  }

  /// What a plain request's own modifiers see of it; nothing in it is secret.
  fileprivate var visibleRequest: Value {
    var request = ValueMap()
    request["method"] = self["method"]?.redacted ?? "GET"
    request["url"] = self["url"]?.redacted ?? ""
    request["headers"] = self["headers"]?.redacted ?? .map(ValueMap())
    request["body"] = (self["json"] ?? self["form"] ?? self["body"])?.redacted ?? .null
    return .map(request)
  }
}
