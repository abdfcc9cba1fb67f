import NIOCore
import NIOWebSocket
import StepKit

/// An open WebSocket on a channel of its own.
final class NIOSocket: WebSocketChannel {
  private let channel: any Channel
  private let mailbox: Mailbox
  private let lease: EventLoopLease

  init(channel: any Channel, mailbox: Mailbox, lease: EventLoopLease) {
    self.channel = channel
    self.mailbox = mailbox
    self.lease = lease
  }

  func send(_ text: String) async throws(TransportFailure) {
    if Task.isCancelled { throw TransportFailure(.cancelled, sent: .no, message: "cancelled before the message was sent") }
    let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: channel.allocator.buffer(string: text))
    do {
      try await withTaskCancellationHandler {
        try await channel.writeAndFlush(frame).get()
      } onCancel: {
        // Half a frame may be out, and nothing can follow that.
        channel.close(promise: nil)
      }
    } catch {
      if Task.isCancelled { throw TransportFailure(.cancelled, sent: .maybe, message: "cancelled while the message was sent") }
      throw TransportFailure(.reset, sent: .maybe, message: "the message cannot be sent: the WebSocket is closed")
    }
  }

  func receive() async throws(TransportFailure) -> WebSocketEvent {
    let event = try await mailbox.receive()
    // There is room again.
    channel.read()
    return event
  }

  func close(code: Int) async {
    channel.triggerUserOutboundEvent(FrameHandler.CloseOrder(code: code, waits: !Task.isCancelled), promise: nil)
    try? await channel.closeFuture.get()
  }

  deinit { channel.close(promise: nil) }
}
