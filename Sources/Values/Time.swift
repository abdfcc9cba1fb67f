/// A moment in UTC: seconds since 1970 and nanoseconds, 0 to 999,999,999.
package struct Timestamp: Hashable, Sendable, Comparable {
  package var seconds: Int64
  package var nanoseconds: Int32

  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}

/// A signed length of time in nanoseconds; CEL's `duration`, which fits int64.
package struct TimeSpan: Hashable, Sendable, Comparable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  package var duration: Duration { .nanoseconds(nanoseconds) }
}

extension Timestamp {
  /// Whole milliseconds since 1970, as many APIs count time.
  package var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

  /// The moment so many milliseconds after the start of 1970; not before it.
  package init(milliseconds: Int64) {
    self.init(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
  }
}
