import SourceText

/// Cuts the source of an expression into tokens (CEL language definition, "Syntax").
struct Lexer {
  let bytes: [UInt8]
  var offset: Int

  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  func byte(at position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// The next token; after an error `offset` stands behind the text that it is about, so that reading may go on.
  mutating func next() throws(LexicalError) -> Token {
    skipBlanks()
    let start = offset
    guard start < bytes.count else { return Token(kind: .end, span: Span(start, start)) }
    let first = bytes[start]
    if first.isDigit || (first == UInt8(ascii: ".") && byte(at: start + 1).isDigit) { return try number() }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(prefixLength: 0) }
    if first == UInt8(ascii: "`") { return try backtickName() }
    if first.isNameStart {
      if let length = stringPrefixLength() { return try quoted(prefixLength: length) }
      while byte(at: offset).isNamePart { offset += 1 }
      return Token(kind: .identifier(text(start, offset)), span: Span(start, offset))
    }
    return try punctuation()
  }

  func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  private mutating func skipBlanks() {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C: offset += 1
      case UInt8(ascii: "/") where byte(at: offset + 1) == UInt8(ascii: "/"):
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
      default: return
      }
    }
  }

  private mutating func punctuation() throws(LexicalError) -> Token {
    let start = offset
    for length in [2, 1] where start + length <= bytes.count {
      if let found = Punctuation(rawValue: text(start, start + length)) {
        offset += length
        return Token(kind: .punctuation(found), span: Span(start, offset))
      }
    }
    offset += 1
    while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    let span = Span(start, offset)
    let help: String? =
      switch bytes[start] {
      case UInt8(ascii: "="): "compare with `==`"
      case UInt8(ascii: "&"): "write `&&`"
      case UInt8(ascii: "|"): "write `||`; for a value that may be missing, `default(a, b)`"
      default: nil
      }
    throw LexicalError(message: "unexpected `\(text(start, offset))`", span: span, help: help)
  }

  private mutating func backtickName() throws(LexicalError) -> Token {
    let start = offset
    offset += 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "`"), bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
    guard byte(at: offset) == UInt8(ascii: "`") else {
      throw LexicalError(message: "the name in backticks does not end", span: Span(start, offset))
    }
    offset += 1
    return Token(kind: .quotedName(text(start + 1, offset - 1)), span: Span(start, offset))
  }

  /// The length of a string's prefix (`r`, `b`, `rb`, `br`) if a string starts here.
  private func stringPrefixLength() -> Int? {
    func isOneOf(_ byte: UInt8, _ letter: Unicode.Scalar) -> Bool { byte | 0x20 == UInt8(ascii: letter) }
    let first = bytes[offset]
    let isRaw = isOneOf(first, "r")
    let isBytes = isOneOf(first, "b")
    guard isRaw || isBytes else { return nil }
    let second = byte(at: offset + 1)
    if second == UInt8(ascii: "\"") || second == UInt8(ascii: "'") { return 1 }
    guard isOneOf(second, isRaw ? "b" : "r") else { return nil }
    let third = byte(at: offset + 2)
    return third == UInt8(ascii: "\"") || third == UInt8(ascii: "'") ? 2 : nil
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isNameStart: Bool { (self | 0x20 >= 0x61 && self | 0x20 <= 0x7A) || self == 0x5F }
  var isNamePart: Bool { isNameStart || isDigit }

  var hexDigitValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x41...0x46: UInt32(self - 0x37)
    case 0x61...0x66: UInt32(self - 0x57)
    default: nil
    }
  }
}
