import Values

/// The date of a cookie's `Expires`, which servers write in many ways (RFC 6265 §5.1.1).
enum CookieDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Nil for what is no date.
  static func parse(_ text: String) -> Timestamp? {
    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == ":") }) {
      if time == nil, let found = clock(token) {
        time = found
      } else if day == nil, let number = leadingNumber(token, digits: 1...2) {
        day = number
      } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
        month = index + 1
      } else if year == nil, let number = leadingNumber(token, digits: 2...4) {
        year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
      }
    }
    guard let time, let day, let month, let year, year >= 1601, (1...31).contains(day) else { return nil }
    guard time.hour < 24, time.minute < 60, time.second < 60 else { return nil }
    let seconds = daysSinceEpoch(year, month, day) * 86400 + time.hour * 3600 + time.minute * 60 + time.second
    return Timestamp(seconds: Int64(seconds))
  }

  private static func clock(_ token: Substring) -> (hour: Int, minute: Int, second: Int)? {
    let parts = token.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = leadingNumber(parts[0], digits: 1...2), let minute = leadingNumber(parts[1], digits: 1...2),
      let second = leadingNumber(parts[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func leadingNumber(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
    let number = token.prefix { $0.isNumber }
    return digits.contains(number.count) ? Int(number) : nil
  }

  /// Days from 1970-01-01 in the Gregorian calendar; a year begins in March, so that the leap day is its last.
  private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
