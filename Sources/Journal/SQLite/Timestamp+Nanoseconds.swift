import Values

extension Timestamp {
  /// Since 1970, as the databases keep times; years 1677 to 2262, and the nearest of those beyond.
  var nanosecondsSince1970: Int64 {
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, overflows) = whole.addingReportingOverflow(Int64(nanoseconds))
    return overflows ? .max : sum
  }

  init(nanosecondsSince1970 count: Int64) {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
    self =
      rest < 0
      ? Timestamp(seconds: seconds - 1, nanoseconds: Int32(rest + 1_000_000_000)) : Timestamp(seconds: seconds, nanoseconds: Int32(rest))
  }
}
