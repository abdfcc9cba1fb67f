import SourceText

extension Lexer {
  /// An int, uint or double; the lexer stands on a digit, or on a dot before one.
  mutating func number() throws(LexicalError) -> Token {
    let start = offset
    if byte(at: start) == UInt8(ascii: "0"), byte(at: start + 1) | 0x20 == UInt8(ascii: "x"),
      byte(at: start + 2).hexDigitValue != nil
    {
      offset += 2
      while byte(at: offset).hexDigitValue != nil { offset += 1 }
      return try integer(from: start, digits: text(start + 2, offset), radix: 16)
    }
    while byte(at: offset).isDigit { offset += 1 }
    var isDouble = false
    if byte(at: offset) == UInt8(ascii: "."), byte(at: offset + 1).isDigit {
      isDouble = true
      offset += 1
      while byte(at: offset).isDigit { offset += 1 }
    }
    if byte(at: offset) | 0x20 == UInt8(ascii: "e") {
      let sign = byte(at: offset + 1)
      let digits = offset + (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 2 : 1)
      if byte(at: digits).isDigit {
        isDouble = true
        offset = digits
        while byte(at: offset).isDigit { offset += 1 }
      }
    }
    guard isDouble else { return try integer(from: start, digits: text(start, offset), radix: 10) }
    let lexeme = text(start, offset)
    try refuseTrailingName(from: start)
    // A leading dot is CEL's, not Swift's.
    guard let value = Double(lexeme.utf8.first == UInt8(ascii: ".") ? "0" + lexeme : lexeme) else {
      throw LexicalError(message: "`\(lexeme)` is not a number", span: Span(start, offset))
    }
    return Token(kind: .double(value), span: Span(start, offset))
  }

  private mutating func integer(from start: Int, digits: String, radix: Int) throws(LexicalError) -> Token {
    let magnitude = UInt64(digits, radix: radix)
    if byte(at: offset) | 0x20 == UInt8(ascii: "u") {
      offset += 1
      try refuseTrailingName(from: start)
      guard let magnitude else { throw tooLarge(start, "uint") }
      return Token(kind: .uint(magnitude), span: Span(start, offset))
    }
    try refuseTrailingName(from: start)
    if let magnitude, let value = Int64(exactly: magnitude) { return Token(kind: .int(value), span: Span(start, offset)) }
    guard magnitude == Int64.min.magnitude else { throw tooLarge(start, "int") }
    return Token(kind: .intMinimumMagnitude, span: Span(start, offset))
  }

  private func tooLarge(_ start: Int, _ type: String) -> LexicalError {
    LexicalError(message: "`\(text(start, offset))` does not fit in 64 bits, as \(type) must", span: Span(start, offset))
  }

  private mutating func refuseTrailingName(from start: Int) throws(LexicalError) {
    guard byte(at: offset).isNamePart else { return }
    while byte(at: offset).isNamePart { offset += 1 }
    throw LexicalError(message: "`\(text(start, offset))` is neither a number nor a name", span: Span(start, offset))
  }
}
