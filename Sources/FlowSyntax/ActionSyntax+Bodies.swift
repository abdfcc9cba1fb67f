package import SourceText

/// Steps with outputs of their own: a branch of `parallel`, a case of `switch`.
package struct BodySyntax: Sendable {
  package var steps: [StepSyntax]
  package var outputs: [OutputSyntax]
  package var span: Span

  package init(steps: [StepSyntax], outputs: [OutputSyntax] = [], span: Span) {
    self.steps = steps
    self.outputs = outputs
    self.span = span
  }
}

/// One case of `switch`.
package struct CaseSyntax: Sendable {
  /// Nil is `else`.
  package var condition: ExpressionSyntax?
  package var body: BodySyntax

  package init(condition: ExpressionSyntax?, body: BodySyntax) {
    self.condition = condition
    self.body = body
  }
}

/// `for_each: { in, as, key, max_items, min_items, concurrency, on_item_error }` with `steps` beside it.
package struct ForEachSyntax: Sendable {
  package enum Source: Sendable {
    /// `in: inputs.users`, `in: "csv('users.csv', {'age': 'integer'})"`
    case expression(ExpressionSyntax)
    /// A list or a map written in place.
    case data(DataSyntax)
  }

  /// Where `for_each` stands.
  package var key: Span
  package var source: Source
  /// The item's name in expressions; `item` where it is left out.
  package var itemName: Located<String>?
  /// `key`: names an item; its number, or its key in a map, where it is left out.
  package var itemKey: ExpressionSyntax?
  package var maxItems: Located<Int>?
  package var minItems: Located<Int>?
  package var concurrency: Located<Int>?
  /// `stop` (the default) or `finish`.
  package var onItemError: Located<String>?
  package var steps: [StepSyntax]

  package init(key: Span, source: Source, steps: [StepSyntax]) {
    self.key = key
    self.source = source
    self.steps = steps
  }
}

/// `repeat: { max, every, until, carry }` with `steps` and `next` beside it.
package struct RepeatSyntax: Sendable {
  /// Where `repeat` stands.
  package var key: Span
  package var max: Located<Int>?
  /// From start to start.
  package var every: Located<Duration>?
  package var until: ExpressionSyntax?
  package var carry: [DataSyntax.Entry] = []
  package var next: [DataSyntax.Entry] = []
  package var steps: [StepSyntax]

  package init(key: Span, steps: [StepSyntax]) {
    self.key = key
    self.steps = steps
  }
}

/// `parallel: { branches: {name: [steps]}, on_branch_error }`
package struct ParallelSyntax: Sendable {
  package struct Branch: Sendable {
    package var name: Located<String>
    package var body: BodySyntax

    package init(name: Located<String>, body: BodySyntax) {
      self.name = name
      self.body = body
    }
  }

  /// Where `parallel` stands.
  package var key: Span
  package var branches: [Branch]
  /// `stop` (the default) or `finish`.
  package var onBranchError: Located<String>?

  package init(key: Span, branches: [Branch]) {
    self.key = key
    self.branches = branches
  }
}

/// `call: PATH` with `secrets` and `connections` beside it; its inputs are the step's `with`.
package struct CallSyntax: Sendable {
  package enum Secrets: Sendable {
    case none
    /// `inherit`: every one that the called flow declares, under the same name.
    case inherited(Span)
    /// The called flow's name of each, with ours; a list has the same name twice.
    case named([(theirs: Located<String>, ours: Located<String>)])
  }

  package var path: Located<String>
  package var secrets = Secrets.none
  /// The called flow's alias of each lent connection, with ours.
  package var connections: [(theirs: Located<String>, ours: Located<String>)] = []

  package init(path: Located<String>) { self.path = path }
}

/// `poll: { every, timeout, until, fail_if, tolerate }`
package struct PollSyntax: Sendable {
  package var every: Located<Duration>?
  package var timeout: Located<Duration>?
  package var until: ExpressionSyntax?
  package var failIf: ExpressionSyntax?
  package var tolerate: [Located<String>] = []
  package var span: Span

  package init(span: Span) { self.span = span }
}

/// `idempotency_key: VALUE` or `{value, header}`
package struct IdempotencySyntax: Sendable {
  package var value: DataSyntax
  package var header: Located<String>?

  package init(value: DataSyntax, header: Located<String>? = nil) {
    self.value = value
    self.header = header
  }
}

/// `reconcile: { steps, delivered, outputs }`: looks up what became of a request that may have been carried out.
package struct ReconcileSyntax: Sendable {
  /// Where `reconcile` stands.
  package var key: Span
  package var steps: [StepSyntax]
  /// Nil where it is missing or broken, which is reported.
  package var delivered: ExpressionSyntax?
  package var outputs: [OutputSyntax]
  package var span: Span

  package init(key: Span, steps: [StepSyntax], delivered: ExpressionSyntax?, outputs: [OutputSyntax], span: Span) {
    self.key = key
    self.steps = steps
    self.delivered = delivered
    self.outputs = outputs
    self.span = span
  }
}

/// `undo: [steps]` or `{always, steps}`
package struct UndoSyntax: Sendable {
  package var steps: [StepSyntax]
  package var isAlways: Bool
  package var span: Span

  package init(steps: [StepSyntax], isAlways: Bool, span: Span) {
    self.steps = steps
    self.isAlways = isAlways
    self.span = span
  }
}
