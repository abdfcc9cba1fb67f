import HTTPTypes
import SandboxKit
import SandboxServer
import Synchronization
import Testing
import Values

/// What a client sees on the wire.
@Suite(.timeLimit(.minutes(1))) struct SandboxServerTests {
  /// The whole answer to one request on a connection of its own.
  private func get(_ path: String, from server: RunningSandbox) async throws -> (text: String, ending: RawClient.Ending) {
    let client = try RawClient(port: server.port)
    try client.get(path, "Connection: close\r\n")
    return try await client.readAll()
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init).filter { !$0.lowercased().hasPrefix("date:") }
  }

  private let book = "/library/books/1"
  private let given: Value = ["library": ["books": ["Emma"]]]

  @Test func anAnswerIsWhole() async throws {
    let server = try await SandboxServer.start(try .library(given: given))
    let (text, ending) = try await get(book, from: server)
    #expect(
      lines(text) == ["HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: 16", "", #"{"title":"Emma"}"#])
    #expect(ending == .closed)
    #expect(server.baseURL(of: "library") == "http://127.0.0.1:\(server.port)/library")
    await server.stop()
  }

  /// SwiftNIO would end the process with them.
  @Test(arguments: [true, false])
  func connectionsThatNobodyHasServedEndWithTheServer(isStopped: Bool) async throws {
    for _ in 0..<8 {
      var server = Optional(try await SandboxServer.start(try .library(given: given)))
      let port = try #require(server?.port)
      let clients = try (0..<64).map { _ in try OpenConnection(port: port) }
      if isStopped { await server?.stop() }
      server = nil
      #expect(clients.count == 64)
    }
  }

  @Test func aRequestArrivesAsItWasSent() async throws {
    let sandbox = try Sandbox.library()
    let server = try await SandboxServer.start(sandbox)
    let client = try RawClient(port: server.port)
    let title = String(repeating: "long ", count: 20_000)
    let body = (["title": .string(title)] as Value).json()
    try client.send("POST /library/books HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(try await client.read(until: "}").contains("201 Created"))
    #expect(sandbox.overview["library"]?["books"] == [.string(title)])
    // The connection is kept, and a 204 promises no body.
    try client.send("DELETE /library/books/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(lines(try await client.read(until: "\r\n\r\n")) == ["HTTP/1.1 204 No Content", "", ""])
    await server.stop()
  }

  @Test func anAnswerToHEADHasNoBody() async throws {
    let server = try await SandboxServer.start(try .library(given: given))
    let client = try RawClient(port: server.port)
    try client.send("HEAD \(book) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let text = try await client.readAll().text
    #expect(text.hasPrefix("HTTP/1.1 405"))
    #expect(text.hasSuffix("\r\n\r\n"))
    await server.stop()
  }

  @Test func aDroppedAnswerHasNotAByte() async throws {
    let sandbox = try Sandbox.library(given: given)
    try sandbox.add(["route": "GET /books/{id}", "drop": "before_response"])
    let server = try await SandboxServer.start(sandbox)
    let (text, ending) = try await get(book, from: server)
    #expect(text == "")
    #expect(ending == .closed)
    await server.stop()
  }

  @Test func aResetIsAReset() async throws {
    let sandbox = try Sandbox.library(given: given)
    try sandbox.add(["route": "GET /books/{id}", "drop": "reset"])
    let server = try await SandboxServer.start(sandbox)
    let (text, ending) = try await get(book, from: server)
    #expect(text == "")
    #expect(ending == .reset)
    await server.stop()
  }

  @Test func aBodyIsCutInTheMiddle() async throws {
    let sandbox = try Sandbox.library(given: given)
    try sandbox.add(["route": "GET /books/{id}", "drop": "mid_body"])
    let server = try await SandboxServer.start(sandbox)
    let (text, _) = try await get(book, from: server)
    #expect(lines(text).contains("Content-Length: 16"))
    #expect(lines(text).last == #"{"title""#)
    await server.stop()
  }

  @Test func aTruncatedBodyLooksWhole() async throws {
    let sandbox = try Sandbox.library(given: given)
    try sandbox.add(["route": "GET /books/{id}", "truncate": true])
    let server = try await SandboxServer.start(sandbox)
    let (text, ending) = try await get(book, from: server)
    #expect(lines(text).contains("Content-Length: 8"))
    #expect(lines(text).last == #"{"title""#)
    #expect(ending == .closed)
    await server.stop()
  }

  @Test func aStatusComesWithItsHeadersAndBody() async throws {
    let sandbox = try Sandbox.library(given: given)
    try sandbox.add(["route": "GET /books/{id}", "status": 429, "headers": ["Retry-After": "3"], "body": "slow down"])
    let server = try await SandboxServer.start(sandbox)
    let (text, _) = try await get(book, from: server)
    #expect(lines(text) == ["HTTP/1.1 429 Too Many Requests", "Retry-After: 3", "Content-Length: 9", "", "slow down"])
    await server.stop()
  }

  @Test func aSlowBodyTakesItsTime() async throws {
    let waited = Mutex<[Duration]>([])
    let sandbox = try Sandbox.library(given: given) { duration in waited.withLock { $0.append(duration) } }
    try sandbox.add(["route": "GET /books/{id}", "bytes_per_second": 50])
    let server = try await SandboxServer.start(sandbox)
    let (text, _) = try await get(book, from: server)
    #expect(lines(text).last == #"{"title":"Emma"}"#)
    // 16 bytes at 50 a second: five at a time.
    #expect(waited.withLock(\.self) == [.milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(20)])
    await server.stop()
  }

  @Test func aDelayHoldsNobodyElse() async throws {
    let (gate, opened) = AsyncStream<Void>.makeStream()
    let waited = Mutex<Duration?>(nil)
    let sandbox = try Sandbox.library(given: given) { duration in
      waited.withLock { $0 = duration }
      for await _ in gate {}
    }
    try sandbox.add(["route": "GET /books/{id}", "delay": "1h", "times": 1])
    let server = try await SandboxServer.start(sandbox)
    let slow = try RawClient(port: server.port)
    try slow.get(book, "Connection: close\r\n")
    while waited.withLock({ $0 == nil }) { await Task.yield() }
    // The effect, and the log, are there before the answer is.
    #expect(try sandbox.requests(matching: "GET /books/{id}").count == 1)
    #expect(try await get(book, from: server).text.hasPrefix("HTTP/1.1 200"))
    opened.finish()
    #expect(try await slow.readAll().text.hasPrefix("HTTP/1.1 200"))
    #expect(waited.withLock(\.self) == .seconds(3600))
    await server.stop()
  }

  @Test func stoppingEndsWhatWaits() async throws {
    let waits = Mutex(false)
    let sandbox = try Sandbox.library(given: given) { _ in
      waits.withLock { $0 = true }
      try await Task.sleep(for: .seconds(3600))
    }
    try sandbox.add(["route": "GET /books/{id}", "delay": "1h"])
    let server = try await SandboxServer.start(sandbox)
    let idle = try RawClient(port: server.port)
    let slow = try RawClient(port: server.port)
    try slow.get(book)
    while waits.withLock({ !$0 }) { await Task.yield() }
    await server.stop()
    #expect(try await idle.readAll().text == "")
    _ = try await slow.readAll()
    #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
  }

  @Test func twoServersShareNothing() async throws {
    let one = try await SandboxServer.start(try .library(given: given))
    let other = try await SandboxServer.start(try .library())
    #expect(try await get(book, from: one).text.hasPrefix("HTTP/1.1 200"))
    #expect(try await get(book, from: other).text.hasPrefix("HTTP/1.1 404"))
    await one.stop()
    await other.stop()
  }

  @Test func aPortThatIsTakenIsNamed() async throws {
    let first = try await SandboxServer.start(try .library())
    let error = await #expect(throws: SandboxServerError.self) { try await SandboxServer.start(try .library(), port: first.port) }
    #expect(error?.description.hasPrefix("the sandbox cannot listen on 127.0.0.1:\(first.port)") == true)
    await first.stop()
  }
}

/// A connection that asks for nothing.
private final class OpenConnection {
  private let client: RawClient

  init(port: Int) throws { client = try RawClient(port: port) }
}
