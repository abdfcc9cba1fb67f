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
  package let branches: [BranchPlan]
}

package indirect enum ActionPlan: Sendable {
  case handler(HandlerPlan)
  case group([StepPlan])
  case wait(Duration)
  case fail(code: String, message: DataPlan?)
  /// Ends the flow: true is `passed`.
  case end(passed: Bool)

  /// As reports name it.
  package var label: String {
    switch self {
    case .handler(let handler): handler.label
    case .group: "group"
    case .wait: "wait"
    case .fail: "fail"
    case .end: "end"
    }
  }

  package var isGroup: Bool {
    if case .group = self { true } else { false }
  }
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
  /// Whether the answer's status is the step's own business (plain HTTP) and not its handler's.
  package let isPlainHTTP: Bool
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
    case maxDuration(Duration)
  }

  package let kind: Kind
  /// As it was written.
  package let text: String
  package let place: Place
}

package struct RetryPlan: Hashable, Sendable {
  package var attempts: Int
  package var when: [CodePattern]
  package var delay: Duration
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
