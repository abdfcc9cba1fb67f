import Values

/// `Retry-After`: seconds, or a date in one of the three forms of HTTP (RFC 9110 §10.2.3, §5.6.7).
enum RetryAfter {
  /// How long to wait from `now`; nil for what is neither.
  static func delay(_ text: String, now: Timestamp) -> Duration? {
    let text = text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    if text.allSatisfy({ $0.isASCII && $0.isNumber }) { return Int64(text).map { .seconds(min($0, 1 << 40)) } }
    return date(text)?.since(now)
  }

  private static func date(_ text: String) -> Timestamp? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
    case 6 where words[5] == "GMT": return date(day: words[1], month: words[2], year: words[3], time: words[4])
    // Sun Nov 6 08:49:37 1994
    case 5: return date(day: words[2], month: words[1], year: words[4], time: words[3])
    default: return nil
    }
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func date(day: String, month: String, year: String, time: String) -> Timestamp? {
    let clock = time.split(separator: ":").compactMap { Int64($0) }
    guard let day = Int(day), let month = months.firstIndex(of: month), var full = Int(year), clock.count == 3, (0...23).contains(clock[0]),
      (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    // Two digits are of this century, or of the last where they would be more than 50 years ahead.
    if year.count == 2 { full += full < 76 ? 2000 : 1900 }
    let date = CivilDate(year: full, month: month + 1, day: day)
    guard date.isValid else { return nil }
    return Timestamp(seconds: Int64(date.daysSince1970) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
  }
}

extension Timestamp {
  /// How long it is from `now` to this moment; nothing where it is past.
  func since(_ now: Timestamp) -> Duration {
    max(.seconds(seconds - now.seconds) + .nanoseconds(Int64(nanoseconds) - Int64(now.nanoseconds)), .zero)
  }
}
