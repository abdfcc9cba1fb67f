/// A half-open range of UTF-8 byte offsets.
package struct Span: Hashable, Sendable {
  package var start: Int
  package var end: Int

  package init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = end
  }

  package var length: Int { end - start }

  /// The smallest span that covers both.
  package func joined(with other: Span) -> Span {
    Span(min(start, other.start), max(end, other.end))
  }
}

/// A place as people read it: both numbers start at 1, and a column counts Unicode scalars.
package struct Position: Hashable, Sendable, Comparable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: Position, b: Position) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A span of one file.
package struct Place: Hashable, Sendable {
  package let file: SourceFile
  package let span: Span

  package init(_ file: SourceFile, _ span: Span) {
    self.file = file
    self.span = span
  }

  package var start: Position { file.position(of: span.start) }
  package var end: Position { file.position(of: span.end) }
}

/// A value and where it was written.
package struct Located<Value> {
  package var value: Value
  package var span: Span

  package init(_ value: Value, _ span: Span) {
    self.value = value
    self.span = span
  }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
