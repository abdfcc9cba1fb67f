import Glibc
import StepKit
import Synchronization
import Values

/// The machine's clocks.
struct SystemClock: ClockPort {
  func now() -> Timestamp { read(CLOCK_REALTIME) }

  func elapsed() -> Duration {
    // The boot clock goes on while the machine sleeps, as deadlines must.
    let time = read(CLOCK_BOOTTIME)
    return .seconds(time.seconds) + .nanoseconds(Int64(time.nanoseconds))
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do {
      try await Task.sleep(for: duration)
    } catch {
      throw CancellationError()
    }
  }

  private func read(_ clock: clockid_t) -> Timestamp {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}

/// The kernel's random numbers.
struct SystemRandom: RandomPort {
  func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Four groups are enough to name a run, and short enough to type: `7f3k-92mq`.
  func runID() -> String {
    let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    let letters = bytes(8).map { alphabet[Int($0) % alphabet.count] }
    return String(letters[0..<4]) + "-" + String(letters[4..<8])
  }
}
