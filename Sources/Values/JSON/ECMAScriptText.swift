/// A double as ECMAScript prints it: `123456789`, `0.1`, `1e+21`, `5e-324`, `NaN`, `Infinity`; the shortest digits that
/// read back as the same double (ECMA-262, Number::toString).
package func ecmaScriptText(of double: Double) -> String {
  guard double.isFinite else { return double.isNaN ? "NaN" : double < 0 ? "-Infinity" : "Infinity" }
  // Also -0.
  if double == 0 { return "0" }
  if double.magnitude < 9e15 {
    if let int = Int64(exactly: double) { return String(int) }
    // Here Swift prints the same digits, and an exponent only for what is smaller.
    if double.magnitude >= 1e-3 { return double.description }
  }
  let decimal = ExactDecimal(double)
  let point = decimal.exponent
  let digits = decimal.digits.map { $0 + UInt8(ascii: "0") }
  var text: [UInt8] = decimal.isNegative ? [UInt8(ascii: "-")] : []
  switch point {
  case digits.count...21 where digits.count <= 21:
    text += digits
    text += repeatElement(UInt8(ascii: "0"), count: point - digits.count)
  case 1...21:
    text += digits[..<point]
    text.append(UInt8(ascii: "."))
    text += digits[point...]
  case -5...0:
    text += "0.".utf8
    text += repeatElement(UInt8(ascii: "0"), count: -point)
    text += digits
  default:
    text.append(digits[0])
    if digits.count > 1 {
      text.append(UInt8(ascii: "."))
      text += digits[1...]
    }
    text += (point > 0 ? "e+" : "e-").utf8
    text += String((point - 1).magnitude).utf8
  }
  return String(decoding: text, as: UTF8.self)
}
