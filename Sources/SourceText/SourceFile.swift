/// The bytes of one file, and its table of lines. Two files are the same only if they are one object.
package final class SourceFile: Sendable {
  /// The path as it is shown to people.
  package let path: String
  /// The whole text, valid UTF-8.
  package let bytes: [UInt8]
  /// The byte offset at which each line starts; never empty.
  private let lineStarts: [Int]

  /// A file whose `bytes` are valid UTF-8; what is not is replaced by U+FFFD.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == 0x0A { starts.append(offset + 1) }
    lineStarts = starts
  }

  package convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  package var lineCount: Int { lineStarts.count }

  /// The line and column of a byte offset; an offset past the end is the end.
  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let scalars = bytes[lineStarts[low]..<offset].count { $0 & 0xC0 != 0x80 }
    return Position(line: low + 1, column: scalars + 1)
  }

  /// The byte offset of a line's first character; lines start at 1.
  package func startOfLine(_ line: Int) -> Int { lineStarts[line - 1] }

  /// The text of a line without its line break; lines start at 1.
  package func line(_ line: Int) -> String {
    let start = lineStarts[line - 1]
    var end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  package func text(of span: Span) -> String {
    String(decoding: bytes[max(span.start, 0)..<min(max(span.end, span.start), bytes.count)], as: UTF8.self)
  }
}

extension SourceFile: Hashable {
  package static func == (a: SourceFile, b: SourceFile) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
