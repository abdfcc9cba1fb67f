import FlowPlan
import StepKit
import Values

/// `set`: what lasts to the end of the flow, and what lasts between runs.
extension Machine {
  /// All values are evaluated before any is written.
  mutating func set(_ plans: [SetPlan], _ activation: Activation) {
    var activation = activation
    activation.assignments = activation.past?.assignments ?? []
    do throws(DataError) {
      for plan in plans where activation.past?.assignments == nil {
        guard let value = try evaluate(plan.value, in: activation.scope) else { continue }
        activation.assignments.append((plan.root, plan.name, value))
      }
    } catch {
      return fail(activation, error)
    }
    let changesState = activation.assignments.contains { $0.root == .state }
    guard noteAssignments(activation, isAwaited: changesState) else { return }
    guard changesState else { return assign(activation) }
    keepState(activation)
  }

  /// Commits what lasts between runs.
  mutating func keepState(_ activation: Activation) {
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

  /// Writes what a past process has assigned.
  mutating func reassign(_ activation: Activation) {
    guard let assignments = activation.past?.assignments else { return }
    let vars = frame(activation.scope)[slots.vars]?.mapValue ?? ValueMap()
    write(.map(written(assignments, .vars, to: vars)), to: slots.vars, in: activation.scope)
    guard assignments.contains(where: { $0.root == .state }) else { return }
    state = written(assignments, .state, to: state)
    write(.map(state), to: slots.state, in: activation.scope)
  }

  private func written(_ assignments: [(root: SetPlan.Root, name: String, value: Value)], _ root: SetPlan.Root, to map: ValueMap)
    -> ValueMap
  {
    var map = map
    for assignment in assignments where assignment.root == root { map[assignment.name] = assignment.value }
    return map
  }
}
