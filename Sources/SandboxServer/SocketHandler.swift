import NIOCore
import NIOWebSocket
import SandboxKit
import Synchronization

/// Takes what a sandbox sends over a socket to its connection, from whatever thread it comes.
final class SocketCarrier: Sendable {
  private let channel: any Channel
  private let state = Mutex(State())

  private struct State {
    /// What comes before the 101 has been sent.
    var early: [SandboxSocketEvent] = []
    var isOpen = false
  }

  init(_ channel: any Channel) { self.channel = channel }

  /// Never at once, even on the channel's own thread: the sandbox that calls this is in the middle of its work, and a socket
  /// that ends asks something of it.
  func carry(_ event: SandboxSocketEvent) {
    channel.eventLoop.execute { [self] in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.early.append(event) }
        return state.isOpen
      }
      if isOpen { channel.triggerUserOutboundEvent(event, promise: nil) }
    }
  }

  /// The 101 is out, and the handlers of frames stand. On the channel's own thread.
  func open() {
    let early = state.withLock { state in
      defer { state = State(early: [], isOpen: true) }
      return state.early
    }
    for event in early { channel.triggerUserOutboundEvent(event, promise: nil) }
  }
}

/// An open WebSocket of the server: frames in, the sandbox's messages out.
final class SocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Of a whole message.
  static let maximumBytes = 32 << 20
  /// How long a client may take to answer a close frame.
  private static let patience = TimeAmount.seconds(1)

  private let socket: SandboxSocket
  private var isClosing = false

  init(_ socket: SandboxSocket) { self.socket = socket }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    if isClosing {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    // The aggregator leaves no mask on what it has joined.
    switch frame.opcode {
    case .text:
      guard let text = String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self) else {
        return close(1007, "the message is not UTF-8", context)
      }
      socket.receive(text)
    case .binary: close(1003, "only text is read here", context)
    case .ping: send(.pong, frame.unmaskedData, context)
    case .pong: break
    case .connectionClose: answerClose(frame.unmaskedData, context)
    default: close(1002, "unknown opcode", context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The client has sent its last byte, and half a WebSocket is none.
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    socket.end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
      close(1009, "the message is too large", context)
    case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error: close(1002, "the frames do not keep to the protocol", context)
    default: context.close(promise: nil)
    }
  }

  // MARK: - what goes out

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard let event = event as? SandboxSocketEvent else { return context.triggerUserOutboundEvent(event, promise: promise) }
    switch event {
    case .text(let text): if !isClosing { send(.text, ByteBuffer(string: text), context) }
    case .close(let code, let reason): close(code, reason, context)
    case .broken: context.close(promise: nil)
    }
    promise?.succeed()
  }

  private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    context.writeAndFlush(Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }

  private func close(_ code: Int, _ reason: String, _ context: ChannelHandlerContext) {
    guard !isClosing else { return }
    isClosing = true
    var data = ByteBuffer()
    data.writeInteger(UInt16(clamping: code))
    data.writeString(reason)
    send(.connectionClose, data, context)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let timer = context.eventLoop.scheduleTask(in: Self.patience) { bound.value.close(promise: nil) }
    context.channel.closeFuture.whenComplete { _ in timer.cancel() }
    socket.end()
  }

  /// The same code back, and the end (RFC 6455 §5.5.1).
  private func answerClose(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
    isClosing = true
    send(.connectionClose, data.getSlice(at: data.readerIndex, length: min(2, data.readableBytes)) ?? ByteBuffer(), context)
    context.close(promise: nil)
    socket.end()
  }
}
