import Glibc
import StepKit
import Synchronization

/// The entrance to one curl loop: what other threads may touch of it.
///
/// Its thread starts with the first transfer, loads libcurl, and drives a multi handle. Everything behind the
/// inbox belongs to that thread (`CurlLoopDriver`).
final class CurlLoop: Sendable {
  typealias Continuation = CheckedContinuation<Result<Answer, TransportFailure>, Never>

  enum Message: Sendable {
    case start(Transfer, Continuation)
    case cancel(Transfer)
    case end
  }

  /// Whom the loop serves.
  enum Kind: Sendable {
    /// Any number of transfers until it is told to end.
    case shared
    /// One transfer, with which it ends.
    case single
  }

  private enum Phase { case unstarted, running, failed(TransportFailure) }

  private struct Inbox {
    var messages: [Message] = []
    var phase = Phase.unstarted
    /// Set while the loop's thread sleeps or is about to; whoever takes it wakes it.
    var sleeper: MultiHandle?

    mutating func isFirstStart() -> Bool {
      guard case .unstarted = phase else { return false }
      phase = .running
      return true
    }
  }

  let kind: Kind
  private let inbox = Mutex(Inbox())

  init(_ kind: Kind) { self.kind = kind }

  // MARK: - From any thread

  /// Starts the thread if it is not running, which loads libcurl.
  func start() {
    if inbox.withLock({ $0.isFirstStart() }) { startThread() }
  }

  /// Sends a transfer in; its outcome resumes `continuation`.
  func begin(_ transfer: Transfer, _ continuation: Continuation) {
    let (refusal, isFirst, sleeper) = inbox.withLock { inbox -> (TransportFailure?, Bool, MultiHandle?) in
      if case .failed(let failure) = inbox.phase { return (failure, false, nil) }
      inbox.messages.append(.start(transfer, continuation))
      // Taken, so that of many messages only the first pays for a wake-up.
      return (nil, inbox.isFirstStart(), inbox.sleeper.take())
    }
    if let refusal { return continuation.resume(returning: .failure(refusal)) }
    if isFirst { startThread() }
    sleeper?.wake()
  }

  /// Stops a transfer, whether or not it has begun or ended.
  func cancel(_ transfer: Transfer) { post(.cancel(transfer)) }

  /// Ends the thread when nothing is under way.
  func end() { post(.end) }

  private func post(_ message: Message) {
    let sleeper = inbox.withLock { inbox -> MultiHandle? in
      inbox.messages.append(message)
      return inbox.sleeper.take()
    }
    sleeper?.wake()
  }

  private func startThread() {
    let isStarted = OwnThread.start { self.run() }
    if !isStarted { fail(TransportFailure(.system, sent: .no, message: "the system gives no thread for a transfer")) }
  }

  // MARK: - From the loop's thread

  /// The messages that have come, in order.
  func take() -> [Message] {
    inbox.withLock { inbox in
      inbox.sleeper = nil
      guard !inbox.messages.isEmpty else { return [] }
      defer { inbox.messages = [] }
      return inbox.messages
    }
  }

  /// Declares the loop asleep; false where messages wait, and then it must not sleep.
  func fallAsleep(_ multi: MultiHandle) -> Bool {
    inbox.withLock { inbox in
      guard inbox.messages.isEmpty else { return false }
      inbox.sleeper = multi
      return true
    }
  }

  private func run() {
    if let reason = CurlLibrary.failure { return fail(TransportFailure(.system, sent: .no, message: reason)) }
    guard let multi = MultiHandle() else { return fail(TransportFailure(.system, sent: .no, message: "out of memory")) }
    CurlLoopDriver(self, multi).run()
  }

  /// Answers everything that waits and everything that will come with `failure`.
  private func fail(_ failure: TransportFailure) {
    let messages = inbox.withLock { inbox in
      inbox.phase = .failed(failure)
      defer { inbox.messages = [] }
      return inbox.messages
    }
    for case .start(_, let continuation) in messages { continuation.resume(returning: .failure(failure)) }
  }
}
