import FlowEvents
import FlowPlan
import StepKit
import Values

/// Lists of steps: the flow's own, those inside steps, `finally` and `undo`.
extension Machine {
  mutating func open(
    _ steps: [StepPlan], _ owner: Body.Owner, scope: ScopeID, keys: [String] = [], parent: Int? = nil, part: RunPart = .steps,
    prefix: String = "", outerError: Value? = nil
  ) {
    let id = BodyID(number: takeNumber())
    bodies[id] = Body(
      id: id, steps: steps, owner: owner, scope: scope, keys: keys, parent: parent, part: part, prefix: prefix, outerError: outerError)
    advance(id)
  }

  /// Opens a body inside a step.
  mutating func open(
    _ steps: [StepPlan], _ owner: Body.Owner, in activation: Activation, scope: ScopeID? = nil, key: String? = nil, part: RunPart? = nil,
    outerError: Value? = nil
  ) {
    let around = activation.identity
    var prefix = bodies[activation.body]?.prefix ?? ""
    switch owner {
    case .call, .callFinally: prefix = activation.path + "/"
    case .main, .finally, .action, .member, .branch, .undo, .reconcile: break
    }
    open(
      steps, owner, scope: scope ?? activation.scope, keys: key.map { around.keys + [$0] } ?? around.keys, parent: around.number,
      part: part ?? around.part, prefix: prefix, outerError: outerError)
  }

  /// Lets the next step of a body start.
  mutating func advance(_ id: BodyID) { ready.append(id) }

  mutating func startNext(of id: BodyID) {
    guard let body = bodies[id] else { return }
    // What is done is done, whatever has happened beside it meanwhile.
    guard body.next < body.steps.count else { return close(id, .completed) }
    if body.part == .steps, history?.stopped != nil, !isPast(body.steps[body.next], in: body) { stopAsBefore() }
    // What an earlier process has done is walked through all the same: it may leave a doubt, or something to undo.
    if isInterrupted(id), !isPast(body.steps[body.next], in: body) { return close(id, .cancelled(nil)) }
    bodies[id]?.next += 1
    begin(body.steps[body.next], in: body)
  }

  /// A body is over: its owner goes on.
  mutating func close(_ id: BodyID, _ result: BodyResult) {
    guard let body = bodies.removeValue(forKey: id) else { return }
    switch body.owner {
    case .main: settle(result)
    case .finally: finish()
    case .action(let activation): actionEnded(activation, result)
    case .member(let activation, let index): memberEnded(activation, index, in: body.scope, result)
    case .call(let activation): calledStepsEnded(activation, result)
    case .callFinally(let activation): finishCall(activation)
    case .branch(let activation, let index):
      write(body.outerError, to: slots.error, in: body.scope)
      branchEnded(activation, index, result)
    case .reconcile(let activation):
      write(body.outerError, to: slots.error, in: body.scope)
      lookedUp(activation, result)
    case .undo(let run, _): undoEnded(run, body, result)
    }
  }

  /// What follows the end of a step: the next one, or the end of its body.
  mutating func proceed(after activation: Activation, _ result: BodyResult) {
    // Each step of `finally` stands on its own.
    switch bodies[activation.body]?.owner {
    case .finally:
      noteFinally(result)
      return advance(activation.body)
    case .callFinally(let call):
      noteFinally(of: call, result)
      return advance(activation.body)
    case .main, .action, .member, .call, .branch, .reconcile, .undo, nil: break
    }
    switch result {
    case .completed: advance(activation.body)
    case .failed, .ended, .cancelled: close(activation.body, result)
    }
  }

  /// What keeps a body from going on; what is inside is then to unwind.
  func interruption(of id: BodyID) -> Interruption? {
    var found: Interruption?
    var next = bodies[id]
    while let body = next, let owner = body.owner.activation, let around = activations[owner] {
      if case .callFinally = body.owner {
        // The `finally` of a called flow runs whatever stopped the call; only its own time and a second signal end it.
        return isCutShort || around.isGraceOver ? .stopped : found
      }
      if around.isTimedOut { found = max(found ?? .timedOut, .timedOut) }
      if around.isWindingDown { found = found ?? .windingDown }
      next = bodies[around.body]
    }
    return isStopping ? .stopped : found
  }

  func isInterrupted(_ id: BodyID) -> Bool { interruption(of: id) != nil }

  /// Whether nothing new may start inside a step.
  func isInterrupted(inside activation: Activation) -> Bool {
    activation.isTimedOut || activation.isWindingDown || isInterrupted(activation.body)
  }

  /// The steps around a body, innermost first.
  func around(_ id: BodyID) -> [ActivationID] {
    var found: [ActivationID] = []
    var body = bodies[id]
    while let owner = body?.owner.activation, let activation = activations[owner] {
      found.append(owner)
      body = bodies[activation.body]
    }
    return found
  }

  /// Something in a body may have happened and must not happen twice: no step around it runs again.
  mutating func markUncertain(around body: BodyID) {
    for id in around(body) { activations[id]?.holdsUncertainty = true }
  }
}
