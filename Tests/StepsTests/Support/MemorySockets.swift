import HTTPTypes
import SandboxKit
import StepKit
import Synchronization
import Values

/// WebSockets to a sandbox in this process, without a connection: one at a time, on the clock of a test.
///
/// Nobody waits here. Where nothing has come in, the time goes on second by second until something does, or the wait is over.
final class MemorySockets: WebSocketTransporting, ClockPort {
  private let sandbox: Sandbox
  private let clock: StepClock
  private let open = Mutex<MemorySocket?>(nil)

  init(sandbox: Sandbox, clock: StepClock) {
    self.sandbox = sandbox
    self.clock = clock
  }

  func open(_ request: WebSocketRequest) async throws(TransportFailure) -> WebSocketOpening {
    let origin = "ws\(SandboxTransport.origin.dropFirst("http".count))"
    guard request.url.hasPrefix(origin) else {
      throw TransportFailure(.connect, sent: .no, message: "nothing listens at \(request.url)")
    }
    let asked = SandboxRequest(.get, target: String(request.url.dropFirst(origin.count)), headers: request.headers)
    let inbox = MemoryInbox()
    switch sandbox.open(asked, deliver: inbox.take) {
    case .refused(let outcome):
      return .refused(
        TransportReply(status: outcome.reply.status, headers: outcome.reply.headers, body: outcome.reply.body, url: request.url))
    case .open(let socket, _):
      let channel = MemorySocket(socket, inbox)
      open.withLock { $0 = channel }
      return .open(channel, headers: [:])
    }
  }

  func now() -> Timestamp { clock.now() }
  func elapsed() -> Duration { clock.elapsed() }

  func sleep(for duration: Duration) async throws(CancellationError) {
    guard let socket = open.withLock(\.self) else { return try await clock.sleep(for: duration) }
    var left = duration
    while left > .zero, !socket.hasNews {
      clock.advance(seconds: 1)
      left -= .seconds(1)
      socket.tick()
    }
  }
}

/// What has come over a socket of a sandbox.
private final class MemoryInbox: Sendable {
  private struct State {
    var events: [SandboxSocketEvent] = []
    /// Whether somebody has got one since the last wait began.
    var isServed = false
  }

  private let state = Mutex(State())

  @Sendable func take(_ event: SandboxSocketEvent) { state.withLock { $0.events.append(event) } }

  var hasNews: Bool { state.withLock { $0.isServed || !$0.events.isEmpty } }

  func beginWait() { state.withLock { $0.isServed = false } }

  /// The end of the socket comes again and again.
  func next() -> SandboxSocketEvent? {
    state.withLock { state in
      guard let event = state.events.first else { return nil }
      state.isServed = true
      if case .text = event { state.events.removeFirst() }
      return event
    }
  }
}

private final class MemorySocket: WebSocketChannel, ActivityPort {
  private let socket: SandboxSocket
  private let inbox: MemoryInbox

  init(_ socket: SandboxSocket, _ inbox: MemoryInbox) {
    self.socket = socket
    self.inbox = inbox
  }

  var hasNews: Bool { inbox.hasNews }
  func tick() { socket.tick() }

  var activity: any ActivityPort { self }
  func began() { inbox.beginWait() }
  func ended() {}

  func send(_ text: String) async throws(TransportFailure) { socket.receive(text) }

  func receive() async throws(TransportFailure) -> WebSocketEvent {
    if let event = inbox.next() { return try Self.event(event) }
    await untilCancelled()
    guard let event = inbox.next() else { throw TransportFailure(.cancelled, sent: .maybe, message: "cancelled") }
    return try Self.event(event)
  }

  private static func event(_ event: SandboxSocketEvent) throws(TransportFailure) -> WebSocketEvent {
    switch event {
    case .text(let text): return .text(text)
    case .close(let code, let reason): return .closed(code: code, reason: reason)
    case .broken: throw TransportFailure(.reset, sent: .maybe, message: "the connection ended")
    }
  }

  func close(code: Int) async { socket.end() }
}

/// Returns as soon as the task is cancelled.
func untilCancelled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  for await _ in stream {}
  continuation.finish()
}
