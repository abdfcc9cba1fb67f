import Values

/// Whether two values are equal as JSON Schema has it (core §4.2.2): numbers by value, so 1 and 1.0 are; texts by code
/// points; objects without regard to order.
func isEqualJSON(_ a: Value, _ b: Value) -> Bool {
  switch (a, b) {
  case (.secret(let inner), _): return isEqualJSON(inner, b)
  case (_, .secret(let inner)): return isEqualJSON(a, inner)
  case (.null, .null): return true
  case (.bool(let x), .bool(let y)): return x == y
  case (.string(let x), .string(let y)): return x.utf8.elementsEqual(y.utf8)
  case (.int(let x), .int(let y)): return x == y
  case (.list(let x), .list(let y)): return x.count == y.count && zip(x, y).allSatisfy { isEqualJSON($0, $1) }
  case (.map(let x), .map(let y)):
    return x.count == y.count && x.allSatisfy { entry in y[entry.key].map { isEqualJSON(entry.value, $0) } ?? false }
  default:
    guard let x = ExactDecimal(a), let y = ExactDecimal(b) else { return a == b }
    return x == y
  }
}

/// A text that two values share exactly if they are equal as JSON.
func canonicalJSON(_ value: Value) -> String {
  switch value {
  case .secret(let inner): return canonicalJSON(inner)
  case .list(let items): return "[" + items.map(canonicalJSON).joined(separator: ",") + "]"
  case .map(let map):
    let members = map.map { (name: Value.string($0.key.text).json(), value: $0.value) }
    let sorted = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return "{" + sorted.map { "\($0.name):\(canonicalJSON($0.value))" }.joined(separator: ",") + "}"
  default:
    guard let number = ExactDecimal(value) else { return value.json() }
    let digits = String(decoding: number.digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    return "\(number.isNegative ? "-" : "")0.\(digits)e\(number.exponent)"
  }
}

/// How two numbers compare; nil where one is none.
func compareNumbers(_ a: Value, _ b: Value) -> Int? {
  if case .int(let x) = a, case .int(let y) = b { return x < y ? -1 : x == y ? 0 : 1 }
  if case .double(let x) = a, case .double(let y) = b, x.isFinite, y.isFinite { return x < y ? -1 : x == y ? 0 : 1 }
  guard let x = ExactDecimal(a), let y = ExactDecimal(b) else { return nil }
  return x < y ? -1 : x == y ? 0 : 1
}

/// Whether one number divides another without rest, reckoned with their decimal digits: 0.0075 is a multiple of 0.0001.
func isMultiple(_ number: ExactDecimal, of divisor: ExactDecimal) -> Bool {
  if number.digits.isEmpty { return true }
  if divisor.digits.isEmpty { return false }
  // Both as integers times one power of ten.
  let numberPower = number.exponent - number.digits.count
  let divisorPower = divisor.exponent - divisor.digits.count
  let divisorZeros = max(divisorPower - numberPower, 0)
  // A divisor with more digits than the number is greater than it.
  if divisor.digits.count + divisorZeros > number.digits.count + max(numberPower - divisorPower, 0) { return false }
  // Past 36 digits the remainder would overflow; no double has so many.
  guard divisor.digits.count + divisorZeros <= 36 else { return false }
  var modulus: UInt128 = 0
  for digit in divisor.digits + Array(repeating: 0, count: divisorZeros) { modulus = modulus * 10 + UInt128(digit) }
  var rest: UInt128 = 0
  for digit in number.digits { rest = (rest * 10 + UInt128(digit)) % modulus }
  var zeros = max(numberPower - divisorPower, 0)
  while zeros > 0, rest != 0 {
    rest = rest * 10 % modulus
    zeros -= 1
  }
  return rest == 0
}
