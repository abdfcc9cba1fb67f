internal import SourceText

/// Reads a scalar's source once more and notes where each part of its text stands. libyaml decodes but does not tell.
///
/// Each reader follows libyaml's own rules, so that its text is libyaml's byte for byte; where it were not, the map
/// falls back to one piece for the whole scalar.
struct ScalarText {
  private(set) var text: [UInt8] = []
  private(set) var pieces: [EmbeddedText.Piece] = []
  private let bytes: [UInt8]
  private var lastIsVerbatim = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The decoded text of a scalar whose source (quotes and block header included) is `span`.
  ///
  /// - Parameter decoded: libyaml's text of it.
  static func embedded(_ decoded: [UInt8], style: Scalar.Style, span: Span, in bytes: [UInt8]) -> EmbeddedText {
    var reader = ScalarText(bytes)
    var inner = span
    switch style {
    case .plain: reader.readFolded(span, quote: nil)
    case .singleQuoted, .doubleQuoted:
      inner = Span(min(span.start + 1, span.end), max(span.start + 1, span.end - 1))
      reader.readFolded(inner, quote: style == .singleQuoted ? UInt8(ascii: "'") : UInt8(ascii: "\""))
    case .literal, .folded:
      reader.readBlock(span, isLiteral: style == .literal, decoded: decoded)
      if let first = reader.pieces.first, let last = reader.pieces.last { inner = Span(first.file.start, last.file.end) }
    }
    let pieces = reader.text == decoded ? reader.pieces : [.init(text: Span(0, decoded.count), file: span)]
    return EmbeddedText(text: String(decoding: decoded, as: UTF8.self), pieces: decoded.isEmpty ? [] : pieces, fileSpan: inner)
  }

  // MARK: pieces

  /// Takes bytes of the file as they are.
  mutating func takeVerbatim(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let start = text.count
    text += bytes[range]
    if lastIsVerbatim, let last = pieces.indices.last, pieces[last].file.end == range.lowerBound {
      pieces[last].text.end = text.count
      pieces[last].file.end = range.upperBound
      return
    }
    pieces.append(.init(text: Span(start, text.count), file: Span(range.lowerBound, range.upperBound)))
    lastIsVerbatim = true
  }

  /// Takes `replacement` for bytes of the file that mean it as a whole.
  mutating func take(_ replacement: [UInt8], for range: Range<Int>) {
    guard !replacement.isEmpty else { return }
    pieces.append(.init(text: Span(text.count, text.count + replacement.count), file: Span(range.lowerBound, range.upperBound)))
    text += replacement
    lastIsVerbatim = false
  }

  // MARK: plain and quoted

  /// Plain (`quote` nil) and quoted scalars, whose line breaks fold.
  private mutating func readFolded(_ span: Span, quote: UInt8?) {
    var offset = span.start
    while offset < span.end {
      let byte = bytes[offset]
      if Self.isBlank(byte) || Self.isBreak(byte) {
        offset = readWhitespace(offset, end: span.end, afterEscapedBreak: false)
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset = readEscape(offset, end: span.end)
      } else if byte == quote {  // in single quotes: two that mean one
        take([byte], for: offset..<min(offset + 2, span.end))
        offset += 2
      } else {
        let start = offset
        while offset < span.end, isContent(bytes[offset], quote) { offset += 1 }
        takeVerbatim(start..<max(offset, start + 1))
        offset = max(offset, start + 1)
      }
    }
  }

  private func isContent(_ byte: UInt8, _ quote: UInt8?) -> Bool {
    if Self.isBlank(byte) || Self.isBreak(byte) { return false }
    guard let quote else { return true }
    return byte != quote && !(quote == UInt8(ascii: "\"") && byte == UInt8(ascii: "\\"))
  }

  /// Blanks stay; one line break becomes a space, further ones stay, and the blanks around them go.
  private mutating func readWhitespace(_ start: Int, end: Int, afterEscapedBreak: Bool) -> Int {
    var offset = start
    var breaks: [Range<Int>] = []
    while offset < end, Self.isBlank(bytes[offset]) || Self.isBreak(bytes[offset]) {
      let length = breakLength(at: offset)
      if length > 0 { breaks.append(offset..<(offset + length)) }
      offset += max(length, 1)
    }
    if afterEscapedBreak {
      for range in breaks { takeBreak(range) }
    } else if breaks.isEmpty {
      takeVerbatim(start..<offset)
    } else if breaks.count == 1 {
      take([0x20], for: start..<offset)
    } else {
      for range in breaks.dropFirst() { takeBreak(range) }
    }
    return offset
  }

  mutating func takeBreak(_ range: Range<Int>) {
    if bytes[range.lowerBound] == 0x0A { takeVerbatim(range) } else { take([0x0A], for: range) }
  }

  private mutating func readEscape(_ start: Int, end: Int) -> Int {
    guard start + 1 < end else { return end }
    let lineBreak = breakLength(at: start + 1)
    if lineBreak > 0 { return readWhitespace(start + 1 + lineBreak, end: end, afterEscapedBreak: true) }
    let code = bytes[start + 1]
    let digits =
      switch code {
      case UInt8(ascii: "x"): 2
      case UInt8(ascii: "u"): 4
      case UInt8(ascii: "U"): 8
      default: 0
      }
    let after = min(start + 2 + digits, end)
    if digits > 0 {
      let value = UInt32(String(decoding: bytes[(start + 2)..<after], as: UTF8.self), radix: 16)
      if let scalar = value.flatMap({ Unicode.Scalar($0) }) { take(Array(String(scalar).utf8), for: start..<after) }
    } else {
      take(Self.escape(code), for: start..<after)
    }
    return after
  }

  private static func escape(_ code: UInt8) -> [UInt8] {
    switch code {
    case UInt8(ascii: "0"): [0]
    case UInt8(ascii: "a"): [7]
    case UInt8(ascii: "b"): [8]
    case UInt8(ascii: "t"), 9: [9]
    case UInt8(ascii: "n"): [10]
    case UInt8(ascii: "v"): [11]
    case UInt8(ascii: "f"): [12]
    case UInt8(ascii: "r"): [13]
    case UInt8(ascii: "e"): [27]
    case UInt8(ascii: "N"): [0xC2, 0x85]
    case UInt8(ascii: "_"): [0xC2, 0xA0]
    case UInt8(ascii: "L"): [0xE2, 0x80, 0xA8]
    case UInt8(ascii: "P"): [0xE2, 0x80, 0xA9]
    default: [code]
    }
  }

  // MARK: bytes

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// 0 where no line break stands.
  func breakLength(at offset: Int) -> Int {
    guard let byte = byte(offset), Self.isBreak(byte) else { return 0 }
    return byte == 0x0D && self.byte(offset + 1) == 0x0A ? 2 : 1
  }
}
