import FlowPlan
import StepKit
import Values

/// Lists of steps: the flow's own, those of groups and branches, `finally`.
extension Machine {
  mutating func open(_ steps: [StepPlan], _ owner: Body.Owner, outerError: Value? = nil) {
    let id = BodyID(number: takeNumber())
    bodies[id] = Body(id: id, steps: steps, owner: owner, outerError: outerError)
    advance(id)
  }

  /// Lets the next step of a body start.
  mutating func advance(_ id: BodyID) { ready.append(id) }

  mutating func startNext(of id: BodyID) {
    guard let body = bodies[id] else { return }
    if isInterrupted(id) { return close(id, .cancelled(nil)) }
    guard body.next < body.steps.count else { return close(id, .completed) }
    bodies[id]?.next += 1
    begin(body.steps[body.next], in: id)
  }

  /// A body is over: its owner goes on.
  mutating func close(_ id: BodyID, _ result: BodyResult) {
    guard let body = bodies.removeValue(forKey: id) else { return }
    switch body.owner {
    case .main: settle(result)
    case .finally: finish()
    case .group(let activation): groupEnded(activation, result)
    case .branch(let activation, let index):
      frame[plan.slots.error] = body.outerError
      branchEnded(activation, index, result)
    }
  }

  /// What follows the end of a step: the next one, or the end of its body.
  mutating func proceed(after activation: Activation, _ result: BodyResult) {
    // Each step of `finally` stands on its own.
    if case .finally? = bodies[activation.body]?.owner {
      noteFinally(result)
      return advance(activation.body)
    }
    switch result {
    case .completed: advance(activation.body)
    case .failed, .ended, .cancelled: close(activation.body, result)
    }
  }

  /// Whether something around the body has been stopped, so that what is inside is to unwind.
  func isInterrupted(_ id: BodyID) -> Bool {
    isStopping || around(id).contains { $0.isTimedOut }
  }

  /// The activations around a body, innermost first.
  func around(_ id: BodyID) -> [Activation] {
    var found: [Activation] = []
    var body = bodies[id]
    while let owner = body?.owner.activation, let activation = activations[owner] {
      found.append(activation)
      body = bodies[activation.body]
    }
    return found
  }
}
