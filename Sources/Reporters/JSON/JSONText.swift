import Diagnostics

/// JSON that may be shown on a terminal or in a CI log.
package enum JSONText {
  /// The same value with everything that a terminal or a CI runner would obey as `\uXXXX`; such characters stand
  /// only in strings.
  package static func inert(_ json: String) -> String {
    guard json.utf8.contains(where: { $0 == UInt8(ascii: "#") || $0 >= 0x7F }) else { return json }
    var text = String.UnicodeScalarView()
    var last: Unicode.Scalar = "\n"
    for scalar in json.unicodeScalars {
      if isObeyed(scalar, after: last) {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { text.append(contentsOf: escape(unit).unicodeScalars) }
      } else {
        text.append(scalar)
      }
      last = scalar
    }
    return String(text)
  }

  private static func isObeyed(_ scalar: Unicode.Scalar, after last: Unicode.Scalar) -> Bool {
    // `##[` and `##vso[` are commands to CI runners wherever they stand; controls below U+0020 are escaped already.
    if scalar.value < 0x7F { return scalar == "#" && last == "#" }
    return shownText(String(scalar)) != String(scalar)
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
