internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

/// The keys of a step that say how its action is done and what is made of its outcome.
extension NativeReader {
  mutating func modifiers(_ fields: Fields, into step: inout StepSyntax) {
    if let with = fields["with"] {
      step.with = dataMap(with, "with")
      step.withSpan = with.span
    }
    step.connection = fields["connection"].flatMap { text($0, "connection") }
    step.expect = fields["expect"].flatMap { expect($0) }
    step.outputs = fields["outputs"].map { outputs($0) } ?? []
    step.save = fields["save"].flatMap { template($0, "save") }
    step.poll = fields["poll"].flatMap { poll($0) }
    step.retry = fields["retry"].flatMap { retry($0) }
    step.timeout = fields["timeout"].flatMap { duration($0, "timeout") }
    step.attemptTimeout = fields["attempt_timeout"].flatMap { duration($0, "attempt_timeout") }
    step.effect = fields["effect"].flatMap { choice($0, "effect", NativeKeys.effects) }
    step.idempotencyKey = fields["idempotency_key"].flatMap { idempotency($0) }
    step.dedupeKey = fields["dedupe_key"].flatMap { template($0, "dedupe_key") }
    step.validFor = fields["valid_for"].flatMap { duration($0, "valid_for") }
    step.reconcile = fields.entry("reconcile").flatMap { reconcile($0) }
    step.unverifiable = fields["unverifiable"].flatMap {
      reason($0, "unverifiable", such: "unverifiable: the provider has no way to ask")
    }
    step.onError = fields["on_error"].map { branches($0) } ?? []
    step.undo = fields["undo"].flatMap { undo($0) }
  }

  mutating func retry(_ node: Node) -> RetrySyntax? {
    guard let fields = fields(node, of: "`retry`", known: NativeKeys.retry) else { return nil }
    var retry = RetrySyntax(span: node.span)
    retry.attempts = fields["attempts"].flatMap { integer($0, "attempts", 1...Int.max) }
    retry.when = fields["when"].map { codes($0, "when") } ?? []
    if let delay = fields["delay"] {
      if case .scalar(let scalar) = delay.content, scalar.text.text.contains("${{") {
        retry.delayExpression = data(delay)
      } else {
        retry.delay = duration(delay, "delay")
      }
    }
    retry.factor = fields["factor"].flatMap { number($0, "factor", atLeast: 1) }
    retry.maxDelay = fields["max_delay"].flatMap { duration($0, "max_delay") }
    retry.jitter = fields["jitter"].flatMap { choice($0, "jitter", NativeKeys.jitters) }
    return retry
  }

  private mutating func poll(_ node: Node) -> PollSyntax? {
    guard let fields = fields(node, of: "`poll`", known: NativeKeys.poll) else { return nil }
    var poll = PollSyntax(span: node.span)
    poll.every = fields["every"].flatMap { duration($0, "every") }
    poll.timeout = fields["timeout"].flatMap { duration($0, "timeout") }
    poll.until = fields["until"].flatMap { expression($0, "until") }
    poll.failIf = fields["fail_if"].flatMap { expression($0, "fail_if") }
    poll.tolerate = fields["tolerate"].map { codes($0, "tolerate") } ?? []
    guard !fields.hasUnknownKey else { return poll }
    if fields["until"] == nil {
      reportMissing("until", in: "`poll`", node.span, help: ["say when it is done, such as `until: response.body.status == 'ready'`"])
    }
    if fields["every"] == nil {
      reportMissing("every", in: "`poll`", node.span, help: ["say how long it waits between requests, such as `every: 2s`"])
    }
    if fields["timeout"] == nil {
      report(.unbounded, "`poll` needs `timeout`", firstLine(of: node.span), help: ["say when it gives up, such as `timeout: 1m`"])
    }
    return poll
  }

  /// A value, or `{value, header}`.
  private mutating func idempotency(_ node: Node) -> IdempotencySyntax? {
    guard case .mapping = node.content else { return template(node, "idempotency_key").map { IdempotencySyntax(value: $0) } }
    guard let fields = fields(node, of: "`idempotency_key`", known: NativeKeys.idempotencyKey) else { return nil }
    let header = fields["header"].flatMap { text($0, "header") }
    guard let value = fields["value"] else {
      if !fields.hasUnknownKey { reportMissing("value", in: "`idempotency_key`", node.span) }
      return nil
    }
    return template(value, "value").map { IdempotencySyntax(value: $0, header: header) }
  }

  private mutating func reconcile(_ entry: Node.Entry) -> ReconcileSyntax? {
    let node = entry.value
    guard let fields = fields(node, of: "`reconcile`", known: NativeKeys.reconcile) else { return nil }
    if !fields.hasUnknownKey {
      if fields["steps"] == nil {
        reportMissing(
          "steps", in: "`reconcile`", entry.key.span, help: ["say how to find out, such as `steps: [ { id: look_up, get: … } ]`"])
      }
      if fields["delivered"] == nil {
        reportMissing(
          "delivered", in: "`reconcile`", entry.key.span,
          help: ["say what the look-up found, such as `delivered: steps.look_up.outputs.count > 0`; null is not to know"])
      }
    }
    return ReconcileSyntax(
      key: entry.key.span, steps: fields["steps"].map { steps($0, "steps") } ?? [],
      delivered: fields["delivered"].flatMap { expression($0, "delivered") }, outputs: fields["outputs"].map { outputs($0) } ?? [],
      span: node.span)
  }

  /// A list of steps, or `{always, steps}`.
  private mutating func undo(_ node: Node) -> UndoSyntax? {
    if case .sequence = node.content { return UndoSyntax(steps: steps(node, "undo"), isAlways: false, span: node.span) }
    guard let fields = fields(node, of: "`undo`", known: NativeKeys.undo, shape: "a list of steps, or a map with `always` and `steps`")
    else {
      return nil
    }
    let isAlways = fields["always"].flatMap { bool($0, "always") } ?? false
    guard let inner = fields["steps"] else {
      if !fields.hasUnknownKey { reportMissing("steps", in: "`undo`", node.span) }
      return nil
    }
    return UndoSyntax(steps: steps(inner, "steps"), isAlways: isAlways, span: node.span)
  }
}
