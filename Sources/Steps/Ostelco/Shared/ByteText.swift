/// A number of bytes as the app shows it: decimal units, no digits behind the point for kilobytes, one for megabytes, two
/// from gigabytes on, none that is a trailing zero. 2147483648 is `2.15 GB`.
///
/// Source of the rule: `ByteCountFormatter` with its file style.
func byteText(_ bytes: Int) -> String {
  let size = bytes.magnitude
  let sign = bytes < 0 ? "-" : ""
  switch size {
  case 0: return "Zero KB"
  case 1: return "\(sign)1 byte"
  case 2..<1000: return "\(sign)\(size) bytes"
  default: break
  }
  let units: [(name: String, digits: Int)] = [("KB", 0), ("MB", 1), ("GB", 2), ("TB", 2), ("PB", 2), ("EB", 2)]
  var scale: UInt = 1000
  for (position, unit) in units.enumerated() {
    let parts = (0..<unit.digits).reduce(1 as UInt) { power, _ in power * 10 }
    // Rounded half up, in the last digit that is shown.
    let step = scale / parts
    let rounded = size / step + (size % step * 2 >= step ? 1 : 0)
    // 999 950 KB are shown as 1 GB.
    if rounded < 1000 * parts || position == units.count - 1 {
      return "\(sign)\(decimal(rounded, digits: unit.digits)) \(unit.name)"
    }
    scale *= 1000
  }
  return "\(sign)\(size) bytes"
}

private func decimal(_ number: UInt, digits: Int) -> String {
  guard digits > 0 else { return String(number) }
  let text = String(number)
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  let fraction = padded.suffix(digits)
  let end = fraction.lastIndex { $0 != "0" }
  return "\(padded.dropLast(digits))" + (end.map { ".\(fraction[...$0])" } ?? "")
}
