extension Duration {
  /// As people read it: `250 ms`, `1.5 s`, `2 min 5 s`, `1 h 3 min`.
  var shown: String {
    let milliseconds = shownMilliseconds
    switch milliseconds {
    case ..<1000: return "\(milliseconds) ms"
    case ..<60_000:
      let tenths = milliseconds / 100
      return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    case ..<3_600_000:
      let (minutes, seconds) = (milliseconds / 60_000, milliseconds / 1000 % 60)
      return seconds == 0 ? "\(minutes) min" : "\(minutes) min \(seconds) s"
    default:
      let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
      return minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
    }
  }

  /// Whole milliseconds; the largest number where there are more.
  var shownMilliseconds: Int64 {
    let (product, overflows) = components.seconds.multipliedReportingOverflow(by: 1000)
    return overflows ? .max : product + components.attoseconds / 1_000_000_000_000_000
  }
}
