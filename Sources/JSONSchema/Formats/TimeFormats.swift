/// `full-date` of RFC 3339 §5.6, a day of the calendar.
func isDate(_ text: Substring.UTF8View) -> Bool {
  let bytes = Array(text)
  guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), let year = number(bytes[0..<4]),
    let month = number(bytes[5..<7]), let day = number(bytes[8..<10]), 1...12 ~= month, day >= 1
  else { return false }
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= days[month - 1]
}

/// `full-time` of RFC 3339 §5.6, offset included; a leap second only at 23:59:60 UTC.
func isTime(_ text: Substring.UTF8View) -> Bool {
  let bytes = Array(text)
  guard bytes.count >= 9, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":"), let hour = number(bytes[0..<2]),
    let minute = number(bytes[3..<5]), let second = number(bytes[6..<8]), hour <= 23, minute <= 59, second <= 60
  else { return false }
  var rest = bytes[8...]
  if rest.first == UInt8(ascii: ".") {
    let digits = rest.dropFirst().prefix(while: isDigit)
    if digits.isEmpty { return false }
    rest = rest.dropFirst(1 + digits.count)
  }
  guard let offset = offsetMinutes(rest) else { return false }
  let utc = (hour * 60 + minute - offset + 2 * 24 * 60) % (24 * 60)
  return second < 60 || utc == 23 * 60 + 59
}

/// `date-time` of RFC 3339 §5.6.
func isDateTime(_ text: String) -> Bool {
  let utf8 = text.utf8
  guard utf8.count > 11 else { return false }
  let separator = utf8.index(utf8.startIndex, offsetBy: 10)
  guard utf8[separator] | 0x20 == UInt8(ascii: "t") else { return false }
  return isDate(utf8[..<separator]) && isTime(utf8[utf8.index(after: separator)...])
}

private func offsetMinutes(_ text: ArraySlice<UInt8>) -> Int? {
  let bytes = Array(text)
  if bytes.count == 1 { return bytes[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
  guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"), bytes[3] == UInt8(ascii: ":"),
    let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]), hours <= 23, minutes <= 59
  else { return nil }
  return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
}

/// The number that digits alone spell.
private func number(_ digits: ArraySlice<UInt8>) -> Int? {
  guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
  return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
}
