import SourceText

/// Findings on one line each, as compilers print them for editors: `file:line:column: error[kind] message`.
package struct ConciseRenderer: Sendable {
  package init() {}

  /// The findings in the order given, all of them.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(line).joined()
  }

  private func line(of diagnostic: Diagnostic) -> String {
    let start = diagnostic.place.map { place in
      "\(shownText(place.file.path)):\(place.start.line):\(place.start.column): "
    }
    return "\(start ?? "")\(diagnostic.severity.rawValue)[\(diagnostic.kind.rawValue)] \(shownText(diagnostic.message))\n"
  }
}
