/// A text with letters beyond ASCII, as programs show it that take its bytes for another encoding, or cannot write its letters.
///
/// Nobody says in which encoding the value of a header is (RFC 9110 §5.5), and many servers read it, and forms without a
/// charset, as Latin-1, which on the web is windows-1252: `ü` comes back as `Ã¼`.
enum TextMisreadings {
  /// As text: its UTF-8 read as Latin-1 and as windows-1252, its Latin-1 read as UTF-8, and with marks where the letters were
  /// lost. None for ASCII, which all of them read alike.
  static func texts(of text: String) -> Set<String> {
    guard !isASCII(text) else { return [] }
    var texts: Set<String> = [latin1(Array(text.utf8)), windows1252(Array(text.utf8))]
    // What is left must still tell it from other texts.
    guard text.utf8.count(where: { $0 < 0x80 }) >= SecretForms.minimumLength else { return texts }
    texts.insert(String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" }))
    if let bytes = latin1Bytes(text) { texts.insert(String(decoding: bytes, as: UTF8.self)) }
    return texts
  }

  /// With its letters escaped as no form of the text itself has them: percent-encoded from Latin-1 (`%FC`, as forms of old
  /// pages and JavaScript's `escape` do), as byte literals of its UTF-8 and its Latin-1 (`\xc3\xbc`, as Python shows bytes), and
  /// as numeric references (`&#252;`, as writers of XML in ASCII do).
  static func escapes(of text: String) -> Set<String> {
    guard !isASCII(text) else { return [] }
    var escapes: Set<String> = []
    for isUpper in [false, true] {
      escapes.insert(byteLiterals(Array(text.utf8), upper: isUpper))
      if let bytes = latin1Bytes(text) {
        escapes.insert(byteLiterals(bytes, upper: isUpper))
        for marks in ["-._~", "-._*", "@*_+-./"] { escapes.formUnion(percentEncoded(bytes, keeping: marks, upper: isUpper)) }
      }
      escapes.insert(references(text) { "x" + String($0, radix: 16, uppercase: isUpper) })
    }
    escapes.insert(references(text) { String($0) })
    return escapes
  }

  private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  // MARK: bytes read wrongly

  private static func latin1(_ bytes: [UInt8]) -> String {
    var read = String.UnicodeScalarView()
    for byte in bytes { read.append(Unicode.Scalar(byte)) }
    return String(read)
  }

  private static func windows1252(_ bytes: [UInt8]) -> String {
    var read = String.UnicodeScalarView()
    for byte in bytes { read.append((0x80...0x9F).contains(byte) ? windows1252Letters[Int(byte) - 0x80] : Unicode.Scalar(byte)) }
    return String(read)
  }

  /// For the bytes from 0x80 to 0x9F; those that have no letter are read as the control character of that number.
  private static let windows1252Letters = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// Nil where a letter has no place there.
  private static func latin1Bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  // MARK: letters escaped

  private static func byteLiterals(_ bytes: [UInt8], upper: Bool) -> String {
    bytes.map { byte in
      switch byte {
      case UInt8(ascii: "\\"): "\\\\"
      case 0x20..<0x7F: String(Character(Unicode.Scalar(byte)))
      default: "\\x" + TextEscapes.hexadecimal(byte, upper: upper)
      }
    }.joined()
  }

  /// A blank is `%20` or `+`.
  private static func percentEncoded(_ bytes: [UInt8], keeping marks: String, upper: Bool) -> [String] {
    let encoded = TextEscapes.percentEncoded(bytes, keeping: marks, upper: upper)
    return [encoded, encoded.replacing("%20", with: "+")]
  }

  private static func references(_ text: String, _ number: (UInt32) -> String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case _ where scalar.isASCII: String(Character(scalar))
      default: "&#\(number(scalar.value));"
      }
    }.joined()
  }
}
