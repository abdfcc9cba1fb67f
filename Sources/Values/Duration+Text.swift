extension Duration {
  /// As people read it: `12 ms`, `1.2 s`, `2 min 5 s`, `1 h 3 min`.
  package var text: String {
    let milliseconds = wholeMilliseconds
    switch milliseconds {
    case ..<1: return self > .zero ? "<1 ms" : "0 ms"
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

  /// Whole milliseconds, rounded down; the largest number where there are more.
  package var wholeMilliseconds: Int64 {
    let (product, overflows) = components.seconds.multipliedReportingOverflow(by: 1000)
    return overflows ? .max : product + components.attoseconds / 1_000_000_000_000_000
  }
}
