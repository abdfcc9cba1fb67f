/// A phone number in any notation as E.164 (`+` and digits), or nil where it is none.
///
/// Region `US` takes ten digits, or eleven that start with 1; any other region wants the number with its `+`, or `00`,
/// and 8 to 15 digits (ITU-T E.164, §6.2.1).
package func e164(_ text: String, region: String) -> String? {
  var digits = ""
  var isInternational = false
  for (index, character) in text.enumerated() {
    switch character {
    case "0"..."9": digits.append(character)
    case "+" where index == 0: isInternational = true
    case " ", "-", ".", "(", ")", "/", "\u{A0}": continue
    default: return nil
    }
  }
  if !isInternational, digits.hasPrefix("00") {
    isInternational = true
    digits.removeFirst(2)
  }
  if region == "US", !isInternational || digits.hasPrefix("1") {
    if digits.count == 10, !isInternational { return "+1" + digits }
    return digits.count == 11 && digits.hasPrefix("1") ? "+" + digits : nil
  }
  return isInternational && (8...15).contains(digits.count) && !digits.hasPrefix("0") ? "+" + digits : nil
}
