import BatonKit
import Glibc

/// SIGINT and SIGTERM: the first ends the run in order, the second, or half a minute, ends the process.
enum Signals {
  private static let grace: UInt32 = 30

  /// Must be called before other threads start, since they inherit the blocked signals.
  static func watch(_ cancellation: Cancellation) {
    // A reader that goes away is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let watched = set
    Watcher { wait(for: watched, cancellation) }.start()
  }

  private static func wait(for set: sigset_t, _ cancellation: Cancellation) {
    var set = set
    var received: Int32 = 0
    unsafe sigwait(&set, &received)
    let exitCode = 128 + received
    guard cancellation.cancel(exitCode: Int(exitCode)) else { _exit(exitCode) }
    var limit = timespec(tv_sec: Int(grace), tv_nsec: 0)
    unsafe sigtimedwait(&set, nil, &limit)
    _exit(exitCode)
  }
}

/// A thread that lives as long as the process.
private final class Watcher: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func start() {
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Watcher>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }
}
