extension Duration {
  /// As people read it: `12 ms`, `1.2 s`, `2 min 5 s`, `1 h 3 min`.
  var text: String {
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

  /// Rounded down.
  var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }

  /// Seconds with three decimals, as XML reports have them.
  var secondsWithMilliseconds: String {
    let (seconds, rest) = wholeMilliseconds.quotientAndRemainder(dividingBy: 1000)
    return "\(seconds).\(String(1000 + rest).dropFirst())"
  }
}

/// `1 step`, `2 steps`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
