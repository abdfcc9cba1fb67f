/// A text safe to print on one line of a terminal or of a CI log: control, bidi and other invisible characters stand as
/// escapes (`\n`, `\u{1b}`), and nothing in it is a workflow command.
///
/// Lines that start with `::` are commands to GitHub's runner, and `##[` or `##vso[` anywhere in a line to it and to
/// Azure's agent; a backslash breaks them.
package func shownText(_ text: String) -> String {
  let body = shownCells(of: text, tabWidth: nil).map(\.text).joined()
  return body.drop(while: { $0 == " " }).hasPrefix("::") ? "\\" + body : body
}

/// One scalar as it is shown.
struct ShownCell {
  var text: String
  /// In columns of a terminal.
  var width: Int
  /// Of the scalar in UTF-8.
  var byteCount: Int
}

/// Each scalar of a text as it is shown; a tab as so many spaces, or nil for `\t`.
func shownCells(of text: String, tabWidth: Int?) -> [ShownCell] {
  let scalars = Array(text.unicodeScalars)
  return scalars.indices.map { index in
    let scalar = scalars[index]
    let byteCount = UTF8.width(scalar)
    if scalar == "\t", let tabWidth {
      return ShownCell(text: String(repeating: " ", count: tabWidth), width: tabWidth, byteCount: byteCount)
    }
    let startsCommand = scalar == "#" && index > 0 && scalars[index - 1] == "#" && isCommand(scalars[(index + 1)...])
    if let escape = startsCommand ? "\\#" : escape(of: scalar) {
      return ShownCell(text: escape, width: escape.utf8.count, byteCount: byteCount)
    }
    return ShownCell(text: String(scalar), width: scalar.displayWidth, byteCount: byteCount)
  }
}

private func isCommand(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
  rest.starts(with: "[".unicodeScalars) || rest.starts(with: "vso[".unicodeScalars)
}

/// How a scalar is shown that a terminal would obey or hide; nil for all others.
func escape(of scalar: Unicode.Scalar) -> String? {
  switch scalar {
  case "\n": return "\\n"
  case "\r": return "\\r"
  case "\t": return "\\t"
  // The joiners that Persian, Indic scripts and emoji need.
  case "\u{200C}", "\u{200D}": return nil
  default: break
  }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: return "\\u{\(String(scalar.value, radix: 16))}"
  default: return nil
  }
}
