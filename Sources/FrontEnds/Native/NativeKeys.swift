/// Every key and word that the native front end reads, in the order in which messages and editors list them.
///
/// `flow.schema.json` is compared with these lists, so that an editor and `baton check` agree.
package enum NativeKeys {
  // MARK: the flow

  /// The keys of the whole file.
  package static let flow = [
    "baton", "flow", "description", "tags", "inputs", "secrets", "connections", "defaults", "budget", "steps", "outputs", "finally",
  ]
  /// Keys of the file that the language has and this version does not read.
  package static let flowNotYet = ["state", "state_key"]
  /// The keys of `defaults`.
  package static let defaults = ["attempt_timeout", "timeout", "retry", "http"]
  /// The keys of `budget`.
  package static let budget = ["time", "requests"]
  /// The keys of an output that is more than its value.
  package static let output = ["value", "type", "secret"]
  /// Keys of an output that the language has and this version does not read.
  package static let outputNotYet = ["secret_in_url"]

  // MARK: a step

  /// The keys of a step beside its action and the modifiers.
  package static let stepHead = ["id", "name", "if"]
  /// The methods of plain HTTP that are actions.
  package static let methods = ["get", "post", "put", "patch", "delete", "head"]
  /// The keys of which a step has exactly one.
  package static let actions = ["uses"] + methods + ["group", "wait", "fail", "end"]
  /// Actions that the language has and this version does not run.
  package static let actionsNotYet = ["switch", "for_each", "repeat", "parallel", "call", "set"]
  /// Keys that stand beside an action of `actionsNotYet`.
  package static let companionsNotYet = ["steps", "next", "secrets", "connections"]
  /// The keys that say how the action is done and what is made of its outcome.
  package static let modifiers = [
    "with", "connection", "expect", "outputs", "retry", "timeout", "attempt_timeout", "effect", "dedupe_key", "on_error",
  ]
  /// Modifiers that the language has and this version does not read.
  package static let modifiersNotYet = ["save", "poll", "idempotency_key", "valid_for", "reconcile", "unverifiable", "undo"]
  /// Every key of a step.
  package static let step = stepHead + actions + modifiers

  /// The modifiers that mean something beside an action.
  package static func modifiers(of action: String) -> [String] {
    switch action {
    case "group": ["outputs", "timeout", "retry", "on_error"]
    case "wait", "fail", "end": []
    default: modifiers
    }
  }

  // MARK: parts of a step

  /// The keys of `fail`.
  package static let fail = ["code", "message"]
  /// The keys of `expect` where it is a map.
  package static let expect = ["status", "headers", "body", "that", "max_duration", "error"]
  /// Keys of `expect` that the language has and this version does not read.
  package static let expectNotYet = ["schema"]
  /// The keys of `retry`.
  package static let retry = ["attempts", "when", "delay", "factor", "max_delay", "jitter"]
  /// The keys of a branch of `on_error`.
  package static let branch = ["when", "reason", "if", "do", "then", "max", "code", "message", "verdict", "outputs"]

  // MARK: words

  /// What `then` of a branch may be.
  package static let endings = ["continue", "retry", "fail", "end"]
  /// What `end`, and `verdict` of a branch, may be.
  package static let verdicts = ["passed", "failed"]
  /// What `effect` may be.
  package static let effects = ["read", "idempotent", "keyed", "unsafe", "once"]
  /// What `jitter` of `retry` may be.
  package static let jitters = ["full", "none"]
}
