import FlowEvents
import FlowPlan
import StepKit
import Values

/// A run that is gone on with: the flow is walked again, and what an earlier process has done is taken from its notes.
extension Machine {
  /// Finds what the step did before; in the order in which it did it.
  mutating func recall(_ activation: inout Activation) {
    activation.past = history?.next(activation.path)
    if let past = activation.past, past.isReopened {
      activation.past = isGoneOn(around: activation.body) ? past.reopened : past.closed
    }
    if let past = activation.past, past.settled != nil, past.ended?.status == .indeterminate, past.settled?.isOfDelivery == false {
      activation.past = past.reopened
    }
    // A doubt that can be looked up is looked up again; of an emergency its ledger may know more by now.
    let canTell = activation.plan.reconcile != nil || activation.past?.started?.kept["dedupe_key"] != nil
    if let past = activation.past, past.settled == nil, past.ended?.status == .indeterminate, canTell {
      activation.past = past.inDoubt
    }
    // What was found before may be of an earlier attempt: a look-up is made anew.
    if let past = activation.past, past.ended != nil, isLookUp(activation.body) {
      activation.past = past.started == nil ? nil : past.reopened
    }
    activation.seed = activation.past?.started?.kept["seed"]?.unsigned ?? seeds.next()
    random = SeededGenerator(activation.seed)
    activation.isRestored = activation.past?.mayBeRestored(activation.plan) ?? false
    // What is done again comes to what it comes to now.
    if !activation.isRestored, let past = activation.past, past.ended != nil, past.checkpoints.isEmpty, activation.effect != nil {
      activation.past = past.reopened
    }
  }

  /// Whether a body is part of a `reconcile`.
  private func isLookUp(_ id: BodyID) -> Bool {
    var next = bodies[id]
    while let body = next {
      if case .reconcile = body.owner { return true }
      next = body.owner.activation.flatMap { activations[$0] }.flatMap { bodies[$0.body] }
    }
    return false
  }

  /// The steps had been stopped where an earlier process had come to.
  mutating func stopAsBefore() {
    guard let code = history?.stopped else { return }
    history?.stopped = nil
    guard ending == nil, !isStopping else { return }
    if code == 0 { isOverBudget = true } else { cancelExitCode = cancelExitCode ?? code }
    stop()
  }

  /// Whether nothing around has answered what happened inside.
  private func isGoneOn(around body: BodyID) -> Bool {
    around(body).allSatisfy { id in
      guard let past = activations[id]?.past else { return true }
      return past.ended == nil && past.checkpoints.isEmpty
    }
  }

  /// A step that had begun and not ended: where it is not simply done again, that is answered here.
  mutating func openRecalled(_ activation: Activation) -> Bool {
    guard let past = activation.past else { return false }
    if !activation.plan.action.isGroup, recallBranch(activation) { return true }
    guard case .handler(let handler) = activation.plan.action, !past.isReopened, past.ended == nil, past.settled == nil else {
      return false
    }
    // An emergency's own ledger knows.
    guard handler.effect == .unsafe || handler.effect == .once, activation.dedupeKey == nil else { return false }
    var activation = activation
    activation.isInDoubt = true
    activation.attempts = 1
    fail(activation, .interrupted)
    return true
  }

