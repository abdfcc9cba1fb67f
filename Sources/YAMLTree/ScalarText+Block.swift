internal import SourceText

extension ScalarText {
  /// Literal and folded scalars (YAML 1.2.2 §8.1), as libyaml joins their lines.
  mutating func readBlock(_ span: Span, isLiteral: Bool, decoded: [UInt8]) {
    var offset = span.start + 1
    var keepsTail = false
    var stripsTail = false
    while let byte = byte(offset), !Self.isBreak(byte), byte != UInt8(ascii: "#") {
      if byte == UInt8(ascii: "+") { keepsTail = true } else if byte == UInt8(ascii: "-") { stripsTail = true }
      offset += 1
    }
    while let byte = byte(offset), !Self.isBreak(byte) { offset += 1 }
    offset += breakLength(at: offset)
    guard let indentation = indentation(from: offset, decoded: decoded) else { return }

    var leadingBreak: Range<Int>?
    var wasBlank = false
    var trailingBreaks = readEmptyLines(&offset, indentation: indentation)
    while let first = contentStart(offset, indentation: indentation) {
      let isBlank = Self.isBlank(byte(first) ?? 0)
      if !isLiteral, let lineBreak = leadingBreak, !wasBlank, !isBlank {
        if trailingBreaks.isEmpty { take([0x20], for: lineBreak.lowerBound..<first) }
      } else if let lineBreak = leadingBreak {
        takeBreak(lineBreak)
      }
      trailingBreaks.forEach { takeBreak($0) }
      wasBlank = isBlank
      var end = first
      while let byte = byte(end), !Self.isBreak(byte) { end += 1 }
      takeVerbatim(first..<end)
      let length = breakLength(at: end)
      leadingBreak = length > 0 ? end..<(end + length) : nil
      offset = end + length
      trailingBreaks = readEmptyLines(&offset, indentation: indentation)
    }
    if !stripsTail, let leadingBreak { takeBreak(leadingBreak) }
    if keepsTail { trailingBreaks.forEach { takeBreak($0) } }
  }

  /// How many spaces each line loses: what the first line with text has in the file and not in the decoded text.
  /// (A header such as `|2` counts from the parent's indentation, which only libyaml knows.)
  private func indentation(from start: Int, decoded: [UInt8]) -> Int? {
    var spaces = 0
    var offset = start
    while let byte = byte(offset), byte == 0x20 || Self.isBreak(byte) {
      spaces = byte == 0x20 ? spaces + 1 : 0
      offset += 1
    }
    guard let text = decoded.firstIndex(where: { $0 != 0x20 && $0 != 0x0A }) else {
      // Only empty lines: all their spaces go, however many.
      return decoded.contains(0x20) ? nil : YAMLParse.maximumBytes
    }
    let kept = decoded[..<text].reversed().prefix { $0 == 0x20 }.count
    return spaces > kept ? spaces - kept : nil
  }

  /// Line breaks of lines with nothing past their indentation; `offset` ends at the next other line.
  private func readEmptyLines(_ offset: inout Int, indentation: Int) -> [Range<Int>] {
    var breaks: [Range<Int>] = []
    while true {
      var end = offset
      while end - offset < indentation, byte(end) == 0x20 { end += 1 }
      let length = breakLength(at: end)
      guard length > 0 else { return breaks }
      breaks.append(end..<(end + length))
      offset = end + length
    }
  }

  /// Where a line's text begins; nil for a line that is indented less, which ends the scalar.
  private func contentStart(_ offset: Int, indentation: Int) -> Int? {
    let start = offset + indentation
    guard byte(start) != nil, (offset..<start).allSatisfy({ byte($0) == 0x20 }) else { return nil }
    return start
  }
}
