import SourceText

/// The lines of one file that a finding points at, with marks and labels below them.
struct Excerpt {
  struct Mark {
    var place: Place
    var text: String
    var isPrimary: Bool
  }

  private let file: SourceFile
  private var marksOfLine: [Int: [Mark]] = [:]
  /// At most one mark that reaches over several lines has a bar at the side; others are shown by their first line.
  private var tall: TallMark?
  private let paint: Paint
  private static let widthLimit = 160

  private struct TallMark {
    var mark: Mark
    var lines: ClosedRange<Int>
  }

  init(_ marks: [Mark], of file: SourceFile, paint: Paint) {
    self.file = file
    self.paint = paint
    for mark in marks {
      let lines = Self.lines(of: mark.place)
      if lines.count > 1, tall == nil {
        tall = TallMark(mark: mark, lines: lines)
      } else {
        marksOfLine[lines.lowerBound, default: []].append(mark)
      }
    }
  }

  var lastLine: Int {
    max(marksOfLine.keys.max() ?? 1, tall?.lines.upperBound ?? 1)
  }

  /// The lines that a place covers; a line break at its end does not count as the next line.
  static func lines(of place: Place) -> ClosedRange<Int> {
    let first = place.start.line
    let end = place.end
    return first...max(first, end.column == 1 && end.line > first ? end.line - 1 : end.line)
  }

  /// The rows of it, numbers and bars in a gutter that holds `gutter` digits.
  func rows(gutter: Int) -> [String] {
    var rows: [String] = []
    var previous: Int?
    for line in shownLines {
      if let previous, line > previous + 1 {
        let isInside = tall.map { $0.lines.contains(previous) && $0.lines.contains(line) } ?? false
        rows.append(paint.blue("...") + (isInside ? String(repeating: " ", count: gutter) + paint.mark("|", isPrimaryTall) : ""))
      }
      rows += self.rows(ofLine: line, gutter: gutter)
      previous = line
    }
    return rows
  }

  /// Marked lines, the ends of the tall mark, and single lines between two of them.
  private var shownLines: [Int] {
    var lines = Set(marksOfLine.keys)
    if let tall {
      let range = tall.lines
      lines.formUnion(range.count <= 6 ? Array(range) : Array(range.prefix(3)) + range.suffix(2))
    }
    for line in lines where lines.contains(line + 2) { lines.insert(line + 1) }
    return lines.sorted()
  }

  private var isPrimaryTall: Bool { tall?.mark.isPrimary ?? false }

  private func rows(ofLine line: Int, gutter: Int) -> [String] {
    var display = DisplayLine(line, of: file)
    let marks = marksOfLine[line] ?? []
    let focus = (marks + (tall.map { [$0.mark] } ?? [])).map { display.column(of: $0.place.span.start) }.max() ?? 0
    display.crop(around: focus, to: Self.widthLimit)
    let side = side(ofLine: line, display)
    let number = String(line)
    let padding = String(repeating: " ", count: gutter - number.count)
    var rows = [paint.blue(padding + number + " |") + trimmed(" " + paint.mark(side.ofText, isPrimaryTall) + display.text)]
    func addBelow(_ canvas: String) { rows.append(paint.blue(String(repeating: " ", count: gutter) + " |") + trimmed(" " + canvas)) }
    if let start = side.start { addBelow(paint.mark(start, isPrimaryTall)) }
    for row in MarkRows(marks, on: display, paint: paint).rows { addBelow(paint.mark(side.below, isPrimaryTall) + row) }
    if let end = side.end { addBelow(end) }
    return rows
  }

  /// What the tall mark adds to a line: two columns before its text, two before the rows below it, and rows of its own.
  private func side(ofLine line: Int, _ display: DisplayLine) -> (ofText: String, below: String, start: String?, end: String?) {
    guard let tall else { return ("", "", nil, nil) }
    let caret = tall.mark.isPrimary ? "^" : "-"
    guard tall.lines.contains(line) else { return ("  ", "  ", nil, nil) }
    if line == tall.lines.lowerBound {
      let column = display.column(of: tall.mark.place.span.start)
      if column <= display.indentation { return ("/ ", "| ", nil, nil) }
      return ("  ", "| ", " " + String(repeating: "_", count: column + 1) + caret, nil)
    }
    guard line == tall.lines.upperBound else { return ("| ", "| ", nil, nil) }
    let column = max(display.column(of: tall.mark.place.span.end), 1)
    let foot = paint.mark("|" + String(repeating: "_", count: column) + caret, tall.mark.isPrimary)
    let text = shownText(tall.mark.text)
    return ("| ", "| ", nil, text.isEmpty ? foot : foot + " " + paint.mark(text, tall.mark.isPrimary))
  }

  private func trimmed(_ text: String) -> String {
    var text = text
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
