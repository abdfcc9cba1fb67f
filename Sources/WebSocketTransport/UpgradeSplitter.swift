import NIOCore

/// Lets the answer to a handshake pass, and keeps what comes behind the head of a 101 for whoever reads frames.
///
/// The decoder of HTTP would lose that where the connection ends with it.
final class UpgradeSplitter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private enum State {
    /// The bytes of a head so far.
    case head(ByteBuffer)
    /// An answer that is no 101.
    case passing
    case holding
  }

  /// Past this many bytes a head is the decoder's to refuse.
  private static let longestHead = 256 << 10
  private var state = State.head(ByteBuffer())
  private var context: ChannelHandlerContext?
  private var held: [ByteBuffer] = []
  private var failure: (any Error)?
  private var isInactive = false

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = Self.unwrapInboundIn(data)
    switch state {
    case .passing: context.fireChannelRead(data)
    case .holding: held.append(bytes)
    case .head(var head):
      head.writeBuffer(&bytes)
      split(head, context)
    }
  }

  private func split(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    var bytes = bytes
    while let head = bytes.readHead() {
      let status = String(decoding: head.readableBytesView.dropFirst(9).prefix(3), as: UTF8.self)
      if status == "101" {
        state = .holding
        held.append(bytes)
        return context.fireChannelRead(Self.wrapInboundOut(head))
      }
      context.fireChannelRead(Self.wrapInboundOut(head))
      if !status.hasPrefix("1") { return pass(bytes, context) }
    }
    if bytes.readableBytes > Self.longestHead || !bytes.beginsLikeHTTP { pass(bytes, context) } else { state = .head(bytes) }
  }

  private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    state = .passing
    context.fireChannelRead(Self.wrapInboundOut(bytes))
  }

  func channelInactive(context: ChannelHandlerContext) {
    switch state {
    case .holding: isInactive = true
    case .passing: context.fireChannelInactive()
    case .head(let bytes):
      if bytes.readableBytes > 0 { pass(bytes, context) }
      context.fireChannelInactive()
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case .holding = state { failure = error } else { context.fireErrorCaught(error) }
  }

  /// Hands all of it to the handler behind, and leaves its place.
  /// - Throws: where it has left it already.
  func release() throws {
    guard let context else { throw ChannelError.ioOnClosedChannel }
    for part in held { context.fireChannelRead(Self.wrapInboundOut(part)) }
    context.fireChannelReadComplete()
    if let failure { context.fireErrorCaught(failure) }
    if isInactive { context.fireChannelInactive() }
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }
}

extension ByteBuffer {
  /// The bytes up to and with the empty line; nil where there is none yet.
  fileprivate mutating func readHead() -> ByteBuffer? {
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    let view = readableBytesView
    var index = view.startIndex
    while let end = view[index...].firstIndex(of: lineFeed) {
      var next = end + 1
      if next < view.endIndex, view[next] == carriageReturn { next += 1 }
      if next < view.endIndex, view[next] == lineFeed { return readSlice(length: next + 1 - view.startIndex) }
      index = end + 1
    }
    return nil
  }

  /// Whether the decoder of HTTP could still make something of it.
  fileprivate var beginsLikeHTTP: Bool { zip(readableBytesView, "HTTP/1.".utf8).allSatisfy { $0 == $1 } }
}
