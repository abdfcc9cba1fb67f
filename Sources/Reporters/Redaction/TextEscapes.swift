/// The ways in which other programs, and our own reports, write one text into another.
enum TextEscapes {
  /// As writers of JSON escape it: as little as they must, as our own reports do, with the solidus, and all but ASCII in
  /// digits of either case.
  static func json(_ text: String) -> [String] {
    let plain = jsonEscaped(text, solidus: false)
    let solidus = jsonEscaped(text, solidus: true)
    return [
      plain, solidus, JSONText.inert(plain), onlyASCII(plain, upper: false), onlyASCII(plain, upper: true),
      onlyASCII(solidus, upper: false), onlyASCII(solidus, upper: true),
    ]
  }

  /// As writers of XML and HTML escape it: whichever way they write quotes, which they may leave alone.
  static func markup(_ text: String) -> [String] {
    guard text.utf8.contains(where: { #"&<>"'+/"#.utf8.contains($0) }) else { return [text] }
    var forms: [String] = []
    for quote in ["\"", "&quot;", "&#34;", "&#x22;"] {
      for apostrophe in ["'", "&apos;", "&#39;", "&#x27;"] {
        forms.append(replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": quote, "'": apostrophe]))
        forms.append(replaced(text, ["&": "&amp;", "<": "&lt;", "\"": quote, "'": apostrophe]))
      }
    }
    // Go's html/template and the rule of OWASP.
    forms.append(replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&#34;", "'": "&#39;", "+": "&#43;"]))
    forms.append(replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#x27;", "/": "&#x2F;"]))
    return forms
  }

  /// As a URL component (RFC 3986, and with the marks that JavaScript leaves alone) and as a form, digits of either case.
  static func percent(_ text: String) -> [String] {
    var forms: [String] = []
    for unreserved in ["-._~", "-._~!*'()", "-._*", "-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@/?"] {
      for isUpper in [true, false] {
        let form = percentEncoded(text, keeping: unreserved, upper: isUpper)
        forms.append(form)
        forms.append(replaced(form, ["%20": "+"]))
      }
    }
    return forms
  }

  static func hexadecimal(_ text: String) -> [String] {
    [false, true].map { isUpper in text.utf8.map { hexadecimal($0, upper: isUpper) }.joined() }
  }

  // MARK: one text

  private static func jsonEscaped(_ text: String, solidus: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "/" where solidus: escaped += "\\/"
      case "\u{08}": escaped += "\\b"
      case "\t": escaped += "\\t"
      case "\n": escaped += "\\n"
      case "\u{0C}": escaped += "\\f"
      case "\r": escaped += "\\r"
      case "\0"..<" ": escaped += "\\u00" + hexadecimal(UInt8(scalar.value), upper: false)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func onlyASCII(_ json: String, upper: Bool) -> String {
    json.utf16.map { unit in
      unit < 0x7F
        ? String(Character(Unicode.Scalar(UInt8(unit))))
        : "\\u" + hexadecimal(UInt8(unit >> 8), upper: upper) + hexadecimal(UInt8(unit & 0xFF), upper: upper)
    }.joined()
  }

  private static func percentEncoded(_ text: String, keeping marks: String, upper: Bool) -> String {
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || marks.utf8.contains(byte))
      return isKept ? String(Character(scalar)) : "%" + hexadecimal(byte, upper: upper)
    }.joined()
  }

  private static func hexadecimal(_ byte: UInt8, upper: Bool) -> String {
    let digits = String(byte, radix: 16, uppercase: upper)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }

  private static func replaced(_ text: String, _ replacements: [String: String]) -> String {
    var result = ""
    var rest = Substring(text)
    while !rest.isEmpty {
      if let (from, to) = replacements.first(where: { rest.hasPrefix($0.key) }) {
        result += to
        rest = rest.dropFirst(from.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
