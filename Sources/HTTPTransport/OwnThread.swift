import Glibc

/// A thread of the process's own, so that C never blocks Swift's pool.
enum OwnThread {
  /// Runs `body` on a new thread and returns false where the system gives none.
  ///
  /// Every signal is blocked in it: interrupts belong to the main thread, and OpenSSL writing to a closed
  /// connection would raise SIGPIPE, which libcurl ignores only without CURLOPT_NOSIGNAL.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Box(body: body)
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = unsafe Unmanaged.passRetained(box)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { context in
        guard let context = unsafe context else { return nil }
        let box = unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        box.body()
        return nil
      }, context.toOpaque())
    if result != 0 { unsafe context.release() }
    return result == 0
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
