import FlowEvents
import FlowPlan
import StepKit
import Values

@testable import FlowEngine

/// What must hold of requests over all processes of a run: what may not be done twice is sent once for each time that
/// somebody allows it, and a doubt stays until somebody lifts it.
struct SendLaws {
  private struct Sending {
    let effect: Effect
    /// Of the first attempt; nil where none was made.
    var order: AttemptOrder?
    var canLookUp = false
    /// Whether an attempt is allowed: the first, or one behind a refusal.
    var mayBeSent = true
    /// Nobody knows whether it happened.
    var isInDoubt = false
    /// It may have happened, and its effect is `unsafe`.
    var isUncertain = false
    /// What `reconcile` was answered.
    var found: Bool?
    /// Somebody allowed it although it may have happened.
    var isAuthorised = false
    /// Its end is on the disk.
    var hasEnded = false
    /// Its end could not be written down, or so it was told.
    var hasLostEnd = false
    /// A branch has answered it.
    var isAnswered = false
  }

  private var sendings: [Execution: Sending] = [:]
  private var byPath: [String: [Execution]] = [:]
  /// Steps that stand in something that may run again as a whole.
  private let repeatable: Set<String>
  /// Steps of `reconcile`, which are made anew.
  private let lookUps: Set<String>
  /// Whether `finally` has a second time: a run that had failed is gone on with.
  private var isReopened = false
  /// Whether somebody has said of what had ended what became of it, so that later steps see other values.
  private var hasOtherValues = false

  init(_ steps: [StepPlan]) {
    var inner: Set<String> = []
    for step in steps {
      guard step.branches.contains(where: { if case .retry = $0.ending { true } else { false } }) else { continue }
      inner.formUnion(step.withCalled.map(\.id).filter { $0 != step.id })
    }
    repeatable = inner
    lookUps = Set(steps.flatMap { $0.reconcile?.steps ?? [] }.flatMap(\.withCalled).map(\.id))
  }

  /// Whether something may have happened that must not happen twice, and nobody has said what became of it.
  var hasDoubts: Bool { sendings.values.contains(where: \.isInDoubt) }
  var doubts: [String] { sendings.filter(\.value.isInDoubt).map(\.key.path).sorted() }

  // MARK: - one process

  /// - Parameter isStartSynced: whether the start is on the disk, for good.
  mutating func begin(_ order: AttemptOrder, _ execution: Execution, isStartSynced: Bool) -> [String] {
    var found: [String] = []
    let name = "`\(execution.path)`"
    let effect = order.handler.effect
    if effect != .read, !isStartSynced { found.append("\(name) is sent before its start is on the disk") }
    if sendings[execution] == nil {
      if let last = byPath[execution.path]?.last, let before = sendings[last], effect == .once || effect == .unsafe {
        found += checkAnew(order, before, name)
      }
      byPath[execution.path, default: []].append(execution)
      sendings[execution] = Sending(effect: effect, canLookUp: order.canReconcile)
    }
    if sendings[execution]?.order == nil { sendings[execution]?.order = order }
    guard let sending = sendings[execution], let first = sending.order else { return found }
    if sending.hasEnded, !lookUps.contains(order.step.id) { found.append("\(name) has ended, and is sent again") }
    if effect == .once || effect == .unsafe {
      if !sending.mayBeSent { found.append("\(name) is sent again after it may have been") }
      if sending.isInDoubt, sending.found != false { found.append("\(name) is sent again while it is in doubt") }
    }
    if effect == .keyed || sending.isAuthorised {
      if first.with != order.with, !hasOtherValues { found.append("\(name) is sent with other bytes") }
      if first.idempotencyKey != order.idempotencyKey { found.append("\(name) is sent with another key") }
    }
    sendings[execution]?.mayBeSent = false
    if sending.found == false {
      sendings[execution]?.isInDoubt = false
      sendings[execution]?.isUncertain = false
    }
    return found
  }

  /// The same step again, as another execution.
  private func checkAnew(_ order: AttemptOrder, _ before: Sending, _ name: String) -> [String] {
    // What was armed again is undone again; `finally` runs again where a failed run is gone on with.
    if order.step.part == .undo || order.step.part == .finally && isReopened && before.effect == .unsafe { return [] }
    if before.isInDoubt || before.isUncertain { return ["\(name) runs again, and nobody knows whether it has happened"] }
    if !before.mayBeSent, !repeatable.contains(order.step.id) { return ["\(name) runs again, and has happened"] }
    return []
  }

  /// What an attempt came to, as the run was told.
  mutating func end(_ execution: Execution, _ outcome: AttemptOutcome) {
    guard var sending = sendings[execution] else { return }
    defer { sendings[execution] = sending }
    sending.found = nil
    guard case .failure(let failure) = outcome.result else { return }
    sending.mayBeSent = failure.sent == .no || sending.effect == .unsafe && failure.isRejected
    if sending.effect == .once, failure.sent == .maybe || failure.sent == .yes && !failure.isRejected { sending.isInDoubt = true }
    if sending.effect == .unsafe, failure.sent == .maybe, !failure.isRejected {
      sending.isUncertain = true
      sending.isInDoubt = sending.canLookUp
    }
  }

  mutating func lookUp(_ execution: Execution, found: Bool?) {
    sendings[execution]?.found = found
    if found == false { sendings[execution]?.mayBeSent = true }
  }

