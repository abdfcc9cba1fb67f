package import FlowEvents
import FlowPlan
import StepKit
package import Values

/// What a run has done before its process died, as its notes tell it: the machine walks the flow again, and what has
/// ended is taken from here instead of being done.
package struct RunHistory: Sendable {
  /// One execution of a step.
  struct Execution: Sendable {
    /// Nil for a step that was skipped, which has only an end.
    var started: RunNote?
    /// The branches of `on_error` that were entered, and what `reconcile` found, in order.
    var checkpoints: [RunNote] = []
    var ended: RunNote?
    /// What somebody has said of it since: `delivered`, `not_delivered` or `retry`.
    var settled: RunNote?
    /// Whether it had ended, and runs again where nothing around it has answered.
    var isReopened = false

    /// The same execution, as if it had not ended.
    var reopened: Execution { Execution(started: started, isReopened: true) }
  }

  /// By path, in the order in which they began.
  private var executions: [String: [Execution]] = [:]
  /// How the run had ended; nil where its process ended without a word.
  package private(set) var verdict: Verdict?
  /// Why the steps had been stopped when undos or `finally` began, and their process died in them: the exit code of the
  /// signal, 0 for a spent budget. Nil where they had not.
  var stopped: Int?
  /// Whether undos have run: what they took back is not there any more.
  package private(set) var isUndone = false

  /// - Parameter notes: all of one run, in order.
  package init(_ notes: [RunNote]) {
    for note in notes { add(note) }
  }

  private mutating func add(_ note: RunNote) {
    // A checkpoint of the run itself says what it was given.
    if note.kind == .checkpoint, note.path.isEmpty { return }
    switch note.kind {
    case .started: start(note)
    case .checkpoint: change(note.path) { $0.checkpoints.append(note) }
    case .ended: end(note)
    case .finished: verdict = note.details["verdict"]?.stringValue.flatMap(Verdict.init)
    case .resumed:
      if verdict != nil {
        stopped = nil
        reopen()
      }
      verdict = nil
    case .settled: change(note.path) { $0.settled = note }
    }
  }

  private mutating func start(_ note: RunNote) {
    if note.details["part"]?.stringValue == RunPart.undo.rawValue, note.isOfEnding { isUndone = true }
    if let code = note.kept["stopped"]?.intValue { stopped = Int(code) }
    if note.kept["again"] == .bool(true), executions[note.path]?.isEmpty == false {
      // The same execution once more: what it came to before, and what was said of it, is over.
      change(note.path) { $0 = Execution(started: note) }
    } else {
      executions[note.path, default: []].append(Execution(started: note))
    }
  }

  private mutating func end(_ note: RunNote) {
    // A doubt that was looked up again ends again.
    if let last = executions[note.path]?.last, last.ended == nil || last.ended?.status == .indeterminate {
      change(note.path) {
        // The branch that answered it then is no part of this end.
        if $0.ended != nil { $0.checkpoints = [] }
        $0.ended = note
      }
    } else {
      executions[note.path, default: []].append(Execution(ended: note))
    }
  }

  private mutating func change(_ path: String, _ body: (inout Execution) -> Void) {
    guard let last = executions[path]?.indices.last else { return }
    executions[path]?.withLast(at: last, body)
  }

  // MARK: - going on after an end

  /// A run that did not pass goes on where it failed: what may be done again, and nobody has answered, is open again, with
  /// all that stands around it. `finally` runs again, but for what must happen once.
  private mutating func reopen() {
    for (path, list) in executions {
      let left = list.filter { !$0.isOfFinally || $0.mustNotRunAgain }
      executions[path] = left.isEmpty ? nil : left
    }
    for (path, list) in executions {
      guard let last = list.indices.last, list[last].mayRunAgain else { continue }
      executions[path]?.withLast(at: last) { $0.isReopened = true }
    }
  }

  // MARK: - reading

  /// The next execution of a path, which is then used up; nil where there is no more.
  mutating func next(_ path: String) -> Execution? {
    guard let list = executions[path], let first = list.first else { return nil }
    executions[path] = list.count == 1 ? nil : Array(list.dropFirst())
    return first
  }

  /// What somebody says was delivered, with what they say it gave.
  package var delivered: [(path: String, outputs: ValueMap)] {
    executions.flatMap { path, list in
      list.filter { $0.settled?.isOfDelivery == true && !($0.ended?.status).isSuccess }.map { (path, $0.settled?.outputs ?? ValueMap()) }
    }.sorted { $0.path < $1.path }
  }

  /// The paths of steps that have ended well, and are not done again.
  package var succeeded: Set<String> {
    Set(executions.filter { $0.value.last.map { ($0.ended?.status).isSuccess } ?? false }.keys)
  }

  /// Forgets what stands at a path, and inside it.
  mutating func forget(_ path: String) {
    executions = executions.filter { $0.key != path && !$0.key.hasPrefix(path + "[") && !$0.key.hasPrefix(path + "/") }
  }

  func has(_ path: String) -> Bool { executions[path] != nil }

  /// The steps of which nobody knows whether they took effect, in the order of their start: begun by a process that died, or
  /// in doubt when the run ended, and not settled since. Those with a dedupe key are left to whoever keeps those.
  package var doubts: [RunNote] {
    executions.values.flatMap { $0 }.filter(\.isInDoubt).compactMap(\.started).sorted { $0.at < $1.at }
  }
}

