import FoundationEssentials
import Synchronization
package import Values

/// The time as a sandbox has it; tests and scenarios bring their own.
package struct SandboxClock: Sendable {
  package let now: @Sendable () -> Timestamp
  /// Waits for delays and slow answers; ends early only by cancellation.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// Moves the time forward at once, so that tokens age; nil where somebody else moves it.
  package let advance: (@Sendable (Duration) -> Void)?

  package init(
    now: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    advance: (@Sendable (Duration) -> Void)? = nil
  ) {
    self.now = now
    self.sleep = sleep
    self.advance = advance
  }

  /// A clock that goes with another one, and can be moved ahead of it.
  package static func adjustable(_ clock: SandboxClock = .system) -> SandboxClock {
    let ahead = AheadTime()
    return SandboxClock(
      now: { clock.now().advanced(by: ahead.duration) }, sleep: clock.sleep, advance: { ahead.add($0) })
  }

  /// The machine's clock.
  package static let system = SandboxClock(now: {
    let microseconds = Int64(Date().timeIntervalSince1970 * 1e6)
    return Timestamp(seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000 * 1000))
  })
}

/// How far a clock is ahead of the one that it goes with.
private final class AheadTime: Sendable {
  private let state = Mutex(Duration.zero)

  var duration: Duration { state.withLock { $0 } }
  func add(_ duration: Duration) { state.withLock { $0 += duration } }
}

extension Timestamp {
  /// The moment so much later.
  package func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int64(self.nanoseconds) + attoseconds / 1_000_000_000
    let (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0
      ? Timestamp(seconds: self.seconds + seconds + carry - 1, nanoseconds: Int32(rest + 1_000_000_000))
      : Timestamp(seconds: self.seconds + seconds + carry, nanoseconds: Int32(rest))
  }
}
