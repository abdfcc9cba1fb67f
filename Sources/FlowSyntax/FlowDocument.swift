package import SourceText

/// A `*.flow.yaml` file as the author wrote it, with no meaning yet.
package struct FlowDocument: Sendable {
  package let file: SourceFile
  package var name: Located<String>?
  package var description: Located<String>?
  package var tags: [Located<String>] = []
  package var inputs: [InputSyntax] = []
  package var secrets: [Located<String>] = []
  package var connections: [ConnectionSyntax] = []
  /// `state`: what lasts between runs; name and JSON Schema, a default in it.
  package var state: [InputSyntax] = []
  package var stateKey: DataSyntax?
  package var defaults = DefaultsSyntax()
  package var budget: BudgetSyntax?
  package var steps: [StepSyntax] = []
  package var outputs: [OutputSyntax] = []
  package var finally: [StepSyntax] = []
  /// The ids of steps that are wrong in form and so missing above; what refers to them is no further error.
  package var unreadableSteps: [Located<String>] = []

  package init(file: SourceFile) {
    self.file = file
  }
}

/// An input: its name and its JSON Schema (a bare type name `username: string` is read as `{type: string}` later).
package struct InputSyntax: Sendable {
  package var name: Located<String>
  package var schema: DataSyntax

  package init(name: Located<String>, schema: DataSyntax) {
    self.name = name
    self.schema = schema
  }
}

/// A connection: its alias, its system where stated, and the settings, `system` not among them.
package struct ConnectionSyntax: Sendable {
  package var alias: Located<String>
  package var system: Located<String>?
  package var settings: [DataSyntax.Entry]
  /// `ALIAS: borrowed`: the flow that calls this one lends it.
  package var isBorrowed: Bool
  package var span: Span

  package init(
    alias: Located<String>, system: Located<String>?, settings: [DataSyntax.Entry], isBorrowed: Bool = false, span: Span
  ) {
    self.alias = alias
    self.system = system
    self.settings = settings
    self.isBorrowed = isBorrowed
    self.span = span
  }
}

/// `defaults`: what holds for every step below.
package struct DefaultsSyntax: Sendable {
  package var attemptTimeout: Located<Duration>?
  package var timeout: Located<Duration>?
  package var retry: RetrySyntax?
  package var http: [DataSyntax.Entry] = []

  package init() {}
}

/// `budget`: a hard ceiling for the run.
package struct BudgetSyntax: Sendable {
  package var time: Located<Duration>?
  package var requests: Located<Int>?
  package var span: Span

  package init(time: Located<Duration>?, requests: Located<Int>?, span: Span) {
    self.time = time
    self.requests = requests
    self.span = span
  }
}

/// An output of a flow or a step: `name: VALUE`, or `name: { value, type, secret }`.
package struct OutputSyntax: Sendable {
  package var name: Located<String>
  package var value: DataSyntax
  package var type: Located<String>?
  package var isSecret: Bool

  package init(name: Located<String>, value: DataSyntax, type: Located<String>? = nil, isSecret: Bool = false) {
    self.name = name
    self.value = value
    self.type = type
    self.isSecret = isSecret
  }
}
