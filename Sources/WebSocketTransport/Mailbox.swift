package import StepKit
import Synchronization

/// What has come in over one socket and is not read yet: what a `WebSocketChannel` receives from.
package final class Mailbox: Sendable {
  package typealias Arrival = Result<WebSocketEvent, TransportFailure>
  /// Past this many the server must wait, as TCP has it.
  private static let most = 64

  private struct State {
    var arrivals: [Arrival] = []
    /// What everybody gets once all is read.
    var end: Arrival?
    var waiter: (call: Int, continuation: CheckedContinuation<Arrival, Never>)?
    /// The calls of `receive` are numbered: a cancellation may come before its call waits, and after it was served.
    var lastCall = 0
    var lastWait = 0
    var cancelledCall: Int?
  }

  private let state = Mutex(State())
  private let activity: any ActivityPort
  private let beforeGivingUp: @Sendable () -> Void

  /// - Parameters:
  ///   - activity: told when a `receive` waits, and when it does no longer (`WebSocketChannel`).
  ///   - beforeGivingUp: called when a `receive` is cancelled; what arrives in it is still received.
  package init(activity: any ActivityPort = NoActivity(), beforeGivingUp: @escaping @Sendable () -> Void = {}) {
    self.activity = activity
    self.beforeGivingUp = beforeGivingUp
  }

  /// Whether no more should be read from the connection for now.
  var isFull: Bool { state.withLock { $0.arrivals.count >= Self.most } }

  /// Whether nothing more can come.
  package var isOver: Bool { state.withLock { $0.end != nil } }

  package func post(_ text: String) { arrive(.success(.text(text)), isEnd: false) }

  /// The last thing that comes; what is told later is not heard.
  package func finish(_ end: Arrival) { arrive(end, isEnd: true) }

  private func arrive(_ arrival: Arrival, isEnd: Bool) {
    let waiter = state.withLock { state -> CheckedContinuation<Arrival, Never>? in
      guard state.end == nil else { return nil }
      if isEnd { state.end = arrival }
      if let waiter = state.waiter.take() { return waiter.continuation }
      if !isEnd { state.arrivals.append(arrival) }
      return nil
    }
    if let waiter { resume(waiter, with: arrival) }
  }

  /// The next arrival; called by one task at a time.
  /// - Throws: what it is the end with, and `.cancelled` where the task is cancelled first; nothing is lost then.
  package func receive() async throws(TransportFailure) -> WebSocketEvent {
    let call = state.withLock { state in
      state.lastCall += 1
      return state.lastCall
    }
    let arrival = await withTaskCancellationHandler {
      await withCheckedContinuation { wait(call, $0) }
    } onCancel: {
      giveUp(call)
    }
    return try arrival.get()
  }

  private func wait(_ call: Int, _ continuation: CheckedContinuation<Arrival, Never>) {
    let arrival = state.withLock { state -> Arrival? in
      state.lastWait = call
      if !state.arrivals.isEmpty { return state.arrivals.removeFirst() }
      if let end = state.end { return end }
      if state.cancelledCall == call { return Self.cancelled }
      state.waiter = (call, continuation)
      return nil
    }
    if let arrival { continuation.resume(returning: arrival) } else { activity.ended() }
  }

  private func giveUp(_ call: Int) {
    beforeGivingUp()
    let waiter = state.withLock { state -> CheckedContinuation<Arrival, Never>? in
      if state.waiter?.call == call { return state.waiter.take()?.continuation }
      if state.lastWait < call { state.cancelledCall = call }
      return nil
    }
    if let waiter { resume(waiter, with: Self.cancelled) }
  }

  private func resume(_ waiter: CheckedContinuation<Arrival, Never>, with arrival: Arrival) {
    activity.began()
    waiter.resume(returning: arrival)
  }

  private static var cancelled: Arrival { .failure(TransportFailure(.cancelled, sent: .maybe, message: "cancelled")) }
}
