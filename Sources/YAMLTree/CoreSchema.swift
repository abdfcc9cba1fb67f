/// What a plain scalar means in the YAML 1.2 core schema, with the house's refusals (YAML 1.2.2 §10.3.2).
enum CoreSchema {
  enum Resolution: Hashable {
    case meaning(Scalar.Meaning)
    /// A number with a leading zero or a `+`, which loses them when it is read.
    case numberThatLosesDigits
    /// A second spelling of `null`, `true` or `false`.
    case otherSpelling(of: String)
    /// Infinity, not-a-number, or a float past the largest: JSON has none of them.
    case notFinite
  }

  static func resolve(_ text: String) -> Resolution {
    switch text {
    case "", "~", "null": return .meaning(.null)
    case "true": return .meaning(.bool(true))
    case "false": return .meaning(.bool(false))
    case "Null", "NULL": return .otherSpelling(of: "null")
    case "True", "TRUE": return .otherSpelling(of: "true")
    case "False", "FALSE": return .otherSpelling(of: "false")
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN": return .notFinite
    default: return number(Array(text.utf8), text) ?? .meaning(.string)
    }
  }

  private static func number(_ utf8: [UInt8], _ text: String) -> Resolution? {
    guard let first = utf8.first, isDigit(first) || first == 0x2B || first == 0x2D || first == 0x2E else { return nil }
    if utf8.count > 2, first == 0x30 {
      if utf8[1] == UInt8(ascii: "x") { return based(text, 16) }
      if utf8[1] == UInt8(ascii: "o") { return based(text, 8) }
    }
    guard let shape = Decimal(utf8) else { return nil }
    if first == 0x2B || shape.hasLeadingZero { return .numberThatLosesDigits }
    if shape.isInteger, let value = Int64(text) { return .meaning(.int(value)) }
    guard let value = Double(text) ?? Double(text + "0"), value.isFinite else { return .notFinite }
    return .meaning(.double(value))
  }

  private static func based(_ text: String, _ radix: Int) -> Resolution? {
    let digits = text.dropFirst(2)
    guard digits.utf8.allSatisfy({ isDigit($0) || $0 | 0x20 >= UInt8(ascii: "a") }), digits.allSatisfy({ $0.isASCII }) else { return nil }
    if let value = Int64(digits, radix: radix) { return .meaning(.int(value)) }
    var value = 0.0
    for digit in digits {
      guard let worth = Int(String(digit), radix: radix) else { return nil }
      value = value * Double(radix) + Double(worth)
    }
    return value.isFinite ? .meaning(.double(value)) : .notFinite
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
  private struct Decimal {
    var isInteger: Bool
    var hasLeadingZero: Bool

    init?(_ utf8: [UInt8]) {
      var rest = utf8[...]
      if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
      let whole = rest.prefix(while: isDigit)
      rest = rest.dropFirst(whole.count)
      var fraction = rest.prefix(0)
      let hasPoint = rest.first == 0x2E
      if hasPoint {
        fraction = rest.dropFirst().prefix(while: isDigit)
        rest = rest.dropFirst(1 + fraction.count)
      }
      guard !whole.isEmpty || !fraction.isEmpty else { return nil }
      let hasExponent = rest.first.map { $0 | 0x20 == UInt8(ascii: "e") } ?? false
      if hasExponent {
        rest.removeFirst()
        if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
        let exponent = rest.prefix(while: isDigit)
        guard !exponent.isEmpty else { return nil }
        rest = rest.dropFirst(exponent.count)
      }
      guard rest.isEmpty else { return nil }
      isInteger = !hasPoint && !hasExponent
      hasLeadingZero = whole.count > 1 && whole.first == 0x30
    }
  }
}
