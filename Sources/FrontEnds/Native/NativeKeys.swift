/// Every key and word that the native front end reads, in the order in which messages and editors list them.
///
/// `flow.schema.json` is compared with these lists, so that an editor and `baton check` agree.
package enum NativeKeys {
  // MARK: the flow

  /// The keys of the whole file.
  package static let flow = [
    "baton", "flow", "description", "tags", "inputs", "secrets", "connections", "state", "state_key", "defaults", "budget", "steps",
    "outputs", "finally",
  ]
  /// The keys of `defaults`.
  package static let defaults = ["attempt_timeout", "timeout", "retry", "http"]
  /// The keys of `budget`.
  package static let budget = ["time", "requests"]
  /// The keys of an output that is more than its value.
  package static let output = ["value", "type", "secret"]

  // MARK: a step

  /// The keys of a step beside its action and the modifiers.
  package static let stepHead = ["id", "name", "if"]
  /// The methods of plain HTTP that are actions.
  package static let methods = ["get", "post", "put", "patch", "delete", "head"]
  /// The keys of which a step has exactly one.
  package static let actions =
    ["uses"] + methods + ["group", "switch", "for_each", "repeat", "parallel", "call", "set", "wait", "fail", "end"]
  /// The keys that are parts of an action and stand beside its key.
  package static let companions = ["steps", "next", "secrets", "connections"]
  /// The keys that say how the action is done and what is made of its outcome.
  package static let modifiers = [
    "with", "connection", "expect", "outputs", "save", "poll", "retry", "timeout", "attempt_timeout", "effect", "idempotency_key",
    "dedupe_key", "valid_for", "reconcile", "unverifiable", "on_error", "undo",
  ]
  /// Every key of a step.
  package static let step = stepHead + actions + companions + modifiers

  /// The keys that are parts of an action and stand beside its key.
  package static func companions(of action: String) -> [String] {
    switch action {
    case "for_each": ["steps"]
    case "repeat": ["steps", "next"]
    case "call": ["secrets", "connections"]
    default: []
    }
  }

  /// The modifiers that mean something beside an action.
  package static func modifiers(of action: String) -> [String] {
    switch action {
    case "group", "for_each", "repeat": ["outputs", "timeout", "on_error", "undo"]
    case "switch", "parallel": ["timeout", "on_error", "undo"]
    case "call": ["with", "expect", "outputs", "timeout", "on_error", "undo"]
    case "wait", "fail", "end", "set": []
    default: modifiers
    }
  }

  // MARK: parts of a step

  /// The keys of a case of `switch`; `else` holds its steps and stands in the place of `if` and `steps`.
  package static let switchCase = ["if", "steps", "else", "outputs"]
  /// The keys of `for_each`; its `steps` stand beside it.
  package static let forEach = ["in", "as", "key", "max_items", "min_items", "concurrency", "on_item_error"]
  /// The keys of `repeat`; its `steps` and its `next` stand beside it.
  package static let repeating = ["max", "every", "until", "carry"]
  /// The keys of `parallel`.
  package static let parallel = ["branches", "on_branch_error"]
  /// The keys of a branch of `parallel` that is more than its steps.
  package static let body = ["steps", "outputs"]
  /// The keys of `fail`.
  package static let fail = ["code", "message"]
  /// The keys of `expect` where it is a map.
  package static let expect = ["status", "headers", "body", "schema", "that", "max_duration", "error"]
  /// The keys of `retry`.
  package static let retry = ["attempts", "when", "delay", "factor", "max_delay", "jitter"]
  /// The keys of `poll`.
  package static let poll = ["every", "timeout", "until", "fail_if", "tolerate"]
  /// The keys of `idempotency_key` where it is a map.
  package static let idempotencyKey = ["value", "header"]
  /// The keys of `reconcile`.
  package static let reconcile = ["steps", "delivered", "outputs"]
  /// The keys of `undo` where it is a map.
  package static let undo = ["always", "steps"]
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
  /// What `on_item_error` of `for_each` and `on_branch_error` of `parallel` may be.
  package static let concurrentEndings = ["stop", "finish"]
}
