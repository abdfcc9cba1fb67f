import NIOCore
import NIOHTTP1
import NIOPosix
import StepKit
import Synchronization

/// One try to open a WebSocket, from the look-up of its host to the end of the handshake.
final class Opening: Sendable {
  typealias Outcome = Result<WebSocketOpening, TransportFailure>
  typealias Continuation = CheckedContinuation<Outcome, Never>

  let request: WebSocketRequest
  let target: SocketTarget
  let handshake: HandshakeRequest
  let tls: ClientTLS?
  let patience: Duration
  private let state = Mutex(State())

  private struct State {
    var continuation: Continuation?
    var isOver = false
    /// Every connection that is tried; several at once where a name has several addresses.
    var channels: [any Channel] = []
    var deadline: Scheduled<Void>?
    var sent = Sent.no
  }

  init(
    _ request: WebSocketRequest, _ target: SocketTarget, _ handshake: HandshakeRequest, _ tls: ClientTLS?, patience: Duration
  ) {
    self.request = request
    self.target = target
    self.handshake = handshake
    self.tls = tls
    self.patience = patience
  }

  func begin(on lease: EventLoopLease, _ continuation: Continuation) {
    let deadline = lease.loop.scheduleTask(in: TimeAmount(request.openTimeout)) { [self] in
      fail(.timeout, "no answer to the handshake within \(request.openTimeout.shown)")
    }
    let isCancelled = state.withLock { state in
      state.continuation = continuation
      state.deadline = deadline
      return state.isOver
    }
    guard !isCancelled else {
      finish(.failure(cancelled))
      return
    }
    // The lease is held until the look-up has ended, cancelled or not.
    lease.bootstrap
      .connectTimeout(TimeAmount(min(request.connectTimeout, request.openTimeout)))
      .channelOption(.autoRead, value: false)
      .channelInitializer { [self] channel in track(channel) }
      .connect(host: target.host, port: target.port)
      .whenComplete { [self] result in
        switch result {
        case .success(let channel): connected(channel, lease)
        case .failure(let error): failConnecting(error)
        }
      }
  }

  func cancel() { finish(.failure(cancelled)) }

  private var cancelled: TransportFailure {
    TransportFailure(.cancelled, sent: state.withLock { $0.sent }, message: "cancelled before the WebSocket was open")
  }

  private func track(_ channel: any Channel) -> EventLoopFuture<Void> {
    let isOver = state.withLock { state in
      state.channels.append(channel)
      return state.isOver
    }
    return isOver ? channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) : channel.eventLoop.makeSucceededVoidFuture()
  }

  /// Before anything is sent: the peer's address is what was connected to, whatever the name meant a moment ago.
  private func connected(_ channel: any Channel, _ lease: EventLoopLease) {
    channel.closeFuture.whenComplete { _ in withExtendedLifetime(lease) {} }
    if !request.allowsLinkLocal, let peer = channel.remoteAddress?.ipAddress, peer.isLinkLocalAddress {
      return fail(.connect, "\(peer), the address of \(target.shown), is link-local, which is refused", sent: .no)
    }
    guard !state.withLock({ $0.isOver }) else { return channel.close(promise: nil) }
    do {
      let pipeline = channel.pipeline.syncOperations
      if let tls { try pipeline.addHandler(try tls.handler()) }
      try pipeline.addHandler(UpgradeSplitter())
      try pipeline.addHandler(HTTPRequestEncoder())
      try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)))
      try pipeline.addHandler(HandshakeHandler(self, lease))
    } catch let failure as TransportFailure {
      finish(.failure(failure))
    } catch {
      return fail(.system, "no connection with \(target.shown) (\(error))")
    }
    channel.setOption(.autoRead, value: true).whenFailure { [self] error in failTalking(error) }
  }

  // MARK: - the end

  /// From now on nobody may call the request unsent.
  func noteSending() { state.withLock { $0.sent = .maybe } }

  func fail(_ reason: TransportFailure.Reason, _ message: String, sent: Sent? = nil) {
    let sent = sent ?? state.withLock { $0.sent }
    finish(.failure(TransportFailure(reason, sent: sent, message: message)))
  }

  /// - Returns: whether this is what came of it; if not, an open socket belongs to nobody.
  @discardableResult
  func finish(_ outcome: Outcome) -> Bool {
    let (continuation, deadline, channels, isFirst) = state.withLock { state in
      let taken = (state.continuation.take(), state.deadline.take(), state.channels, !state.isOver)
      state.isOver = true
      return taken
    }
    deadline?.cancel()
    // What comes too late must not end a socket that somebody has already.
    if case .success(.open) = outcome {} else if isFirst { for channel in channels { channel.close(promise: nil) } }
    continuation?.resume(returning: outcome)
    return isFirst && continuation != nil
  }
}

extension String {
  /// Whether it is in 169.254.0.0/16 or fe80::/10, as the system writes addresses (RFC 5952), also as one of IPv4 in IPv6.
  var isLinkLocalAddress: Bool {
    if hasPrefix("169.254.") || hasPrefix("::ffff:169.254.") { return true }
    guard let group = UInt16(prefix { $0 != ":" }, radix: 16), contains(":") else { return false }
    return group & 0xFFC0 == 0xFE80
  }
}
