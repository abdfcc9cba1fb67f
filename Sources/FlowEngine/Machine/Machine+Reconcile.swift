import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// `reconcile`: looks up what became of a request that may have been carried out. Of the run itself, nothing else lifts a doubt.
extension Machine {
  /// Starts the look-up; false where there is none, or it has been made.
  mutating func lookUp(_ activation: Activation, _ failed: Failed) -> Bool {
    guard activation.isInDoubt, !activation.hasReconciled, let reconcile = activation.plan.reconcile, !isInterrupted(activation.body) else {
      return false
    }
    var activation = activation
    stopTimers(&activation)
    activation.isTimedOut = false
    activation.isPollOver = false
    activation.hasReconciled = true
    activation.failure = failed
    activation.phase = .inBranch
    activations[activation.id] = activation
    emit(.branchTaken(step: activation.identity, error: failed.report, then: "reconcile"))
    let outer = frame(activation.scope)[slots.error]
    write(failed.value, to: slots.error, in: activation.scope)
    // What was found before may not be so any more.
    let prefix = bodies[activation.body]?.prefix ?? ""
    let keys = activation.identity.keys.map { "[\($0)]" }.joined()
    for step in reconcile.steps.flatMap(\.withInner) { history?.forget(prefix + step.id + keys) }
    reset(reconcile.steps, in: activation.scope)
    open(reconcile.steps, .reconcile(activation.id), in: activation, outerError: outer)
    return true
  }

  /// The steps of the look-up are over.
  mutating func lookedUp(_ id: ActivationID, _ result: BodyResult) {
    guard var activation = activations[id], let doubt = activation.failure, let reconcile = activation.plan.reconcile else { return }
    switch result {
    case .completed, .ended: break
    // It could not be looked up: the doubt stays, and tells why.
    case .failed(let failed): return fail(activation, doubt.caused(by: failed))
    case .cancelled(let failed): return fail(activation, failed.map(doubt.caused(by:)) ?? doubt)
    }
    var local = frame(activation.scope)
    local[slots.error] = doubt.value
    do throws(DataError) {
      guard case .bool(let isDelivered) = try evaluate(reconcile.delivered, local).exposed else { return fail(activation, doubt) }
      activation.isDelivered = isDelivered
    } catch {
      return fail(activation, doubt.caused(by: Failed(error, of: activation)))
    }
    guard let name = activation.triggerName else { return settled(activation, nil) }
    commit(.settle(name, delivered: activation.isDelivered), activation, phase: .reconciling)
  }

  /// What was found is kept, or cannot be.
  mutating func settled(_ activation: Activation, _ failure: StepFailure?) {
    guard let doubt = activation.failure, let reconcile = activation.plan.reconcile else { return }
    if let failure {
      return fail(activation, doubt.caused(by: Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts)))
    }
    var activation = activation
    activation.isInDoubt = false
    guard activation.isDelivered else {
      var original = doubt.causes.first ?? doubt
      original.failure.sent = .no
      original.failure.isRejected = true
      if original.failure.code == "indeterminate" { original.failure = .notDelivered(original.failure) }
      return fail(activation, original)
    }
    var supplied = ValueMap()
    var local = frame(activation.scope)
    local[slots.error] = doubt.value
    do throws(DataError) {
      for output in reconcile.outputs { supplied[output.name] = try value(of: output, local) }
    } catch {
      var failed = Failed(error, of: activation)
      failed.causes = [doubt]
      return giveUp(activation, failed)
    }
    write(.map(supplied), to: activation.plan.slots.outputs, in: activation.scope)
    end(activation, .recovered, .completed, error: doubt)
  }
}

extension Activation {
  /// Of an emergency.
  fileprivate var triggerName: TriggerName? {
    guard case .handler(let handler) = plan.action, let key = dedupeKey, let system = handler.step.about.system else { return nil }
    return TriggerName(system: system, key: key)
  }
}

extension StepFailure {
  /// A doubt that was looked up: it did not happen.
  fileprivate static func notDelivered(_ doubt: StepFailure) -> StepFailure {
    StepFailure(
      "network.reset", title: "the request did not arrive", detail: "a look-up found that it was not carried out", tags: doubt.tags,
      sent: .no,
      isRejected: true, cause: doubt)
  }
}
