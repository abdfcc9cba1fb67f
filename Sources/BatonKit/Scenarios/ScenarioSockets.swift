import FlowPlan
import HTTPTypes
import SandboxKit
import StepKit
import Synchronization
import Values
import WebSocketTransport

/// WebSockets of a case go where its requests go: to its sandbox, in this process and on its clock, or to a real host.
extension ScenarioTransport: WebSocketTransporting {
  func open(_ request: WebSocketRequest) async throws(TransportFailure) -> WebSocketOpening {
    guard request.url.lowercased().hasPrefix("ws"), let address = try? WebAddress("http\(request.url.dropFirst(2))") else {
      throw TransportFailure(.invalidRequest, sent: .no, message: "`\(request.url)` is no URL of a WebSocket")
    }
    let handshake = TransportRequest(
      method: .get, url: address.text, headers: request.headers, delivery: .single, connectTimeout: request.connectTimeout,
      timeout: request.openTimeout, maxBodyBytes: request.maxMessageBytes, tls: request.tls)
    try mayBegin()
    if address.isOfSandbox, !isRouted(handshake, address) { return try await openInSandbox(handshake, address, prefix: "") }
    if !routes.isEmpty { return try await openInSandbox(handshake, address, prefix: "/\(PlainHosts.name)") }
    return try await passing(asked(handshake, address, prefix: "/\(PlainHosts.name)")) { () async throws(TransportFailure) in
      let opening = try await realSockets.open(request)
      switch opening {
      case .open: return (opening, 101)
      case .refused(let reply): return (opening, reply.status)
      }
    }
  }

  private func openInSandbox(
    _ handshake: TransportRequest, _ address: WebAddress, prefix: String
  ) async throws(TransportFailure) -> WebSocketOpening {
    let asked = asked(handshake, address, prefix: prefix)
    let kill = killing?.kills.due(asked)
    if kill == .beforeSend { throw die(sent: .no) }
    let channel = ScenarioSocket(activity: activity)
    let opening = sandbox.open(
      asked, activity: SandboxActivity(began: { [activity] in activity.began() }, ended: { [activity] in activity.ended() })
    ) { channel.arrive($0) }
    if case .open(let socket, _) = opening { channel.attach(socket) }
    do throws(TransportFailure) {
      switch opening {
      case .refused(let outcome): return .refused(try await carry(outcome, of: handshake, asked, isKilled: kill != nil))
      case .open(_, let delay):
        _ = try await carry(SandboxOutcome(SandboxReply(status: 101), delay: delay), of: handshake, asked, isKilled: kill != nil)
        return .open(channel, headers: [:])
      }
    } catch {
      await channel.close(code: 1001)
      throw error
    }
  }
}

/// A WebSocket between a run and its sandbox, without a connection.
private final class ScenarioSocket: WebSocketChannel {
  let activity: any ActivityPort
  private let mailbox: Mailbox
  private let end: SandboxEnd

  /// The sandbox's end of it, once there is one.
  private final class SandboxEnd: Sendable {
    let socket = Mutex<SandboxSocket?>(nil)
  }

  init(activity: any ActivityPort) {
    self.activity = activity
    let end = SandboxEnd()
    self.end = end
    // What is due at this very moment comes first, whichever of two timers woke before the other.
    mailbox = Mailbox(activity: activity) { end.socket.withLock { $0 }?.tick() }
  }

  func attach(_ socket: SandboxSocket) { end.socket.withLock { $0 = socket } }

  func arrive(_ event: SandboxSocketEvent) {
    switch event {
    case .text(let text): mailbox.post(text)
    case .close(let code, let reason): mailbox.finish(.success(.closed(code: code, reason: reason)))
    case .broken:
      mailbox.finish(
        .failure(TransportFailure(.reset, sent: .maybe, message: "the sandbox ended the connection without closing the WebSocket")))
    }
  }

  func send(_ text: String) async throws(TransportFailure) {
    if Task.isCancelled { throw TransportFailure(.cancelled, sent: .no, message: "cancelled before the message was sent") }
    guard let socket = end.socket.withLock({ $0 }), !mailbox.isOver else {
      throw TransportFailure(.reset, sent: .maybe, message: "the message cannot be sent: the WebSocket is closed")
    }
    socket.receive(text)
  }

  func receive() async throws(TransportFailure) -> WebSocketEvent { try await mailbox.receive() }

  func close(code: Int) async {
    mailbox.finish(.success(.closed(code: code, reason: "")))
    end.socket.withLock { $0.take() }?.end()
  }
}
