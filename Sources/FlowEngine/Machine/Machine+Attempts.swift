import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// 5 to 9: attempts, and what a step gives when its action has worked.
extension Machine {
  mutating func attempt(_ activation: inout Activation) {
    guard case .handler(let handler) = activation.plan.action else { return }
    activation.attempts += 1
    activation.phase = .attempting
    if let poll = activation.plan.poll, activation.pollDeadline == nil {
      activation.pollDeadline = now.elapsed + poll.timeout
      activation.hasPollTimer = true
      decisions.append(.startTimer(.pollTimeout(activation.id), poll.timeout))
    }
    activations[activation.id] = activation
    decisions.append(
      .attempt(
        AttemptOrder(
          activation: activation.id, scope: scopes[activation.scope]?.sessions ?? .run, step: activation.identity, handler: handler,
          with: activation.with, attempt: activation.attempts, dedupeKey: activation.dedupeKey,
          idempotencyKey: activation.idempotencyKey, savesBody: activation.plan.save != nil, isResumed: activation.past?.started != nil,
          canReconcile: activation.plan.reconcile != nil)))
  }

  mutating func attemptEnded(_ id: ActivationID, _ outcome: AttemptOutcome) {
    guard var activation = activations[id], activation.phase == .attempting, case .handler(let handler) = activation.plan.action else {
      return
    }
    activation.response = outcome.response
    // The look-up of an earlier doubt is of an earlier attempt.
    activation.hasReconciled = false
    activation.attemptDuration = outcome.duration
    // 6 what came of it
    switch classified(outcome, handler, &activation) {
    case .success(let outputs) where outcome.isReplayed: replay(activation, outputs)
    case .success(let outputs):
      guard let poll = activation.plan.poll else { return succeed(activation, outputs) }
      // 7 `poll`
      test(poll, activation, outputs, tolerated: nil)
    case .failure(let failure):
      if handler.effect == .once, failure.leavesDoubt { activation.isInDoubt = true }
      if handler.effect == .unsafe, failure.sent == .maybe, !failure.isRejected {
        markUncertain(around: activation.body)
        // Whoever can look wants to know.
        if activation.plan.reconcile != nil { activation.isInDoubt = true }
      }
      if let poll = activation.plan.poll, !activation.isInDoubt, poll.tolerate.contains(where: { $0.matches(failure) }) {
        return test(poll, activation, ValueMap(), tolerated: failure)
      }
      fail(activation, failure)
    }
  }

  /// What only the step's own modifiers can name, so that nothing has to be put back.
  mutating func writeModifiers(_ activation: Activation, _ outputs: ValueMap) {
    write(.map(outputs), to: slots.outputs, in: activation.scope)
    write(activation.response?.value, to: slots.response, in: activation.scope)
    write(activation.request, to: slots.request, in: activation.scope)
  }

  /// The action worked: outputs, checks.
  mutating func succeed(_ activation: Activation, _ outputs: ValueMap) {
    var activation = activation
    let plan = activation.plan
    writeModifiers(activation, outputs)
    // 8 outputs
    var all = outputs
    let problems = add(plan.outputs, to: &all, in: activation.scope)
    // What must happen once has happened: that its answer is unreadable takes nothing from it.
    if activation.effect != .once { activation.expectations += problems }
    write(.map(all), to: slots.outputs, in: activation.scope)
    // 9 every check
    if let expected = plan.expect.error {
      activation.expectations.append(report(expected, met: nil, by: activation))
    } else {
      let local = frame(activation.scope)
      activation.expectations += plan.expect.checks.map { check($0, activation, local) }
    }
    if let failure = unmet(activation) { return fail(activation, failure, isOfChecks: true) }
    activation.outputs = all
    if let path = plan.save, let reply = activation.response { return save(reply, to: path, activation) }
    complete(activation)
  }

  /// All is done: later steps see what it gives.
  mutating func complete(_ activation: Activation) {
    let own = activation.plan.slots
    write(.map(activation.outputs), to: own.outputs, in: activation.scope)
    if let response = activation.response?.value { write(response, to: own.response, in: activation.scope) }
    end(activation, activation.isReplayed ? .replayed : .succeeded, .completed)
  }

  /// The key had been used: what it gave then is what the step gives; there is no answer to check.
  private mutating func replay(_ activation: Activation, _ outputs: ValueMap) {
    var activation = activation
    activation.isReplayed = true
    activation.outputs = outputs
    complete(activation)
  }

  // MARK: - what the driver does for a step

  private mutating func save(_ reply: HTTPReply, to path: DataPlan, _ activation: Activation) {
    do throws(DataError) {
      let path = try evaluate(path, in: activation.scope)?.exposed.templateText ?? ""
      commit(.saveFile(path: path, reply: reply, flow: activation.identity.place.file.path), activation)
    } catch {
      fail(activation, error)
    }
  }

  mutating func commit(_ effect: WorldEffect, _ activation: Activation, phase: Activation.Phase = .committing) {
    var activation = activation
    activation.phase = phase
    activations[activation.id] = activation
    decisions.append(.perform(activation.id, effect))
  }

  mutating func effectEnded(_ id: ActivationID, _ failure: StepFailure?) {
    guard let activation = activations[id] else { return }
    if activation.phase == .reconciling { return settled(activation, failure) }
    guard activation.phase == .committing else { return }
    if var failure {
      failure.sent = activation.sentSoFar
      return fail(activation, failure, isOfChecks: true)
    }
    if case .set = activation.plan.action { return assign(activation) }
    complete(activation)
  }
}
