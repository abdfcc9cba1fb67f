import FlowEvents
import StepKit
import Values

/// The items of a `for_each`, or the branches of a `parallel`, on their way. What has ended leaves its line behind.
struct Spread {
  /// By index: an item's key, a branch's name.
  let keys: [String]
  /// By index; empty for branches.
  let items: [Value]
  /// How many run at once.
  let limit: Int
  let stopsOnError: Bool
  private(set) var next = 0
  private(set) var runningCount = 0
  /// By index; nil for what has not begun, or not ended.
  private(set) var lines: [ValueMap?]
  /// Of those that failed.
  private(set) var problems: [(index: Int, problem: StepFailure.Problem)] = []
  private(set) var worst = Verdict.passed
  /// The error that is the step's where it stops.
  private(set) var decisive: (index: Int, failed: Failed)?
  /// The flow was ended inside.
  var ended: BodyResult?
  /// Something inside stopped by itself, or was stopped with this error.
  var cancelled: Failed?

  init(keys: [String], items: [Value] = [], limit: Int, stopsOnError: Bool) {
    self.keys = keys
    self.items = items
    self.limit = limit
    self.stopsOnError = stopsOnError
    lines = Array(repeating: nil, count: keys.count)
  }

  var mayStart: Bool { runningCount < limit && next < keys.count }

  /// The index of what starts.
  mutating func start() -> Int {
    defer {
      next += 1
      runningCount += 1
    }
    return next
  }

  mutating func end(_ index: Int, _ status: StepStatus, outputs: ValueMap? = nil, failed: Failed? = nil) {
    runningCount -= 1
    var line = ValueMap()
    line["key"] = .string(keys[index])
    line["status"] = .string(status.rawValue)
    line["outputs"] = outputs.map(Value.map) ?? .null
    line["error"] = failed?.value ?? .null
    lines[index] = line
    guard status == .failed, let failed else { return }
    let failure = failed.failure
    problems.append((index, .init(field: keys[index], message: "\(failure.code): \(failure.title)")))
    worst = .worst(worst, failed.verdict)
    guard let earlier = decisive else { return decisive = (index, failed) }
    let (new, old) = (Self.weight(failure), Self.weight(earlier.failed.failure))
    if new > old || new == old && index < earlier.index { decisive = (index, failed) }
  }

  /// What nobody may catch decides before a doubt, a doubt before any other error.
  private static func weight(_ failure: StepFailure) -> Int {
    if !failure.isCatchable { return 2 }
    return failure.code == "indeterminate" ? 1 : 0
  }

  /// Whether nothing new is to start.
  var isDecided: Bool {
    guard ended == nil, cancelled == nil else { return true }
    return decisive.map { stopsOnError || !$0.failed.failure.isCatchable } ?? false
  }

  /// `items`, in the order of the input.
  var list: Value {
    .list(
      zip(keys, lines).map { key, line in
        line.map(Value.map) ?? ["key": .string(key), "status": .string(StepStatus.notRun.rawValue), "outputs": .null, "error": .null]
      })
  }

  /// What the branches gave, by their names; those that did not succeed are left out.
  var byName: ValueMap {
    var map = ValueMap()
    for (key, line) in zip(keys, lines) where line?["status"] == .string(StepStatus.succeeded.rawValue) {
      map[key] = line?["outputs"] ?? .map(ValueMap())
    }
    return map
  }
}
