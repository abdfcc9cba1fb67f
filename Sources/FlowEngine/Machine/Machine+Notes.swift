import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// 4 and 11: what a run writes down, and when it waits for that.
///
/// What may not be done twice is begun when its start is on the disk, and over when its end has left the process. Whatever
/// may be done again waits for nothing.
extension Machine {
  /// The step is about to do its action.
  mutating func noteStart(_ activation: Activation) {
    if openRecalled(activation) { return }
    if activation.past != nil, !activation.plan.action.isGroup, isInterrupted(activation.body) {
      return fail(activation, Failed(failure: .cancelled, origin: activation.identity, attempt: activation.allAttempts))
    }
    // What `set` assigns is written down with its start.
    if case .set = activation.plan.action { return perform(activation) }
    let isAgain = activation.past?.started != nil
    if isAgain, activation.plan.action.isGroup, activation.past?.isReopened != true { return perform(activation) }
    guard keepsNotes else { return perform(activation) }
    var kept = ValueMap(members: ["seed": .uint(activation.seed)])
    if isAgain { kept["again"] = true }
    // Whoever goes on must not take up steps that a signal or the budget had ended.
    if activation.identity.part != .steps, wasStopped { kept["stopped"] = .int(Int64(cancelExitCode ?? 0)) }
    if let key = activation.dedupeKey { kept["dedupe_key"] = .string(key) }
    writeDown(
      RunNote(.started, path: activation.path, at: now.wall, details: details(of: activation), kept: kept), .synced, activation, .opening)
  }

  /// What `set` is about to assign.
  /// - Returns: whether it goes on at once.
  mutating func noteAssignments(_ activation: Activation, isAwaited: Bool) -> Bool {
    guard keepsNotes, activation.past?.assignments == nil else { return true }
    var kept = ValueMap()
    for root in [SetPlan.Root.vars, .state] {
      var map = ValueMap()
      for assignment in activation.assignments where assignment.root == root { map[assignment.name] = assignment.value }
      kept[root == .vars ? "vars" : "state"] = .map(map)
    }
    let note = RunNote(.started, path: activation.path, at: now.wall, details: details(of: activation), kept: kept)
    guard isAwaited else {
      decisions.append(.note(note, .soon, nil))
      return true
    }
    var activation = activation
    activation.phase = .opening
    activations[activation.id] = activation
    decisions.append(.note(note, .written, activation.id))
    return false
  }

  /// A branch of `on_error` answers.
  mutating func noteBranch(_ index: Int, _ branch: BranchPlan, _ activation: Activation, _ failed: Failed) {
    guard keepsNotes, !activation.isRecalling else { return }
    let details = ValueMap(members: ["branch": .string(branch.ending.name), "error": failed.failure.told])
    let kept = ValueMap(members: ["branch": .int(Int64(index)), "error": failed.failure.stored])
    decisions.append(.note(RunNote(.checkpoint, path: activation.path, at: now.wall, details: details, kept: kept), .soon, nil))
  }

  /// The step is over.
  mutating func noteEnd(_ activation: Activation, _ end: StepEnd) {
    // What has ended before is written down; what a cancel kept from beginning needs no word.
    guard keepsNotes, activation.past?.ended == nil || activation.past?.isReopened == true else { return finish(activation, end) }
    var details = ValueMap(members: [
      "attempts": .int(Int64(activation.allAttempts)), "requests": .int(Int64(activation.requests)),
      "duration": .double((now.elapsed - activation.startedAt) / .seconds(1)),
    ])
    // Nothing was written down of a step that never began.
    if activation.phase == .starting {
      details["action"] = .string(activation.plan.action.label)
      details["depth"] = .int(Int64(activation.identity.depth))
    }
    if let error = end.error { details["error"] = error.failure.told }
    if let request = activation.lastRequest { details["request"] = request.told }
    var kept = ValueMap()
    if let error = end.error { kept["error"] = error.failure.stored }
    if activation.isDelivered { kept["is_delivered"] = true }
    let frame = frame(activation.scope)
    let outputs = end.status == .skipped ? nil : frame[activation.plan.slots.outputs]?.mapValue
    if let response = activation.response, end.status == .succeeded, activation.plan.hasReadableResponse {
      if response.bytes.count <= Self.longestKeptBody { kept["response"] = response.value } else { kept["is_cut"] = true }
    }
    writeDown(
      RunNote(
        .ended, path: activation.path, at: now.wall, status: end.status, code: end.error?.failure.code, outputs: outputs, details: details,
        kept: kept), .written, activation, .closing)
  }

