import SourceText

/// Findings as workflow commands, which GitHub shows beside the lines of a pull request.
package struct GitHubRenderer: Sendable {
  package init() {}

  /// The findings in the order given, one command a line. No text of a finding can start a command of its own.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(command).joined()
  }

  private func command(of diagnostic: Diagnostic) -> String {
    var properties: [(String, String)] = []
    if let place = diagnostic.place {
      properties = [
        ("file", place.file.path), ("line", "\(place.start.line)"), ("endLine", "\(place.end.line)"), ("col", "\(place.start.column)"),
        ("endColumn", "\(place.end.column)"),
      ]
    }
    properties.append(("title", diagnostic.kind.rawValue))
    let message = [diagnostic.message] + diagnostic.help.map { "help: " + $0 }
    let list = properties.map { "\($0)=\(property($1))" }.joined(separator: ",")
    return "::\(command(of: diagnostic.severity)) \(list)::\(message.map(data).joined(separator: "%0A"))\n"
  }

  private func command(of severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error, .failure: "error"
    case .warning: "warning"
    }
  }

  /// The runner's own escapes (actions/toolkit, `command.ts`); each line is neutralised, should anything unfold them.
  private func data(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { percentEncoded(shownText(String($0)), ["%"]) }
      .joined(separator: "%0A")
  }

  private func property(_ text: String) -> String { percentEncoded(shownText(text), ["%", ":", ","]) }

  private func percentEncoded(_ text: String, _ characters: Set<Unicode.Scalar>) -> String {
    var encoded = ""
    for scalar in text.unicodeScalars {
      if characters.contains(scalar) {
        encoded += "%" + String(scalar.value, radix: 16, uppercase: true)
      } else {
        encoded.unicodeScalars.append(scalar)
      }
    }
    return encoded
  }
}
