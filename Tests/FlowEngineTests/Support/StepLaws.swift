import FlowEvents
import FlowPlan

/// What must hold of the steps of any run, told from its events alone.
struct StepLaws {
  /// Whether what has run before is walked through.
  private let isResumed: Bool
  private var running: Set<Int> = []
  private var started: Set<Int> = []
  /// Numbers of executions inside which nothing may start: an item of a loop that stops has failed.
  private var decided: Set<Int> = []
  /// How many of its own steps an execution has running.
  private var children: [Int: Int] = [:]
  /// Numbers of executions that a branch of `on_error` took.
  private var answered: Set<Int> = []
  private var ids: [Int: String] = [:]
  /// By title: armed undos, less those that began.
  private var armed: [String: Int] = [:]
  private var limits: [String: Int] = [:]
  private var stopping: Set<String> = []
  /// The step of each undo, by the first step of that.
  private var undone: [String: String] = [:]
  private var always: Set<String> = []

  init(isResumed: Bool = false) { self.isResumed = isResumed }

  mutating func know(_ step: StepPlan) {
    if let undo = step.undo, let first = undo.steps.first {
      undone[first.id] = step.id
      if undo.isAlways { always.insert(step.id) }
    }
    switch step.action {
    case .forEach(let loop):
      limits[step.id] = loop.concurrency
      if loop.stopsOnError { stopping.insert(step.id) }
    case .parallel(let parallel): if parallel.stopsOnError { stopping.insert(step.id) }
    case .handler, .group, .choose, .repeating, .call, .set, .wait, .fail, .end: break
    }
  }

  mutating func note(_ event: RunEvent) -> [String] {
    switch event {
    case .stepStarted(let event): return begin(event.step)
    case .stepEnded(let report): return end(report)
    case .branchTaken(let step, _, let then):
      // Run again, it is the same execution.
      decided.remove(step.number)
      if then != "reconcile" { answered.insert(step.number) }
      return []
    case .runStarted, .request, .retryScheduled, .pollScheduled, .log, .runEnded: return []
    }
  }

  private mutating func begin(_ step: StepIdentity) -> [String] {
    var found: [String] = []
    if !started.insert(step.number).inserted { found.append("`\(step.title)` starts twice") }
    running.insert(step.number)
    ids[step.number] = step.id
    if let parent = step.parent {
      children[parent, default: 0] += 1
      if !running.contains(parent) { found.append("`\(step.title)` starts in a step that does not run") }
      if parent >= step.number { found.append("`\(step.title)` has a smaller number than what is around it") }
      if decided.contains(parent), step.part == .steps, !isResumed { found.append("`\(step.title)` starts behind a failure that stops") }
      if let id = ids[parent], let limit = limits[id], children[parent, default: 0] > limit, step.part == .steps {
        found.append("`\(id)` runs more than \(limit) items at once")
      }
    }
    if step.part == .undo, let owner = undone[step.id] {
      let title = owner + step.keys.map { "[\($0)]" }.joined()
      armed[title, default: 0] -= 1
      if armed[title, default: 0] < 0 { found.append("`\(title)` is undone and was not armed") }
    }
    return found
  }

  private mutating func end(_ report: StepReport) -> [String] {
    let step = report.step
    if let parent = step.parent {
      children[parent, default: 0] -= 1
      if report.status == .failed, let id = ids[parent], stopping.contains(id) { decided.insert(parent) }
    }
    // What was found to have happened is undone as well.
    let hasHappened = report.status == .succeeded || report.status == .recovered && !answered.contains(step.number)
    if hasHappened, step.part == .steps, undone.values.contains(step.id) { armed[step.title, default: 0] += 1 }
    return running.remove(step.number) == nil ? ["`\(step.title)` ends without having started"] : []
  }

  /// - Parameter isUndone: whether every armed undo must have run.
  func end(isUndone: Bool) -> [String] {
    var found = running.sorted().map { "`\(ids[$0] ?? "")` never ends" }
    for (title, count) in armed.sorted(by: { $0.key < $1.key }) where count > 0 && isUndone { found.append("`\(title)` is not undone") }
    return found
  }
}
