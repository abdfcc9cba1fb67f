import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import StepKit
import WebSocketTransport

/// A server on loopback that does on each connection, byte for byte, what a test says.
final class ScriptedServer: Sendable {
  typealias Script = @Sendable (ScriptedTalk) async throws -> Void

  let port: Int
  private let task: Task<Void, Never>

  static func start(tls: TLSConfiguration? = nil, _ script: @escaping Script) async throws -> ScriptedServer {
    let context = try tls.map { try NIOSSLContext(configuration: $0) }
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // Whoever takes the connection reads; an asynchronous channel that nobody takes any more would end the process.
      .childChannelOption(.autoRead, value: false)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          if let context { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
          return channel
        }
      }
    return ScriptedServer(listener, script)
  }

  private init(_ listener: NIOAsyncChannel<any Channel, Never>, _ script: @escaping Script) {
    port = listener.channel.localAddress?.port ?? 0
    task = Task {
      try? await listener.executeThenClose { connections in
        try await withThrowingDiscardingTaskGroup { group in
          for try await connection in connections {
            group.addTask { try? await Self.serve(connection, script) }
          }
        }
      }
    }
  }

  private static func serve(_ channel: any Channel, _ script: Script) async throws {
    let connection = try await channel.eventLoop.submit {
      try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
    }.get()
    try await connection.executeThenClose { inbound, outbound in
      channel.setOption(.autoRead, value: true).whenFailure { _ in }  // the client has gone, and reading tells so
      try await script(ScriptedTalk(channel, inbound.makeAsyncIterator(), outbound))
    }
  }

  deinit { task.cancel() }

  func url(_ path: String = "/live", scheme: String = "ws", host: String = "127.0.0.1") -> String { "\(scheme)://\(host):\(port)\(path)" }
}

/// The server's end of one connection.
final class ScriptedTalk {
  struct Frame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    /// Nil where it was not masked.
    var mask: [UInt8]?

    var text: String { String(decoding: payload, as: UTF8.self) }
    /// Of a close frame.
    var code: Int? { payload.count < 2 ? nil : Int(payload[0]) << 8 | Int(payload[1]) }
  }

  struct Ended: Error {}

  let channel: any Channel
  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var bytes = ByteBuffer()

  init(
    _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.channel = channel
    self.inbound = inbound
    self.outbound = outbound
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }
  func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

  /// The lines of a request up to its empty line.
  func request() async throws -> [String] {
    var head: [UInt8] = []
    while head.suffix(4) != Array("\r\n\r\n".utf8) { head.append(try await read(1)[0]) }
    return String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  /// Reads the request, and answers it as it should be.
  @discardableResult
  func accept(_ more: String = "", behind bytes: [UInt8] = []) async throws -> [String] {
    let lines = try await request()
    let key = lines.first { $0.lowercased().hasPrefix("sec-websocket-key: ") }?.dropFirst("sec-websocket-key: ".count) ?? ""
    let answer = try await Self.accept(String(key), channel)
    try await send(
      Array(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(answer)\r\n\(more)\r\n"
          .utf8)
        + bytes)
    return lines
  }

  static func accept(_ key: String, _ channel: any Channel) async throws -> String {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/", headers: ["Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"])
    return try await channel.eventLoop.flatSubmit {
      upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: head, initialResponseHeaders: [:])
    }.get().first(name: "Sec-WebSocket-Accept") ?? ""
  }

  func frame() async throws -> Frame {
    let start = try await read(2)
    var length = Int(start[1] & 0x7F)
    if length == 126 { length = try await read(2).reduce(0) { $0 << 8 | Int($1) } }
    if length == 127 { length = try await read(8).reduce(0) { $0 << 8 | Int($1) } }
    let mask = start[1] & 0x80 == 0 ? nil : try await read(4)
    let payload = length == 0 ? [] : try await read(length)
    return Frame(
      opcode: start[0] & 0x0F, payload: mask.map { mask in payload.enumerated().map { $1 ^ mask[$0 % 4] } } ?? payload, mask: mask)
  }

  /// Waits until the client has closed the connection.
  func end() async {
    while (try? await read(1)) != nil {}
  }

  private func read(_ count: Int) async throws -> [UInt8] {
    while bytes.readableBytes < count {
      guard var more = try await inbound.next() else { throw Ended() }
      bytes.writeBuffer(&more)
    }
    return bytes.readBytes(length: count) ?? []
  }
}

/// The bytes of an unmasked frame.
func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
  var bytes = [opcode | reserved | (isFinal ? 0x80 : 0)]
  switch payload.count {
  case ...125: bytes.append(UInt8(payload.count))
  case ...65535: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
  default: bytes += [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
  }
  return bytes + payload
}

func text(_ text: String, isFinal: Bool = true) -> [UInt8] { frame(1, Array(text.utf8), isFinal: isFinal) }
func closing(_ code: UInt16, _ reason: String = "") -> [UInt8] {
  frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
}

/// A value that one task brings and another waits for.
final class Promised<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func keep(_ value: Value) { continuation.yield(value) }

  var value: Value? {
    get async {
      for await value in stream { return value }
      return nil
    }
  }
}

extension NIOWebSocketTransport {
  /// The open socket.
  func channel(_ request: WebSocketRequest) async throws -> any WebSocketChannel {
    switch try await open(request) {
    case .open(let channel, _): return channel
    case .refused(let reply): throw StepFailure("http.\(reply.status)", title: "refused")
    }
  }
}
