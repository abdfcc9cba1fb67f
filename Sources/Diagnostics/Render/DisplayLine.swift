import SourceText

/// A line of a file as it is shown, and where each of its bytes stands on the screen.
struct DisplayLine {
  private(set) var text: String
  /// The column, from 0, at which each scalar starts, and at last the width of the line; parallel to `offsets`.
  private var columns: [Int]
  /// The offset in the file of each scalar, and at last of the line's end.
  private var offsets: [Int]

  init(_ line: Int, of file: SourceFile) {
    let cells = shownCells(of: file.line(line), tabWidth: 4)
    text = cells.map(\.text).joined()
    columns = [0]
    offsets = [file.startOfLine(line)]
    for cell in cells {
      columns.append((columns.last ?? 0) + cell.width)
      offsets.append((offsets.last ?? 0) + cell.byteCount)
    }
  }

  var width: Int { columns.last ?? 0 }
  var indentation: Int { text.utf8.prefix { $0 == 0x20 }.count }

  /// The column of a byte of the file; past the line's end is the end.
  func column(of offset: Int) -> Int {
    columns[offsets.firstIndex { $0 >= offset } ?? offsets.count - 1]
  }

  /// The columns of a span's part in this line; never empty.
  func columns(of span: SourceText.Span) -> Range<Int> {
    let start = column(of: span.start)
    return start..<max(column(of: span.end), start + 1)
  }

  /// Cuts a line that is wider than `limit` around a column, with `…` where something was left out.
  mutating func crop(around column: Int, to limit: Int) {
    guard width > limit else { return }
    let from = max(0, min(column - limit / 4, width - limit))
    let kept = text.unicodeScalars.shownWithColumns.filter { $0.column >= from && $0.column < from + limit }
    let cut = (from > 0 ? "…" : "") + kept.map(\.text).joined() + (from + limit < width ? "…" : "")
    let shift = (kept.first?.column ?? 0) - (from > 0 ? 1 : 0)
    let end = (kept.last.map { $0.column + 1 } ?? 0) - shift
    text = cut
    columns = columns.map { min(max($0 - shift, 0), end) }
  }
}

extension String.UnicodeScalarView {
  /// What is already fit to be shown, with the column of each scalar.
  fileprivate var shownWithColumns: [(text: String, column: Int)] {
    var column = 0
    return map { scalar in
      defer { column += scalar.displayWidth }
      return (String(scalar), column)
    }
  }
}
