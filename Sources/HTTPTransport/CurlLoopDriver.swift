import StepKit

/// The inside of a curl loop: only its thread has it.
final class CurlLoopDriver {
  /// More live handles make libcurl slower, not faster: of 1,000 at once, 64 with a queue serve twice as many
  /// requests a second as 1,000 live ones.
  private static let mostLive = 64

  private let loop: CurlLoop
  // Handles before the multi before the share: an easy handle may not outlive what it is attached to.
  private var idle: [EasySlot] = []
  private let multi: MultiHandle
  private let share: SessionShare?
  private var live: [Transfer] = []
  private var queue = TransferQueue()
  private var isEnding: Bool

  init(_ loop: CurlLoop, _ multi: MultiHandle) {
    self.loop = loop
    self.multi = multi
    share = loop.kind == .shared ? SessionShare() : nil
    isEnding = loop.kind == .single
  }

  func run() {
    while true {
      for message in loop.take() { handle(message) }
      expireQueued()
      startQueued()
      if !multi.advance() { failLive() }
      collectFinished()
      if live.isEmpty, queue.isEmpty, isEnding { return }
      if !queue.isEmpty, live.count < Self.mostLive { continue }
      guard loop.fallAsleep(multi) else { continue }
      multi.poll(milliseconds: queue.millisecondsToDeadline(from: .now))
    }
  }

  private func handle(_ message: CurlLoop.Message) {
    switch message {
    case .start(let transfer, let continuation):
      transfer.continuation = continuation
      if transfer.isCancelRequested { transfer.finish(.failure(transfer.cancelled)) } else { queue.append(transfer) }
    case .cancel(let transfer):
      guard !transfer.isOver else { return }  // or not begun: `start` will see it
      let failure = transfer.cancelled
      release(transfer)
      transfer.finish(.failure(failure))
    case .end:
      isEnding = true
    }
  }

  private func expireQueued() {
    for transfer in queue.removeExpired(at: .now) { transfer.finish(.failure(transfer.timedOut)) }
  }

  private func startQueued() {
    while live.count < Self.mostLive, let transfer = queue.popFirst() {
      guard let slot = idle.popLast() ?? makeSlot() else {
        transfer.finish(.failure(TransportFailure(.system, sent: .no, message: "out of memory")))
        continue
      }
      if let failure = transfer.configure(slot) {
        recycle(slot)
        transfer.finish(.failure(failure))
        continue
      }
      guard multi.add(slot) else {
        recycle(slot)
        transfer.finish(.failure(TransportFailure(.system, sent: .no, message: "libcurl cannot begin a transfer")))
        continue
      }
      transfer.slot = slot
      transfer.liveIndex = live.count
      live.append(transfer)
    }
  }

  private func collectFinished() {
    while let (transfer, code) = multi.nextFinished() {
      let outcome = transfer.outcome(code)
      release(transfer)
      transfer.finish(outcome)
    }
  }

  /// Takes a transfer off the multi, which closes its connection if it is not over, and keeps the handle.
  private func release(_ transfer: Transfer) {
    guard let slot = transfer.slot else { return }
    multi.remove(slot)
    transfer.slot = nil
    let last = live.removeLast()
    if last !== transfer {
      last.liveIndex = transfer.liveIndex
      live[last.liveIndex] = last
    }
    recycle(slot)
  }

  private func recycle(_ slot: EasySlot) {
    slot.reset()
    idle.append(slot)
  }

  private func makeSlot() -> EasySlot? {
    guard let slot = EasySlot() else { return nil }
    share?.attach(slot)
    return slot
  }

  private func failLive() {
    for transfer in live {
      let failure = TransportFailure(.system, sent: transfer.sent, message: "libcurl cannot go on with its transfers")
      release(transfer)
      transfer.finish(.failure(failure))
    }
  }

  deinit {
    idle.removeAll()
  }
}
