import Diagnostics
import FlowPlan
import JSONSchema
import SourceText
import StepKit
import Values

/// The state of one run's flow: read before its first request, kept whenever a step has set it.
struct RunState: Sendable {
  private let store: StateStore
  private let key: StateStore.Key

  /// Nil for a flow that keeps none. Fills in what the last run left.
  static func open(_ run: inout PreparedRun, environment: String) throws(Findings) -> RunState? {
    guard !run.plan.state.isEmpty else { return nil }
    do throws(FileFailure) {
      let key = StateStore.Key(
        flow: FileAccess.resolved(run.plan.file.path), environment: environment, key: try run.stateKey())
      let state = RunState(store: try .standard(), key: key)
      run.state = .map(try run.firstState(after: state.store.load(key)))
      try state.store.prepare()
      return state
    } catch {
      throw Findings([Diagnostic(.invalidValue, error.message, at: nil)])
    }
  }

  func save(_ values: ValueMap) throws(StepFailure) {
    do throws(FileFailure) {
      try store.save(values, for: key)
    } catch {
      throw StepFailure("config.state", title: "the state cannot be kept", detail: error.message)
    }
  }
}

extension PreparedRun {
  /// The text of the flow's `state_key`; empty where it has none.
  func stateKey() throws(FileFailure) -> String {
    guard let expression = plan.stateKey else { return "" }
    var slots = [Value?](repeating: nil, count: plan.slots.count)
    slots[plan.slots.inputs] = inputs
    do throws(DataError) {
      return try expression.evaluate(FlowFrame(slots: slots))?.fullyExposed.templateText ?? ""
    } catch {
      throw FileFailure(message: "`state_key` has no value: \(error.message)")
    }
  }

  /// What was kept, and the defaults of what was not. Names that the flow does not have any more are left alone on disk
  /// until the next step sets something.
  fileprivate func firstState(after kept: ValueMap) throws(FileFailure) -> ValueMap {
    var values = plan.firstState
    for state in plan.state {
      guard let value = kept[state.name.value] else { continue }
      if let violation = state.schema.validate(value).first {
        throw FileFailure(
          message: "the state `\(state.name.value)` does not fit its schema any more: \(violation.message); forget it with "
            + "`baton state reset \(plan.file.path)`")
      }
      values[state.name.value] = value
    }
    return values
  }
}
