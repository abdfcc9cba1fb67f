/// The scalars that a label after `xn--` encodes (RFC 3492 §6.2); nil where it encodes none.
func punycodeDecoded(_ label: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
  var scalars: [UInt32] = []
  var rest = label
  if let hyphen = label.lastIndex(of: UInt8(ascii: "-")) {
    scalars = label[..<hyphen].map(UInt32.init)
    rest = label[(hyphen + 1)...]
  }
  var code: UInt32 = 128
  var position = 0
  var bias = 72
  while !rest.isEmpty {
    let start = position
    var weight = 1
    var threshold = 36
    while true {
      guard let byte = rest.popFirst(), let digit = punycodeDigit(byte) else { return nil }
      position += digit * weight
      let limit = min(max(threshold - bias, 1), 26)
      if digit < limit { break }
      weight *= 36 - limit
      threshold += 36
      // No label of 63 bytes needs more.
      guard weight < 1 << 40, position < 1 << 40 else { return nil }
    }
    let count = scalars.count + 1
    bias = punycodeBias(position - start, count, isFirst: start == 0)
    let (next, overflow) = code.addingReportingOverflow(UInt32(clamping: position / count))
    if overflow { return nil }
    code = next
    position %= count
    scalars.insert(code, at: position)
    position += 1
  }
  let decoded = scalars.compactMap { Unicode.Scalar($0) }
  return decoded.count == scalars.count ? decoded : nil
}

private func punycodeDigit(_ byte: UInt8) -> Int? {
  if isDigit(byte) { return Int(byte - UInt8(ascii: "0")) + 26 }
  return isLetter(byte) ? Int(byte | 0x20 - UInt8(ascii: "a")) : nil
}

/// RFC 3492 §6.1.
private func punycodeBias(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
  var delta = isFirst ? delta / 700 : delta / 2
  delta += delta / count
  var bias = 0
  while delta > 455 {
    delta /= 35
    bias += 36
  }
  return bias + 36 * delta / (delta + 38)
}

/// Whether decoded scalars make a label of IDNA 2008: RFC 5891 §4.2.3 and the rules by code point of RFC 5892.
func isInternationalLabel(_ label: [Unicode.Scalar]) -> Bool {
  guard let first = label.first, label.contains(where: { !$0.isASCII }), first != "-", label.last != "-" else { return false }
  if label.count >= 4, label[2] == "-", label[3] == "-" { return false }
  switch first.properties.generalCategory {
  case .nonspacingMark, .spacingMark, .enclosingMark: return false
  default: break
  }
  return label.indices.allSatisfy { isAllowed(at: $0, in: label) }
}

private func isAllowed(at index: Int, in label: [Unicode.Scalar]) -> Bool {
  let before = index > 0 ? label[index - 1] : nil
  let after = index + 1 < label.count ? label[index + 1] : nil
  switch label[index].value {
  // RFC 5892 appendix A, in its order.
  case 0x200C: return isVirama(before) || (isIn(before, [0x600...0x8FF]) && isIn(after, [0x600...0x8FF]))
  case 0x200D: return isVirama(before)
  case 0xB7: return before == "l" && after == "l"
  case 0x375: return isIn(after, [0x370...0x3FF, 0x1F00...0x1FFF])
  case 0x5F3, 0x5F4: return isIn(before, [0x590...0x5FF])
  case 0x30FB: return label.contains { isIn($0, japanese) }
  case 0x660...0x669: return !label.contains { isIn($0, [0x6F0...0x6F9]) }
  case 0x6F0...0x6F9: return !label.contains { isIn($0, [0x660...0x669]) }
  // RFC 5892 §2.6.
  case 0x2D, 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
  case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
  default: break
  }
  switch label[index].properties.generalCategory {
  case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: return true
  default: return false
  }
}

/// Hiragana, Katakana and Han, the dot itself left out.
private let japanese: [ClosedRange<UInt32>] = [
  0x3005...0x3007, 0x3041...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
  0xF900...0xFAFF, 0x20000...0x3FFFF,
]

private func isIn(_ scalar: Unicode.Scalar?, _ ranges: [ClosedRange<UInt32>]) -> Bool {
  guard let scalar else { return false }
  return ranges.contains { $0.contains(scalar.value) }
}

private func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
  scalar?.properties.canonicalCombiningClass == .virama
}
