import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOWebSocket
import SandboxKit
import Values

extension Request {
  /// A `GET` with `Upgrade: websocket` (RFC 6455 §4.2.1).
  var asksForWebSocket: Bool {
    method == .get && headers[values: .upgrade].contains { $0.lowercased() == "websocket" }
  }
}

extension SandboxResponder {
  /// Turns the connection of a request into a WebSocket, and returns when that is over; a refusal is returned as an answer.
  func upgrade(_ request: Request, _ asked: SandboxRequest, over connection: Connection) async throws -> SandboxOutcome? {
    // The key and the version first: what is no handshake must open nothing.
    guard let headers = await handshake(request, connection.channel) else { return .closing(Self.badHandshake(request)) }
    let carrier = SocketCarrier(connection.channel)
    switch sandbox.open(asked, deliver: { carrier.carry($0) }) {
    case .refused(let outcome): return .closing(outcome)
    case .open(let socket, let delay):
      defer { socket.end() }
      if delay > .zero { try await sandbox.clock.sleep(delay) }
      try await connection.channel.eventLoop.submit { try connection.channel.becomeWebSocket(socket, carrier, headers) }.get()
      try await withTaskCancellationHandler {
        try await connection.channel.closeFuture.get()
      } onCancel: {
        connection.channel.close(promise: nil)
      }
      return nil
    }
  }

  /// What the 101 says; nil where the request is no handshake.
  private func handshake(_ request: Request, _ channel: any Channel) async -> HTTPHeaders? {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: request.head.path ?? "/",
      headers: HTTPHeaders(request.headers.map { ($0.name.rawName, $0.value) }))
    return try? await channel.eventLoop.flatSubmit {
      upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: head, initialResponseHeaders: [:])
    }.get()
  }

  /// The answer to a handshake that is none (RFC 6455 §4.2.2, §4.4).
  private static func badHandshake(_ request: Request) -> SandboxOutcome {
    guard let version = HTTPField.Name("Sec-WebSocket-Version"), request.headers[values: version] != ["13"] else {
      return SandboxOutcome(.json(["error": "the handshake lacks a valid `Sec-WebSocket-Key`"], status: 400))
    }
    var reply = SandboxReply.json(["error": "only version 13 of the WebSocket protocol is spoken"], status: 426)
    reply.headers[version] = "13"
    reply.headers[.upgrade] = "websocket"
    return SandboxOutcome(reply)
  }
}

extension SandboxOutcome {
  /// The decoder reads no further behind a wish for an upgrade, so that the connection serves nothing more.
  fileprivate static func closing(_ outcome: SandboxOutcome) -> SandboxOutcome {
    var outcome = outcome
    outcome.reply.headers[.connection] = "close"
    return outcome
  }
}

extension Channel {
  /// Sends the 101, and puts frames in the place of HTTP. On the channel's own thread.
  fileprivate func becomeWebSocket(_ socket: SandboxSocket, _ carrier: SocketCarrier, _ headers: HTTPHeaders) throws {
    let pipeline = pipeline.syncOperations
    let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
    let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    encoder.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 101 Switching Protocols\r\n\(lines)\r\n")), promise: nil)
    // Hummingbird's own handlers stay behind these, hear of nothing any more, and end with the connection.
    try pipeline.addHandlers(
      [
        WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: SocketHandler.maximumBytes)),
        NIOWebSocketFrameAggregator(
          minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: .max, maxAccumulatedFrameSize: SocketHandler.maximumBytes),
        SocketHandler(socket),
      ], position: .after(decoder.handler))
    pipeline.removeHandler(context: encoder, promise: nil)
    pipeline.removeHandler(context: decoder, promise: nil)
    // Frames must meet no encoder of HTTP.
    carrier.open()
  }
}
