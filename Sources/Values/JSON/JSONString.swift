/// Strings with escapes, read and written (RFC 8259 §7).
enum JSONString {
  /// The text of a string whose first backslash stands at `offset`; what stands between it and `opening` is plain.
  static func readEscaped(_ text: Span<UInt8>, opening: Int, from offset: inout Int) throws(JSONError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * (offset - opening) + 16)
    for index in opening + 1..<offset { bytes.append(text[index]) }
    while offset < text.count {
      let byte = text[offset]
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"): try readEscape(text, from: &offset, into: &bytes)
      case 0..<0x20: throw JSONError("a control character in a string must be escaped", at: offset)
      default:
        bytes.append(byte)
        offset += 1
      }
    }
    throw JSONError("the string is not closed", at: opening)
  }

  private static func readEscape(_ text: Span<UInt8>, from offset: inout Int, into bytes: inout [UInt8]) throws(JSONError) {
    guard offset + 1 < text.count else { throw JSONError("the string is not closed", at: offset) }
    let plain: UInt8
    switch text[offset + 1] {
    case UInt8(ascii: "\""): plain = UInt8(ascii: "\"")
    case UInt8(ascii: "\\"): plain = UInt8(ascii: "\\")
    case UInt8(ascii: "/"): plain = UInt8(ascii: "/")
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      let scalar = try readScalar(text, from: &offset)
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return
    default: throw JSONError("unknown escape in a string", at: offset)
    }
    bytes.append(plain)
    offset += 2
  }

  /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair.
  private static func readScalar(_ text: Span<UInt8>, from offset: inout Int) throws(JSONError) -> Unicode.Scalar {
    let start = offset
    let first = try readUnit(text, from: &offset)
    if let scalar = Unicode.Scalar(first) { return scalar }
    // No Swift string, and no UTF-8, can hold half of a pair.
    let lone = JSONError("half of a surrogate pair in a string", at: start)
    guard first < 0xDC00, offset + 1 < text.count, text[offset] == UInt8(ascii: "\\"), text[offset + 1] == UInt8(ascii: "u")
    else { throw lone }
    let second = try readUnit(text, from: &offset)
    guard 0xDC00..<0xE000 ~= second, let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00)))
    else { throw lone }
    return scalar
  }

  private static func readUnit(_ text: Span<UInt8>, from offset: inout Int) throws(JSONError) -> UInt32 {
    guard offset + 6 <= text.count else { throw JSONError("`\\u` needs four hexadecimal digits", at: offset) }
    var unit: UInt32 = 0
    for index in offset + 2..<offset + 6 {
      guard let digit = Character(Unicode.Scalar(text[index])).hexDigitValue else {
        throw JSONError("`\\u` needs four hexadecimal digits", at: offset)
      }
      unit = unit << 4 | UInt32(digit)
    }
    offset += 6
    return unit
  }

  /// Appends the text in double quotes; escapes only what must be.
  static func write(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let utf8 = text.utf8.span
    // Runs that need no escape are copied as a whole.
    var start = 0
    for index in utf8.indices {
      let byte = utf8[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      append(utf8.extracting(start..<index), to: &bytes)
      start = index + 1
      if byte < 0x20 {
        writeControl(byte, into: &bytes)
      } else {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      }
    }
    append(utf8.extracting(start..<utf8.count), to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(_ run: Swift.Span<UInt8>, to bytes: inout [UInt8]) {
    unsafe run.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  private static func writeControl(_ byte: UInt8, into bytes: inout [UInt8]) {
    switch byte {
    case 0x08: bytes.append(contentsOf: "\\b".utf8)
    case 0x0C: bytes.append(contentsOf: "\\f".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    default:
      bytes.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
      bytes.append(contentsOf: String(byte, radix: 16).utf8)
    }
  }
}
