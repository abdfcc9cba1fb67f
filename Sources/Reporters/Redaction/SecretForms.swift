import Diagnostics

/// Every text under which a secret may turn up in an output.
///
/// Raw, as log lines show it, escaped for JSON, XML and HTML (and one within the other), percent-encoded as a URL
/// component and as a form has it, in hexadecimal, and in both alphabets of base64 at each of the three places where it
/// may stand in a group: this last also finds it in the pair of `Authorization: Basic`, plain or form-encoded
/// (RFC 6749 §2.3.1). One with letters beyond ASCII also as whoever shows it who has misread its bytes (`TextMisreadings`).
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
    insertText(secret)
    let percent = TextEscapes.percent(secret)
    insert(percent)
    insert(TextEscapes.hexadecimal(secret))
    for text in percent.union([secret]) { insertBase64(Array(text.utf8)) }
    for text in TextMisreadings.texts(of: secret) { insertMisread(text) }
    insert(TextMisreadings.escapes(of: secret))
  }

  /// As it is, and escaped for documents.
  private mutating func insertText(_ text: String) {
    for text in TextEscapes.json(text).union([text, shownText(text)]) {
      insert(TextEscapes.json(text).union(TextEscapes.markup(text)).union([text, shownText(text)]))
    }
  }

  /// The usual escapes alone: there are four such texts of a secret, and each form takes its time to make.
  private mutating func insertMisread(_ text: String) {
    let json = TextEscapes.json(text)
    insert(json.union([text, shownText(text)]))
    for form in json { insert(TextEscapes.json(form)) }
    insert(TextEscapes.markup(text))
    insert(TextEscapes.percent(text))
  }

  private mutating func insert(_ forms: some Sequence<String>) {
    for form in forms { insert(Array(form.utf8)) }
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
