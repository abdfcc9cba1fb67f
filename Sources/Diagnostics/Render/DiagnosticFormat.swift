/// How findings are printed: the words of `--format`.
package enum DiagnosticFormat: String, CaseIterable, Hashable, Sendable {
  case human, concise, json, github
}

extension Sequence<Diagnostic> {
  /// The findings as text in a format, in their order; colour is for people alone.
  package func rendered(as format: DiagnosticFormat, isColoured: Bool = false) -> String {
    let diagnostics = Array(self)
    return switch format {
    case .human: HumanRenderer(style: .init(isColoured: isColoured)).render(diagnostics)
    case .concise: ConciseRenderer().render(diagnostics)
    case .json: JSONRenderer().render(diagnostics)
    case .github: GitHubRenderer().render(diagnostics)
    }
  }
}
