import Diagnostics
import SourceText

/// A flow that others call, planned once.
struct CalledFlow {
  let plan: Plan
  /// Every code that it may raise.
  let codes: [String]
  /// By index of a lent connection: where a step in it needs a user whom it does not sign in itself.
  let needsUser: [Int: Place]
  /// By index of a lent connection: whether a user is signed in behind it on every way.
  let signIns: [Int: Bool]
  /// Indices of lent connections on which nobody is signed in behind it, on any way.
  let signsOut: Set<Int>
  /// The lent connections on which a step in it may sign in.
  let mayChangeUser: Set<String>
}

/// The flows that one flow calls, directly or not; shared while they are planned, by one task.
final class CallBook {
  /// What became of planning one.
  struct Planned {
    /// Nil where it is wrong.
    let flow: CalledFlow?
    let diagnostics: [Diagnostic]
  }

  /// The flows that are being planned, the outermost first, each with the call that leads on.
  var chain: [(path: String, call: Place)] = []
  /// Flows that are wrong, as far as they go.
  var drafts: [Plan] = []
  private var planned: [String: Planned] = [:]
  private var codesByFile: [SourceFile: [String]] = [:]

  subscript(_ path: String) -> Planned? {
    get { planned[path] }
    set {
      planned[path] = newValue
      if let flow = newValue?.flow { codesByFile[flow.plan.file] = flow.codes }
    }
  }

  /// What a called flow may raise.
  func codes(of plan: Plan) -> [String] { codesByFile[plan.file] ?? [] }
}