  /// A longer body is not kept: a step that read it reads it again.
  private static let longestKeptBody = 64 << 10

  /// Has something written down; only what must not happen twice waits for it.
  private mutating func writeDown(_ note: RunNote, _ durability: Durability, _ activation: Activation, _ phase: Activation.Phase) {
    let hasBegun = note.kind != .ended || activation.phase != .starting
    guard activation.mayAct, hasBegun else {
      decisions.append(.note(note, .soon, nil))
      return goOn(activation, phase)
    }
    var activation = activation
    activation.phase = phase
    activations[activation.id] = activation
    decisions.append(.note(note, durability, activation.id))
  }

  mutating func noted(_ id: ActivationID, _ failure: StepFailure?) {
    guard let activation = activations[id], activation.phase == .opening || activation.phase == .closing else { return }
    guard let failure else { return goOn(activation, activation.phase) }
    if activation.phase == .closing, let end = activation.end { return finish(activation, end.unkept(failure, activation, doubt: &doubt)) }
    fail(activation, failure)
  }

  private mutating func goOn(_ activation: Activation, _ phase: Activation.Phase) {
    if phase == .closing, let end = activation.end { return finish(activation, end) }
    if case .set = activation.plan.action { return keepState(activation) }
    if activations[activation.id] != nil, isInterrupted(activation.body) {
      return fail(activation, Failed(failure: .cancelled, origin: activation.identity, attempt: activation.allAttempts))
    }
    perform(activation)
  }

  private func details(of activation: Activation) -> ValueMap {
    let identity = activation.identity
    var details = ValueMap(members: [
      "action": .string(activation.plan.action.label), "line": .int(Int64(identity.place.start.line)),
      "file": .string(identity.place.file.path), "depth": .int(Int64(identity.depth)), "is_group": .bool(activation.plan.action.isGroup),
    ])
    if identity.part != .steps { details["part"] = .string(identity.part.rawValue) }
    if let parent = identity.parent { details["parent"] = .int(Int64(parent)) }
    if activation.plan.reconcile != nil { details["reconciles"] = true }
    if let effect = activation.effect { details["effect"] = .string(effect.rawValue) }
    if let key = activation.dedupeKey {
      details["key"] = .string(key)
      if case .handler(let handler) = activation.plan.action { details["system"] = handler.step.about.system.map(Value.string) ?? .null }
    }
    return details
  }
}

extension Activation {
  /// Whether doing it twice may do it twice, or do harm.
  fileprivate var mayAct: Bool { effect.map { $0 != .read } ?? false }
}

extension StepPlan {
  /// Whether later steps may read its answer.
  fileprivate var hasReadableResponse: Bool {
    if case .handler(let handler) = action { handler.isPlainHTTP } else { false }
  }
}

extension StepEnd {
  /// The same end where it could not be written down: of what must happen once, nobody will know it later.
  fileprivate func unkept(_ failure: StepFailure, _ activation: Activation, doubt: inout Failed?) -> StepEnd {
    var failed = Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts, causes: error.map { [$0] } ?? [])
    failed.failure.sent = error?.failure.sent ?? activation.sentSoFar
    guard activation.effect == .once, status != .failed else { return StepEnd(status: .failed, result: .failed(failed), error: failed) }
    failed = failed.asIndeterminate
    doubt = doubt ?? failed
    return StepEnd(status: .indeterminate, result: .failed(failed), error: failed)
  }
}

extension StepFailure {
  /// As a run is told.
  fileprivate var told: Value {
    var map = ValueMap(members: [
      "code": .string(code), "title": .string(title), "detail": .string(detail), "sent": .string(sent.rawValue),
      "rejected": .bool(isRejected),
    ])
    if let answer { map["status"] = .int(Int64(answer.status)) }
    return .map(map)
  }
}

extension RequestReport {
  fileprivate var told: Value {
    var map = ValueMap(members: ["method": .string(method), "url": .string(url), "sent": .string(sent)])
    if let status { map["status"] = .int(Int64(status)) }
    return .map(map)
  }
}
