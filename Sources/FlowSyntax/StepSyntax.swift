package import SourceText

/// One step: an action and its modifiers.
package struct StepSyntax: Sendable {
  /// The whole step in the file.
  package var span: Span
  package var id: Located<String>?
  package var name: DataSyntax?
  package var condition: ExpressionSyntax?
  package var action: ActionSyntax
  /// The members of `with`; empty where it is left out.
  package var with: [DataSyntax.Entry] = []
  /// The whole `with` map in the file; nil where it is left out.
  package var withSpan: Span?
  package var connection: Located<String>?
  package var expect: ExpectSyntax?
  package var outputs: [OutputSyntax] = []
  package var retry: RetrySyntax?
  package var timeout: Located<Duration>?
  package var attemptTimeout: Located<Duration>?
  package var effect: Located<String>?
  package var dedupeKey: DataSyntax?
  /// How long an emergency may take from its key to its first byte.
  package var validFor: Located<Duration>?
  /// Why nobody could find out what became of an emergency.
  package var unverifiable: Located<String>?
  package var reconcile: ReconcileSyntax?
  package var idempotencyKey: IdempotencySyntax?
  /// The file that keeps the body of the answer, beneath the project's folder.
  package var save: DataSyntax?
  package var poll: PollSyntax?
  package var undo: UndoSyntax?
  package var onError: [BranchSyntax] = []

  package init(span: Span, action: ActionSyntax) {
    self.span = span
    self.action = action
  }
}

/// What a step does.
package indirect enum ActionSyntax: Sendable {
  /// `uses: SYSTEM/STEP` or a built-in step's name.
  case uses(Located<String>)
  /// `get: /path`, `post: …`: the method's key and the path or URL.
  case http(method: Located<String>, target: DataSyntax)
  /// `group: [steps]`, at the key's place.
  case group([StepSyntax], Span)
  /// `switch: [ {if, steps, outputs}, …, {else, outputs} ]`, at the key's place.
  case choose([CaseSyntax], Span)
  case forEach(ForEachSyntax)
  case repeating(RepeatSyntax)
  case parallel(ParallelSyntax)
  case call(CallSyntax)
  /// `set: {name: value, state.name: value}`, at the key's place.
  case set([DataSyntax.Entry], Span)
  /// `wait: 5s`
  case wait(Located<Duration>)
  /// `fail: {code, message}`
  case fail(code: Located<String>, message: DataSyntax?)
  /// `end: passed`
  case end(verdict: Located<String>)

  /// Where the action's key or name stands.
  package var span: Span {
    switch self {
    case .uses(let name): name.span
    case .http(let method, _): method.span
    case .group(_, let span), .choose(_, let span), .set(_, let span): span
    case .forEach(let loop): loop.key
    case .repeating(let loop): loop.key
    case .parallel(let parallel): parallel.key
    case .call(let call): call.path.span
    case .wait(let duration): duration.span
    case .fail(let code, _): code.span
    case .end(let verdict): verdict.span
    }
  }
}

/// `expect`: a list of expressions, or a map of checks.
package struct ExpectSyntax: Sendable {
  /// `status: 201`, `status: [200, 404]`, `status: 2xx`; each entry an exact status or a class.
  package var statuses: [Located<StatusPattern>] = []
  package var headers: [DataSyntax.Entry] = []
  /// A template tree; objects match as a subset; `$any`, `$regex: …` and so on are matchers.
  package var body: DataSyntax?
  /// `schema`: a schema in place, or the path of a file that holds one.
  package var schema: DataSyntax?
  package var that: [ExpressionSyntax] = []
  package var maxDuration: Located<Duration>?
  /// `error: CODE`: the step succeeds only if it raises that code.
  package var error: Located<String>?
  package var span: Span

  package init(span: Span) {
    self.span = span
  }
}

/// A status, or a class of statuses.
package enum StatusPattern: Hashable, Sendable {
  case exactly(Int)
  /// 2 for `2xx`.
  case hundred(Int)

  package func matches(_ status: Int) -> Bool {
    switch self {
    case .exactly(let expected): status == expected
    case .hundred(let hundred): status / 100 == hundred
    }
  }
}

/// `retry: { attempts, when, delay, factor, max_delay, jitter }`; nil is the language's default.
package struct RetrySyntax: Sendable {
  package var attempts: Located<Int>?
  package var when: [Located<String>] = []
  package var delay: Located<Duration>?
  /// `delay` where it is an expression over `response`; then `delay` above is nil.
  package var delayExpression: DataSyntax?
  package var factor: Located<Double>?
  package var maxDelay: Located<Duration>?
  package var jitter: Located<String>?
  package var span: Span

  package init(span: Span) {
    self.span = span
  }
}

/// One branch of `on_error`.
package struct BranchSyntax: Sendable {
  /// `when`: one code or a list; `any` needs a `reason`.
  package var when: [Located<String>]
  package var reason: Located<String>?
  package var condition: ExpressionSyntax?
  package var body: [StepSyntax] = []
  /// `then`: `continue`, `retry`, `fail` (the default) or `end`.
  package var then: Located<String>?
  package var max: Located<Int>?
  package var code: Located<String>?
  package var message: DataSyntax?
  package var verdict: Located<String>?
  package var outputs: [OutputSyntax] = []
  package var span: Span

  package init(when: [Located<String>], span: Span) {
    self.when = when
    self.span = span
  }
}
