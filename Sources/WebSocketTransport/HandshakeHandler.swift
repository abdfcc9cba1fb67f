import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket
import StepKit

/// Sends the request of a handshake, reads its answer, and gives its place in the pipeline to the frames.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let opening: Opening
  private let lease: EventLoopLease
  private var answer: HTTPResponseHead?
  private var body: [UInt8] = []
  private var isOver = false

  init(_ opening: Opening, _ lease: EventLoopLease) {
    self.opening = opening
    self.lease = lease
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // Below TLS nothing leaves before its handshake is done; a failure there says so itself.
    opening.noteSending()
    context.write(Self.wrapOutboundOut(.head(opening.handshake.head)), promise: nil)
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): answer = head
    case .body(let part):
      guard part.readableBytes <= opening.request.maxMessageBytes - body.count else {
        return end {
          opening.fail(.bodyTooLarge, "the body of the answer is longer than \(opening.request.maxMessageBytes) bytes")
        }
      }
      body += part.readableBytesView
    case .end: end { conclude(context) }
    }
  }

  private func conclude(_ context: ChannelHandlerContext) {
    guard let answer else { return }
    guard answer.status == .switchingProtocols else {
      let reply = TransportReply(
        status: Int(answer.status.code), headers: answer.fields, body: body, url: opening.target.webURL)
      return _ = opening.finish(.success(.refused(reply)))
    }
    if let problem = opening.handshake.problem(with: answer) {
      return opening.fail(.malformed, "\(opening.target.shown) answers 101, and \(problem)")
    }
    upgrade(context, answer.fields)
  }

  private func upgrade(_ context: ChannelHandlerContext, _ headers: HTTPFields) {
    do {
      let pipeline = context.pipeline.syncOperations
      let encoder = try pipeline.context(handlerType: HTTPRequestEncoder.self)
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
      let held = try pipeline.handler(type: UpgradeSplitter.self)
      // 1. No writer and no reader of HTTP stays.
      pipeline.removeHandler(context: encoder, promise: nil)
      pipeline.removeHandler(context: context, promise: nil)
      // 2. The decoder goes at the end of this turn of the loop, and until then takes every write for a request.
      let bound = NIOLoopBound((opening, lease, held), eventLoop: context.eventLoop)
      let channel = context.channel
      pipeline.removeHandler(context: decoder).whenComplete { _ in
        let (opening, lease, held) = bound.value
        // 3. Frames from now on, those first that came behind the 101.
        Self.begin(opening, lease, held, channel, headers)
      }
    } catch {
      opening.fail(.system, "the handshake with \(opening.target.shown) cannot be ended (\(error))")
    }
  }

  private static func begin(
    _ opening: Opening, _ lease: EventLoopLease, _ held: UpgradeSplitter, _ channel: any Channel, _ headers: HTTPFields
  ) {
    let mailbox = Mailbox()
    let limit = opening.request.maxMessageBytes
    // A control frame has up to 125 bytes, however short messages must be.
    let decoder = WebSocketFrameDecoder(maxFrameSize: min(max(limit, 125), Int(UInt32.max)))
    let frames = FrameHandler(mailbox, maxMessageBytes: limit, patience: opening.patience, peer: opening.target.shown)
    do {
      try channel.pipeline.syncOperations.addHandlers(
        [WebSocketFrameEncoder(), ByteToMessageHandler(decoder), frames], position: .after(held))
      let socket = NIOSocket(channel: channel, mailbox: mailbox, lease: lease)
      if !opening.finish(.success(.open(socket, headers: headers))) { channel.close(promise: nil) }
      try held.release()
    } catch {
      opening.fail(.system, "the handshake with \(opening.target.shown) cannot be ended (\(error))")
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end { opening.fail(.reset, "\(opening.target.shown) closed the connection without an answer") }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end { opening.failTalking(error) }
  }

  private func end(_ conclusion: () -> Void) {
    guard !isOver else { return }
    isOver = true
    conclusion()
  }
}
