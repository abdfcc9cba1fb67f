import Glibc
package import Values

/// The clocks of a ledger: one that counts while the machine sleeps, for ages, and one for display.
package struct LedgerClock: Sendable {
  /// Since the machine was started, and which start that was: two of different starts cannot be compared.
  package var sinceBoot: @Sendable () -> (boot: String, nanoseconds: Int64)
  package var now: @Sendable () -> Timestamp

  package init(sinceBoot: @escaping @Sendable () -> (boot: String, nanoseconds: Int64), now: @escaping @Sendable () -> Timestamp) {
    self.sinceBoot = sinceBoot
    self.now = now
  }

  /// The machine's own.
  package static let system: LedgerClock = {
    let boot = bootID()
    return LedgerClock(
      sinceBoot: {
        let time = read(CLOCK_BOOTTIME)
        return (boot, time.seconds * 1_000_000_000 + Int64(time.nanoseconds))
      }, now: { read(CLOCK_REALTIME) })
  }()

  private static func read(_ clock: clockid_t) -> Timestamp {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// random(4): made anew at each start. Empty where it cannot be read, and then nothing is ever comparable.
  private static func bootID() -> String {
    let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(count, 0)).filter { $0 > 0x20 }, as: UTF8.self)
  }
}
