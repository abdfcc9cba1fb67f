/// A source text with places marked by `1️⃣`, `2️⃣` …, so that no test counts columns.
package struct MarkedText {
  /// The text without its marks.
  package let text: String
  /// The UTF-8 offset of each mark.
  package let offsets: [String: Int]

  package init(_ marked: String) {
    var text = ""
    var offsets: [String: Int] = [:]
    for character in marked {
      if character.unicodeScalars.count == 3, character.unicodeScalars.last == "\u{20E3}" {
        offsets[String(character)] = text.utf8.count
      } else {
        text.append(character)
      }
    }
    self.text = text
    self.offsets = offsets
  }

  /// The offset of a mark; traps where the text lacks it.
  package subscript(_ mark: String) -> Int {
    guard let offset = offsets[mark] else { fatalError("the marked text has no \(mark)") }
    return offset
  }
}
