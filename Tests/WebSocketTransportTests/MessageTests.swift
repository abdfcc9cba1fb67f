import NIOCore
import StepKit
import Testing

@testable import WebSocketTransport

/// What goes over an open socket, frame by frame.
@Suite(.timeLimit(.minutes(5))) struct MessageTests {
  private let transport = NIOWebSocketTransport(patience: .milliseconds(100))

  /// A socket to a server that accepts and then does what the test says.
  private func socket(
    maxMessageBytes: Int = 1 << 20, _ script: @escaping ScriptedServer.Script
  ) async throws -> (ScriptedServer, any WebSocketChannel) {
    let server = try await ScriptedServer.start { talk in
      try await talk.accept()
      try await script(talk)
    }
    // Other tests share the server's threads.
    let request = WebSocketRequest(
      url: server.url(), connectTimeout: .seconds(120), openTimeout: .seconds(120), maxMessageBytes: maxMessageBytes)
    return (server, try await transport.channel(request))
  }

  /// The failure that a server's bytes end in, and the code of the close frame that it gets.
  private func refusal(of bytes: [UInt8], maxMessageBytes: Int = 1 << 20) async throws -> (TransportFailure?, code: Int?) {
    let closed = Promised<Int?>()
    let (server, channel) = try await socket(maxMessageBytes: maxMessageBytes) { talk in
      try await talk.send(bytes)
      closed.keep(try await talk.frame().code)
      await talk.end()
    }
    let failure = await #expect(throws: TransportFailure.self) { while true { _ = try await channel.receive() } }
    let code = await closed.value ?? nil
    await channel.close(code: 1000)
    withExtendedLifetime(server) {}
    return (failure, code)
  }

  @Test func textsGoBothWays() async throws {
    let (server, channel) = try await socket { talk in
      let first = try await talk.frame()
      let second = try await talk.frame()
      // The same text, and other bytes on the wire: nobody can choose what goes over it (RFC 6455 §10.3).
      #expect(first.text == "grüße" && second.text == "grüße")
      #expect(first.opcode == 1)
      #expect(first.mask != nil && first.mask != second.mask)
      try await talk.send(text("zurück"))
      let last = try await talk.frame()
      #expect(last.opcode == 8)
      #expect(last.code == 1000)
    }
    try await channel.send("grüße")
    try await channel.send("grüße")
    #expect(try await channel.receive() == .text("zurück"))
    await channel.close(code: 1000)
    withExtendedLifetime(server) {}
  }

  @Test func fragmentsAreJoinedAndPingsAnswered() async throws {
    let pong = Promised<ScriptedTalk.Frame>()
    let long = String(repeating: "é", count: 50_000)
    let (server, channel) = try await socket { talk in
      let euro = Array("€".utf8)
      // A character is cut by fragments, a ping comes between them, and one fragment is empty.
      try await talk.send(frame(1, [euro[0]], isFinal: false) + frame(9, Array("hi".utf8)) + frame(0, [], isFinal: false))
      pong.keep(try await talk.frame())
      try await talk.send(frame(0, Array(euro[1...])) + frame(10, []) + text("") + text(long))
      await talk.end()
    }
    #expect(try await channel.receive() == .text("€"))
    #expect(try await channel.receive() == .text(""))
    #expect(try await channel.receive() == .text(long))
    let answer = try #require(await pong.value)
    #expect(answer.opcode == 10)
    #expect(answer.text == "hi")
    #expect(answer.mask != nil)
    await channel.close(code: 1000)
    withExtendedLifetime(server) {}
  }

  @Test func whatComesWithThe101IsRead() async throws {
    let server = try await ScriptedServer.start { talk in
      try await talk.accept(behind: text("at once") + closing(1001, "bye"))
      await talk.end()
    }
    let channel = try await transport.channel(WebSocketRequest(url: server.url()))
    #expect(try await channel.receive() == .text("at once"))
    #expect(try await channel.receive() == .closed(code: 1001, reason: "bye"))
    #expect(try await channel.receive() == .closed(code: 1001, reason: "bye"))
    await channel.close(code: 1000)
  }

  @Test func aCloseIsAnsweredWithItsCode() async throws {
    let answer = Promised<ScriptedTalk.Frame>()
    let (server, channel) = try await socket { talk in
      try await talk.send(text("last") + closing(4000, "enough"))
      answer.keep(try await talk.frame())
      await talk.end()
      answer.keep(ScriptedTalk.Frame(opcode: 0, payload: []))
    }
    #expect(try await channel.receive() == .text("last"))
    #expect(try await channel.receive() == .closed(code: 4000, reason: "enough"))
    #expect(await answer.value?.code == 4000)
    #expect(await answer.value?.opcode == 0)
    let failure = await #expect(throws: TransportFailure.self) { try await channel.send("too late") }
    #expect(failure?.reason == .reset)
    await channel.close(code: 1000)
    withExtendedLifetime(server) {}
  }

  @Test func aCloseWithoutACodeIs1005() async throws {
    let answer = Promised<ScriptedTalk.Frame>()
    let (server, channel) = try await socket { talk in
      try await talk.send(frame(8, []))
      answer.keep(try await talk.frame())
    }
    #expect(try await channel.receive() == .closed(code: 1005, reason: ""))
    #expect(await answer.value?.payload == [])
    withExtendedLifetime(server) {}
  }

  @Test func ourCloseWaitsForTheServers() async throws {
    let seen = Promised<Int?>()
    let (server, channel) = try await socket { talk in
      seen.keep(try await talk.frame().code)
      // Whatever is on the way is read over.
      try await talk.send(text("late") + frame(2, [1]) + closing(1000))
      await talk.end()
      seen.keep(nil)
    }
    await channel.close(code: 1001)
    #expect(await seen.value == 1001)
    #expect(await seen.value == .some(nil))
    await channel.close(code: 1001)
    withExtendedLifetime(server) {}
  }

  @Test func aServerThatNeverClosesHoldsNobodyUp() async throws {
    let ended = Promised<Bool>()
    let (server, channel) = try await socket { talk in
      await talk.end()
      ended.keep(true)
    }
    await channel.close(code: 1000)
    #expect(await ended.value == true)
    withExtendedLifetime(server) {}
  }

  @Test func aConnectionThatBreaksIsAReset() async throws {
    let (server, channel) = try await socket { talk in try await talk.send(text("one") + [0x81, 5, 0x68]) }
    #expect(try await channel.receive() == .text("one"))
    let failure = await #expect(throws: TransportFailure.self) { _ = try await channel.receive() }
    #expect(failure?.reason == .reset)
    #expect(failure?.message == "127.0.0.1:\(server.port) ended the connection without closing the WebSocket")
    await channel.close(code: 1000)
  }

  @Test(arguments: [
    ("binary", frame(2, [1, 2, 3]), 1003), ("not UTF-8", text("ok") + frame(1, [0xC3, 0x28]), 1007),
    ("not UTF-8", frame(1, [0xF0, 0x9F], isFinal: false) + frame(0, [0x41]), 1007), ("masked", [0x81, 0x81, 1, 2, 3, 4, 5], 1002),
    ("reserved bits", frame(1, [0x41], reserved: 0x40), 1002), ("never began", frame(0, [0x41]), 1002),
    ("in the middle", text("a", isFinal: false) + text("b"), 1002), ("unknown opcode", frame(3, []), 1002),
    ("fragment", frame(9, [], isFinal: false), 1002), ("too long", frame(9, Array(repeating: 0, count: 126)), 1002),
    ("no valid code", closing(999), 1002), ("no valid code", closing(1005), 1002), ("no valid code", closing(1006), 1002),
    ("no valid code", frame(8, [3]), 1002), ("not UTF-8", frame(8, [3, 232, 0xFF]), 1007),
  ])
  func whatBreaksTheProtocolIsRefused(what: String, bytes: [UInt8], code: Int) async throws {
    let (failure, answered) = try await refusal(of: bytes)
    #expect(failure?.reason == .malformed)
    #expect(failure?.message.contains(what) == true, "\(failure?.message ?? "")")
    #expect(answered == code)
  }

  @Test(arguments: [
    // The head of the frame alone: nobody waits for its bytes.
    [0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0], [0x81, 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    text(String(repeating: "x", count: 1001)),
    text(String(repeating: "x", count: 600), isFinal: false) + frame(0, Array(repeating: 0x78, count: 401)),
  ])
  func whatIsTooLargeIsRefused(bytes: [UInt8]) async throws {
    let (failure, code) = try await refusal(of: bytes, maxMessageBytes: 1000)
    #expect(failure?.reason == .bodyTooLarge)
    #expect(failure?.message.hasSuffix("is longer than 1000 bytes") == true, "\(failure?.message ?? "")")
    #expect(code == 1009)
  }

  @Test func theLargestMessageIsRead() async throws {
    let largest = String(repeating: "x", count: 1000)
    let (server, channel) = try await socket(maxMessageBytes: 1000) { talk in
      try await talk.send(text(largest) + text("x", isFinal: false) + frame(0, Array(largest.utf8.dropFirst())))
      await talk.end()
    }
    #expect(try await channel.receive() == .text(largest))
    #expect(try await channel.receive() == .text(largest))
    await channel.close(code: 1000)
    withExtendedLifetime(server) {}
  }

  /// A server that is faster than whoever reads waits, and nothing is lost.
  @Test func aFloodIsReadInItsOrder() async throws {
    let count = 20_000
    let (server, channel) = try await socket { talk in
      for number in 0..<count { try await talk.send(text("\(number)")) }
      try await talk.send(closing(1000))
      await talk.end()
    }
    for number in 0..<count { #expect(try await channel.receive() == .text("\(number)")) }
    #expect(try await channel.receive() == .closed(code: 1000, reason: ""))
    withExtendedLifetime(server) {}
  }

  @Test func aCancelledWaitLosesNothing() async throws {
    let (server, channel) = try await socket { talk in
      for number in 0..<200 {
        _ = try await talk.frame()
        try await talk.send(text("\(number)"))
      }
      await talk.end()
    }
    for number in 0..<200 {
      try await channel.send("next")
      // Cancelled somewhere between its start and the arrival of the message.
      let wait = Task { try await channel.receive() }
      for _ in 0..<number { await Task.yield() }
      wait.cancel()
      do {
        #expect(try await wait.value == .text("\(number)"))
      } catch let failure as TransportFailure {
        #expect(failure.reason == .cancelled)
        #expect(try await channel.receive() == .text("\(number)"))
      }
    }
    await channel.close(code: 1000)
    withExtendedLifetime(server) {}
  }

  @Test func aCancelledSendEndsTheConnection() async throws {
    let (server, channel) = try await socket { talk in
      // Reads nothing: the message does not fit into what the system holds for it.
      try await talk.channel.closeFuture.get()
    }
    let sending = Task { try await channel.send(String(repeating: "x", count: 8 << 20)) }
    for _ in 0..<1000 { await Task.yield() }
    sending.cancel()
    let failure = await #expect(throws: TransportFailure.self) { try await sending.value }
    #expect(failure?.reason == .cancelled)
    await channel.close(code: 1000)
    withExtendedLifetime(server) {}
  }

  @Test func aSocketThatIsLetGoIsClosed() async throws {
    let ended = Promised<Bool>()
    let (server, _) = try await socket { talk in
      await talk.end()
      ended.keep(true)
    }
    #expect(await ended.value == true)
    withExtendedLifetime(server) {}
  }
}
