/// The number of an identity card of Singapore (NRIC) or of a foreigner's pass (FIN), as OYA checks it: a letter, seven
/// digits, and a letter that is their checksum.
enum NRIC {
  enum Finding: Hashable {
    case valid, invalid
    /// The server stumbles over what it takes for a digit.
    case unreadable
  }

  private static let weights = [2, 7, 6, 5, 4, 3, 2]

  static func check(_ text: String) -> Finding {
    var trimmed = text.drop(while: \.isWhitespace)
    while trimmed.last?.isWhitespace ?? false { trimmed.removeLast() }
    let scalars = Array(trimmed.uppercased().unicodeScalars)
    guard scalars.count == 9, let first = scalars.first, let last = scalars.last else { return .invalid }
    let letters: [Unicode.Scalar]
    switch first {
    case "S", "T": letters = Array("JZIHGFEDCBA".unicodeScalars)
    case "F", "G": letters = Array("XWUTRQPNMLK".unicodeScalars)
    default: return .invalid
    }
    var sum = first == "T" || first == "G" ? 4 : 0
    for (scalar, weight) in zip(scalars[1...7], weights) {
      guard ("0"..."9").contains(scalar) else { return .unreadable }
      sum += Int(scalar.value - 48) * weight
    }
    return letters[sum % 11] == last ? .valid : .invalid
  }
}
