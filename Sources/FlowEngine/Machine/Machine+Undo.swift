import FlowEvents
import FlowPlan
import StepKit
import Values

/// The `undo` of a step that succeeded, with what was visible then.
struct ArmedUndo {
  let plan: UndoPlan
  let scope: Scope
  let keys: [String]
  let prefix: String
  /// The steps around its step, those left out whose `on_error` it stands in: these it does not belong to.
  let around: Set<ActivationID>
}

struct UndoRunID: Hashable {
  let number: Int
}

/// Armed undos that run one after the other.
struct UndoRun {
  enum Purpose {
    case ending
    /// The step runs again after them.
    case again(ActivationID, branch: Int)
  }

  let purpose: Purpose
  /// Last in, first out.
  var queue: [ArmedUndo]
  /// The one that runs.
  var current: ArmedUndo?
}

/// `undo`: armed when its step succeeds; run after a failure or a cancel, and before its group runs again.
extension Machine {
  mutating func arm(_ undo: UndoPlan, _ activation: Activation) {
    guard let scope = scopes[activation.scope] else { return }
    var around: Set<ActivationID> = []
    var body = bodies[activation.body]
    while let owner = body?.owner.activation, let outer = activations[owner] {
      if case .branch? = body?.owner {} else { around.insert(owner) }
      body = bodies[outer.body]
    }
    hold(scope.sessions)
    armed.append(
      ArmedUndo(plan: undo, scope: scope, keys: activation.identity.keys, prefix: bodies[activation.body]?.prefix ?? "", around: around))
  }

  /// The steps of the run are over.
  mutating func undoAll(_ verdict: Verdict) {
    let all = armed
    armed = []
    for undo in all where verdict == .passed && !undo.plan.isAlways { release(undo.scope.sessions) }
    run(all.filter { verdict != .passed || $0.plan.isAlways }, .ending)
  }

  /// What a step's own steps have armed is undone before it runs again.
  mutating func undoInside(_ activation: Activation, branch: Int) {
    let inside = armed.filter { $0.around.contains(activation.id) }
    guard !inside.isEmpty else { return resume(activation, branch) }
    armed.removeAll { $0.around.contains(activation.id) }
    var activation = activation
    activation.phase = .undoing
    activations[activation.id] = activation
    run(inside, .again(activation.id, branch: branch))
  }

  private mutating func run(_ queue: [ArmedUndo], _ purpose: UndoRun.Purpose) {
    let id = UndoRunID(number: takeNumber())
    undoRuns[id] = UndoRun(purpose: purpose, queue: queue)
    nextUndo(id)
  }

  private mutating func nextUndo(_ id: UndoRunID) {
    guard let purpose = undoRuns[id]?.purpose else { return }
    if !isStopped(purpose), let undo = undoRuns[id]?.queue.popLast() { return start(undo, id, purpose) }
    guard let left = undoRuns.removeValue(forKey: id)?.queue else { return }
    switch purpose {
    case .ending:
      for undo in left { release(undo.scope.sessions) }
      startFinally()
    case .again(let step, let branch):
      // What was not begun is still to be undone when the run ends.
      armed += left
      if let activation = activations[step] { resume(activation, branch) }
    }
  }

  private func isStopped(_ purpose: UndoRun.Purpose) -> Bool {
    switch purpose {
    case .ending: isStopping
    case .again(let id, _): activations[id].map { isInterrupted(inside: $0) } ?? true
    }
  }

  private mutating func start(_ undo: ArmedUndo, _ id: UndoRunID, _ purpose: UndoRun.Purpose) {
    undoRuns[id]?.current = undo
    let scope = ScopeID(number: takeNumber())
    scopes[scope] = undo.scope
    writeRun(in: scope)
    switch purpose {
    case .ending: open(undo.plan.steps, .undo(id, around: nil), scope: scope, keys: undo.keys, part: .undo, prefix: undo.prefix)
    case .again(let step, _):
      open(
        undo.plan.steps, .undo(id, around: step), scope: scope, keys: undo.keys, parent: activations[step]?.identity.number, part: .undo,
        prefix: undo.prefix)
    }
  }

  /// A failing undo stops no other. One that was stopped before its first step is still to be done.
  mutating func undoEnded(_ id: UndoRunID, _ body: Body, _ result: BodyResult) {
    scopes[body.scope] = nil
    if let undo = undoRuns[id]?.current {
      if body.next == 0, case .cancelled = result { undoRuns[id]?.queue.append(undo) } else { release(undo.scope.sessions) }
    }
    if case .ending? = undoRuns[id]?.purpose { noteFinally(result) }
    nextUndo(id)
  }

  /// The step again, everything evaluated anew.
  private mutating func resume(_ activation: Activation, _ branch: Int) {
    guard let body = bodies[activation.body], !isInterrupted(activation.body) else {
      let failed = Failed(failure: .cancelled, origin: activation.identity, attempt: activation.allAttempts)
      let cancelled = activation.failure.map(failed.caused(by:)) ?? failed
      return end(activation, .cancelled, .cancelled(cancelled), error: cancelled)
    }
    var activation = activation
    activation.branchRetries[branch, default: 0] += 1
    forget(activation)
    begin(activation.plan, in: body, continuing: activation)
  }
}
