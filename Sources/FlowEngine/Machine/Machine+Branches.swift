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
      var local = frame
      local[plan.slots.error] = failed.value
      do throws(DataError) {
        if let condition = branch.condition, try evaluate(condition, local).exposed != .bool(true) { continue }
      } catch {
        return giveUp(activation, unevaluable(error, activation, failed))
      }
      if case .retry(let max) = branch.ending, !mayRunAgain(activation, failed.failure, branch: index, max: max) { continue }
      return enter(branch, index, activation, failed)
    }
    giveUp(activation, failed)
  }

  /// Whether `then: retry` is legal and not used up. A single step is sent again; a group is new work, unless what
  /// is in it may have happened and must not happen twice.
  private func mayRunAgain(_ activation: Activation, _ failure: StepFailure, branch: Int, max: Int) -> Bool {
    guard activation.branchRetries[branch, default: 0] < max, !activation.isInDoubt else { return false }
    switch activation.plan.action {
    case .handler(let handler): return handler.effect.allowsRetry(sent: failure.sent, isRejected: failure.isRejected)
    case .group(let steps):
      return !steps.flatMap(\.withInner).contains { step in
        step.effect == .once || frame[step.slots.status] == "indeterminate" || uncertain.contains(step.slots.first)
      }
    case .choose, .forEach, .repeating, .parallel, .call, .set, .wait, .fail, .end: return true
    }
  }

  private mutating func enter(_ branch: BranchPlan, _ index: Int, _ activation: Activation, _ failed: Failed) {
    var activation = activation
    // The timeout is the action's; a branch that answers it is not bound by it.
    stopTimer(&activation)
    activation.isTimedOut = false
    activation.failure = failed
    activation.phase = .inBranch
    activations[activation.id] = activation
    emit(.branchTaken(step: activation.identity, error: failed.report, then: branch.ending.name))
    let outer = frame[plan.slots.error]
    frame[plan.slots.error] = failed.value
    reset(branch.body)
    open(branch.body, .branch(activation.id, index: index), outerError: outer)
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
    var local = frame
    local[plan.slots.error] = original.value
    switch branch.ending {
    case .continue(let outputs):
      var supplied = ValueMap()
      do throws(DataError) {
        for output in outputs {
          let value = try evaluate(output.value, local)
          supplied[output.name] = output.isSecret ? value?.hidden() : value
        }
      } catch {
        return giveUp(activation, unevaluable(error, activation, original))
      }
      frame[activation.plan.slots.outputs] = .map(supplied)
      end(activation, .recovered, .completed, error: original)
    case .retry: runAgain(activation, index)
    case .fail(let code, let message): giveUp(activation, authored(code, message, local, by: activation, from: original))
    case .end(true, _): end(activation, .recovered, .ended(passed: true, failure: nil), error: original)
    case .end(false, let code):
      let failed = authored(code ?? StepFailure.ended.code, nil, local, by: activation, from: original)
      end(activation, .recovered, .ended(passed: false, failure: failed), error: original)
    }
  }

  /// The step or group again, everything evaluated anew.
  private mutating func runAgain(_ activation: Activation, _ index: Int) {
    var activation = activation
    activation.branchRetries[index, default: 0] += 1
    activations[activation.id] = nil
    begin(activation.plan, in: activation.body, continuing: activation)
  }

  private func unevaluable(_ error: DataError, _ activation: Activation, _ original: Failed) -> Failed {
    Failed(failure: .expression(error), origin: activation.identity, attempt: activation.allAttempts, causes: [original])
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
