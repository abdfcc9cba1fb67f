package import SourceText

/// A `*.scenarios.yaml` as its author wrote it: a table of cases around one flow.
package struct ScenariosDocument: Sendable {
  package enum Cases: Sendable {
    case list([ScenarioSyntax])
    /// `csv('cases.csv')`: a row is a case, with dotted headers (`inputs.username`).
    case table(path: Located<String>)
  }

  package let file: SourceFile
  package var name: Located<String>?
  package var flow: Located<String>
  package var tags: [Located<String>] = []
  /// What holds for every case that does not say otherwise; its `name` is nil.
  package var defaults: ScenarioSyntax?
  package var cases: Cases

  package init(file: SourceFile, flow: Located<String>, cases: Cases) {
    self.file = file
    self.flow = flow
    self.cases = cases
  }
}

/// One case.
package struct ScenarioSyntax: Sendable {
  package var name: Located<String>?
  package var tags: [Located<String>] = []
  /// Why it is not run.
  package var skip: Located<String>?
  package var inputs: [DataSyntax.Entry] = []
  package var secrets: [DataSyntax.Entry] = []
  package var answers: [AnswerSyntax] = []
  /// `sandbox.given`: by system.
  package var given: [DataSyntax.Entry] = []
  package var faults: [FaultSyntax] = []
  package var events: [EventSyntax] = []
  package var routes: [RouteSyntax] = []
  package var expect: ScenarioExpectSyntax?
  /// `then`: further runs in the same sandbox.
  package var then: [ContinuationSyntax] = []
  package var span: Span

  package init(span: Span) { self.span = span }
}

/// What answers a prompt.
package struct AnswerSyntax: Sendable {
  package enum Source: Sendable {
    /// A single value answers every time.
    case always(Located<String>)
    /// One for each time that it asks.
    case each([Located<String>])
    /// `{ from: sms }`, `{ from: mail }`: the sandbox's outbox.
    case outbox(Span)
  }

  package var prompt: Located<String>
  package var source: Source

  package init(prompt: Located<String>, source: Source) {
    self.prompt = prompt
    self.source = source
  }
}

/// One fault of the sandbox: literal data, with its expression apart.
package struct FaultSyntax: Sendable {
  /// Every key but `match`.
  package var settings: [DataSyntax.Entry]
  /// Over `request`.
  package var match: ExpressionSyntax?
  package var span: Span

  package init(settings: [DataSyntax.Entry], match: ExpressionSyntax?, span: Span) {
    self.settings = settings
    self.match = match
    self.span = span
  }
}

/// `{ after: STEP, do: { SYSTEM: change } }`
package struct EventSyntax: Sendable {
  package var after: Located<String>
  /// By system.
  package var changes: [DataSyntax.Entry]
  package var span: Span

  package init(after: Located<String>, changes: [DataSyntax.Entry], span: Span) {
    self.after = after
    self.changes = changes
    self.span = span
  }
}

/// `{ route: "GET /path/{id}", status, headers, json | body, delay, times }`: stubs plain HTTP.
package struct RouteSyntax: Sendable {
  package var route: Located<String>
  /// Every key but `route`.
  package var settings: [DataSyntax.Entry]
  package var span: Span

  package init(route: Located<String>, settings: [DataSyntax.Entry], span: Span) {
    self.route = route
    self.settings = settings
    self.span = span
  }
}

/// What a case expects of its run.
package struct ScenarioExpectSyntax: Sendable {
  package struct Requests: Sendable {
    /// `POST /v1/users`, `GET /v1/users/{id}`, with a system's name in front where it matters.
    package var route: Located<String>
    package var count: Located<Int>?
    /// Over `request`, true for each that is counted.
    package var that: [ExpressionSyntax]

    package init(route: Located<String>, count: Located<Int>?, that: [ExpressionSyntax] = []) {
      self.route = route
      self.count = count
      self.that = that
    }
  }

  package var verdict: Located<String>?
  package var code: Located<String>?
  /// A template of the outputs; matched as `expect.body` is.
  package var outputs: DataSyntax?
  /// Step id → status.
  package var steps: [(id: Located<String>, status: Located<String>)] = []
  package var requests: [Requests] = []
  /// Over `run`, `requests` and `sandbox`.
  package var that: [ExpressionSyntax] = []
  package var maxDuration: Located<Duration>?
  package var span: Span

  package init(span: Span) { self.span = span }
}

/// `then: run` or `then: resume`, with an `expect` of its own.
package struct ContinuationSyntax: Sendable {
  /// `run` or `resume`.
  package var verb: Located<String>
  package var inputs: [DataSyntax.Entry]
  package var answers: [AnswerSyntax]
  package var expect: ScenarioExpectSyntax?

  package init(verb: Located<String>, inputs: [DataSyntax.Entry] = [], answers: [AnswerSyntax] = [], expect: ScenarioExpectSyntax? = nil) {
    self.verb = verb
    self.inputs = inputs
    self.answers = answers
    self.expect = expect
  }
}
