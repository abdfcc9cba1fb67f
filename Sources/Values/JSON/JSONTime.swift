extension Timestamp {
  /// The moment in UTC as RFC 3339 writes it, with as many digits of a second as it has.
  var rfc3339: String {
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let secondOfDay = second < 0 ? second + 86_400 : second
    let (year, month, day) = civilDate(daysSince1970: second < 0 ? days - 1 : days)
    let clock = "\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock)\(fraction(Int64(nanoseconds)))Z"
  }
}

extension TimeSpan {
  /// Seconds with as many decimals as it has, such as `1.5s`.
  var secondsText: String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    return "\(nanoseconds < 0 ? "-" : "")\(whole)\(fraction(Int64(rest)))s"
  }
}

/// The date of the proleptic Gregorian calendar (Howard Hinnant's `civil_from_days`).
private func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = days + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}

/// The decimals of a second, with their point; nothing for none.
private func fraction(_ nanoseconds: Int64) -> String {
  guard nanoseconds > 0 else { return "" }
  var digits = padded(nanoseconds, 9)
  while digits.hasSuffix("0") { digits.removeLast() }
  return "." + digits
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number.magnitude)
  return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
