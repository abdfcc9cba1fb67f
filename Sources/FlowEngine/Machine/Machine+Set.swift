import FlowPlan
import StepKit
import Values

/// `set`: what lasts to the end of the flow, and what lasts between runs.
extension Machine {
  /// All values are evaluated before any is written.
  mutating func set(_ plans: [SetPlan], _ activation: Activation) {
    var activation = activation
    do throws(DataError) {
      for plan in plans {
        guard let value = try evaluate(plan.value, in: activation.scope) else { continue }
        activation.assignments.append((plan.root, plan.name, value))
      }
    } catch {
      return fail(activation, error)
    }
    guard activation.assignments.contains(where: { $0.root == .state }) else { return assign(activation) }
    guard scopes[activation.scope]?.flow.isCalled == false else {
      return fail(
        activation,
        StepFailure(
          "config.state", title: "the state cannot be kept", detail: "a called flow has no state; give it inputs and take its outputs"))
    }
    commit(.saveState(written(activation.assignments, .state, to: state)), activation)
  }

  /// Writes what is evaluated and, of the state, committed.
  mutating func assign(_ activation: Activation) {
    let scope = activation.scope
    let vars = frame(scope)[slots.vars]?.mapValue ?? ValueMap()
    write(.map(written(activation.assignments, .vars, to: vars)), to: slots.vars, in: scope)
    if activation.assignments.contains(where: { $0.root == .state }) {
      state = written(activation.assignments, .state, to: state)
      write(.map(state), to: slots.state, in: scope)
    }
    succeed(activation, ValueMap())
  }

  private func written(_ assignments: [(root: SetPlan.Root, name: String, value: Value)], _ root: SetPlan.Root, to map: ValueMap)
    -> ValueMap
  {
    var map = map
    for assignment in assignments where assignment.root == root { map[assignment.name] = assignment.value }
    return map
  }
}
