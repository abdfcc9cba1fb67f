package import FlowPlan
import StepKit
package import Values

/// Names what steps run in; `run` is the scope of the run's own steps.
package struct ScopeID: Hashable, Sendable {
  package let number: Int

  package static let run = ScopeID(number: 0)
}

/// The connections of a scope that opens.
package struct ScopeOrder: Sendable {
  /// The flow whose connections these are.
  package let plan: Plan
  /// By index in `plan.connections`.
  package let settings: [ValueMap]
  /// The scope that lends.
  package let parent: ScopeID
  /// By index in `plan.connections`: made anew, or the parent's of that index with its session.
  package let connections: [CallPlan.Connection]
  /// Whether it is of a called flow, whose `budget.requests` counts within that of its caller.
  package let isOfCall: Bool
}

/// What steps read and write, and whose sessions they use. The bodies of a group, a case, a round and a branch share the
/// scope around them; an item or a branch that runs beside others has a copy of it, a called flow one of its own.
struct Scope {
  let flow: ScopeFlow
  var frame: [Value?]
  /// The scope whose connections serve it.
  let sessions: ScopeID

  /// The frame of a flow of which nothing has run.
  init(_ flow: ScopeFlow, sessions: ScopeID) {
    let plan = flow.prepared.plan
    self.flow = flow
    self.sessions = sessions
    frame = [Value?](repeating: nil, count: plan.slots.count)
    frame[plan.slots.inputs] = flow.prepared.inputs
    frame[plan.slots.secrets] = flow.prepared.secrets
    frame[plan.slots.vars] = .map(ValueMap())
    frame[plan.slots.state] = flow.prepared.state
    frame[plan.slots.connections] = .map(flow.visibleSettings)
    reset(plan.steps)
    reset(plan.finally)
  }

  init(_ flow: ScopeFlow, frame: [Value?], sessions: ScopeID) {
    self.flow = flow
    self.frame = frame
    self.sessions = sessions
  }

  /// A step that has not run has empty outputs, so that `has()` and `default()` may ask.
  mutating func reset(_ steps: [StepPlan]) {
    for step in steps {
      frame[step.slots.outputs] = .map(ValueMap())
      frame[step.slots.status] = "not_run"
      frame[step.slots.response] = .map(ValueMap())
      frame[step.slots.error] = .null
      frame[step.slots.item] = nil
      frame[step.slots.loop] = nil
      if step.action.isGroup { for body in step.action.bodies { reset(body) } }
      for branch in step.branches { reset(branch.body) }
      if let undo = step.undo { reset(undo.steps) }
      if let reconcile = step.reconcile { reset(reconcile.steps) }
    }
  }
}

/// The flow of a scope.
final class ScopeFlow: Sendable {
  let prepared: PreparedRun
  /// By index in the plan's connections; those of a lent one are the lender's.
  let settings: [ValueMap]
  /// How many bodies the call stands in, that of the call included; 0 for the run's own flow.
  let depth: Int
  /// Whether it was called.
  let isCalled: Bool

  init(_ prepared: PreparedRun, settings: [ValueMap], depth: Int = 0, isCalled: Bool = false) {
    self.prepared = prepared
    self.settings = settings
    self.depth = depth
    self.isCalled = isCalled
  }

  var plan: Plan { prepared.plan }

  /// What expressions see as `connections`.
  var visibleSettings: ValueMap {
    var visible = ValueMap()
    for (connection, settings) in zip(prepared.plan.connections, settings) {
      var open = ValueMap()
      for (key, value) in settings where !value.containsSecret { open[key] = value }
      visible[connection.alias] = .map(open)
    }
    return visible
  }
}
