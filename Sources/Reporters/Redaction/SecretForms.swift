import Diagnostics

/// Every text under which a secret may turn up in an output.
///
/// Raw, as log lines show it, escaped for JSON, XML and HTML (and one within the other), percent-encoded as a URL
/// component and as a form has it, in hexadecimal, and in both alphabets of base64 at each of the three places where it
/// may stand in a group: this last also finds it in the pair of `Authorization: Basic`, plain or form-encoded
/// (RFC 6749 §2.3.1).
struct SecretForms {
  private(set) var forms: Set<[UInt8]> = []

  /// Shorter ones are not searched for: they would hide half of every text.
  static let minimumLength = 4
  /// The shortest line of a secret of several lines that is hidden by itself.
  private static let minimumLineLength = 8

  /// No forms for a secret of fewer than `minimumLength` characters.
  init(of secret: String) {
    guard secret.count >= Self.minimumLength else { return }
    insertAll(of: secret)
    // A key in PEM is shown line by line.
    let lines = secret.split(whereSeparator: \.isNewline)
    if lines.count > 1 {
      for line in lines where line.count >= Self.minimumLineLength { insertAll(of: String(line)) }
    }
  }

  private mutating func insertAll(of secret: String) {
    for text in TextEscapes.json(secret).union([secret, shownText(secret)]) {
      for form in TextEscapes.json(text).union(TextEscapes.markup(text)).union([text, shownText(text)]) { insert(Array(form.utf8)) }
    }
    let percent = TextEscapes.percent(secret)
    for form in percent { insert(Array(form.utf8)) }
    for form in TextEscapes.hexadecimal(secret) { insert(Array(form.utf8)) }
    for text in percent.union([secret]) { insertBase64(Array(text.utf8)) }
  }

  private mutating func insert(_ bytes: [UInt8]) {
    if bytes.count >= Self.minimumLength { forms.insert(bytes) }
  }

  private mutating func insertBase64(_ bytes: [UInt8]) {
    for alphabet in [Base64Alphabet.standard, .urlSafe] {
      // Alone, with and without its padding.
      let whole = alphabet.encoded(bytes)
      insertInURLsToo(whole)
      insertInURLsToo(whole + Array(repeating: UInt8(ascii: "="), count: (4 - whole.count % 4) % 4))
      // Inside a longer text: the digits that it alone decides.
      for shift in 0...2 {
        let digits = alphabet.encoded(Array(repeating: 0, count: shift) + bytes)
        insertInURLsToo(Array(digits[((8 * shift + 5) / 6)..<(8 * (shift + bytes.count) / 6)]))
      }
    }
  }

  private mutating func insertInURLsToo(_ base64: [UInt8]) {
    insert(base64)
    for form in TextEscapes.percentInBase64(String(decoding: base64, as: UTF8.self)) { insert(Array(form.utf8)) }
  }
}

/// RFC 4648 §4 and §5.
private struct Base64Alphabet {
  let digits: [UInt8]

  static let standard = Self(digits: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8))
  static let urlSafe = Self(digits: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8))

  /// Without padding.
  func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(digits[bits >> count & 63])
      }
      bits &= (1 << count) - 1
    }
    if count > 0 { text.append(digits[bits << (6 - count) & 63]) }
    return text
  }
}
