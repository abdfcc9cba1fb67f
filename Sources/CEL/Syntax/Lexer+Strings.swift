import SourceText

extension Lexer {
  /// A string or bytes literal, with its prefix.
  mutating func quoted(prefixLength: Int) throws(LexicalError) -> Token {
    let start = offset
    let prefix = bytes[start..<start + prefixLength].map { $0 | 0x20 }
    let isRaw = prefix.contains(UInt8(ascii: "r"))
    let isBytes = prefix.contains(UInt8(ascii: "b"))
    let quote = bytes[start + prefixLength]
    offset += prefixLength
    let isTriple = byte(at: offset + 1) == quote && byte(at: offset + 2) == quote
    offset += isTriple ? 3 : 1
    var content: [UInt8] = []
    var firstError: LexicalError?
    while true {
      guard offset < bytes.count, isTriple || (bytes[offset] != 0x0A && bytes[offset] != 0x0D) else {
        throw LexicalError(
          message: "the \(isBytes ? "bytes literal" : "string") does not end", span: Span(start, offset),
          help: "close it with `\(String(repeating: Character(Unicode.Scalar(quote)), count: isTriple ? 3 : 1))`",
          isUnclosed: true)
      }
      let byte = bytes[offset]
      if byte == quote, !isTriple || (self.byte(at: offset + 1) == quote && self.byte(at: offset + 2) == quote) {
        offset += isTriple ? 3 : 1
        break
      }
      if byte == UInt8(ascii: "\\"), !isRaw {
        do throws(LexicalError) { try escape(into: &content, isBytes: isBytes) } catch { firstError = firstError ?? error }
      } else {
        content.append(byte)
        offset += 1
      }
    }
    if let firstError { throw firstError }
    let kind: Token.Kind = isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self))
    return Token(kind: kind, span: Span(start, offset))
  }

  /// Reads one escape; always moves past the backslash and one character, so that an error does not end the string.
  private mutating func escape(into content: inout [UInt8], isBytes: Bool) throws(LexicalError) {
    let start = offset
    let letter = byte(at: start + 1)
    offset = min(start + 2, bytes.count)
    switch letter {
    case UInt8(ascii: "a"): content.append(0x07)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "v"): content.append(0x0B)
    case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): content.append(letter)
    case UInt8(ascii: "x"), UInt8(ascii: "X"): try code(start, digits: 2, isBytes: isBytes, into: &content)
    case UInt8(ascii: "u") where !isBytes: try code(start, digits: 4, isBytes: false, into: &content)
    case UInt8(ascii: "U") where !isBytes: try code(start, digits: 8, isBytes: false, into: &content)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      let digits = (1...3).map { byte(at: start + $0) }
      guard digits.allSatisfy({ (0x30...0x37).contains($0) }) else { throw bad(start, "an octal escape has three digits") }
      offset = start + 4
      append(digits.reduce(0) { $0 * 8 + UInt32($1 - 0x30) }, isBytes: isBytes, to: &content)
    default: throw bad(start, "for a backslash write `\\\\`, or put `r` before the quote")
    }
  }

  private mutating func code(_ start: Int, digits: Int, isBytes: Bool, into content: inout [UInt8]) throws(LexicalError) {
    var value: UInt32 = 0
    for position in start + 2..<start + 2 + digits {
      guard let digit = byte(at: position).hexDigitValue else { throw bad(start, "it has \(digits) hexadecimal digits") }
      value = value << 4 | digit
    }
    offset = start + 2 + digits
    guard isBytes || Unicode.Scalar(value) != nil else { throw bad(start, "there is no such Unicode scalar") }
    append(value, isBytes: isBytes, to: &content)
  }

  private func append(_ value: UInt32, isBytes: Bool, to content: inout [UInt8]) {
    if isBytes {
      content.append(UInt8(truncatingIfNeeded: value))
    } else if let scalar = Unicode.Scalar(value) {
      content += Array(Character(scalar).utf8)
    }
  }

  private func bad(_ start: Int, _ help: String) -> LexicalError {
    LexicalError(message: "`\(text(start, offset))` is not an escape", span: Span(start, offset), help: help)
  }
}
