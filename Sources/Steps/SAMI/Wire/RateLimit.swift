import HTTPTypes
package import StepKit
import Values

/// What is left of the calls of a minute and of a day, as the headers of every answer say.
package struct RateLimit: Sendable {
  let minuteLimit: Int?
  let minuteRemaining: Int?
  let minuteReset: Int?
  let dayLimit: Int?
  let dayRemaining: Int?
  let dayReset: Int?

  /// Nil where the answer has none of the headers.
  init?(_ reply: HTTPReply) {
    let (limit, remaining, reset) = (Self.pair(reply, "Limit"), Self.pair(reply, "Remaining"), Self.pair(reply, "Reset"))
    guard [limit, remaining, reset].contains(where: { $0.minute != nil }) else { return nil }
    (minuteLimit, dayLimit) = limit
    (minuteRemaining, dayRemaining) = remaining
    (minuteReset, dayReset) = reset
  }

  /// When calls are taken again, in seconds since 1970: the minute's end, unless the day's calls are used up. Nil for what is no
  /// moment of years 1 to 9999.
  var nextReset: Int64? {
    (dayRemaining == 0 ? dayReset : minuteReset).map { Int64($0) }.flatMap { Timestamp.secondsRange.contains($0) ? $0 : nil }
  }

  /// `"<minute>/<day>"`
  private static func pair(_ reply: HTTPReply, _ name: String) -> (minute: Int?, day: Int?) {
    guard let field = HTTPField.Name("X-Rate-Limit-\(name)"), let text = reply.headers[field] else { return (nil, nil) }
    let numbers = text.split(separator: "/").map { Int($0) }
    return (numbers.first ?? nil, numbers.count == 2 ? numbers[1] : nil)
  }
}

extension RateLimit: DescribedRecord {
  package init(_ field: inout Fields) {
    minuteLimit = field("minute_limit", "Calls in any minute.")
    minuteRemaining = field("minute_remaining", "How many of them are left.")
    minuteReset = field("minute_reset", "When the oldest call of the minute no longer counts, in seconds since 1970.")
    dayLimit = field("day_limit", "Calls in a day (UTC).")
    dayRemaining = field("day_remaining", "How many of them are left.")
    dayReset = field("day_reset", "When the day ends, in seconds since 1970.")
  }
}
