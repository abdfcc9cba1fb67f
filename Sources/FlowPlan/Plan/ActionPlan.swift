package import SourceText
package import Values

/// What a step does.
package indirect enum ActionPlan: Sendable {
  case handler(HandlerPlan)
  /// Its `outputs:` are evaluated inside.
  case group([StepPlan])
  /// `switch`: the first case whose condition is true; the last one has none.
  case choose([CasePlan])
  case forEach(ForEachPlan)
  case repeating(RepeatPlan)
  case parallel(ParallelPlan)
  case call(CallPlan)
  case set([SetPlan])
  case wait(Duration)
  case fail(code: String, message: DataPlan?)
  /// Ends the flow: true is `passed`.
  case end(passed: Bool)

  /// As reports name it.
  package var label: String {
    switch self {
    case .handler(let handler): handler.label
    case .group: "group"
    case .choose: "switch"
    case .forEach: "for_each"
    case .repeating: "repeat"
    case .parallel: "parallel"
    case .call(let call): "call \(call.path)"
    case .set: "set"
    case .wait: "wait"
    case .fail: "fail"
    case .end: "end"
    }
  }

  /// Whether steps stand inside it.
  package var isGroup: Bool {
    switch self {
    case .group, .choose, .forEach, .repeating, .parallel, .call: true
    case .handler, .set, .wait, .fail, .end: false
    }
  }

  /// The bodies of the same flow that stand inside it, in the order of the file; a called flow is none of them.
  package var bodies: [[StepPlan]] {
    switch self {
    case .group(let steps): [steps]
    case .choose(let cases): cases.map(\.body.steps)
    case .forEach(let loop): [loop.body.steps]
    case .repeating(let loop): [loop.body.steps]
    case .parallel(let parallel): parallel.branches.map(\.body.steps)
    case .handler, .call, .set, .wait, .fail, .end: []
    }
  }
}

extension StepPlan {
  /// The step with every step of the same flow that stands inside it: in its bodies, branches, `undo` and `reconcile`.
  package var withInner: [StepPlan] {
    let inner = action.bodies.flatMap { $0 } + branches.flatMap(\.body) + (undo?.steps ?? []) + (reconcile?.steps ?? [])
    return [self] + inner.flatMap(\.withInner)
  }
}

/// Steps that run in order, and what they give.
package struct BodyPlan: Sendable {
  package let steps: [StepPlan]
  /// Evaluated inside, after the last step.
  package let outputs: [OutputPlan]
  /// Indices of connections on which a step inside may sign in: where the body runs beside others, it has sessions of
  /// its own on them.
  package let ownSessions: [Int]

  package init(steps: [StepPlan], outputs: [OutputPlan], ownSessions: [Int] = []) {
    self.steps = steps
    self.outputs = outputs
    self.ownSessions = ownSessions
  }
}

/// One case of `switch`.
package struct CasePlan: Sendable {
  /// Nil is `else`.
  package let condition: CompiledExpression?
  package let body: BodyPlan
}

/// `for_each`. Its outputs are `items: [{key, status, outputs?, error?}]`, in the order of the input.
package struct ForEachPlan: Sendable {
  package enum Source: Sendable {
    /// Of a list, or of a map: then an item is `{key, value}`.
    case data(DataPlan)
    /// The rows of a table, read when the plan was made.
    case rows([Value])
  }

  package let source: Source
  /// A text for each item; its number from 0, or its key in a map, where it is left out. Sees the item.
  package let itemKey: CompiledExpression?
  package let maxItems: Int?
  package let minItems: Int
  /// 1 runs one after the other, in the scope around it.
  package let concurrency: Int
  /// `on_item_error: stop`: nothing new starts, what is in flight ends, and the item's error is the step's.
  package let stopsOnError: Bool
  package let body: BodyPlan
}

/// `repeat`. Its outputs are the last carried values, and those of its body, evaluated after the last round.
package struct RepeatPlan: Sendable {
  package let max: Int
  /// From start to start; nil is without a pause.
  package let every: Duration?
  /// Tested after `next`; nil runs `max` times.
  package let until: CompiledExpression?
  /// Names and first values of what is carried.
  package let carry: [(name: String, value: DataPlan)]
  /// What is carried on, evaluated inside; a name that is left out keeps its value.
  package let next: [(name: String, value: DataPlan)]
  package let body: BodyPlan
}

/// `parallel`. Its outputs are those of its branches, by their names.
package struct ParallelPlan: Sendable {
  package let branches: [(name: String, body: BodyPlan)]
  /// `on_branch_error: stop`
  package let stopsOnError: Bool
}

/// `call`: another flow, in a scope of its own.
package struct CallPlan: Sendable {
  package enum Connection: Sendable {
    /// The called flow's own, made of its own settings.
    case own
    /// The caller's connection of this index, with its session.
    case lent(Int)
  }

  package let flow: Plan
  /// As it was written.
  package let path: String
  /// A map: the called flow's inputs.
  package let with: DataPlan
  /// The called flow's secret, and the caller's that it gets.
  package let secrets: [(theirs: String, ours: String)]
  /// By index in `flow.connections`.
  package let connections: [Connection]
}

/// One assignment of `set`.
package struct SetPlan: Sendable {
  package enum Root: Hashable, Sendable {
    case vars
    /// Committed when its step ends.
    case state
  }

  package let root: Root
  package let name: String
  package let value: DataPlan
  package let place: Place
}
