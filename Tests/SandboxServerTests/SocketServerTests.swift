import SandboxKit
import SandboxServer
import Testing
import Values

/// What a client of a socket sees on the wire.
@Suite(.timeLimit(.minutes(1))) struct SocketServerTests {
  private let hello = "Upgrade: websocket\r\nConnection: Upgrade\r\nAuthorization: Bearer good\r\n"
  private let key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

  private func answer(_ headers: String, to sandbox: Sandbox) async throws -> String {
    let server = try await SandboxServer.start(sandbox)
    let client = try RawClient(port: server.port)
    try client.get("/chat/v1/live/hall", headers)
    let text = try await client.read(until: "}")
    await server.stop()
    return text
  }

  @Test func theHandshakeOfTheRFCIsAnswered() async throws {
    let server = try await SandboxServer.start(try Sandbox(systems: [Chat()]))
    let client = try RawClient(port: server.port)
    try client.get("/chat/v1/live/hall", hello + key)
    let text = try await client.read(until: "hall")
    #expect(text.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    // RFC 6455 §1.3
    #expect(text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    #expect(text.hasSuffix("\r\n\r\n\u{FFFD}\u{0F}welcome to hall"))
    await server.stop()
  }

  @Test func whatIsNoHandshakeOpensNothing() async throws {
    let sandbox = try Sandbox(systems: [Chat()])
    let old = try await answer(hello + key.replacing("13", with: "8"), to: sandbox)
    #expect(old.hasPrefix("HTTP/1.1 426 "))
    #expect(old.contains("Sec-WebSocket-Version: 13\r\n"))
    #expect(try await answer(hello + "Sec-WebSocket-Version: 13\r\n", to: sandbox).hasPrefix("HTTP/1.1 400 "))
    #expect(try await answer("", to: sandbox).hasPrefix("HTTP/1.1 426 "))
    #expect(try await answer(hello.replacing("good", with: "bad") + key, to: sandbox).hasPrefix("HTTP/1.1 401 "))
    #expect(sandbox.overview["chat"] == ["open": 0, "closed": 0])
  }

  @Test func aSocketEndsWithItsConnectionAndWithTheServer() async throws {
    let sandbox = try Sandbox(systems: [Chat()])
    let server = try await SandboxServer.start(sandbox)
    do {
      let gone = try RawClient(port: server.port)
      try gone.get("/chat/v1/live/hall", hello + key)
      _ = try await gone.read(until: "hall")
    }
    while sandbox.overview["chat"] != ["open": 0, "closed": 1] { await Task.yield() }
    let open = try RawClient(port: server.port)
    try open.get("/chat/v1/live/hall", hello + key)
    _ = try await open.read(until: "hall")
    await server.stop()
    _ = try await open.readAll()
    while sandbox.overview["chat"] != ["open": 0, "closed": 2] { await Task.yield() }
  }
}
