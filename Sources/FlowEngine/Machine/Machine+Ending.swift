import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// How a run ends: the verdict, what is undone, `finally`, the report.
extension Machine {
  /// What undos, and then `finally`, have after a signal or a spent `budget.time` (language.md §3).
  static let grace = Duration.seconds(30)

  /// The steps are over: settle the verdict, undo what is armed, then `finally`.
  mutating func settle(_ result: BodyResult) {
    if plan.budget.time != nil { decisions.append(.cancelTimer(.runBudget)) }
    wasStopped = isStopping
    let ending = ending(of: result)
    self.ending = ending
    isStopping = isCutShort
    writeRun()
    stage = .undo
    if wasStopped, !armed.isEmpty { startGrace() }
    undoAll(ending.verdict)
  }

  mutating func startFinally() {
    stopGrace()
    stage = .finally
    isStopping = isCutShort
    writeRun()
    guard !plan.finally.isEmpty else { return finish() }
    if wasStopped { startGrace() }
    open(plan.finally, .finally, scope: .run, part: .finally)
  }

  /// In the order of language.md §3: `indeterminate`, cancelled, errored, failed.
  private mutating func ending(of result: BodyResult) -> Ending {
    if let doubt { return Ending(verdict: .indeterminate, failed: doubt) }
    if cancelExitCode != nil { return Ending(verdict: .cancelled, failed: wholeRun(.cancelled)) }
    if isOverBudget {
      return Ending(verdict: .errored, failed: wholeRun(.overBudget("the run"), at: plan.budget.timePlace))
    }
    switch result {
    case .completed, .ended(passed: true, _):
      let (outputs, failed) = flowOutputs(plan, in: .run)
      return failed.map { Ending(verdict: $0.verdict, failed: $0) } ?? Ending(verdict: .passed, outputs: outputs)
    case .ended(passed: false, let failed): return Ending(verdict: .failed, failed: failed)
    case .failed(let failed): return Ending(verdict: failed.verdict, failed: failed)
    // A step that cancelled itself: nobody answered its prompt, say.
    case .cancelled(let failed): return Ending(verdict: .cancelled, failed: failed ?? wholeRun(.cancelled))
    }
  }

  /// An error of no step in particular.
  private func wholeRun(_ failure: StepFailure, at place: Place? = nil) -> Failed {
    Failed(failure: failure, origin: StepIdentity(id: "", depth: 0, place: place ?? Place(plan.file, Span(0, 0))), attempt: 0)
  }

  mutating func flowOutputs(_ plan: Plan, in scope: ScopeID) -> (ValueMap, Failed?) {
    var outputs = ValueMap()
    for output in plan.outputs {
      do throws(DataError) {
        outputs[output.name] = try value(of: output, frame(scope))
      } catch {
        let identity = StepIdentity(id: "outputs.\(output.name)", depth: 0, place: error.place)
        return (ValueMap(), Failed(failure: .expression(error), origin: identity, attempt: 0))
      }
    }
    return (outputs, nil)
  }

  // MARK: - finally

  /// What an undo, or a step of `finally`, adds: the first error of a run decides it, later ones never replace it, but a doubt
  /// outweighs all.
  mutating func noteFinally(_ result: BodyResult) {
    switch result {
    case .failed(let failed), .ended(passed: false, let failed?):
      if ending?.verdict == .passed { ending = Ending(verdict: failed.verdict, failed: failed) }
    case .completed, .ended, .cancelled: break
    }
    if let doubt, ending?.verdict != .indeterminate { ending = Ending(verdict: .indeterminate, failed: doubt) }
    writeRun()
  }

  private mutating func startGrace() {
    guard grace == nil else { return }
    let timer = stage == .undo ? TimerID.undoGrace : .finallyGrace
    grace = timer
    decisions.append(.startTimer(timer, Self.grace))
  }

  private mutating func stopGrace() {
    guard let timer = grace else { return }
    grace = nil
    decisions.append(.cancelTimer(timer))
  }

  mutating func finish() {
    guard let ending else { return }
    isFinished = true
    stopGrace()
    let report = RunReport(
      runID: runID, flow: plan.name, file: plan.file.path, verdict: ending.verdict, code: ending.failed?.failure.code,
      error: ending.failed?.report, signalExitCode: ending.verdict == .cancelled ? cancelExitCode : nil,
      outputs: ending.outputs.mapValues(\.redacted), startedAt: startedAt, duration: now.elapsed, requests: requestCount, steps: steps)
    emit(.runEnded(report))
    decisions.append(.finish(report))
  }

  // MARK: - signals

  /// The first signal stops the steps and leaves undos and `finally` their grace; the second stops that too.
  mutating func cancel(_ exitCode: Int) {
    guard cancelExitCode == nil else {
      isCutShort = true
      return stop()
    }
    cancelExitCode = exitCode
    guard let ending else { return stop() }
    wasStopped = true
    if ending.verdict != .indeterminate {
      let failed = wholeRun(.cancelled)
      self.ending = Ending(verdict: .cancelled, failed: ending.failed.map(failed.caused(by:)) ?? failed)
      writeRun()
    }
    startGrace()
  }
}
