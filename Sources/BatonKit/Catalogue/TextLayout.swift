/// Plain text for a terminal: columns that wrap, where there is a width at all.
struct TextLayout: Sendable {
  /// Nil where the text goes to a file or a program, which cut nothing.
  let width: Int?

  init(width: Int? = nil) { self.width = width }

  /// A line whose first words stand at `lead`, and whose further lines begin in the column where the text began.
  func line(_ lead: String, _ text: String) -> String {
    guard !text.isEmpty else { return "\(lead.trimmedAtEnd)\n" }
    let column = lead.count
    let rows = wrapped(text, to: width.map { $0 - column })
    guard let first = rows.first else { return "\(lead.trimmedAtEnd)\n" }
    let margin = String(repeating: " ", count: column)
    return "\(lead)\(first)\n" + rows.dropFirst().map { "\(margin)\($0)\n" }.joined()
  }

  /// A list of names and what they are, in two columns.
  func pairs(_ pairs: [(name: String, text: String)], indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    let column = pairs.map(\.name.count).max() ?? 0
    return pairs.map { line("\(margin)\($0.name.padded(to: column))  ", $0.text) }.joined()
  }

  /// Rows of names, kinds and what they are, in three columns. A kind that is too long for its column has a line for itself.
  func rows(_ rows: [FieldRow], indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    let names = rows.map(\.indentedName.count).max() ?? 0
    let kinds = rows.map(\.kind.count).filter { $0 <= Self.widestKind }.max() ?? 0
    return rows.map { row in
      let name = "\(margin)\(row.indentedName.padded(to: names))  "
      guard isNarrow(name.count + kinds) || row.kind.count > kinds else { return line(name + row.kind.padded(to: kinds) + "  ", row.about) }
      return line(name, row.kind) + (row.about.isEmpty ? "" : line("\(name.blanked)", row.about))
    }.joined()
  }

  private static let widestKind = 40

  /// Whether a third column would be too slim to be read.
  private func isNarrow(_ used: Int) -> Bool { width.map { $0 - used - 2 < 30 } ?? false }

  private func wrapped(_ text: String, to width: Int?) -> [String] {
    guard let width else { return [text] }
    var rows: [String] = []
    var row = ""
    for word in text.split(separator: " ") {
      // What is longer than a row stays whole: a name that is cut is none.
      if !row.isEmpty, row.count + 1 + word.count > max(width, 20) {
        rows.append(row)
        row = ""
      }
      row += row.isEmpty ? word : " \(word)"
    }
    if !row.isEmpty { rows.append(row) }
    return rows
  }
}

extension String {
  fileprivate var blanked: String { String(repeating: " ", count: count) }

  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
