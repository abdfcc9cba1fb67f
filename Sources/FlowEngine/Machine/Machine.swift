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
  var frame: [Value?]
  var bodies: [BodyID: Body] = [:]
  var activations: [ActivationID: Activation] = [:]
  /// Bodies whose next step is to start: a queue, so that a thousand skipped steps are no deep recursion.
  var ready: [BodyID] = []
  var nextNumber = 0
  var random: SeededGenerator
  var now = Moment(elapsed: .zero, wall: Timestamp(seconds: 0))
  var startedAt = Timestamp(seconds: 0)
  var decisions: [Decision] = []
  var steps: [StepReport] = []
  var requestCount = 0
  var cancelExitCode: Int?
  var isOverBudget = false
  /// Nothing new is to start, of the steps or of `finally`, whichever runs.
  var isStopping = false
  /// A second signal came: `finally` is left out, or cut short.
  var isCutShort = false
  var isFinished = false
  var hasGraceTimer = false
  /// A once-only request of this run may have happened.
  var doubt: Failed?
  /// By first slot: steps whose unsafe request may have left without a whole answer since they were last reset.
  var uncertain: Set<Int> = []
  /// How the steps ended; nil until they did.
  var ending: Ending?

  /// What a run comes to; `finally` can make it worse.
  struct Ending {
    var verdict: Verdict
    var failed: Failed?
    var outputs = ValueMap()
  }

  /// - Parameter seed: decides jitter, `uuid()` and `random_int()`.
  package init(_ prepared: PreparedRun, runID: String, environment: String, seed: UInt64) {
    self.prepared = prepared
    self.runID = runID
    self.environment = environment
    random = SeededGenerator(seed)
    frame = Self.initialFrame(prepared)
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
    case .timerFired(let timer): timerFired(timer)
    case .cancel(let exitCode): cancel(exitCode)
    }
    while !ready.isEmpty { startNext(of: ready.removeFirst()) }
    return decisions
  }

  private mutating func start() {
    startedAt = now.wall
    writeRun()
    emit(
      .runStarted(RunStart(runID: runID, flow: plan.name, file: plan.file.path, startedAt: startedAt, stepCount: plan.steps.count)))
    if let time = plan.budget.time { decisions.append(.startTimer(.runBudget, time)) }
    open(plan.steps, .main)
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
