import Diagnostics
import SourceText

/// Findings as one line each: `kind line:column message`, then what stands beside them.
func described(_ diagnostics: [Diagnostic]) -> [String] {
  diagnostics.flatMap { diagnostic in
    let at = diagnostic.place.map { "\($0.start.line):\($0.start.column)" } ?? "-"
    let label = diagnostic.label.isEmpty ? "" : " (\(diagnostic.label))"
    return ["\(diagnostic.kind.rawValue) \(at) \(diagnostic.message)\(label)"]
      + diagnostic.related.map { "  \($0.place.start.line):\($0.place.start.column) \($0.text)" }
      + diagnostic.help.map { "  help: \($0)" }
  }
}
