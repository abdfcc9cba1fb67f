package import SourceText

/// One finding, with everything that any renderer needs to show it.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable {
    /// The author's mistake, found before any request.
    case error
    /// Worth a look; stops nothing unless `--strict`.
    case warning
    /// The world disagreed at run time.
    case failure
  }

  /// A second place that explains the first.
  package struct Label: Hashable, Sendable {
    package var place: Place
    package var text: String

    package init(_ place: Place, _ text: String) {
      self.place = place
      self.text = text
    }
  }

  package var kind: DiagnosticKind
  package var severity: Severity
  /// Stands alone; lower case, no full stop, code in backticks.
  package var message: String
  /// Nil where the finding belongs to no file, such as a missing command-line input.
  package var place: Place?
  /// A few words beside the carets; may be empty.
  package var label: String
  package var related: [Label]
  package var notes: [String]
  /// How to mend it.
  package var help: [String]

  package init(
    _ kind: DiagnosticKind, _ message: String, at place: Place?, label: String = "", severity: Severity = .error,
    related: [Label] = [], notes: [String] = [], help: [String] = []
  ) {
    self.kind = kind
    self.severity = severity
    self.message = message
    self.place = place
    self.label = label
    self.related = related
    self.notes = notes
    self.help = help
  }
}

extension Sequence where Element == Diagnostic {
  /// By file path, then place, then message; findings without a place first.
  package func sortedByPlace() -> [Diagnostic] {
    sorted { a, b in
      let left = (a.place?.file.path ?? "", a.place?.span.start ?? -1, a.place?.span.end ?? -1, a.message)
      let right = (b.place?.file.path ?? "", b.place?.span.start ?? -1, b.place?.span.end ?? -1, b.message)
      return left < right
    }
  }

  package var hasErrors: Bool { contains { $0.severity == .error } }
}
