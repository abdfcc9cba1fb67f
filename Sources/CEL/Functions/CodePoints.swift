/// Texts by their code points. Swift's `==`, `<` and `count` go by canonical equivalence and graphemes, and its views
/// are walked slowly; these go over the UTF-8 once.
enum CodePoints {
  static func areEqual(_ a: String, _ b: String) -> Bool {
    let x = a.utf8.span
    let y = b.utf8.span
    guard x.count == y.count else { return false }
    for position in x.indices where x[position] != y[position] { return false }
    return true
  }

  static func count(_ text: String) -> Int {
    let bytes = text.utf8.span
    var count = 0
    for position in bytes.indices where bytes[position] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The byte offset of a code point, the end's for the number of them all.
  static func byteOffset(of position: Int, in text: String) -> Int {
    let bytes = text.utf8.span
    var left = position
    for offset in bytes.indices where bytes[offset] & 0xC0 != 0x80 {
      if left == 0 { return offset }
      left -= 1
    }
    return bytes.count
  }

  /// How many code points start before a byte offset.
  static func position(ofByte offset: Int, in text: String) -> Int {
    let bytes = text.utf8.span
    var count = 0
    for position in 0..<offset where bytes[position] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The text from one byte offset to another, both at the start of a code point.
  static func slice(_ text: String, _ start: Int, _ end: Int) -> String {
    let utf8 = text.utf8
    return String(text[utf8.index(utf8.startIndex, offsetBy: start)..<utf8.index(utf8.startIndex, offsetBy: end)])
  }
}
