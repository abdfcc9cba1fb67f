import SourceText

/// Findings as a JSON array of `{kind, severity, message, file, line, column, endLine, endColumn, help, related}`.
///
/// Lines and columns are from 1, columns count Unicode scalars, the end is exclusive. A finding without a place has null
/// for all five; `help` is text, its parts on lines of their own, or null; `related` holds `{message, file, line, column}`.
package struct JSONRenderer: Sendable {
  package init() {}

  /// The findings in the order given, one on each line.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    if diagnostics.isEmpty { return "[]\n" }
    return "[\n" + diagnostics.map { "  " + object(members(of: $0)) }.joined(separator: ",\n") + "\n]\n"
  }

  private func members(of diagnostic: Diagnostic) -> [(String, String)] {
    let place = diagnostic.place
    let related = diagnostic.related.map { label in
      object([
        ("message", string(label.text)), ("file", string(label.place.file.path)), ("line", String(label.place.start.line)),
        ("column", String(label.place.start.column)),
      ])
    }
    return [
      ("kind", string(diagnostic.kind.rawValue)), ("severity", string(diagnostic.severity.rawValue)),
      ("message", string(diagnostic.message)), ("file", place.map { string($0.file.path) } ?? "null"),
      ("line", number(place?.start.line)), ("column", number(place?.start.column)), ("endLine", number(place?.end.line)),
      ("endColumn", number(place?.end.column)),
      ("help", diagnostic.help.isEmpty ? "null" : string(diagnostic.help.joined(separator: "\n"))),
      ("related", "[" + related.joined(separator: ",") + "]"),
    ]
  }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private func number(_ number: Int?) -> String { number.map(String.init) ?? "null" }

  /// What a terminal would obey or hide is escaped too, since this output is looked at as well.
  private func string(_ text: String) -> String {
    var quoted = "\""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      // `##[` and `##vso[` are commands to CI runners wherever they stand.
      case "#" where previous == "#": quoted += "\\u0023"
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default:
        if escape(of: scalar) == nil {
          quoted.unicodeScalars.append(scalar)
        } else {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { quoted += escaped(unit) }
        }
      }
    }
    return quoted + "\""
  }

  private func escaped(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
