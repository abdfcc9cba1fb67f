/// A date of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date a number of days after 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Whether the calendar has the date.
  package var isValid: Bool { (1...12).contains(month) && CivilDate(daysSince1970: daysSince1970) == self && day >= 1 }
}

extension Timestamp {
  /// The seconds of years 1 to 9999, which RFC 3339 and CEL can write.
  package static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The moment that an RFC 3339 text names, such as `2026-03-01T09:30:00.5+01:00`; nil if it is none, or outside
  /// years 1 to 9999.
  package init?(rfc3339 text: String) {
    var reader = DigitReader(Array(text.utf8))
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
      let day = reader.digits(2), reader.take("T") || reader.take("t"), let hour = reader.digits(2), reader.take(":"),
      let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2)
    else { return nil }
    var nanoseconds = 0
    if reader.take(".") {
      guard let fraction = reader.fraction() else { return nil }
      nanoseconds = fraction
    }
    var offset = 0
    if !reader.take("Z"), !reader.take("z") {
      let isNegative = reader.take("-")
      guard isNegative || reader.take("+"), let hours = reader.digits(2), reader.take(":"), let minutes = reader.digits(2),
        hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (isNegative ? -60 : 60)
    }
    let date = CivilDate(year: year, month: month, day: day)
    guard reader.isAtEnd, date.isValid, hour < 24, minute < 60, second < 60 else { return nil }
    let seconds = Int64(date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset)
    guard Self.secondsRange.contains(seconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// As RFC 3339 in UTC, `2026-03-01T09:30:00Z`, with as many digits of the second's fraction as there are.
  package var text: String {
    let days = seconds.flooredQuotient(86_400)
    let second = Int(seconds - days * 86_400)
    let date = CivilDate(daysSince1970: Int(days))
    let day = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(day)T\(time)\(fractionText(Int(nanoseconds)))Z"
  }
}

extension TimeSpan {
  /// The length that a text such as `1h30m`, `-1.5s` or `250ms` gives (the units h, m, s, ms, us, µs and ns); nil if it
  /// is none, or does not fit in 64 bits of nanoseconds.
  package init?(text: String) {
    var reader = DigitReader(Array(text.utf8))
    let isNegative = reader.take("-")
    if !isNegative { _ = reader.take("+") }
    if reader.take("0"), reader.isAtEnd {
      self.init(nanoseconds: 0)
      return
    }
    reader.restart(isNegative || text.utf8.first == UInt8(ascii: "+") ? 1 : 0)
    var total: Int64 = 0
    guard !reader.isAtEnd else { return nil }
    while !reader.isAtEnd {
      guard let part = reader.durationPart(isNegative: isNegative) else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow else { return nil }
      total = sum
    }
    self.init(nanoseconds: total)
  }

  /// In seconds, as CEL prints a duration: `90s`, `-1.5s`.
  package var text: String {
    let magnitude = nanoseconds.magnitude
    let seconds = magnitude / 1_000_000_000
    return "\(nanoseconds < 0 ? "-" : "")\(seconds)\(fractionText(Int(magnitude % 1_000_000_000)))s"
  }
}

extension Int64 {
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// `.5` for 500,000,000 nanoseconds; empty for none.
private func fractionText(_ nanoseconds: Int) -> String {
  guard nanoseconds > 0 else { return "" }
  var digits = padded(nanoseconds, 9)
  while digits.last == "0" { digits.removeLast() }
  return "." + digits
}

private struct DigitReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  mutating func restart(_ offset: Int) { self.offset = offset }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }

  /// A number of exactly so many digits.
  mutating func digits(_ count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[offset..<offset + count] {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    offset += count
    return number
  }

  /// One to nine digits behind a point, as nanoseconds.
  mutating func fraction() -> Int? {
    var count = 0
    var number = 0
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
      guard count < 9 else { return nil }
      number = number * 10 + Int(bytes[offset] - 0x30)
      count += 1
      offset += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<9 { number *= 10 }
    return number
  }

  /// A number and its unit in nanoseconds.
  mutating func durationPart(isNegative: Bool) -> Int64? {
    let start = offset
    var whole: Int64 = 0
    // Negative numbers are built up negative, so that the least int64 is within reach.
    let sign: Int64 = isNegative ? -1 : 1
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
      let (tens, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, carried) = tens.addingReportingOverflow(sign * Int64(bytes[offset] - 0x30))
      guard !overflow, !carried else { return nil }
      whole = sum
      offset += 1
    }
    var hasDigits = offset > start
    var fraction = 0.0
    if take(".") {
      var scale = 0.1
      while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
        fraction += Double(bytes[offset] - 0x30) * scale
        scale /= 10
        offset += 1
        hasDigits = true
      }
    }
    guard hasDigits, let unit = unit() else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    let (sum, carried) = product.addingReportingOverflow(sign * Int64((fraction * Double(unit)).rounded()))
    return overflow || carried ? nil : sum
  }

  private mutating func unit() -> Int64? {
    if take("h") { return 3_600_000_000_000 }
    if take("s") { return 1_000_000_000 }
    if take("m") { return take("s") ? 1_000_000 : 60_000_000_000 }
    if take("n") { return take("s") ? 1 : nil }
    if take("u") { return take("s") ? 1000 : nil }
    // µ (U+00B5) and μ (U+03BC).
    for sign: [UInt8] in [[0xC2, 0xB5], [0xCE, 0xBC]] where bytes[offset...].starts(with: sign) {
      offset += 2
      return take("s") ? 1000 : nil
    }
    return nil
  }
}