  /// - Parameter received: how many requests of the execution the server has had.
  mutating func end(_ execution: Execution, _ report: StepReport, received: Int, isDone: Bool) -> [String] {
    guard let sending = sendings[execution] else { return [] }
    var found: [String] = []
    let name = "`\(execution.path)`"
    if report.status == .succeeded, received == 0 { found.append("\(name) has succeeded and never arrived") }
    guard sending.effect == .once || sending.effect == .unsafe else { return found }
    if let error = report.error, error.sent == "no", error.stepID == report.step.id, isDone, !sending.isAuthorised,
      error.code != "indeterminate"
    {
      found.append("\(name) is told as not sent, and was carried out")
    }
    if sending.isInDoubt, report.status != .indeterminate {
      if sending.found == nil { found.append("the doubt of \(name) is dropped: it ends \(report.status.rawValue)") }
      if sending.found == true, report.status != .recovered, report.status != .failed {
        found.append("\(name) was there, and ends \(report.status.rawValue)")
      }
      sendings[execution]?.isInDoubt = false
      sendings[execution]?.isUncertain = false
    }
    return found
  }

  /// Of what must happen once, the end could not be written down.
  mutating func loseEnd(of execution: Execution) {
    sendings[execution]?.isInDoubt = true
    sendings[execution]?.hasLostEnd = true
  }

  // MARK: - between processes

  /// What the notes say of an execution.
  private struct Left {
    /// How it ended; nil where it did not.
    var status: StepStatus?
    var isAnswered = false
    /// Somebody allows it again.
    var isFree = false

    var isOver: Bool { status != nil }
  }

  /// The process is gone, and this is left.
  mutating func cutOff(_ notes: [RunNote]) {
    var left: [String: (execution: Execution, state: Left)] = [:]
    var known: [Execution: Left] = [:]
    for note in notes {
      switch note.kind {
      case .started:
        guard let execution = note.execution else { continue }
        left[note.path] = (execution, Left())
        // Nobody knows whether its first attempt was made.
        if sendings[execution] == nil, let effect = note.details["effect"]?.stringValue.flatMap(Effect.init) {
          byPath[execution.path, default: []].append(execution)
          sendings[execution] = Sending(effect: effect, canLookUp: note.details["reconciles"] == true)
        }
      case .ended: left[note.path]?.state.status = note.status
      case .checkpoint: left[note.path]?.state.isAnswered = true
      // What somebody has said stands until it is begun again.
      case .settled:
        let isDelivered = note.details["settled"] == .string("delivered")
        left[note.path]?.state.status = isDelivered ? .recovered : nil
        left[note.path]?.state.isFree = !isDelivered
      case .resumed, .finished: continue
      }
      if let one = left[note.path] { known[one.execution] = one.state }
    }
    for (execution, sending) in sendings {
      guard let state = known[execution] else {
        byPath[execution.path]?.removeAll { $0 == execution }
        sendings[execution] = nil
        continue
      }
      // A doubt that can be looked up is looked up again.
      sendings[execution]?.hasEnded = state.isOver && !(state.status == .indeterminate && sending.canLookUp)
      if state.isOver, state.status != .indeterminate, sending.found != nil || sending.hasLostEnd {
        sendings[execution]?.isInDoubt = false
      }
      sendings[execution]?.isAnswered = state.isAnswered
      guard sending.effect == .once || sending.effect == .unsafe, !state.isOver, !state.isAnswered, !state.isFree else {
        continue
      }
      sendings[execution]?.isInDoubt = true
      // What was looked up before stays true.
      sendings[execution]?.mayBeSent = sending.found == false
    }
    if isReopened { reopenRefused() }
  }

  /// Somebody says what became of it.
  mutating func settle(_ execution: Execution, _ word: String) {
    let mayBeSent = word != "delivered"
    if sendings[execution]?.hasEnded == true { hasOtherValues = true }
    sendings[execution]?.mayBeSent = mayBeSent
    sendings[execution]?.isInDoubt = false
    sendings[execution]?.isUncertain = false
    sendings[execution]?.isAuthorised = word == "retry"
    if mayBeSent { sendings[execution]?.hasEnded = false }
  }

  /// A run that had ended without passing is gone on with: what failed may run again, where that is legal.
  mutating func reopen(_ notes: [RunNote]) {
    isReopened = true
    cutOff(notes)
  }

  private mutating func reopenRefused() {
    for (execution, sending) in sendings where sending.hasEnded {
      let isFree = sending.effect != .once && sending.effect != .unsafe
      if sending.mayBeSent || isFree { sendings[execution]?.hasEnded = false }
    }
  }

  /// Whether the run that goes on finds out by itself, or answers it: then nobody is asked.
  func isLeftToRun(_ path: String) -> Bool {
    byPath[path]?.last.flatMap { sendings[$0] }.map { $0.canLookUp || $0.isAnswered && !$0.hasEnded } ?? false
  }

  /// Whether it is known to have been sent.
  func knows(_ execution: Execution) -> Bool { sendings[execution] != nil }
}

extension RunNote {
  /// Nil for a note that begins none.
  var execution: Execution? {
    guard case .uint(let seed)? = kept["seed"]?.exposed else { return nil }
    return Execution(path: path, seed: seed)
  }
}

extension StepPlan {
  /// The step with all inside it, called flows included.
  var withCalled: [StepPlan] {
    withInner.flatMap { step -> [StepPlan] in
      guard case .call(let call) = step.action else { return [step] }
      return [step] + (call.flow.steps + call.flow.finally).flatMap(\.withCalled)
    }
  }
}
