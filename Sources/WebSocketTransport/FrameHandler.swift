import NIOCore
import NIOWebSocket
import StepKit

/// The talk over an open WebSocket: hands messages to the mailbox, answers pings, and closes in order.
final class FrameHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The order to close, as an outbound user event.
  struct CloseOrder: Sendable {
    let code: Int
    /// Whether the server's close frame is waited for.
    let waits: Bool
  }

  private let mailbox: Mailbox
  private let patience: Duration
  private let peer: String
  private var assembly: MessageAssembly
  /// Whether a read was asked for that could not be granted.
  private var isReadWithheld = false
  /// Whether our close frame is out: nothing follows it, and what comes is no more than read over.
  private var isClosing = false

  init(_ mailbox: Mailbox, maxMessageBytes: Int, patience: Duration, peer: String) {
    self.mailbox = mailbox
    self.patience = patience
    self.peer = peer
    assembly = MessageAssembly(maxMessageBytes: maxMessageBytes, peer: peer)
  }

  // MARK: - what comes in

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    if isClosing {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    do throws(MessageAssembly.Violation) {
      switch try assembly.take(frame) {
      case .more: break
      case .text(let text): mailbox.post(text)
      case .ping(let data): send(.pong, data, context)
      case .close(let code, let reason):
        mailbox.finish(.success(.closed(code: code, reason: reason)))
        sendClose(code == 1005 ? nil : code, context)
        // Behind the frame, which is written.
        context.close(promise: nil)
      }
    } catch {
      refuse(error, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isClosing { return }
    switch error {
    case NIOWebSocketError.invalidFrameLength: refuse(assembly.tooLarge, context)
    case NIOWebSocketError.fragmentedControlFrame: refuse(assembly.malformed("a control frame is a fragment"), context)
    case NIOWebSocketError.multiByteControlFrameLength: refuse(assembly.malformed("a control frame is too long"), context)
    default:
      let detail = (error as? IOError)?.reasonText ?? "\(error)"
      mailbox.finish(.failure(TransportFailure(.reset, sent: .maybe, message: "the connection with \(peer) broke (\(detail))")))
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    mailbox.finish(
      .failure(TransportFailure(.reset, sent: .maybe, message: "\(peer) ended the connection without closing the WebSocket")))
    context.fireChannelInactive()
  }

  private func refuse(_ violation: MessageAssembly.Violation, _ context: ChannelHandlerContext) {
    mailbox.finish(.failure(violation.failure))
    beginClosing(CloseOrder(code: violation.code, waits: true), context)
  }

  // MARK: - what goes out

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isClosing { promise?.fail(ChannelError.ioOnClosedChannel) } else { context.write(data, promise: promise) }
  }

  private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
  }

  /// - Parameter code: nil sends none (RFC 6455 §7.1.5).
  private func sendClose(_ code: Int?, _ context: ChannelHandlerContext) {
    guard !isClosing else { return }
    isClosing = true
    var data = context.channel.allocator.buffer(capacity: 2)
    if let code { data.writeInteger(UInt16(clamping: code)) }
    send(.connectionClose, data, context)
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard let order = event as? CloseOrder else { return context.triggerUserOutboundEvent(event, promise: promise) }
    if isClosing {
      if !order.waits { context.close(promise: nil) }
    } else {
      beginClosing(order, context)
    }
    promise?.succeed()
  }

  private func beginClosing(_ order: CloseOrder, _ context: ChannelHandlerContext) {
    sendClose(order.code, context)
    guard order.waits else { return context.close(promise: nil) }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let timer = context.eventLoop.scheduleTask(in: TimeAmount(patience)) { bound.value.close(promise: nil) }
    context.channel.closeFuture.whenComplete { _ in timer.cancel() }
    // Its close frame is read, however much stands in front of it.
    context.read()
  }

  // MARK: - how fast it is read

  func read(context: ChannelHandlerContext) {
    isReadWithheld = !isClosing && (mailbox.isFull || !context.channel.isWritable)
    if !isReadWithheld { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if isReadWithheld { read(context: context) }
    context.fireChannelWritabilityChanged()
  }
}
