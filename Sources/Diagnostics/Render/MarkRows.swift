import SourceText

/// The rows below one line of source: `^^^` and `---` under its spans, then their labels.
///
/// The label of the span that ends last stands beside its mark; the others follow below, from right to left, each under
/// the start of its span, with `|` down from those still to come.
struct MarkRows {
  private(set) var rows: [String] = []

  private struct Mark {
    var columns: Range<Int>
    var text: String
    var isPrimary: Bool
  }

  init(_ marks: [Excerpt.Mark], on line: DisplayLine, paint: Paint) {
    guard !marks.isEmpty else { return }
    let placed = marks.map {
      Mark(columns: line.columns(of: $0.place.span), text: shownText($0.text), isPrimary: $0.isPrimary)
    }
    func rank(_ index: Int) -> (Int, Int) { (placed[index].columns.upperBound, placed[index].isPrimary ? 1 : 0) }
    let last = placed.indices.max { rank($0) < rank($1) }
    let beside = last.map { placed[$0] }
    var row = Self.underline(placed, paint)
    if let beside, !beside.text.isEmpty { row += " " + paint.mark(beside.text, beside.isPrimary) }
    rows = [row]
    var below = placed.indices.filter { $0 != last && !placed[$0].text.isEmpty }.map { placed[$0] }
    below.sort { $0.columns.lowerBound < $1.columns.lowerBound }
    while let mark = below.popLast() {
      rows.append(Self.pipes(below, before: mark.columns.lowerBound, paint) + paint.mark(mark.text, mark.isPrimary))
    }
  }

  /// The marks themselves; where two overlap the primary one shows.
  private static func underline(_ marks: [Mark], _ paint: Paint) -> String {
    let width = marks.map(\.columns.upperBound).max() ?? 0
    var row = ""
    var column = 0
    while column < width {
      let kind = kind(at: column, marks)
      var run = 0
      while column < width, Self.kind(at: column, marks) == kind {
        run += 1
        column += 1
      }
      row += kind.map { paint.mark(String(repeating: $0 ? "^" : "-", count: run), $0) } ?? String(repeating: " ", count: run)
    }
    return row
  }

  /// Nil where nothing is marked, else whether by a primary mark.
  private static func kind(at column: Int, _ marks: [Mark]) -> Bool? {
    let covering = marks.filter { $0.columns.contains(column) }
    return covering.isEmpty ? nil : covering.contains(where: \.isPrimary)
  }

  private static func pipes(_ marks: [Mark], before end: Int, _ paint: Paint) -> String {
    var row = ""
    var column = 0
    for mark in marks where mark.columns.lowerBound < end && mark.columns.lowerBound >= column {
      row += String(repeating: " ", count: mark.columns.lowerBound - column) + paint.mark("|", mark.isPrimary)
      column = mark.columns.lowerBound + 1
    }
    return row + String(repeating: " ", count: end - column)
  }
}
