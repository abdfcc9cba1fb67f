package import Diagnostics
package import SourceText

/// A finding about an expression; its spans are UTF-8 offsets in the source of the expression.
///
/// The caller maps the spans to a file (`EmbeddedText.fileSpan(of:)`) and makes a `Diagnostic` of it.
package struct ExpressionIssue: Hashable, Sendable {
  /// A second place that explains the first.
  package struct Related: Hashable, Sendable {
    package var span: Span
    package var text: String

    package init(_ span: Span, _ text: String) {
      self.span = span
      self.text = text
    }
  }

  package var kind: DiagnosticKind
  package var severity: Diagnostic.Severity
  /// Stands alone; lower case, no full stop, code in backticks.
  package var message: String
  package var span: Span
  /// A few words beside the carets; may be empty.
  package var label: String
  package var related: [Related]
  package var notes: [String]
  /// How to mend it.
  package var help: [String]

  package init(
    _ kind: DiagnosticKind, _ message: String, at span: Span, label: String = "", severity: Diagnostic.Severity = .error,
    related: [Related] = [], notes: [String] = [], help: [String] = []
  ) {
    self.kind = kind
    self.severity = severity
    self.message = message
    self.span = span
    self.label = label
    self.related = related
    self.notes = notes
    self.help = help
  }
}
