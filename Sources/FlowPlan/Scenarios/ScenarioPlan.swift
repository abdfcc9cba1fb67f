import CEL
package import SourceText
package import Values

/// A scenarios file that is proven correct: every case with its defaults filled in, every name checked against the flow.
package struct ScenariosPlan: Sendable {
  package let file: SourceFile
  package let name: String
  package let flow: Plan
  /// In the order of the file, or of its table.
  package let cases: [ScenarioPlan]
}

/// One case.
package struct ScenarioPlan: Sendable {
  package let name: String
  /// Where it is named; a row of a table as a whole, in the table's own file.
  package let place: Place
  /// What stands for every place of the row in the scenarios file: the `csv(…)`; nil for a case that is no row.
  package let tablePlace: Place?
  /// Those of the file and its own.
  package let tags: [String]
  /// Why it is not run; nil where it is.
  package let skipReason: String?
  /// Where the world stands before the first request.
  package let world: ScenarioWorld
  package let secrets: [String: String]
  /// The first run, and what `then` adds.
  package let runs: [ScenarioRunPlan]
}

/// What a case gives its sandbox.
package struct ScenarioWorld: Sendable {
  /// By system: a map.
  package let given: Value
  package let faults: [ScenarioFault]
  package let events: [ScenarioEvent]
  package let routes: [ScenarioRoute]

  /// The world of a flow that stands alone.
  package static let untouched = ScenarioWorld(given: .map(ValueMap()), faults: [], events: [], routes: [])
}

/// One run of a case in its sandbox.
package struct ScenarioRunPlan: Sendable {
  package let inputs: [String: RunGivens.Given]
  /// By the id of the prompt.
  package let answers: [String: ScenarioAnswer]
  package let expect: ScenarioExpect
  /// `then: resume`: goes on with the run before it, whose process was killed, instead of running the flow anew.
  package var isResume = false
  /// Whether a fault with `kill` stops it, so that it has no verdict and the next run takes it up. Such faults happen in no
  /// other run.
  package var isKilled = false
}

/// What answers a prompt.
package enum ScenarioAnswer: Hashable, Sendable {
  /// The same each time.
  case always(String)
  /// One for each time that it asks.
  case each([String])
  /// The newest SMS of the sandbox.
  case outbox
}

/// Something that goes wrong on a route.
package struct ScenarioFault: Sendable {
  /// `route`, `status` and so on, as the sandbox reads them.
  package let settings: Value
  /// Over `request`; nil is every request of the route.
  package let match: CompiledExpression?
  package let place: Place
  /// Whether the case states it itself, and not the defaults of its file: it must happen then.
  package let isOwn: Bool

  /// When it kills the runner, which is no matter of the sandbox's; nil for all other faults.
  package var kill: ScenarioKill? { settings["kill"]?.stringValue.flatMap(ScenarioKill.init) }
}

/// `kill` of a fault: where the runner dies.
package enum ScenarioKill: String, CaseIterable, Hashable, Sendable {
  /// When the request is about to leave: nothing of it has.
  case beforeSend = "before_send"
  /// When the whole request has left and nothing of its answer is there.
  case afterSend = "after_send"
}

/// A change of the world once a step has ended.
package struct ScenarioEvent: Sendable {
  /// The id of the step.
  package let step: String
  /// By system: a map of changes.
  package let changes: Value
  package let place: Place
}

/// An answer to plain HTTP.
package struct ScenarioRoute: Sendable {
  /// `METHOD /path/{name}`
  package let route: String
  /// `status`, `headers`, `json` or `body`, `delay`, `times`.
  package let settings: ValueMap
  package let place: Place
}

/// What a case expects of a run; what it does not state is nil or empty.
package struct ScenarioExpect: Sendable {
  package struct Stated<Wanted: Sendable>: Sendable {
    package let value: Wanted
    package let place: Place
  }

  /// One output, as `expect.body` matches.
  package struct Output: Sendable {
    package let name: String
    package let value: Value
    package let place: Place
  }

  /// The status of a step.
  package struct Step: Sendable {
    /// An id, or `id[key]` for one item of a loop.
    package let title: String
    package let status: String
    package let place: Place
  }

  /// How many requests a route has had.
  package struct Requests: Sendable {
    package let route: String
    /// Nil is at least one.
    package let count: Int?
    /// Over `request`; a request counts where all are true.
    package let that: [CompiledExpression]
    package let place: Place
  }

  /// `passed`, unless the case states another, or a `code` alone; nil of a run that is killed, which has none.
  package var verdict: Stated<String>?
  package var code: Stated<CodePattern>?
  package var outputs: [Output] = []
  /// Whether cells of a table stand for the outputs: a cell has no type.
  package var isFromTable = false
  package var steps: [Step] = []
  package var requests: [Requests] = []
  package var that: [CompiledExpression] = []
  package var maxDuration: Stated<Duration>?

  /// Whether some expression looks into what was sent, so that bodies must be kept until it has.
  package var readsRequests: Bool {
    requests.contains { !$0.that.isEmpty } || that.contains { $0.program.expression.reads(ScenarioSlots.requests) }
  }
}

extension Expression {
  /// Whether a variable of this slot is read anywhere in it.
  fileprivate func reads(_ slot: Int) -> Bool {
    if case .variable(_, slot) = kind { return true }
    return children.contains { $0.reads(slot) }
  }
}

/// Where the roots of a case's expressions stand in their frame.
package enum ScenarioSlots {
  package static let request = 0
  package static let run = 1
  package static let requests = 2
  package static let sandbox = 3
  package static let count = 4
}
