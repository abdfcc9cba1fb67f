import BatonKit
import Glibc

/// SIGINT, SIGTERM and SIGHUP: the first ends the run in order, the second, or half a minute, ends the process.
///
/// Handlers and not a blocked mask: the runtime parks the main thread with every signal let through.
enum Signals {
  /// Milliseconds; longer than the 30 s that `finally` has, so that its end is still reported.
  private static let grace: Int32 = 35_000
  /// Written by the handler, read by the watcher; two descriptors that live as long as the process.
  fileprivate static let channel: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }()

  static func watch(_ cancellation: Cancellation) {
    // A reader that goes away is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    guard channel.read >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { signal(number, handler) }
    ProcessThread.run { wait(cancellation) }
  }

  /// Whoever started the process wants the signal to mean nothing, as `nohup` does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func wait(_ cancellation: Cancellation) {
    guard let first = next(timeout: -1) else { return }
    let exitCode = 128 + Int32(first)
    guard cancellation.cancel(exitCode: Int(exitCode)) else { _exit(exitCode) }
    _ = next(timeout: grace)
    _exit(exitCode)
  }

  /// The number of the next signal; nil when the time is over.
  private static func next(timeout: Int32) -> UInt8? {
    while true {
      var poller = pollfd(fd: channel.read, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&poller, 1, timeout)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      var number: UInt8 = 0
      return unsafe read(channel.read, &number, 1) == 1 ? number : nil
    }
  }
}

/// Async-signal-safe: one `write`.
private func handler(_ number: Int32) {
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  unsafe write(Signals.channel.write, &byte, 1)
  errno = before
}
