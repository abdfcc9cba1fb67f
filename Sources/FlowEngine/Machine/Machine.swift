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
  var nextNumber = 0
  var random: SeededGenerator
  var now = Moment(elapsed: .zero, wall: Timestamp(seconds: 0))
  var startedAt = Timestamp(seconds: 0)
  var decisions: [Decision] = []
  var steps: [StepReport] = []
  var requestCount = 0
  var cancelExitCode: Int?
  var isOverBudget = false
  /// A once-only request of this run may have happened.
  var doubt: Failed?
  /// How the main body ended; set once.
  var ending: (verdict: Verdict, failed: Failed?, outputs: ValueMap)?

  /// - Parameter seed: decides jitter, `uuid()` and `random_int()`.
  package init(_ prepared: PreparedRun, runID: String, environment: String, seed: UInt64) {
    self.prepared = prepared
    self.runID = runID
    self.environment = environment
    random = SeededGenerator(seed)
    frame = Self.initialFrame(prepared)
  }

  var plan: Plan { prepared.plan }

  /// What to do, in order, now that `input` has happened.
  package mutating func handle(_ input: MachineInput, at moment: Moment) -> [Decision] {
    now = moment
    decisions = []
    switch input {
    case .start: start()
    case .attemptEnded(let id, let outcome): attemptEnded(id, outcome)
    case .timerFired(let timer): timerFired(timer)
    case .cancel(let exitCode): cancel(exitCode)
    }
    return decisions
  }

  // MARK: - the run

  private mutating func start() {
    startedAt = now.wall
    writeRun()
    emit(
      .runStarted(RunStart(runID: runID, flow: plan.name, file: plan.file.path, startedAt: startedAt, stepCount: plan.steps.count)))
    if let time = plan.budget.time { decisions.append(.startTimer(.runBudget, time)) }
    open(plan.steps, .main)
  }

  /// The main body is over: settle the verdict, then `finally`.
  mutating func settle(_ result: BodyResult) {
    if plan.budget.time != nil { decisions.append(.cancelTimer(.runBudget)) }
    ending = verdict(of: result)
    writeRun()
    if plan.finally.isEmpty { finish() } else { open(plan.finally, .finally) }
  }

  private mutating func verdict(of result: BodyResult) -> (Verdict, Failed?, ValueMap) {
    switch result {
    case .completed, .ended(passed: true, _):
      if let doubt { return (.indeterminate, doubt, ValueMap()) }
      let (outputs, failed) = flowOutputs()
      return failed.map { ($0.failure.verdict, $0, ValueMap()) } ?? (.passed, nil, outputs)
    case .ended(passed: false, let failed): return (doubt == nil ? .failed : .indeterminate, doubt ?? failed, ValueMap())
    case .failed(let failed):
      if let doubt { return (.indeterminate, doubt, ValueMap()) }
      return (failed.failure.verdict, failed, ValueMap())
    case .cancelled:
      if isOverBudget, cancelExitCode == nil { return (.errored, overBudget, ValueMap()) }
      return (doubt == nil ? .cancelled : .indeterminate, doubt, ValueMap())
    }
  }

  private var overBudget: Failed {
    Failed(
      failure: StepFailure("budget.time", title: "the run took longer than its budget"),
      origin: StepIdentity(id: plan.name, depth: 0, place: Place(plan.file, Span(0, 0))), attempt: 0)
  }

  private mutating func flowOutputs() -> (ValueMap, Failed?) {
    var outputs = ValueMap()
    for output in plan.outputs {
      do throws(DataError) {
        let value = try evaluate(output.value, frame)
        outputs[output.name] = output.isSecret ? value?.hidden() : value
      } catch {
        let identity = StepIdentity(id: "outputs.\(output.name)", depth: 0, place: error.place)
        return (ValueMap(), Failed(failure: .expression(error), origin: identity, attempt: 0))
      }
    }
    return (outputs, nil)
  }

  mutating func finish() {
    guard let ending else { return }
    let report = RunReport(
      runID: runID, flow: plan.name, file: plan.file.path, verdict: ending.verdict, code: ending.failed?.failure.code,
      error: ending.failed?.report, signalExitCode: ending.verdict == .cancelled ? cancelExitCode : nil,
      outputs: ending.outputs.mapValues(\.redacted), startedAt: startedAt, duration: now.elapsed, requests: requestCount, steps: steps)
    emit(.runEnded(report))
    decisions.append(.finish(report))
  }

  private mutating func cancel(_ exitCode: Int) {
    guard cancelExitCode == nil, ending == nil else { return }
    cancelExitCode = exitCode
    interruptAll()
  }

  /// Whether the main body is to start nothing new.
  var isStopping: Bool { ending == nil && (cancelExitCode != nil || isOverBudget) }

  // MARK: - bodies

  mutating func open(_ steps: [StepPlan], _ owner: Body.Owner) {
    let id = BodyID(number: takeNumber())
    bodies[id] = Body(id: id, steps: steps, owner: owner)
    advance(id)
  }

  /// Starts the next step of a body, or ends it.
  mutating func advance(_ id: BodyID) {
    guard let body = bodies[id] else { return }
    if isStopping { return close(id, .cancelled) }
    guard body.next < body.steps.count else { return close(id, .completed) }
    bodies[id]?.next += 1
    begin(body.steps[body.next], in: id)
  }

  /// A body is over: its owner goes on.
  mutating func close(_ id: BodyID, _ result: BodyResult) {
    guard let body = bodies.removeValue(forKey: id) else { return }
    switch body.owner {
    case .main: settle(result)
    case .finally: finish()
    case .group(let activation): groupEnded(activation, result)
    case .branch(let activation, let index):
      frame[plan.slots.error] = body.outerError
      branchEnded(activation, index, result)
    }
  }

  /// A step of a body is over without having ended the body's flow.
  mutating func proceed(after activation: Activation, _ result: BodyResult) {
    switch result {
    case .completed: advance(activation.body)
    case .failed, .ended, .cancelled:
      // Each step of `finally` stands on its own.
      if case .finally? = bodies[activation.body]?.owner { return advance(activation.body) }
      close(activation.body, result)
    }
  }

  mutating func takeNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  mutating func emit(_ event: RunEvent) { decisions.append(.emit(event)) }
}
