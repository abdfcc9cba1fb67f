import FlowEvents
import FlowPlan
import StepKit
import Values

/// One execution of one step.
struct Activation {
  enum Phase {
    case starting
    /// Its start is being written down.
    case opening
    case attempting
    /// Between two attempts or rounds, or in a `wait`.
    case pausing
    /// What stands inside runs.
    case inBody
    /// The driver does something for the step: keeps a body, or commits state.
    case committing
    /// A branch of `on_error` runs: the action is over, and its `timeout` with it.
    case inBranch
    /// What its steps armed is undone, before it runs again.
    case undoing
    /// Nobody knows what became of it: the steps of `reconcile` look it up, or what they found is being kept.
    case reconciling
    /// Its end is being written down.
    case closing
  }

  let id: ActivationID
  let plan: StepPlan
  let body: BodyID
  let scope: ScopeID
  let identity: StepIdentity
  /// As notes name it.
  let path: String
  let startedAt: Duration
  var phase = Phase.starting
  /// Decides its `uuid()` and `random_int()`.
  var seed: UInt64 = 0
  /// What it did before the process died that the run began in.
  var past: RunHistory.Execution?
  /// Whether it is taken from there as a whole.
  var isRestored = false
  /// It enters a branch that it had entered before.
  var isRecalling = false
  /// How it ends, once that is written down.
  var end: StepEnd?
  /// Rendered once; every attempt sends the same.
  var with = ValueMap()
  var dedupeKey: String?
  var idempotencyKey: String?
  /// What the step's own modifiers see as `request`; nil for a typed step.
  var request: Value?
  /// Of this execution; that of a step with others inside is 1 while it runs.
  var attempts = 0
  /// Of executions that a branch repeated.
  var earlierAttempts = 0
  /// Attempts before the last answer that `poll` tested: `retry` counts those behind it.
  var polledAttempts = 0
  /// When `poll` gives up; nil before the first attempt.
  var pollDeadline: Duration?
  /// Of the step and of all that ran inside it.
  var requests = 0
  /// Of the step itself.
  var lastRequest: RequestReport?
  var response: HTTPReply?
  var attemptDuration = Duration.zero
  var expectations: [ExpectationReport] = []
  /// What it gives, once that is known.
  var outputs = ValueMap()
  /// What `set` has evaluated and not yet written.
  var assignments: [(root: SetPlan.Root, name: String, value: Value)] = []
  /// The case of a `switch` that runs.
  var chosen = 0
  /// How often each branch has run its `retry`.
  var branchRetries: [Int: Int] = [:]
  /// What a branch handles, or what the last attempt came to.
  var failure: Failed?
  var hasTimer = false
  var hasPollTimer = false
  /// Its `timeout` fired.
  var isTimedOut = false
  /// The flow that it calls has spent its own `budget.time`.
  var isOverBudget = false
  /// The time of its `poll` is over.
  var isPollOver = false
  /// An item or a branch failed: nothing new starts inside, what is in flight ends.
  var isWindingDown = false
  /// The time that a stopped call's `finally` has is over.
  var isGraceOver = false
  /// A once-only request may have happened, whatever a branch made of it.
  var isInDoubt = false
  /// `reconcile` has looked, whatever it found.
  var hasReconciled = false
  /// What it found, once it did.
  var isDelivered = false
  /// Nothing was sent: its key had been used, and this is what it gave then.
  var isReplayed = false
  /// Something inside may have happened and must not happen twice.
  var holdsUncertainty = false

  /// As reports count them.
  var allAttempts: Int { earlierAttempts + attempts }

  /// A look-up, or an operator, says that it took effect.
  var isFoundDelivered: Bool {
    isDelivered || past?.settled?.isOfDelivery == true || past?.ended?.kept["is_delivered"] == .bool(true)
  }

  /// What is known of its requests, whatever goes wrong behind them.
  var sentSoFar: Sent { response == nil ? failure?.failure.sent ?? .no : .yes }

  var effect: Effect? {
    if case .handler(let handler) = plan.action { handler.effect } else { nil }
  }
}

/// How a step ended.
struct StepEnd {
  var status: StepStatus
  var result: BodyResult
  var error: Failed?
}

/// What keeps a body from going on, mildest first.
enum Interruption: Int, Comparable {
  /// Something beside it failed: what is in flight ends.
  case windingDown
  /// The timeout of a step around it fired.
  case timedOut
  /// The run, or a part of it, was stopped.
  case stopped

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
