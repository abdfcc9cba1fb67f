import Glibc

/// A serial executor with one thread of its own, so that SQLite never blocks Swift's pool.
///
/// Every signal is blocked in the thread: interrupts belong to the main thread.
package final class DatabaseThread: SerialExecutor {
  private let jobs: JobQueue

  /// - Throws: `other` where the system gives no thread.
  package init() throws(JournalError) {
    jobs = JobQueue()
    guard jobs.start() else { throw JournalError(.other, "the system gives no thread for the journal") }
  }

  deinit { jobs.end() }

  package func enqueue(_ job: consuming ExecutorJob) {
    let executor = unsafe asUnownedSerialExecutor()
    unsafe jobs.add(.job(UnownedJob(job), executor))
  }

  /// Does something on the thread behind all that waits for it; nobody waits.
  func run(_ body: @escaping @Sendable () -> Void) {
    jobs.add(.closure(body))
  }

  package func isIsolatingCurrentContext() -> Bool? { jobs.isCurrentThread }

  package func checkIsolated() { precondition(jobs.isCurrentThread) }

  /// Does something on the thread, such as opening what will live there.
  package func perform<T: Sendable>(_ body: @Sendable () throws(JournalError) -> T) async throws(JournalError) -> T {
    try await Caller(thread: self).perform(body)
  }

  private actor Caller {
    private let thread: DatabaseThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init(thread: DatabaseThread) {
      self.thread = thread
    }

    func perform<T: Sendable>(_ body: @Sendable () throws(JournalError) -> T) throws(JournalError) -> T { try body() }
  }
}

@safe private enum Work {
  case job(UnownedJob, UnownedSerialExecutor)
  case closure(@Sendable () -> Void)

  /// Once.
  func run() {
    switch self {
    case .job(let job, let executor): unsafe job.runSynchronously(on: executor)
    case .closure(let body): body()
    }
  }
}

/// What waits for the thread. `@unchecked Sendable`: `mutex` guards all that changes.
@safe private final class JobQueue: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let arrival: UnsafeMutablePointer<pthread_cond_t>
  private var waiting: [Work]
  private var hasEnded = false
  private var thread: pthread_t?

  init() {
    waiting = []
    unsafe mutex = .allocate(capacity: 1)
    unsafe arrival = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(arrival, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(arrival)
    unsafe pthread_mutex_destroy(mutex)
    unsafe arrival.deallocate()
    unsafe mutex.deallocate()
  }

  func add(_ work: Work) {
    unsafe pthread_mutex_lock(mutex)
    waiting.append(work)
    unsafe pthread_cond_signal(arrival)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// The thread ends when nothing waits any more.
  func end() {
    unsafe pthread_mutex_lock(mutex)
    hasEnded = true
    unsafe pthread_cond_signal(arrival)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// False where the system gives no thread.
  func start() -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { context in
        guard let context = unsafe context else { return nil }
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        unsafe Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context.toOpaque())
    if result != 0 { unsafe context.release() }
    return result == 0
  }

  var isCurrentThread: Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return thread == pthread_self()
  }

  private func work() {
    unsafe pthread_mutex_lock(mutex)
    thread = pthread_self()
    unsafe pthread_mutex_unlock(mutex)
    while let batch = next() {
      for work in batch { work.run() }
    }
  }

  private func next() -> [Work]? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while waiting.isEmpty && !hasEnded { unsafe pthread_cond_wait(arrival, mutex) }
    if waiting.isEmpty { return nil }
    defer { waiting = [] }
    return waiting
  }
}
