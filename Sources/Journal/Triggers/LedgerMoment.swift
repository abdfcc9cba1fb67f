import Values

/// When a change of a ledger is made, on both clocks.
struct LedgerMoment: Sendable {
  var wall: Timestamp
  /// Which start of the machine `sinceBoot` counts from.
  var boot: String
  /// In nanoseconds.
  var sinceBoot: Int64

  /// The end of a time from now on.
  func deadline(after time: Duration) -> LedgerDeadline {
    LedgerDeadline(boot: boot, nanoseconds: sinceBoot.addingClamped(time.wholeNanoseconds))
  }

  /// The same for display.
  func wallDeadline(after time: Duration) -> Timestamp {
    Timestamp(nanosecondsSince1970: wall.nanosecondsSince1970.addingClamped(time.wholeNanoseconds))
  }
}

/// A moment of the boot clock, which only moments of the same start of the machine can be compared with.
struct LedgerDeadline: Sendable {
  var boot: String
  var nanoseconds: Int64
}

extension LedgerClock {
  var moment: LedgerMoment {
    let (boot, nanoseconds) = sinceBoot()
    return LedgerMoment(wall: now(), boot: boot, sinceBoot: nanoseconds)
  }
}

extension Duration {
  /// The nearest that fits; not less than zero.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole.addingClamped(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
