import FlowEvents
import FlowPlan
import StepKit
import Values

struct BodyID: Hashable {
  let number: Int
}

/// A list of steps that runs in order.
struct Body {
  enum Owner {
    case main
    case finally
    /// The steps of a group, of a case, of a round.
    case action(ActivationID)
    /// An item of `for_each`, or a branch of `parallel`.
    case member(ActivationID, index: Int)
    case call(ActivationID)
    case callFinally(ActivationID)
    case branch(ActivationID, index: Int)
    case reconcile(ActivationID)
    /// Armed steps, at the end of a run, or before the step around them runs again.
    case undo(UndoRunID, around: ActivationID?)

    /// The step around it.
    var activation: ActivationID? {
      switch self {
      case .main, .finally: nil
      case .action(let id), .member(let id, _), .call(let id), .callFinally(let id), .branch(let id, _), .reconcile(let id): id
      case .undo(_, let id): id
      }
    }
  }

  let id: BodyID
  let steps: [StepPlan]
  let owner: Owner
  let scope: ScopeID
  /// The keys of the items and rounds around its steps.
  let keys: [String]
  /// The number of the execution around it.
  let parent: Int?
  let part: RunPart
  /// What paths of its steps begin with: the calls that they stand in.
  let prefix: String
  /// The `error` of the scope around it, restored when it ends.
  let outerError: Value?
  var next = 0
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