extension RunHistory.Execution {
  /// Whether nobody knows if it took effect.
  fileprivate var isInDoubt: Bool {
    guard let started, settled == nil, started.kept["dedupe_key"] == nil else { return false }
    guard started.details["reconciles"] == nil else { return false }
    if let ended { return ended.status == .indeterminate && !isGroup }
    guard checkpoints.isEmpty else { return false }
    return effect == .unsafe || effect == .once
  }

  var effect: Effect? { started?.details["effect"]?.stringValue.flatMap(Effect.init) }

  fileprivate var isOfFinally: Bool { started?.details["part"] == .string(RunPart.finally.rawValue) }

  /// What it gave; of what somebody has settled, what they say.
  var outputs: ValueMap? { settled?.isOfDelivery == true ? settled?.outputs : ended?.outputs }

  /// What a `set` assigned.
  var assignments: [(root: SetPlan.Root, name: String, value: Value)]? {
    guard let kept = started?.kept, let vars = kept["vars"]?.exposed.mapValue else { return nil }
    let state = kept["state"]?.exposed.mapValue ?? ValueMap()
    return vars.map { (.vars, $0.key.text, $0.value) } + state.map { (.state, $0.key.text, $0.value) }
  }

  /// Whether it may have happened and must not happen twice, or somebody has said what became of it.
  fileprivate var mustNotRunAgain: Bool {
    if settled != nil || ended?.status == .indeterminate { return true }
    return ended == nil ? effect == .once || effect == .unsafe : effect == .once && !mayRunAgain
  }

  private var isGroup: Bool { started?.details["is_group"] == .bool(true) }

  /// Whether it ended without success, and doing it again is legal.
  fileprivate var mayRunAgain: Bool {
    switch ended?.status {
    case .failed, .cancelled, .indeterminate: break
    case .succeeded, .recovered, .skipped, .notRun, .replayed, nil: return false
    }
    // Where a branch answered, its error is what the request came to, and not what went wrong in the branch.
    let error = checkpoints.last?.kept["error"] ?? ended?.kept["error"]
    guard let effect, let failure = error.flatMap(StepFailure.init(stored:)) else { return true }
    if let settled { return !settled.isOfDelivery }
    return effect.allowsRetry(sent: failure.sent, isRejected: failure.isRejected)
  }
}

extension RunNote {
  /// Whether it belongs to what is done when the steps of a run are over, and not to a step that runs again.
  fileprivate var isOfEnding: Bool { details["parent"] == nil }

  /// Whether somebody says that it took effect.
  var isOfDelivery: Bool { details["settled"]?.stringValue == "delivered" }
}

extension StepStatus? {
  fileprivate var isSuccess: Bool { self == .succeeded || self == .recovered }
}

extension Array {
  fileprivate mutating func withLast(at index: Int, _ body: (inout Element) -> Void) { body(&self[index]) }
}
