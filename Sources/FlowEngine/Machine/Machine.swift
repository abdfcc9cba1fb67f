import FlowEvents
package import FlowPlan
import SourceText
import StepKit
import Values

/// The pure engine of a run: what happened goes in, what to do next comes out. It has no clock, no I/O and no tasks,
/// so that a run can be replayed from its inputs.
package struct Machine {
  let prepared: PreparedRun
  let runID: String
  let environment: String
  var scopes: [ScopeID: Scope] = [:]
  /// How much needs the connections of a scope: its body, and undos that were armed in it.
  var holders: [ScopeID: Int] = [:]
  var bodies: [BodyID: Body] = [:]
  var activations: [ActivationID: Activation] = [:]
  var rounds: [ActivationID: Round] = [:]
  var spreads: [ActivationID: Spread] = [:]
  var calls: [ActivationID: Called] = [:]
  /// Last in, first out.
  var armed: [ArmedUndo] = []
  var undoRuns: [UndoRunID: UndoRun] = [:]
  /// Bodies whose next step is to start: a queue, so that a thousand skipped steps are no deep recursion.
  var ready: [BodyID] = []
  /// How many of them start before the world is asked again: a long loop that waits for nothing can be stopped.
  private let stepsAtOnce: Int
  private var hasCalledBack = false
  var nextNumber = 0
  var stepNumber = 0
  /// Gives each step its seed.
  var seeds: SeededGenerator
  /// Of the step that began last.
  var random: SeededGenerator
  /// What the run did before its process died, as far as it was not met yet.
  var history: RunHistory?
  /// Whether anybody reads notes: making them is not free.
  let keepsNotes: Bool
  var now = Moment(elapsed: .zero, wall: Timestamp(seconds: 0))
  var startedAt = Timestamp(seconds: 0)
  var decisions: [Decision] = []
  var steps: [StepReport] = []
  var requestCount = 0
  var cancelExitCode: Int?
  var isOverBudget = false
  /// Nothing new is to start, of the steps, of the undos or of `finally`, whichever runs.
  var isStopping = false
  /// A signal or a spent budget ended the steps, so that what follows has its grace.
  var wasStopped = false
  var stage = RunPart.steps
  /// A second signal came: undos and `finally` are left out, or cut short.
  var isCutShort = false
  var isFinished = false
  /// What a stopped run leaves to its end is bounded by one of these.
  var grace: TimerID?
  /// A once-only request of this run may have happened.
  var doubt: Failed?
  /// What lasts between runs, as it was last committed.
  var state: ValueMap
  /// How the steps ended; nil until they did.
  var ending: Ending?

  /// What a run comes to; `finally` can make it worse.
  struct Ending {
    var verdict: Verdict
    var failed: Failed?
    var outputs = ValueMap()
  }

  /// - Parameters:
  ///   - seed: decides jitter, `uuid()` and `random_int()`.
  ///   - stepsAtOnce: how many steps start before the world is asked again.
  ///   - keepsNotes: whether the run is written down.
  ///   - history: what a run that is gone on with has done; with it come the seed and the state of its first process.
  package init(
    _ prepared: PreparedRun, runID: String, environment: String, seed: UInt64, stepsAtOnce: Int = 1000, keepsNotes: Bool = false,
    history: RunHistory? = nil
  ) {
    self.keepsNotes = keepsNotes
    self.history = history
    seeds = SeededGenerator(seed ^ 0x5EED)
    self.stepsAtOnce = stepsAtOnce
    self.prepared = prepared
    self.runID = runID
    self.environment = environment
    random = SeededGenerator(seed)
    state = prepared.state.mapValue ?? ValueMap()
    scopes[.run] = Scope(ScopeFlow(prepared, settings: prepared.settings), sessions: .run)
  }

  var plan: Plan { prepared.plan }

  /// What to do, in order, now that `input` has happened; nothing once the run has finished.
  package mutating func handle(_ input: MachineInput, at moment: Moment) -> [Decision] {
    guard !isFinished else { return [] }
    now = moment
    decisions = []
    switch input {
    case .start: start()
    case .request(let report, let id): note(report, of: id)
    case .log(let step, let text): emit(.log(step: step, text: text))
    case .attemptEnded(let id, let outcome): attemptEnded(id, outcome)
    case .effectEnded(let id, let failure): effectEnded(id, failure)
    case .noted(let id, let failure): noted(id, failure)
    case .timerFired(let timer): timerFired(timer)
    case .goOn: hasCalledBack = false
    case .cancel(let exitCode): cancel(exitCode)
    }
    var index = 0
    while index < min(ready.count, stepsAtOnce) {
      startNext(of: ready[index])
      index += 1
    }
    ready.removeFirst(index)
    if !ready.isEmpty, !isFinished, !hasCalledBack {
      hasCalledBack = true
      decisions.append(.callBack)
    }
    return decisions
  }

  private mutating func start() {
    startedAt = now.wall
    writeRun()
    emit(
      .runStarted(RunStart(runID: runID, flow: plan.name, file: plan.file.path, startedAt: startedAt, stepCount: plan.steps.count)))
    if let time = plan.budget.time { decisions.append(.startTimer(.runBudget, time)) }
    open(plan.steps, .main, scope: .run)
  }

  private mutating func note(_ report: RequestReport, of id: ActivationID?) {
    requestCount += 1
    if let id {
      activations[id]?.requests += 1
      activations[id]?.lastRequest = report
    }
    emit(.request(report))
  }

  mutating func takeNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  mutating func emit(_ event: RunEvent) { decisions.append(.emit(event)) }
}
