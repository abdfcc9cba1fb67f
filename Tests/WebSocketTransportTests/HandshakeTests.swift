import HTTPTypes
import NIOCore
import StepKit
import Synchronization
import TestKit
import Testing

@testable import WebSocketTransport

/// From the URL to the 101, or to what was answered instead of it.
@Suite(.timeLimit(.minutes(5))) struct HandshakeTests {
  private let transport = NIOWebSocketTransport(patience: .milliseconds(100))

  private func failure(_ request: WebSocketRequest) async throws -> TransportFailure? {
    await #expect(throws: TransportFailure.self) { _ = try await transport.open(request) }
  }

  /// What came of an answer, byte for byte.
  private func answered(_ answer: @escaping @Sendable (String) -> String, headers: HTTPFields = [:]) async throws -> TransportFailure? {
    let server = try await ScriptedServer.start { talk in
      let lines = try await talk.request()
      let key = lines.first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst("Sec-WebSocket-Key: ".count) ?? ""
      try await talk.send(answer(try await ScriptedTalk.accept(String(key), talk.channel)))
      await talk.end()
    }
    return try await failure(WebSocketRequest(url: server.url(), headers: headers))
  }

  @Test func theRequestSaysWhatTheProtocolAsks() async throws {
    let seen = Promised<[String]>()
    let server = try await ScriptedServer.start { talk in
      seen.keep(try await talk.accept("X-Kind: chat\r\n"))
      await talk.end()
    }
    let request = WebSocketRequest(url: server.url("/live?sdids=d%2031"), headers: [.authorization: "Bearer t-1"])
    guard case .open(let channel, let headers) = try await transport.open(request) else { throw ScriptedTalk.Ended() }
    let lines = try #require(await seen.value)
    #expect(
      lines.filter { !$0.hasPrefix("Sec-WebSocket-Key: ") } == [
        "GET /live?sdids=d%2031 HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Authorization: Bearer t-1",
      ])
    #expect(headers[HTTPField.Name("X-Kind")!] == "chat")
    await channel.close(code: 1000)
  }

  @Test func aRefusalComesWhole() async throws {
    let server = try await ScriptedServer.start { talk in
      _ = try await talk.request()
      try await talk.send(
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 401 Unauthorized\r\nX-Why: token\r\nContent-Length: 4\r\n\r\n{\"a\"")
      await talk.end()
    }
    guard case .refused(let reply) = try await transport.open(WebSocketRequest(url: server.url())) else { throw ScriptedTalk.Ended() }
    #expect(reply.status == 401)
    #expect(reply.headers[HTTPField.Name("X-Why")!] == "token")
    #expect(reply.body == Array(#"{"a""#.utf8))
    #expect(reply.url == "http://127.0.0.1:\(server.port)/live")
  }

  @Test func aRefusalMayEndWithTheConnection() async throws {
    let server = try await ScriptedServer.start { talk in
      _ = try await talk.request()
      try await talk.send("HTTP/1.1 403 Forbidden\r\n\r\nno")
    }
    guard case .refused(let reply) = try await transport.open(WebSocketRequest(url: server.url())) else { throw ScriptedTalk.Ended() }
    #expect(reply.status == 403)
    #expect(reply.body == Array("no".utf8))
  }

  @Test func a101MustAnswerTheKey() async throws {
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    let cases: [(String, @Sendable (String) -> String)] = [
      ("`Sec-WebSocket-Accept`", { _ in upgrade + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n" }),
      ("`Sec-WebSocket-Accept`", { _ in upgrade + "\r\n" }),
      ("`Upgrade`", { "HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nSec-WebSocket-Accept: \($0)\r\n\r\n" }),
      ("`Connection`", { "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: \($0)\r\n\r\n" }),
      ("extension", { upgrade + "Sec-WebSocket-Accept: \($0)\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n" }),
      ("subprotocol", { upgrade + "Sec-WebSocket-Accept: \($0)\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n" }),
    ]
    for (what, answer) in cases {
      let failure = try await answered(answer)
      #expect(failure?.reason == .malformed, "\(what)")
      #expect(failure?.sent == .maybe)
      #expect(failure?.message.contains(what) == true, "\(failure?.message ?? "")")
    }
  }

  @Test func aSubprotocolThatWasAskedForIsTaken() async throws {
    let server = try await ScriptedServer.start { talk in
      try await talk.accept("Sec-WebSocket-Protocol: v2.chat\r\n")
      await talk.end()
    }
    let name = try #require(HTTPField.Name("Sec-WebSocket-Protocol"))
    let channel = try await transport.channel(WebSocketRequest(url: server.url(), headers: [name: "v1.chat, v2.chat"]))
    await channel.close(code: 1000)
  }

  @Test func anAnswerThatIsNoHTTPIsTold() async throws {
    #expect(try await answered { _ in "SSH-2.0-OpenSSH_9.9\r\n\r\n" }?.reason == .malformed)
    #expect(
      try await answered { _ in "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n" }?.reason == .malformed)
    #expect(
      try await answered { _ in "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Flood: \(String(repeating: "x", count: 1000))\r\n", count: 300)
      }?
      .reason == .headersTooLarge)
  }

  @Test func aConnectionThatEndsEarlyIsAReset() async throws {
    let silent = try await ScriptedServer.start { talk in _ = try await talk.request() }
    let early = try await failure(WebSocketRequest(url: silent.url()))
    #expect(early?.reason == .reset)
    #expect(early?.sent == .maybe)
    let cut = try await ScriptedServer.start { talk in
      _ = try await talk.request()
      try await talk.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 40\r\n\r\nhalf")
    }
    #expect(try await failure(WebSocketRequest(url: cut.url()))?.reason == .reset)
  }

  @Test func aRefusalIsNoLargerThanAMessage() async throws {
    let server = try await ScriptedServer.start { talk in
      _ = try await talk.request()
      try await talk.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\n\r\n12345")
      await talk.end()
    }
    #expect(try await failure(WebSocketRequest(url: server.url(), maxMessageBytes: 4))?.reason == .bodyTooLarge)
  }

  @Test func whereNobodyListensNothingIsSent() async throws {
    let failure = try await failure(WebSocketRequest(url: "ws://127.0.0.1:\(try closedPort())/"))
    #expect(failure?.reason == .connect)
    #expect(failure?.sent == .no)
    #expect(failure?.message.hasPrefix("connection refused by 127.0.0.1:") == true)
  }

  @Test func aSilentServerIsGivenItsTimeAndNoMore() async throws {
    // A machine that stands still may use the time up before the request comes; then it is asked again, with more.
    for milliseconds in [50, 1000, 5000, 30_000] {
      let isAsked = Mutex(false)
      let ended = Promised<Bool>()
      let server = try await ScriptedServer.start { talk in
        _ = try await talk.request()
        isAsked.withLock { $0 = true }
        await talk.end()
        ended.keep(true)
      }
      let failure = try await failure(WebSocketRequest(url: server.url(), openTimeout: .milliseconds(milliseconds)))
      guard isAsked.withLock({ $0 }) else { continue }
      #expect(failure?.reason == .timeout)
      #expect(failure?.sent == .maybe)
      #expect(await ended.value == true)
      return
    }
    Issue.record("the request did not come within any time")
  }

  @Test func aCancelledHandshakeLeavesNoConnection() async throws {
    let (asked, ended) = (Promised<Bool>(), Promised<Bool>())
    let server = try await ScriptedServer.start { talk in
      _ = try await talk.request()
      asked.keep(true)
      await talk.end()
      ended.keep(true)
    }
    let (transport, url) = (transport, server.url())
    let opening = Task { try await transport.open(WebSocketRequest(url: url)) }
    _ = await asked.value
    opening.cancel()
    let failure = await #expect(throws: TransportFailure.self) { _ = try await opening.value }
    #expect(failure?.reason == .cancelled)
    #expect(failure?.sent == .maybe)
    #expect(await ended.value == true)
  }

  @Test func whoIsCancelledBeforeSendsNothing() async throws {
    let server = try await ScriptedServer.start { talk in await talk.end() }
    let (transport, url) = (transport, server.url())
    let opening = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await transport.open(WebSocketRequest(url: url))
    }
    opening.cancel()
    let failure = await #expect(throws: TransportFailure.self) { _ = try await opening.value }
    #expect(failure?.reason == .cancelled)
    #expect(failure?.sent == .no)
  }

  @Test(arguments: [
    ("http://127.0.0.1/", "the scheme `http` is not supported"), ("ws://user:secret@127.0.0.1/", "user name"), ("ws:///", "no host"),
    ("ws://2130706433/", "IPv4"),
  ])
  func aURLThatIsNoneIsRefused(url: String, what: String) async throws {
    let failure = try await failure(WebSocketRequest(url: url))
    #expect(failure?.reason == .invalidRequest)
    #expect(failure?.message.contains(what) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("secret") == false)
  }

  @Test(arguments: ["Host", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Extensions", "Content-Length"])
  func aHeaderOfTheHandshakeIsRefused(name: String) async throws {
    let name = try #require(HTTPField.Name(name))
    let failure = try await failure(WebSocketRequest(url: "ws://127.0.0.1:1/", headers: [name: "x"]))
    #expect(failure?.reason == .invalidRequest)
    #expect(failure?.message.contains("`\(name.rawName)`") == true)
  }

  @Test(arguments: [
    ("169.254.169.254", true), ("fe80::1", true), ("febf::1%eth0", true), ("::ffff:169.254.1.1", true), ("127.0.0.1", false),
    ("169.253.0.1", false), ("::1", false), ("fec0::1", false), ("fe8::1", false), ("10.254.0.1", false),
  ])
  func linkLocalAddressesAreKnown(address: String, isLinkLocal: Bool) throws {
    #expect(address.isLinkLocalAddress == isLinkLocal)
  }

  @Test func theThreadEndsWithWhoeverUsedItLast() {
    let loops = EventLoops()
    weak var first: EventLoopLease?
    do {
      let lease = loops.lease()
      first = lease
      #expect(loops.lease() === lease)
    }
    #expect(first == nil)
  }
}
