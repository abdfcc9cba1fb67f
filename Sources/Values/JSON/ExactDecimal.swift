/// A number as its decimal digits: no rounding, whatever the lexeme.
package struct ExactDecimal: Hashable, Sendable {
  /// Never set for zero.
  package let isNegative: Bool
  /// 0 to 9 each, without zeros at either end; empty for zero.
  package let digits: [UInt8]
  /// Where the point stands: the number is 0.DIGITS times ten to this.
  package let exponent: Int

  private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    let isZero = digits.isEmpty
    self.isNegative = isNegative && !isZero
    self.digits = digits
    self.exponent = isZero ? 0 : exponent
  }

  /// The number that a JSON lexeme (or a double's description) spells; exponents saturate at a million.
  /// What is no such lexeme has no meaning here.
  package init(lexeme: String) {
    var isNegative = false
    var digits: [UInt8] = []
    var point: Int?
    var leadingZeros = 0
    var bytes = lexeme.utf8.makeIterator()
    var exponent = 0
    scan: while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): point = digits.count + leadingZeros
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent = Self.exponent(&bytes)
        break scan
      case UInt8(ascii: "0") where digits.isEmpty: leadingZeros += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
      default: break
      }
    }
    let integerDigits = (point ?? digits.count + leadingZeros) - leadingZeros
    while digits.last == 0 { digits.removeLast() }
    self.init(isNegative: isNegative, digits: digits, exponent: integerDigits + exponent)
  }

  /// The number that a finite double's shortest text spells.
  package init(_ double: Double) { self.init(lexeme: double.description) }

  package init(_ int: Int64) { self.init(lexeme: String(int)) }

  package init(_ uint: UInt64) { self.init(lexeme: String(uint)) }

  /// The number of a value; nil for what is no number, NaN and the infinities.
  package init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(number)
    case .uint(let number): self.init(number)
    case .double(let number) where number.isFinite: self.init(number)
    case .decimal(let lexeme): self.init(lexeme: lexeme)
    default: return nil
    }
  }

  package var isInteger: Bool { digits.count <= exponent || digits.isEmpty }

  private static func exponent(_ bytes: inout String.UTF8View.Iterator) -> Int {
    var isNegative = false
    var magnitude = 0
    while let byte = bytes.next() {
      if byte == UInt8(ascii: "-") { isNegative = true }
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 { magnitude = min(magnitude * 10 + Int(digit), 1_000_000) }
    }
    return isNegative ? -magnitude : magnitude
  }
}

extension ExactDecimal: Comparable {
  package static func < (a: Self, b: Self) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    return a.isNegative ? b.isSmaller(than: a) : a.isSmaller(than: b)
  }

  /// Compares magnitudes.
  private func isSmaller(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
