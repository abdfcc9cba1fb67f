import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing

/// Every way in which an answer can go wrong keeps its meaning.
@Suite struct FaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: TransportFailure.Reason
    let message: String
    /// What the server does once it has read the request.
    let serve: @Sendable (RawConnection) -> Void

    init(
      _ name: String, _ reason: TransportFailure.Reason, _ message: String, _ serve: @escaping @Sendable (RawConnection) -> Void
    ) {
      testDescription = name
      self.reason = reason
      self.message = message
      self.serve = serve
    }
  }

  static let faults: [Fault] = [
    Fault("closed without an answer", .reset, "AUTHORITY closed the connection without an answer") { _ in },
    Fault("closed in the middle of the headers", .reset, "AUTHORITY closed the connection in the middle of the headers") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
    },
    Fault("closed after headers without a length", .reset, "AUTHORITY closed the connection in the middle of the headers") {
      $0.send("HTTP/1.1 200 OK\r\nX-A: 1\r\n")
    },
    Fault("short content-length", .reset, "AUTHORITY closed the connection in the middle of the body") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")
    },
    Fault("truncated chunk", .reset, "AUTHORITY closed the connection in the middle of the body") {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")
    },
    Fault("reset", .reset, "the connection with AUTHORITY broke (recv failure: Connection reset by peer)") { $0.reset() },
    Fault("reset in the middle of the body", .reset, "the connection with AUTHORITY broke (recv failure: Connection reset by peer)") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
      $0.reset()
    },
    Fault("bad chunk", .malformed, "AUTHORITY does not keep to HTTP (illegal or missing hexadecimal sequence in chunked-encoding)") {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nab\r\n")
    },
    Fault("garbage", .malformed, "the answer of AUTHORITY is not HTTP") { $0.send("220 mail.test ESMTP ready\r\n") },
    Fault("no number as length", .malformed, "AUTHORITY does not keep to HTTP (invalid Content-Length: value)") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nab")
    },
    Fault("negative length", .malformed, "AUTHORITY does not keep to HTTP (invalid Content-Length: value)") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nab")
    },
    Fault("no number in a list of lengths", .malformed, "the answer's Content-Length is no number") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2, x\r\n\r\nab")
    },
    Fault("conflicting lengths", .malformed, "the answer has conflicting Content-Length headers") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc")
    },
    Fault("conflicting lengths in a list", .malformed, "the answer has conflicting Content-Length headers") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nabc")
    },
    Fault("conflicting lengths and chunks", .malformed, "the answer has both Content-Length and Transfer-Encoding") {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n0\r\n\r\n")
    },
    Fault("a length and chunks", .malformed, "the answer has both Content-Length and Transfer-Encoding") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")
    },
    Fault("NUL in a header", .malformed, "AUTHORITY does not keep to HTTP (nul byte in header)") {
      $0.send("HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n")
    },
    Fault("bad gzip", .malformed, "AUTHORITY does not keep to HTTP (error while processing content unencoding: incorrect header check)") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 11\r\n\r\nnot gzipped")
    },
    Fault(
      "more than five encodings", .malformed,
      "AUTHORITY does not keep to HTTP (reject response due to more than 5 content encodings)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\nContent-Length: 2\r\n\r\nab")
    },
    Fault("one long header line", .headersTooLarge, "a header line of the answer of AUTHORITY is longer than 100 KB") {
      $0.send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 200_000))\r\nContent-Length: 0\r\n\r\n")
    },
    Fault("a header line under libcurl's limit", .headersTooLarge, "a header line of the answer is longer than 64 KiB") {
      $0.send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 70_000))\r\nContent-Length: 0\r\n\r\n")
    },
    Fault("a flood of headers", .headersTooLarge, "the headers of the answer are longer than 256 KiB") {
      guard $0.send("HTTP/1.1 200 OK\r\n") else { return }
      while $0.send("X-More: \(String(repeating: "x", count: 1000))\r\n") {}
    },
    Fault("a flood of interim answers", .headersTooLarge, "the headers of the answer are longer than 256 KiB") {
      while $0.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") {}
    },
  ]

  @Test(arguments: faults)
  func aFault(_ fault: Fault) async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      fault.serve(connection)
    }
    let failure = try await failure(of: post(server.origin, "x", .single), CurlTransport())
    #expect(failure.reason == fault.reason)
    #expect(failure.sent == .maybe)
    #expect(failure.message == fault.message.replacing("AUTHORITY", with: "127.0.0.1:\(server.port)"))
    #expect(server.received.count == 1)
  }

  @Test func interimAnswersAndTrailersAreNoPartOfTheAnswer() async throws {
    let server = try RawServer.answering { _ in
      "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
        + "HTTP/1.1 201 Created\r\nX-A: 1\r\nX-A: 2\r\nX-Folded: a\r\n  b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-Trailer: 1\r\n\r\n"
    }
    let reply = try await CurlTransport().perform(get(server.origin))
    #expect(reply.status == 201)
    #expect(reply.text == "ab")
    let fields = reply.headers.map { "\($0.name.rawName): \($0.value)" }
    #expect(fields == ["X-A: 1", "X-A: 2", "X-Folded: a b", "Transfer-Encoding: chunked"])
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
    let server = try hangingServer(beginning)
    let transport = CurlTransport()
    _ = try await transport.perform(get(server.origin))
    let failure = try await failure(of: post(server.origin, "x", .single) { $0.timeout = .milliseconds(300) }, transport)
    #expect(failure == TransportFailure(.timeout, sent: .maybe, message: "no whole answer within 300 ms", curlCode: 28))
  }

  @Test func onceTimesOutAsWell() async throws {
    let server = try RawServer { $0.waitForClose() }
    let failure = try await failure(of: post(server.origin, "x", .once) { $0.timeout = .milliseconds(300) }, CurlTransport())
    #expect(failure == TransportFailure(.timeout, sent: .maybe, message: "no whole answer within 300 ms", curlCode: 28))
  }

  @Test func anAnswerBeforeTheWholeBodyWasReadCounts() async throws {
    let server = try RawServer { connection in
      connection.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      connection.waitForClose()
    }
    let reply = try await CurlTransport().perform(post(server.origin, String(repeating: "x", count: 1 << 20), .single))
    #expect(reply.status == 413)
  }

  // MARK: - Before the first byte

  @Test(arguments: [Delivery.repeatable, .single, .once])
  func aRefusedConnection(_ delivery: Delivery) async throws {
    let port = try closedPort()
    let failure = try await failure(of: post("http://127.0.0.1:\(port)/", "x", delivery))
    #expect(failure == TransportFailure(.connect, sent: .no, message: "connection refused by 127.0.0.1:\(port)", curlCode: 7))
  }

  @Test func anUnknownName() async throws {
    let failure = try await failure(of: get("http://nonexistent.invalid/"))
    #expect(failure == TransportFailure(.dns, sent: .no, message: "cannot find the address of `nonexistent.invalid`", curlCode: 6))
  }

  @Test func aConnectionThatNeverStands() async throws {
    // TLS never begins: for libcurl that is still the connect phase.
    let server = try RawServer { $0.waitForClose() }
    let failure = try await failure(of: get("https://127.0.0.1:\(server.port)/") { $0.connectTimeout = .milliseconds(100) })
    let message = "no connection with 127.0.0.1:\(server.port) within 100 ms"
    #expect(failure == TransportFailure(.connectTimeout, sent: .no, message: message, curlCode: 28))
  }

  @Test func noTimeAtAll() async throws {
    let failure = try await failure(of: get("http://127.0.0.1:1/", timeout: .zero))
    #expect(failure == TransportFailure(.timeout, sent: .no, message: "no whole answer within 0 s"))
  }
}
