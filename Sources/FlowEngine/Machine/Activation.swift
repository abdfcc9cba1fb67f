import FlowEvents
import FlowPlan
import StepKit
import Values

/// One execution of one step.
struct Activation {
  enum Phase {
    case starting
    case attempting
    /// Between two attempts, or in a `wait`.
    case pausing
    /// Its body, or a branch of `on_error`, runs.
    case inBody
  }

  let id: ActivationID
  let plan: StepPlan
  let body: BodyID
  let identity: StepIdentity
  let startedAt: Duration
  var phase = Phase.starting
  /// Rendered once; every attempt sends the same.
  var with = ValueMap()
  var dedupeKey: String?
  var attempts = 0
  /// Of executions that a branch repeated.
  var earlierAttempts = 0
  var requests: [RequestReport] = []
  var response: HTTPReply?
  var expectations: [ExpectationReport] = []
  /// How often each branch has run its `retry`.
  var branchRetries: [Int: Int] = [:]
  /// Being handled by a branch.
  var failure: Failed?
  /// Its `timeout` fired.
  var isTimedOut = false
  /// A once-only request may have happened, whatever a branch made of it.
  var isInDoubt = false
}

/// An error with where it came from.
struct Failed {
  var failure: StepFailure
  /// The innermost step that raised it.
  var origin: StepIdentity
  var attempt: Int
}

struct BodyID: Hashable {
  let number: Int
}

/// A list of steps that runs in order.
struct Body {
  enum Owner {
    case main
    case finally
    case group(ActivationID)
    case branch(ActivationID, index: Int)
  }

  let id: BodyID
  let steps: [StepPlan]
  let owner: Owner
  var next = 0
  /// The `error` of the frame around it, restored when it ends.
  var outerError: Value?
}

/// How a body ended.
enum BodyResult {
  case completed
  case failed(Failed)
  /// `end`, anywhere inside.
  case ended(passed: Bool, failure: Failed?)
  case cancelled
}
