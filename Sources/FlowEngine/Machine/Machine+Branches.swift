import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// 10 On error: the first branch whose `when` and `if` hold.
extension Machine {
  mutating func takeBranch(_ activation: Activation, _ failed: Failed) {
    for (index, branch) in activation.plan.branches.enumerated() {
      guard branch.when.contains(where: { $0.matches(failed.failure) }) else { continue }
      do throws(DataError) {
        if let condition = branch.condition, try !holds(condition, branchFrame(activation, failed)) { continue }
      } catch {
        return giveUp(activation, unevaluable(error, activation, failed))
      }
      if case .retry(let max) = branch.ending, !mayRunAgain(activation, failed.failure, branch: index, max: max) { continue }
      return enter(branch, index, activation, failed)
    }
    giveUp(activation, failed)
  }

  /// What a branch sees beside the steps before it.
  private mutating func branchFrame(_ activation: Activation, _ failed: Failed) -> [Value?] {
    writeModifiers(activation, activation.outputs)
    var local = frame(activation.scope)
    local[slots.error] = failed.value
    return local
  }

  /// Whether `then: retry` is legal and not used up. A single step is sent again; a group is new work, unless what
  /// is in it may have happened and must not happen twice.
  private func mayRunAgain(_ activation: Activation, _ failure: StepFailure, branch: Int, max: Int) -> Bool {
    guard activation.branchRetries[branch, default: 0] < max, !activation.isInDoubt else { return false }
    switch activation.plan.action {
    case .handler(let handler): return handler.effect.allowsRetry(sent: failure.sent, isRejected: failure.isRejected)
    case .group, .choose, .forEach, .repeating, .parallel, .call: return !activation.holdsUncertainty && !activation.plan.holdsOnce
    case .set, .wait, .fail, .end: return true
    }
  }

  mutating func enter(_ branch: BranchPlan, _ index: Int, _ activation: Activation, _ failed: Failed) {
    var activation = activation
    noteBranch(index, branch, activation, failed)
    // The timeout is the action's; a branch that answers it is not bound by it.
    stopTimers(&activation)
    activation.isTimedOut = false
    activation.isPollOver = false
    activation.isWindingDown = false
    activation.failure = failed
    activation.phase = .inBranch
    activations[activation.id] = activation
    emit(.branchTaken(step: activation.identity, error: failed.report, then: branch.ending.name))
    let outer = frame(activation.scope)[slots.error]
    write(failed.value, to: slots.error, in: activation.scope)
    reset(branch.body, in: activation.scope)
    open(branch.body, .branch(activation.id, index: index), in: activation, outerError: outer)
  }

  mutating func branchEnded(_ id: ActivationID, _ index: Int, _ result: BodyResult) {
    guard let activation = activations[id], let original = activation.failure else { return }
    switch result {
    case .completed: conclude(activation, activation.plan.branches[index], index, original)
    // An error in `do` becomes the step's, the original its cause.
    case .failed(let failed): giveUp(activation, failed.caused(by: original))
    case .ended: end(activation, .recovered, result, error: original)
    case .cancelled: end(activation, .cancelled, result, error: original)
    }
  }

  /// What the branch's `then` says.
  private mutating func conclude(_ activation: Activation, _ branch: BranchPlan, _ index: Int, _ original: Failed) {
    let local = branchFrame(activation, original)
    switch branch.ending {
    case .continue(let outputs):
      // Of a loop or branches, what has ended stays beside what the branch gives.
      var supplied = activation.plan.action.isGroup ? activation.outputs : ValueMap()
      do throws(DataError) {
        for output in outputs {
          supplied[output.name] = try value(of: output, local)
        }
      } catch {
        return giveUp(activation, unevaluable(error, activation, original))
      }
      write(.map(supplied), to: activation.plan.slots.outputs, in: activation.scope)
      end(activation, .recovered, .completed, error: original)
    case .retry: undoInside(activation, branch: index)
    case .fail(let code, let message): giveUp(activation, authored(code, message, local, by: activation, from: original))
    case .end(true, _): end(activation, .recovered, .ended(passed: true, failure: nil), error: original)
    case .end(false, let code):
      let failed = authored(code ?? StepFailure.ended.code, nil, local, by: activation, from: original)
      end(activation, .recovered, .ended(passed: false, failure: failed), error: original)
    }
  }

  private func unevaluable(_ error: DataError, _ activation: Activation, _ original: Failed) -> Failed {
    var failed = Failed(error, of: activation)
    failed.causes = [original]
    return failed
  }

  /// An error that the flow itself raises. Without a code it is the original, told in other words.
  mutating func authored(_ code: String?, _ message: DataPlan?, _ slots: [Value?], by activation: Activation, from original: Failed?)
    -> Failed
  {
    var raised = Failed(failure: .ended, origin: activation.identity, attempt: activation.allAttempts, causes: original.map { [$0] } ?? [])
    var text = ""
    do throws(DataError) {
      text = try message.flatMap { (message) throws(DataError) in try evaluate(message, slots)?.redacted.templateText } ?? ""
    } catch {
      raised.failure = .expression(error)
      raised.origin.place = error.place
      return raised
    }
    if code == nil, var original {
      if !text.isEmpty { original.failure.detail = text }
      return original
    }
    let cause = original?.failure
    raised.failure = StepFailure(
      code ?? "user.failed", title: text.isEmpty ? "the flow failed here" : text, sent: cause?.sent ?? .no,
      isRejected: cause?.isRejected ?? false, answer: cause?.answer)
    return raised
  }
}

extension StepPlan {
  /// Whether something inside must never be sent twice; called flows included.
  fileprivate var holdsOnce: Bool {
    withInner.contains { step in
      if case .call(let call) = step.action { return (call.flow.steps + call.flow.finally).contains(where: \.holdsOnce) }
      return step.effect == .once
    }
  }
}
