package import SourceText

/// A `baton.yaml` as its author wrote it: what differs from one environment to the next.
package struct ProjectDocument: Sendable {
  package let file: SourceFile
  package var environments: [EnvironmentSyntax] = []

  package init(file: SourceFile) { self.file = file }
}

/// One environment; what it leaves out comes from the one that it `extends`.
package struct EnvironmentSyntax: Sendable {
  package var name: Located<String>
  package var extends: Located<String>?
  /// Whether live emergencies may fire.
  package var isLive: Located<Bool>?
  /// Whether `exec` may run programs.
  package var mayExec: Located<Bool>?
  /// Settings by alias or system; literal data, no templates.
  package var connections: [ConnectionSyntax] = []
  package var inputs: [DataSyntax.Entry] = []
  package var secrets: [(name: Located<String>, source: ValueSourceSyntax)] = []
  /// Nil where it says nothing; exact or `*.suffix`, with an optional port.
  package var hosts: [Located<String>]?
  /// Where prompts get their answers, by the prompt's id.
  package var answers: [(name: Located<String>, source: ValueSourceSyntax)] = []
  package var span: Span

  package init(name: Located<String>, span: Span) {
    self.name = name
    self.span = span
  }
}

/// Where a secret or an answer comes from.
package enum ValueSourceSyntax: Sendable {
  /// `{ env: VAR }`
  case variable(Located<String>)
  /// `{ file: PATH }`
  case file(Located<String>)
  /// `{ command: [PROGRAM, ARGUMENT, …] }`
  case command([Located<String>], Span)
  /// The value itself; for answers alone.
  case literal(Located<String>)
}
