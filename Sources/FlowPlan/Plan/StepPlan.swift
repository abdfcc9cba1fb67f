package import JSONSchema
package import SourceText
package import StepKit

/// One step, ready to run.
package struct StepPlan: Sendable {
  /// The id, or `steps[3]` where the author gave none.
  package let id: String
  /// How many bodies it stands in.
  package let depth: Int
  package let place: Place
  package let slots: StepSlots
  package let condition: CompiledExpression?
  package let action: ActionPlan
  package let expect: ExpectPlan
  package let outputs: [OutputPlan]
  package let retry: RetryPlan?
  package let timeout: Duration?
  package let poll: PollPlan?
  /// The file that keeps the body of the answer.
  package let save: DataPlan?
  package let undo: UndoPlan?
  package let branches: [BranchPlan]
  /// How to find out what became of what may have happened; nil where the flow does not say.
  package var reconcile: ReconcilePlan?
}

package struct HandlerPlan: Sendable {
  package let step: AnyStep
  /// `rapidsos/register`, `GET /health`.
  package let label: String
  /// Index in `Plan.connections`; nil for a built-in step that needs none.
  package let connection: Int?
  /// A map.
  package let with: DataPlan
  package let effect: Effect
  package let attemptTimeout: Duration
  package let dedupeKey: DataPlan?
  package let idempotency: IdempotencyPlan?
  /// Whether the answer's status is the step's own business (plain HTTP) and not its handler's.
  package let isPlainHTTP: Bool
  /// How long an emergency may take from its key to its first byte.
  package var validFor = Duration.seconds(300)
  /// Why nobody could find out what became of an emergency, in the author's words.
  package var unverifiable: String?
}

package struct ExpectPlan: Sendable {
  /// Empty is 2xx.
  package var statuses: [Located<StatusRange>] = []
  package var checks: [CheckPlan] = []
  /// The step succeeds only if it raises this code.
  package var error: Located<CodePattern>?
}

/// A status or a class of statuses, as a range.
package struct StatusRange: Hashable, Sendable {
  package let statuses: ClosedRange<Int>
  /// As it was written.
  package let text: String
}

/// One thing that `expect` states beside the status.
package struct CheckPlan: Sendable {
  package enum Kind: Sendable {
    case that(CompiledExpression)
    /// A lower-case header name and a template of its value.
    case header(String, DataPlan)
    case body(DataPlan)
    case schema(Schema)
    case maxDuration(Duration)
  }

  package let kind: Kind
  /// As it was written.
  package let text: String
  package let place: Place
}

package struct RetryPlan: Sendable {
  package var attempts: Int
  package var when: [CodePattern]
  package var delay: Duration
  /// `delay` as an expression over `response`, of a duration; it wins over `delay` where it has a value.
  package var delayExpression: CompiledExpression?
  package var factor: Double
  package var maxDelay: Duration
  package var hasFullJitter: Bool

  /// language.md §3, "Retry": what is tried again where `when` is not stated.
  package static let defaultWhen = ["network", "timeout.attempt", "http.429", "http.502", "http.503", "http.504"].map(CodePattern.init)
}

package struct BranchPlan: Sendable {
  package enum Ending: Sendable {
    case `continue`(outputs: [OutputPlan])
    case retry(max: Int)
    case fail(code: String?, message: DataPlan?)
    case end(passed: Bool, code: String?)

    package var name: String {
      switch self {
      case .continue: "continue"
      case .retry: "retry"
      case .fail: "fail"
      case .end: "end"
      }
    }
  }

  package let when: [CodePattern]
  package let condition: CompiledExpression?
  package let body: [StepPlan]
  package let ending: Ending
  package let place: Place
}

/// `poll`: the same request until its answer is as wished; tested after each answer, at least once.
package struct PollPlan: Sendable {
  package let every: Duration
  /// From the first attempt's start; then `timeout.poll`.
  package let timeout: Duration
  package let until: CompiledExpression
  /// True ends it with `poll.failed`.
  package let failIf: CompiledExpression?
  /// Errors with which it goes on.
  package let tolerate: [CodePattern]
}

/// `idempotency_key`: rendered once for each execution of a step; every attempt sends the same.
package struct IdempotencyPlan: Sendable {
  package let value: DataPlan
  /// For plain requests; typed steps place the key themselves.
  package let header: String
}

/// `reconcile`: looks up what became of a request that may have been carried out.
package struct ReconcilePlan: Sendable {
  package let steps: [StepPlan]
  /// True, false, or null where the look-up cannot tell. Sees the steps.
  package let delivered: CompiledExpression
  /// What the step then gives, evaluated behind the steps: every output that is used later.
  package let outputs: [OutputPlan]
  package let place: Place
}

/// `undo`: armed when its step succeeds, with the values that are visible then.
package struct UndoPlan: Sendable {
  package let steps: [StepPlan]
  /// Whether it runs after success as well.
  package let isAlways: Bool
}

extension StepFailure {
  /// What `end: failed` leaves behind, where it names no other code.
  package static let endedCode = "user.ended"
}

/// A pattern of error codes: whole segments of a code or of one of its tags; `http.4xx` is a class; `any` is all.
package struct CodePattern: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package func matches(_ failure: StepFailure) -> Bool {
    guard failure.isCatchable else { return false }
    return text == "any" || matches(code: failure.code) || failure.tags.contains { matches(code: $0) }
  }

  package func matches(code: String) -> Bool {
    let wanted = text.split(separator: ".")
    let actual = code.split(separator: ".")
    return wanted.count <= actual.count && zip(wanted, actual).allSatisfy { $0 == $1 || Self.isClass($0, of: $1) }
  }

  private static func isClass(_ wanted: Substring, of actual: Substring) -> Bool {
    wanted.count == 3 && wanted.hasSuffix("xx") && actual.count == 3 && wanted.first == actual.first
  }
}
