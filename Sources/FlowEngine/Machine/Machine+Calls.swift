import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// A called flow on its way.
struct Called {
  let scope: ScopeID
  /// What its steps came to, once they have.
  var result = BodyResult.completed
  var outputs = ValueMap()
  var hasBudgetTimer = false
  var hasGrace = false
}

/// `call`: another flow, in a scope of its own.
extension Machine {
  mutating func startCall(_ call: CallPlan, _ activation: Activation) {
    guard let caller = scopes[activation.scope] else { return }
    let prepared: PreparedRun
    do {
      var inputs = ValueMap()
      do throws(DataError) {
        inputs = try evaluate(call.with, in: activation.scope)?.mapValue ?? ValueMap()
      } catch {
        return fail(activation, error)
      }
      var secrets = ValueMap()
      let ours = caller.frame[slots.secrets]?.exposed.mapValue ?? ValueMap()
      for pair in call.secrets { secrets[pair.theirs] = ours[pair.ours] }
      prepared = try caller.flow.prepared.prepared(call, inputs: inputs, secrets: secrets)
    } catch {
      return fail(activation, error)
    }
    let scope = openScope(of: prepared, call, for: activation, lentBy: caller)
    var activation = activation
    activation.phase = .inBody
    activations[activation.id] = activation
    calls[activation.id] = Called(scope: scope)
    if let time = prepared.plan.budget.time {
      calls[activation.id]?.hasBudgetTimer = true
      decisions.append(.startTimer(.callBudget(activation.id), time))
    }
    open(prepared.plan.steps, .call(activation.id), in: activation, scope: scope)
  }

  private mutating func openScope(of prepared: PreparedRun, _ call: CallPlan, for activation: Activation, lentBy caller: Scope) -> ScopeID {
    let id = ScopeID(number: takeNumber())
    let settings = prepared.plan.connections.indices.map { index in
      switch call.connections.indices.contains(index) ? call.connections[index] : .own {
      case .own: prepared.settings.indices.contains(index) ? prepared.settings[index] : ValueMap()
      case .lent(let theirs): caller.flow.settings[theirs]
      }
    }
    let flow = ScopeFlow(prepared, settings: settings, depth: activation.identity.depth + 1, isCalled: true)
    scopes[id] = Scope(flow, sessions: id)
    holders[id] = 1
    decisions.append(
      .openScope(
        id, ScopeOrder(plan: prepared.plan, settings: settings, parent: caller.sessions, connections: call.connections, isOfCall: true)))
    writeRun(nil, nil, in: id)
    return id
  }

  /// The steps of a called flow are over: its outputs, then its `finally`.
  mutating func calledStepsEnded(_ id: ActivationID, _ result: BodyResult) {
    guard let scope = calls[id]?.scope, let activation = activations[id], let plan = scopes[scope]?.flow.plan else { return }
    if calls[id]?.hasBudgetTimer == true {
      calls[id]?.hasBudgetTimer = false
      decisions.append(.cancelTimer(.callBudget(id)))
    }
    let result = settled(result, plan, activation, in: scope)
    calls[id]?.result = result
    writeRun(calls[id]?.verdict ?? .passed, calls[id]?.failed, in: scope)
    guard !plan.finally.isEmpty, !isCutShort else { return finishCall(id) }
    if isInterrupted(inside: activation) {
      calls[id]?.hasGrace = true
      decisions.append(.startTimer(.callGrace(id), Self.grace))
    }
    open(plan.finally, .callFinally(id), in: activation, scope: scope, part: .finally)
  }

  /// `end` in a called flow ends that one alone.
  private mutating func settled(_ result: BodyResult, _ plan: Plan, _ activation: Activation, in scope: ScopeID) -> BodyResult {
    switch result {
    case .failed, .cancelled: return result
    case .ended(passed: false, let failed):
      return .failed(failed ?? Failed(failure: .ended, origin: activation.identity, attempt: activation.allAttempts))
    case .completed, .ended(passed: true, _):
      let (outputs, failed) = flowOutputs(plan, in: scope)
      if let failed { return .failed(failed) }
      calls[activation.id]?.outputs = outputs
      return .completed
    }
  }

  /// The first error of a called flow is its own; one in its `finally` counts where there was none.
  mutating func noteFinally(of id: ActivationID, _ result: BodyResult) {
    guard let call = calls[id], case .completed = call.result else { return }
    switch result {
    case .failed(let failed), .ended(passed: false, let failed?):
      calls[id]?.result = .failed(failed)
      writeRun(failed.verdict, failed, in: call.scope)
    case .completed, .ended, .cancelled: break
    }
  }

  mutating func finishCall(_ id: ActivationID) {
    guard let call = calls.removeValue(forKey: id), var activation = activations[id] else { return }
    if call.hasGrace { decisions.append(.cancelTimer(.callGrace(id))) }
    closeScope(call.scope)
    activation.isGraceOver = false
    activations[id] = activation
    guard case .completed = call.result else { return actionEnded(id, call.result) }
    succeed(activation, call.outputs)
  }
}

extension Called {
  fileprivate var failed: Failed? {
    switch result {
    case .failed(let failed), .ended(_, let failed?), .cancelled(let failed?): failed
    case .completed, .ended, .cancelled: nil
    }
  }

  fileprivate var verdict: Verdict {
    switch result {
    case .completed, .ended(passed: true, _): .passed
    case .failed(let failed): failed.verdict
    case .ended: .failed
    case .cancelled: .cancelled
    }
  }
}
