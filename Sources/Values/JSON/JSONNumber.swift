/// Numbers of RFC 8259 §6, read without loss.
enum JSONNumber {
  /// The number that starts at `offset` with a digit or `-`.
  static func read(_ text: Span<UInt8>, from offset: inout Int) throws(JSONError) -> Value {
    let start = offset
    let isNegative = text[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var mantissa = Mantissa()
    let integerStart = offset
    try readDigits(text, from: &offset, into: &mantissa)
    if offset - integerStart > 1, text[integerStart] == UInt8(ascii: "0") {
      throw JSONError("a number must not start with a zero", at: integerStart)
    }
    let isIntegral = offset == text.count || !(text[offset] == UInt8(ascii: ".") || text[offset] | 0x20 == UInt8(ascii: "e"))
    if isIntegral, mantissa.digits <= 18 {
      let magnitude = Int64(mantissa.value)
      return .int(isNegative ? -magnitude : magnitude)
    }
    var exponent = 0
    if offset < text.count, text[offset] == UInt8(ascii: ".") {
      offset += 1
      let fractionStart = offset
      try readDigits(text, from: &offset, into: &mantissa)
      exponent = fractionStart - offset
    }
    if offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") {
      exponent += try readExponent(text, from: &offset)
    }
    if !isIntegral, let double = mantissa.double(timesTenTo: exponent) { return .double(isNegative ? -double : double) }
    return unsafe exact(String(copying: UTF8Span(unchecked: text.extracting(start..<offset))), isIntegral: isIntegral)
  }

  /// The value of a number that takes more than the short way.
  private static func exact(_ lexeme: String, isIntegral: Bool) -> Value {
    if isIntegral, let int = Int64(lexeme) { return .int(int) }
    guard let double = Double(lexeme), double.isFinite, ExactDecimal(double) == ExactDecimal(lexeme: lexeme) else {
      return .decimal(lexeme)
    }
    return .double(double)
  }

  @inline(__always)
  private static func readDigits(_ text: Span<UInt8>, from offset: inout Int, into mantissa: inout Mantissa) throws(JSONError) {
    let start = offset
    while offset < text.count {
      let digit = text[offset] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      mantissa.append(digit)
      offset += 1
    }
    if offset == start { throw JSONError("expected a digit", at: offset) }
  }

  /// The signed exponent after `e`; saturates, since past a million it makes no difference.
  private static func readExponent(_ text: Span<UInt8>, from offset: inout Int) throws(JSONError) -> Int {
    offset += 1
    var isNegative = false
    if offset < text.count, text[offset] == UInt8(ascii: "-") || text[offset] == UInt8(ascii: "+") {
      isNegative = text[offset] == UInt8(ascii: "-")
      offset += 1
    }
    let start = offset
    var magnitude = 0
    while offset < text.count, case let digit = text[offset] &- UInt8(ascii: "0"), digit <= 9 {
      magnitude = min(magnitude * 10 + Int(digit), 1_000_000)
      offset += 1
    }
    if offset == start { throw JSONError("expected a digit", at: offset) }
    return isNegative ? -magnitude : magnitude
  }

  /// The digits of a number as an integer, as long as they are few.
  private struct Mantissa {
    private(set) var value: UInt64 = 0
    /// Without leading zeros.
    private(set) var digits = 0

    @inline(__always)
    mutating func append(_ digit: UInt8) {
      guard digits > 0 || digit > 0 else { return }
      digits += 1
      if digits <= 18 { value = value &* 10 &+ UInt64(digit) }
    }

    /// The double nearest to it times a power of ten, where one rounding gives it: up to 15 digits and 10²² are exact
    /// doubles, so their product or quotient is rounded once (Clinger, 1990), and 15 digits always read back the same.
    func double(timesTenTo exponent: Int) -> Double? {
      guard digits <= 15, -22...22 ~= exponent else { return nil }
      return exponent < 0 ? Double(value) / Self.powersOfTen[-exponent] : Double(value) * Self.powersOfTen[exponent]
    }

    private static let powersOfTen: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
      1e22,
    ]
  }
}
