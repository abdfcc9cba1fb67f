/// RFC 1123 §2.1, with the lengths of RFC 1034 §3.1; a label `xn--…` must encode a label of
/// IDNA 2008.
func isHostname(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard 1...253 ~= bytes.count else { return false }
  return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(isHostLabel)
}

private func isHostLabel(_ label: ArraySlice<UInt8>) -> Bool {
  guard 1...63 ~= label.count, label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else { return false }
  guard label.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }) else { return false }
  // RFC 5891 §4.2.3.1: two hyphens in the third and fourth place are kept for encoded labels.
  let label = Array(label)
  guard label.count >= 4, label[2] == UInt8(ascii: "-"), label[3] == UInt8(ascii: "-") else { return true }
  guard label[0] | 0x20 == UInt8(ascii: "x"), label[1] | 0x20 == UInt8(ascii: "n") else { return false }
  return punycodeDecoded(label[4...]).map(isInternationalLabel) ?? false
}

/// RFC 2673 §3.2: four numbers, no leading zeros.
func isIPv4(_ text: String) -> Bool {
  let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  return parts.count == 4
    && parts.allSatisfy { part in
      guard 1...3 ~= part.count, part.allSatisfy(isDigit), part.count == 1 || part.first != UInt8(ascii: "0") else { return false }
      return part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
    }
}

/// RFC 4291 §2.2, without a zone.
func isIPv6(_ text: String) -> Bool {
  let halves = split(text, at: "::")
  guard halves.count <= 2 else { return false }
  var groups = 0
  for (index, half) in halves.enumerated() {
    guard let count = groupCount(half, isLast: index == halves.count - 1) else { return false }
    groups += count
  }
  return halves.count == 2 ? groups <= 7 : groups == 8
}

/// How many groups of sixteen bits a part of an IPv6 address spells; nil if it is none.
private func groupCount(_ text: String, isLast: Bool) -> Int? {
  if text.isEmpty { return 0 }
  var count = 0
  let groups = text.split(separator: ":", omittingEmptySubsequences: false)
  for (index, group) in groups.enumerated() {
    if isLast, index == groups.count - 1, group.utf8.contains(UInt8(ascii: ".")) {
      guard isIPv4(String(group)) else { return nil }
      count += 2
    } else {
      guard 1...4 ~= group.utf8.count, group.utf8.allSatisfy({ hexValue($0) != nil }) else { return nil }
      count += 1
    }
  }
  return count
}

/// The parts of a text between each `separator`, from left to right.
private func split(_ text: String, at separator: String) -> [String] {
  var parts: [String] = [""]
  var rest = text.unicodeScalars[...]
  while let first = rest.first {
    if rest.starts(with: separator.unicodeScalars) {
      parts.append("")
      rest = rest.dropFirst(separator.unicodeScalars.count)
    } else {
      parts[parts.count - 1].unicodeScalars.append(first)
      rest = rest.dropFirst()
    }
  }
  return parts
}
