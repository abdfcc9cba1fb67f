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
    /// The body of a group runs.
    case inBody
    /// A branch of `on_error` runs: the action is over, and its `timeout` with it.
    case inBranch
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
  /// Of this execution; a group's is 1 while it runs.
  var attempts = 0
  /// Of executions that a branch repeated.
  var earlierAttempts = 0
  /// Of the step and of all that ran inside it.
  var requests = 0
  /// Of the step itself.
  var lastRequest: RequestReport?
  var response: HTTPReply?
  var attemptDuration = Duration.zero
  var expectations: [ExpectationReport] = []
  /// How often each branch has run its `retry`.
  var branchRetries: [Int: Int] = [:]
  /// What a branch handles, or what the last attempt came to.
  var failure: Failed?
  var hasTimer = false
  /// Its `timeout` fired.
  var isTimedOut = false
  /// A once-only request may have happened, whatever a branch made of it.
  var isInDoubt = false

  /// As reports count them.
  var allAttempts: Int { earlierAttempts + attempts }

  var effect: Effect? {
    if case .handler(let handler) = plan.action { handler.effect } else { nil }
  }
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

    /// The step around it.
    var activation: ActivationID? {
      switch self {
      case .main, .finally: nil
      case .group(let id), .branch(let id, _): id
      }
    }
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
  /// It was told to stop; the error is that of the step that it stopped in.
  case cancelled(Failed?)
}
