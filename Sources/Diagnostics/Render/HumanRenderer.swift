import SourceText

/// Findings as people read them: each with the lines of source that it is about.
package struct HumanRenderer: Sendable {
  package struct Style: Hashable, Sendable {
    /// For terminals without `NO_COLOR`.
    package var isColoured: Bool
    /// How many findings are printed before the rest is only counted.
    package var limit: Int

    package init(isColoured: Bool = false, limit: Int = 20) {
      self.isColoured = isColoured
      self.limit = limit
    }

    package static let plain = Style()
    package static let coloured = Style(isColoured: true)
  }

  private let style: Style

  package init(style: Style = .plain) { self.style = style }

  /// The findings in the order given, a blank line between them; every line ends with a line break.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    var blocks = diagnostics.prefix(style.limit).map { rows(of: $0).joined(separator: "\n") + "\n" }
    let rest = diagnostics.dropFirst(style.limit)
    if !rest.isEmpty { blocks.append("and \(Self.count(rest))\n") }
    return blocks.joined(separator: "\n")
  }

  /// Such as `7 more errors and 1 more warning`.
  private static func count(_ rest: ArraySlice<Diagnostic>) -> String {
    let severities: [Diagnostic.Severity] = [.error, .failure, .warning]
    let parts = severities.compactMap { severity in
      let count = rest.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) more \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return parts.joined(separator: " and ")
  }

  private func rows(of diagnostic: Diagnostic) -> [String] {
    let paint = Paint(isColoured: style.isColoured, severity: diagnostic.severity)
    var rows = [
      paint.strong("\(diagnostic.severity.rawValue)[\(diagnostic.kind.rawValue)]") + paint.bold(": " + shownText(diagnostic.message))
    ]
    let excerpts = excerpts(of: diagnostic, paint)
    let gutter = excerpts.map { String($0.excerpt.lastLine).count }.max() ?? 1
    let margin = String(repeating: " ", count: gutter)
    for (index, (place, excerpt)) in excerpts.enumerated() {
      let start = place.start
      if index > 0 { rows.append(paint.blue(margin + " |")) }
      let arrow = index == 0 ? "--> " : "::: "
      rows.append(margin + paint.blue(arrow) + "\(shownText(place.file.path)):\(start.line):\(start.column)")
      rows.append(paint.blue(margin + " |"))
      rows += excerpt.rows(gutter: gutter)
    }
    let remarks = diagnostic.notes.map { ("note", $0) } + diagnostic.help.map { ("help", $0) }
    if !remarks.isEmpty, !excerpts.isEmpty { rows.append(paint.blue(margin + " |")) }
    for (name, text) in remarks {
      rows += remark(name, text, margin, paint)
    }
    return rows
  }

  /// One excerpt for the file of the finding, then one for each other file that explains it.
  private func excerpts(of diagnostic: Diagnostic, _ paint: Paint) -> [(place: Place, excerpt: Excerpt)] {
    var marks = diagnostic.related.map { Excerpt.Mark(place: $0.place, text: $0.text, isPrimary: false) }
    if let place = diagnostic.place { marks.insert(Excerpt.Mark(place: place, text: diagnostic.label, isPrimary: true), at: 0) }
    var excerpts: [(place: Place, excerpt: Excerpt)] = []
    while let first = marks.first {
      let file = first.place.file
      excerpts.append((first.place, Excerpt(marks.filter { $0.place.file == file }, of: file, paint: paint)))
      marks.removeAll { $0.place.file == file }
    }
    return excerpts
  }

  /// A remark may have several lines; those after the first stand below its text, so none can pass for a header.
  private func remark(_ name: String, _ text: String, _ margin: String, _ paint: Paint) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      let shown = shownText(String(line))
      if index == 0 { return margin + paint.blue(" = ") + paint.bold("\(name):") + " " + shown }
      return shown.isEmpty ? "" : margin + String(repeating: " ", count: name.count + 5) + shown
    }
  }
}
