import Values

/// The yearly rule at the end of a zoneinfo file, such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2017, chapter 8, TZ).
struct PosixZone: Sendable {
  private struct Day: Sendable {
    enum Form: Sendable {
      /// The month, the week (5 is the last) and the weekday (0 is Sunday).
      case weekday(month: Int, week: Int, day: Int)
      /// Day of the year from 1; February 29 is never counted.
      case julian(Int)
      /// Day of the year from 0.
      case zeroBased(Int)
    }

    var form: Form
    /// Seconds after midnight by the clock before the change.
    var time: Int
  }

  private var standard = 0
  private var daylight: (offset: Int, start: Day, end: Day)?

  init?(_ text: String) {
    var reader = Reader(Array(text.utf8))
    guard reader.skipName(), let west = reader.time() else { return nil }
    standard = -west
    guard !reader.isAtEnd else { return }
    guard reader.skipName() else { return nil }
    var offset = standard + 3600
    if !reader.isAt(",") {
      guard let west = reader.time() else { return nil }
      offset = -west
    }
    guard reader.take(","), let start = reader.day(), reader.take(","), let end = reader.day() else { return nil }
    daylight = (offset, start, end)
  }

  func offset(at seconds: Int64) -> Int {
    guard let daylight else { return standard }
    let local = Int(seconds) + standard
    let days = (local - (((local % 86_400) + 86_400) % 86_400)) / 86_400
    let year = CivilDate(daysSince1970: days).year
    let start = moment(daylight.start, year) - standard
    let end = moment(daylight.end, year) - daylight.offset
    let isDaylight =
      start < end ? (start..<end).contains(Int(seconds)) : !(end..<start).contains(Int(seconds))
    return isDaylight ? daylight.offset : standard
  }

  /// Seconds since 1970 by the local clock.
  private func moment(_ day: Day, _ year: Int) -> Int {
    let newYear = CivilDate(year: year, month: 1, day: 1).daysSince1970
    let days: Int
    switch day.form {
    case .zeroBased(let number): days = newYear + number
    case .julian(let number):
      let march = CivilDate(year: year, month: 3, day: 1).daysSince1970
      days = newYear + number - 1 + (number >= 60 && march - newYear == 60 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(year: year, month: month, day: 1).daysSince1970
      let next = month == 12 ? CivilDate(year: year + 1, month: 1, day: 1) : CivilDate(year: year, month: month + 1, day: 1)
      // 1970-01-01 was a Thursday.
      let firstWeekday = ((first + 4) % 7 + 7) % 7
      var found = first + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      while found >= next.daysSince1970 { found -= 7 }
      days = found
    }
    return days * 86_400 + day.time
  }

  private struct Reader {
    let bytes: [UInt8]
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset >= bytes.count }

    func isAt(_ scalar: Unicode.Scalar) -> Bool { offset < bytes.count && bytes[offset] == UInt8(ascii: scalar) }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard isAt(scalar) else { return false }
      offset += 1
      return true
    }

    mutating func skipName() -> Bool {
      let start = offset
      if take("<") {
        while !isAtEnd, !take(">") { offset += 1 }
        return true
      }
      while offset < bytes.count, (bytes[offset] | 0x20) >= 0x61, (bytes[offset] | 0x20) <= 0x7A { offset += 1 }
      return offset > start
    }

    mutating func number() -> Int? {
      let start = offset
      var value = 0
      while offset < bytes.count, bytes[offset].isDigit, value < 100_000 {
        value = value * 10 + Int(bytes[offset] - 0x30)
        offset += 1
      }
      return offset > start ? value : nil
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time() -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hours = number() else { return nil }
      var seconds = hours * 3600
      if take(":") {
        guard let minutes = number() else { return nil }
        seconds += minutes * 60
        if take(":") {
          guard let rest = number() else { return nil }
          seconds += rest
        }
      }
      return isNegative ? -seconds : seconds
    }

    mutating func day() -> Day? {
      let form: Day.Form
      if take("M") {
        guard let month = number(), take("."), let week = number(), take("."), let day = number(), (1...12).contains(month),
          (1...5).contains(week), day < 7
        else { return nil }
        form = .weekday(month: month, week: week, day: day)
      } else if take("J") {
        guard let number = number() else { return nil }
        form = .julian(number)
      } else {
        guard let number = number() else { return nil }
        form = .zeroBased(number)
      }
      guard take("/") else { return Day(form: form, time: 7200) }
      return time().map { Day(form: form, time: $0) }
    }
  }
}
