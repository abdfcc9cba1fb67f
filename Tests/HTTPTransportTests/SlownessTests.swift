import HTTPTypes
import StepKit
import TestKit
import Testing

@testable import HTTPTransport

/// Servers that take their time with everything.
@Suite struct SlownessTests {
  /// An answer that has begun may not crawl, however long the whole may take.
  @Test(arguments: [Delivery.repeatable, .single, .once])
  func anAnswerThatCrawlsIsGivenUp(_ delivery: Delivery) async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while connection.send("a") { breathe() }
    }
    let transport = CurlTransport(TransferRules(slowestBytesPerSecond: 100_000, slowSeconds: 1))
    let failure = try await failure(of: post(server.origin, "x", delivery), transport)
    let message = "the answer of 127.0.0.1:\(server.port) came slower than 100000 bytes a second for 1 s"
    #expect(failure == TransportFailure(.timeout, sent: .maybe, message: message, curlCode: 28))
    #expect(StepFailure.transport(failure).code == "timeout.attempt")
  }

  @Test func theUsualLimits() {
    #expect(TransferRules().slowestBytesPerSecond == 10)
    #expect(TransferRules().slowSeconds == 30)
    #expect(TransferRules().weakening == [])
  }

  /// A server may think for as long as the deadline allows: silence before the answer is no crawling.
  @Test func silenceBeforeTheAnswerIsNoCrawling() async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.waitForClose()
    }
    let transport = CurlTransport(TransferRules(slowestBytesPerSecond: 100_000, slowSeconds: 1))
    let failure = try await failure(of: get(server.origin, timeout: .milliseconds(2500)), transport)
    #expect(failure.message == "no whole answer within 2500 ms")
  }

  /// Answers one request, so that the connection stands, and then begins or not, and never ends, the next answer.
  private func hangingServer(_ beginning: String) throws -> RawServer {
    try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(ok())
      guard connection.readRequest() != nil else { return }
      connection.send(beginning)
      connection.waitForClose()
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\na"])
  func anAnswerThatDoesNotEndInTime(_ beginning: String) async throws {
    try await withinSeconds { seconds in
      let server = try hangingServer(beginning)
      let transport = CurlTransport()
      _ = try await transport.perform(get(server.origin))
      let failure = try await failure(of: post(server.origin, "x", .single) { $0.timeout = .seconds(seconds) }, transport)
      guard server.received.count == 2 else { return false }
      #expect(failure == TransportFailure(.timeout, sent: .maybe, message: "no whole answer within \(seconds) s", curlCode: 28))
      return true
    }
  }

  @Test func onceTimesOutAsWell() async throws {
    try await withinSeconds { seconds in
      let server = try RawServer { connection in
        _ = connection.readRequest()
        connection.waitForClose()
      }
      let failure = try await failure(of: post(server.origin, "x", .once) { $0.timeout = .seconds(seconds) }, CurlTransport())
      guard !server.received.isEmpty else { return false }
      #expect(failure == TransportFailure(.timeout, sent: .maybe, message: "no whole answer within \(seconds) s", curlCode: 28))
      return true
    }
  }

  /// Nobody reads what is sent, but for its first byte: the deadline ends it, and part of it has left.
  @Test(arguments: [Delivery.single, .once])
  func aServerThatDoesNotRead(_ delivery: Delivery) async throws {
    try await withinSeconds { seconds in
      let gate = Gate()
      defer { gate.open() }
      let server = try ScriptedServer { connection in
        guard connection.read(1) != nil else { return }
        connection.count([])
        gate.wait()
      }
      let failure = try await failure(
        of: post(server.origin, "", delivery) { request in
          request.body = [UInt8](repeating: 0x78, count: 16 << 20)  // more than the sockets hold
          request.timeout = .seconds(seconds)
        }, CurlTransport())
      guard !server.received.isEmpty else { return false }
      #expect(failure == TransportFailure(.timeout, sent: .maybe, message: "no whole answer within \(seconds) s", curlCode: 28))
      return true
    }
  }

  /// What a server sends of its own accord is the answer to nothing.
  @Test func anAnswerTooManyIsNotTheNextOne() async throws {
    let server = try RawServer { connection in
      guard let request = connection.readRequest() else { return }
      connection.send(ok(request.line) + ok("false"))
      while let request = connection.readRequest() { connection.send(ok(request.line)) }
    }
    let transport = CurlTransport()
    for path in ["a", "b", "c"] {
      #expect(try await transport.perform(get("\(server.origin)/\(path)")).text == "GET /\(path) HTTP/1.1")
    }
  }
}