  /// Enters the branch that had been entered; false where there was none.
  mutating func recallBranch(_ activation: Activation) -> Bool {
    var activation = activation
    guard let checkpoint = activation.past?.takeCheckpoint(), let index = checkpoint.kept["branch"]?.intValue,
      let branch = activation.plan.branches[checked: Int(index)], let failure = checkpoint.kept["error"].flatMap(StepFailure.init(stored:))
    else { return false }
    let failed = Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts)
    // The doubt of a step inside is that step's own; where it has been settled, there is nothing left to answer.
    if failure.code == "indeterminate", activation.plan.action.isGroup, doubt == nil { return false }
    if failure.code == "indeterminate", !activation.plan.action.isGroup {
      activation.isInDoubt = true
      activation.hasReconciled = true
      doubt = doubt ?? failed
      markUncertain(around: activation.body)
    }
    activation.isRecalling = true
    enter(branch, Int(index), activation, failed)
    return true
  }

  /// Whether an earlier process has begun a step.
  func isPast(_ step: StepPlan, in body: Body) -> Bool {
    guard let history else { return false }
    return history.has(body.prefix + step.id + body.keys.map { "[\($0)]" }.joined())
  }

  /// Whether an earlier process has begun an item or a branch.
  func isPast(_ member: Int, of activation: Activation, _ spread: Spread) -> Bool {
    guard let history else { return false }
    let isLoop = activation.plan.action.isForEach
    let steps = isLoop ? activation.plan.action.bodies.first : activation.plan.action.bodies[member]
    let keys = activation.identity.keys + (isLoop ? [spread.keys[member]] : [])
    let prefix = bodies[activation.body]?.prefix ?? ""
    return steps?.first.map { history.has(prefix + $0.id + keys.map { "[\($0)]" }.joined()) } ?? false
  }

  /// Whether a round has begun before, so that nothing is waited for.
  func isPast(_ round: Int, of loop: RepeatPlan, _ activation: Activation) -> Bool {
    guard let history else { return false }
    let prefix = bodies[activation.body]?.prefix ?? ""
    let keys = (activation.identity.keys + [String(round)]).map { "[\($0)]" }.joined()
    return loop.body.steps.contains { history.has(prefix + $0.id + keys) }
  }
}

extension RunHistory.Execution {
  /// As if its process had died before it had an answer.
  fileprivate var inDoubt: Self { Self(started: started) }

  /// As it had ended.
  fileprivate var closed: Self {
    var copy = self
    copy.isReopened = false
    return copy
  }

  /// Whether nothing of it is done again: it has ended, and what it gave is known. Steps around others are walked through, as
  /// are branches; who signed in signs in again, since a session ends with its process.
  fileprivate func mayBeRestored(_ plan: StepPlan) -> Bool {
    if settled?.isOfDelivery == true, !plan.action.isGroup { return true }
    guard let ended, !isReopened, checkpoints.isEmpty || plan.action.isGroup else { return false }
    if ended.status == .skipped { return true }
    switch plan.action {
    case .handler(let handler):
      if ended.status == .succeeded || ended.status == .recovered {
        let about = handler.step.about
        if about.signsIn, handler.effect != .unsafe, handler.effect != .once { return false }
        if ended.kept["is_cut"] != nil, handler.effect == .read { return false }
      }
      return true
    case .set, .wait: return true
    case .group, .choose, .forEach, .repeating, .parallel, .call, .fail, .end: return false
    }
  }

  mutating func takeCheckpoint() -> RunNote? { checkpoints.isEmpty ? nil : checkpoints.removeFirst() }
}

extension Activation {
  /// How it ended, where an earlier process has ended it.
  /// - Parameter hasDoubt: whether the run has one that nobody has settled.
  func remembered(_ end: StepEnd, hasDoubt: Bool) -> StepEnd {
    guard let past, !past.isReopened else { return end }
    if past.settled?.isOfDelivery == true, !plan.action.isGroup { return StepEnd(status: .recovered, result: .completed, error: nil) }
    guard let ended = past.ended, let status = ended.status else { return end }
    let failed = ended.kept["error"].flatMap(StepFailure.init(stored:)).map {
      Failed(failure: $0, origin: identity, attempt: allAttempts)
    }
    // What was in doubt inside has been settled since.
    if plan.action.isGroup, !hasDoubt, failed?.failure.code == "indeterminate" { return end }
    switch end.result {
    case .ended: return StepEnd(status: status, result: end.result, error: failed)
    case .completed, .failed, .cancelled: break
    }
    switch status {
    case .succeeded, .recovered, .skipped, .replayed, .notRun: return StepEnd(status: status, result: .completed, error: failed)
    case .failed, .indeterminate:
      let raised = end.error ?? failed ?? Failed(failure: .interrupted, origin: identity, attempt: allAttempts)
      return StepEnd(status: status, result: .failed(raised), error: raised)
    case .cancelled: return StepEnd(status: status, result: .cancelled(failed), error: failed)
    }
  }
}

extension StepFailure {
  /// A request of a process that died, of which nobody knows what became.
  static let interrupted = StepFailure(
    "indeterminate", title: "nobody knows whether this happened",
    detail: "the process that sent it ended before it had an answer", sent: .maybe)
}

extension Value {
  fileprivate var unsigned: UInt64? {
    switch exposed {
    case .uint(let number): number
    case .int(let number): UInt64(exactly: number)
    default: nil
    }
  }
}

extension Array {
  fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
