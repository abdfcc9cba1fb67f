import SourceText
import Values

/// The parts of timestamps and durations (language definition, "Timestamps and durations").
enum Times {
  static let functions: [Function] = [
    part("getFullYear") { $0.date.year },
    part("getMonth") { $0.date.month - 1 },
    part("getDate") { $0.date.day },
    part("getDayOfMonth") { $0.date.day - 1 },
    part("getDayOfWeek") { (($0.days + 4) % 7 + 7) % 7 },
    part("getDayOfYear") { $0.days - CivilDate(year: $0.date.year, month: 1, day: 1).daysSince1970 },
    part("getHours", of: { $0 / 3_600_000_000_000 }) { $0.secondOfDay / 3600 },
    part("getMinutes", of: { $0 / 60_000_000_000 }) { $0.secondOfDay / 60 % 60 },
    part("getSeconds", of: { $0 / 1_000_000_000 }) { $0.secondOfDay % 60 },
    // The remainder, unlike the other parts of a duration.
    part("getMilliseconds", of: { $0 / 1_000_000 % 1000 }) { $0.nanoseconds / 1_000_000 },
  ]

  /// A moment as a clock in some zone shows it.
  private struct LocalTime {
    let days: Int
    let secondOfDay: Int
    let nanoseconds: Int

    var date: CivilDate { CivilDate(daysSince1970: days) }

    init(_ time: Timestamp, offset: Int) {
      let seconds = Int(time.seconds) + offset
      let remainder = ((seconds % 86_400) + 86_400) % 86_400
      days = (seconds - remainder) / 86_400
      secondOfDay = remainder
      nanoseconds = Int(time.nanoseconds)
    }
  }

  private static func part(
    _ name: String, of span: (@Sendable (Int64) -> Int64)? = nil, _ read: @escaping @Sendable (LocalTime) -> Int
  ) -> Function {
    var overloads: [Function.Overload] = [.method(.timestamp, to: .int), .method(.timestamp, .string, to: .int)]
    if span != nil { overloads.append(.method(.duration, to: .int)) }
    return Function(name, overloads) { arguments, meter throws(Failure) in
      switch (arguments[0], arguments.count) {
      case (.timestamp(let time), 1): return .int(Int64(read(LocalTime(time, offset: 0))))
      case (.timestamp(let time), 2):
        guard case .string(let zone) = arguments[1] else { throw .noOverload }
        try meter.spend(steps: 5)
        guard let offset = TimeZones.offset(of: zone, at: time.seconds) else { throw Failure("there is no time zone `\(zone)`") }
        return .int(Int64(read(LocalTime(time, offset: offset))))
      case (.duration(let length), 1):
        guard let span else { throw .noOverload }
        return .int(span(length.nanoseconds))
      default: throw .noOverload
      }
    }
  }
}

/// Sums and differences of moments.
enum Time {
  static func adding(_ time: Timestamp, _ nanoseconds: Int64) throws(Failure) -> Timestamp {
    var rest = Int64(time.nanoseconds) + nanoseconds % 1_000_000_000
    var carry: Int64 = 0
    if rest < 0 {
      rest += 1_000_000_000
      carry = -1
    } else if rest >= 1_000_000_000 {
      rest -= 1_000_000_000
      carry = 1
    }
    let (seconds, overflow) = time.seconds.addingReportingOverflow(nanoseconds / 1_000_000_000 + carry)
    guard !overflow, Timestamp.secondsRange.contains(seconds) else { throw Failure("the timestamp is outside years 1 to 9999") }
    return Timestamp(seconds: seconds, nanoseconds: Int32(rest))
  }

  static func difference(_ a: Timestamp, _ b: Timestamp) throws(Failure) -> TimeSpan {
    let seconds = try Arithmetic.checked(a.seconds.subtractingReportingOverflow(b.seconds))
    let whole = try Arithmetic.checked(seconds.multipliedReportingOverflow(by: 1_000_000_000))
    let rest = Int64(a.nanoseconds) - Int64(b.nanoseconds)
    return TimeSpan(nanoseconds: try Arithmetic.checked(whole.addingReportingOverflow(rest)))
  }
}
