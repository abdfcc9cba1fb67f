/// The ways in which other programs, and our own reports, write one text into another.
enum TextEscapes {
  /// As writers of JSON escape it: as little as they must, as our own reports do, with the solidus, and all but ASCII in
  /// digits of either case.
  static func json(_ text: String) -> Set<String> {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F || #"\/#"#.utf8.contains($0) || $0 == UInt8(ascii: "\"") }) else {
      return [text]
    }
    let plain = jsonEscaped(text, solidus: false)
    let solidus = jsonEscaped(text, solidus: true)
    return [
      plain, solidus, JSONText.inert(plain), onlyASCII(plain, upper: false), onlyASCII(plain, upper: true),
      onlyASCII(solidus, upper: false), onlyASCII(solidus, upper: true),
    ]
  }

  /// As writers of XML and HTML escape it: whichever way they write quotes, which they may leave alone.
  static func markup(_ text: String) -> Set<String> {
    guard text.utf8.contains(where: { #"&<>"'+/"#.utf8.contains($0) }) else { return [text] }
    var forms: Set<String> = []
    for quote in ["\"", "&quot;", "&#34;", "&#x22;"] {
      for apostrophe in ["'", "&apos;", "&#39;", "&#x27;"] {
        for greater in [">", "&gt;"] {
          forms.insert(replaced(text, ["&": "&amp;", "<": "&lt;", ">": greater, "\"": quote, "'": apostrophe]))
        }
      }
    }
    // Go's html/template and the rule of OWASP.
    forms.insert(replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&#34;", "'": "&#39;", "+": "&#43;"]))
    forms.insert(replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#x27;", "/": "&#x2F;"]))
    return forms
  }

  /// As a URL component (RFC 3986, and with the marks that JavaScript leaves alone) and as a form, digits of either case.
  static func percent(_ text: String) -> Set<String> {
    guard !text.utf8.allSatisfy({ isUnreserved($0) }) else { return [text] }
    var forms: Set<String> = []
    for marks in ["-._~", "-._~!*'()", "-._*", "-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@/?"] {
      for isUpper in [true, false] {
        let form = percentEncoded(text.utf8, keeping: marks, upper: isUpper)
        forms.insert(form)
        forms.insert(form.replacing("%20", with: "+"))
      }
    }
    return forms
  }

  /// Base64 in a URL or a form.
  static func percentInBase64(_ base64: String) -> [String] {
    [
      replaced(base64, ["+": "%2B", "/": "%2F", "=": "%3D"]), replaced(base64, ["+": "%2b", "/": "%2f", "=": "%3d"]),
    ]
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

  static func percentEncoded(_ bytes: some Sequence<UInt8>, keeping marks: String, upper: Bool) -> String {
    bytes.map { byte in
      let isKept = isUnreserved(byte) && !"-._~".utf8.contains(byte) || marks.utf8.contains(byte)
      return isKept ? String(Character(Unicode.Scalar(byte))) : "%" + hexadecimal(byte, upper: upper)
    }.joined()
  }

  static func hexadecimal(_ byte: UInt8, upper: Bool) -> String {
    let digits = String(byte, radix: 16, uppercase: upper)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }

  /// RFC 3986 §2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func replaced(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replacement = replacements[scalar] {
        result.append(contentsOf: replacement.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
