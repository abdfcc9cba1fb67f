/// Writes well-formed XML 1.0 in UTF-8.
struct XMLWriter {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  /// An element with others inside it; one without content closes itself.
  mutating func element(_ name: String, _ attributes: [(String, String)], content: ((inout XMLWriter) -> Void)? = nil) {
    openTag(name, attributes)
    guard let content else { return text += "/>\n" }
    text += ">\n"
    depth += 1
    content(&self)
    depth -= 1
    text += indentation + "</\(name)>\n"
  }

  /// An element with text inside it, every byte of which counts.
  mutating func element(_ name: String, _ attributes: [(String, String)] = [], text content: String) {
    openTag(name, attributes)
    text += ">" + Self.escaped(content, inAttribute: false) + "</\(name)>\n"
  }

  private var indentation: String { String(repeating: "  ", count: depth) }

  private mutating func openTag(_ name: String, _ attributes: [(String, String)]) {
    text += indentation + "<" + name
    for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value, inAttribute: true))\"" }
  }

  /// The text with markup escaped and what XML has no way to write (XML 1.0 §2.2) replaced by U+FFFD.
  static func escaped(_ content: String, inAttribute: Bool) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in content.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"" where inAttribute: escaped.append(contentsOf: "&quot;".unicodeScalars)
      // A reader would turn them into spaces, and `\r` into `\n` everywhere (§2.11, §3.3.3).
      case "\n" where inAttribute: escaped.append(contentsOf: "&#10;".unicodeScalars)
      case "\t" where inAttribute: escaped.append(contentsOf: "&#9;".unicodeScalars)
      case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
      default: escaped.append(scalar.isXMLCharacter ? scalar : "\u{FFFD}")
      }
    }
    return String(escaped)
  }
}

extension Unicode.Scalar {
  /// XML 1.0 §2.2, `Char`.
  fileprivate var isXMLCharacter: Bool {
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
