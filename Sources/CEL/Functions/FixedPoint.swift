import Values

/// Doubles with so many decimals, correctly rounded from their exact value, ties to even, as C's `printf` has them.
enum FixedPoint {
  /// `%f`.
  static func text(_ number: Double, _ decimals: Int) -> String {
    let (digits, point) = exact(number.magnitude)
    let rounded = self.rounded(digits, point, keeping: point + decimals)
    return sign(number) + placed(rounded.digits, rounded.point, decimals)
  }

  /// `%e`.
  static func scientific(_ number: Double, _ decimals: Int) -> String {
    let (digits, point) = exact(number.magnitude)
    let rounded = self.rounded(digits, point, keeping: decimals + 1)
    let exponent = number == 0 ? 0 : rounded.point - 1
    let mantissa = placed(rounded.digits, 1, decimals)
    let magnitude = String(exponent.magnitude)
    return "\(sign(number))\(mantissa)e\(exponent < 0 ? "-" : "+")\(magnitude.utf8.count < 2 ? "0" : "")\(magnitude)"
  }

  private static func sign(_ number: Double) -> String { number.sign == .minus ? "-" : "" }

  /// All decimal digits of the double's value, and how many stand before the point.
  private static func exact(_ number: Double) -> (digits: [UInt8], point: Int) {
    guard number > 0 else { return ([0], 1) }
    // value = significand * 2^exponent, both whole.
    let exponent = Int(number.exponent) - 52
    var significand = number.isNormal ? number.significandBitPattern | 1 << 52 : number.significandBitPattern
    let power = number.isNormal ? exponent : -1074
    // In groups of nine digits, the least first.
    var groups: [UInt64] = []
    while significand > 0 {
      groups.append(significand % 1_000_000_000)
      significand /= 1_000_000_000
    }
    // By 2 for a positive power; by 5, and the point moved, for a negative one. 2^29 and 5^12 are the most that fit.
    let (base, most): (UInt64, Int) = power > 0 ? (2, 29) : (5, 12)
    var left = Int(power.magnitude)
    while left > 0 {
      let times = min(left, most)
      multiply(&groups, by: (0..<times).reduce(1) { product, _ in product * base })
      left -= times
    }
    var digits: [UInt8] = []
    for group in groups {
      var rest = group
      for _ in 0..<9 {
        digits.append(UInt8(rest % 10))
        rest /= 10
      }
    }
    while digits.last == 0 { digits.removeLast() }
    return (digits.reversed(), digits.count - (power < 0 ? -power : 0))
  }

  private static func multiply(_ groups: inout [UInt64], by factor: UInt64) {
    var carry: UInt64 = 0
    for position in groups.indices {
      let product = groups[position] * factor + carry
      groups[position] = product % 1_000_000_000
      carry = product / 1_000_000_000
    }
    if carry > 0 { groups.append(carry) }
  }

  /// The first `count` digits, rounded half to even.
  private static func rounded(_ digits: [UInt8], _ point: Int, keeping count: Int) -> (digits: [UInt8], point: Int) {
    guard count < digits.count else { return (digits, point) }
    guard count >= 0 else { return ([0], 1) }
    var kept = Array(digits[..<count])
    let rest = digits[count...]
    let isAbove = rest.first.map { $0 > 5 || ($0 == 5 && rest.dropFirst().contains { $0 > 0 }) } ?? false
    let isTie = rest.first == 5 && !isAbove
    guard isAbove || (isTie && (kept.last ?? 0) % 2 == 1) else { return kept.isEmpty ? ([0], 1) : (kept, point) }
    var position = kept.count - 1
    while position >= 0, kept[position] == 9 {
      kept[position] = 0
      position -= 1
    }
    if position >= 0 {
      kept[position] += 1
      return (kept, point)
    }
    return ([1] + kept, point + 1)
  }

  private static func placed(_ digits: [UInt8], _ point: Int, _ decimals: Int) -> String {
    func digit(_ position: Int) -> UInt8 { (digits.indices.contains(position) ? digits[position] : 0) + 0x30 }
    var text: [UInt8] = point > 0 ? (0..<point).map(digit) : [0x30]
    if decimals > 0 {
      text.append(UInt8(ascii: "."))
      text += (point..<point + decimals).map(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
