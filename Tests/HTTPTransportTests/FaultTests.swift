import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing

/// Every way in which an answer can go wrong keeps its meaning: the transport's reason, whether the request was sent, and
/// the code that flows see.
@Suite struct FaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    enum Pace: Sendable { case ends, hangs }

    let testDescription: String
    let reason: TransportFailure.Reason
    let code: String
    let message: String
    let pace: Pace
    /// What the server does once it has read the request.
    let serve: @Sendable (RawConnection) -> Void

    init(
      _ name: String, _ reason: TransportFailure.Reason, _ code: String, _ message: String, _ pace: Pace = .ends,
      _ serve: @escaping @Sendable (RawConnection) -> Void
    ) {
      testDescription = name
      self.reason = reason
      self.code = code
      self.message = message
      self.pace = pace
      self.serve = serve
    }
  }

  static let faults: [Fault] = [
    Fault("closed without an answer", .reset, "network.reset", "AUTHORITY closed the connection without an answer") { _ in },
    Fault("closed in the middle of the headers", .reset, "network.reset", "AUTHORITY closed the connection in the middle of the headers") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
    },
    Fault("closed after headers without a length", .reset, "network.reset", "AUTHORITY closed the connection in the middle of the headers")
    {
      $0.send("HTTP/1.1 200 OK\r\nX-A: 1\r\n")
    },
    Fault("short content-length", .reset, "network.reset", "AUTHORITY closed the connection in the middle of the body") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")
    },
    Fault("truncated chunk", .reset, "network.reset", "AUTHORITY closed the connection in the middle of the body") {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")
    },
    Fault("reset", .reset, "network.reset", "the connection with AUTHORITY broke (recv failure: Connection reset by peer)") { $0.reset() },
    Fault(
      "reset in the middle of the body", .reset, "network.reset",
      "the connection with AUTHORITY broke (recv failure: Connection reset by peer)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
      $0.reset()
    },
    Fault(
      "bad chunk", .malformed, "network.protocol",
      "AUTHORITY does not keep to HTTP (illegal or missing hexadecimal sequence in chunked-encoding)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nab\r\n")
    },
    Fault("garbage", .malformed, "network.protocol", "the answer of AUTHORITY is not HTTP") { $0.send("220 mail.test ESMTP ready\r\n") },
    Fault("no number as length", .malformed, "network.protocol", "AUTHORITY does not keep to HTTP (invalid Content-Length: value)") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nab")
    },
    Fault("negative length", .malformed, "network.protocol", "AUTHORITY does not keep to HTTP (invalid Content-Length: value)") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nab")
    },
    Fault("no number in a list of lengths", .malformed, "network.protocol", "the answer's Content-Length is no number") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2, x\r\n\r\nab")
    },
    Fault("conflicting lengths", .malformed, "network.protocol", "the answer has conflicting Content-Length headers") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc")
    },
    Fault("conflicting lengths in a list", .malformed, "network.protocol", "the answer has conflicting Content-Length headers") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nabc")
    },
    Fault("conflicting lengths and chunks", .malformed, "network.protocol", "the answer has both Content-Length and Transfer-Encoding") {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n0\r\n\r\n")
    },
    Fault("a length and chunks", .malformed, "network.protocol", "the answer has both Content-Length and Transfer-Encoding") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")
    },
    Fault("NUL in a header", .malformed, "network.protocol", "AUTHORITY does not keep to HTTP (nul byte in header)") {
      $0.send("HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n")
    },
    Fault(
      "bad gzip", .malformed, "network.protocol",
      "AUTHORITY does not keep to HTTP (error while processing content unencoding: incorrect header check)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 11\r\n\r\nnot gzipped")
    },
    Fault(
      "more than five encodings", .malformed, "network.protocol",
      "AUTHORITY does not keep to HTTP (reject response due to more than 5 content encodings)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\nContent-Length: 2\r\n\r\nab")
    },
    Fault("one long header line", .headersTooLarge, "network.protocol", "a header line of the answer of AUTHORITY is longer than 100 KB") {
      $0.send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 200_000))\r\nContent-Length: 0\r\n\r\n")
    },
    Fault("a header line under libcurl's limit", .headersTooLarge, "network.protocol", "a header line of the answer is longer than 64 KiB")
    {
      $0.send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 70_000))\r\nContent-Length: 0\r\n\r\n")
    },
    Fault("a flood of headers", .headersTooLarge, "network.protocol", "the headers of the answer are longer than 256 KiB") {
      guard $0.send("HTTP/1.1 200 OK\r\n") else { return }
      while $0.send("X-More: \(String(repeating: "x", count: 1000))\r\n") {}
    },
    Fault("a flood of interim answers", .headersTooLarge, "network.protocol", "the headers of the answer are longer than 256 KiB") {
      while $0.send(String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", count: 100)) {}
    },
    Fault(
      "reset in the middle of the headers", .reset, "network.reset",
      "the connection with AUTHORITY broke (recv failure: Connection reset by peer)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Le")
      $0.reset()
    },
    Fault("closed before the last chunk", .reset, "network.reset", "AUTHORITY closed the connection in the middle of the body") {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")
    },
    Fault(
      "a chunk of negative size", .malformed, "network.protocol",
      "AUTHORITY does not keep to HTTP (illegal or missing hexadecimal sequence in chunked-encoding)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nab\r\n")
    },
    Fault(
      "a chunk of a size past all numbers", .malformed, "network.protocol",
      "AUTHORITY does not keep to HTTP (too long hexadecimal number in chunked-encoding)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFFF\r\nab\r\n")
    },
    Fault("a length past all numbers", .malformed, "network.protocol", "the answer's Content-Length is no number") {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nab")
    },
    Fault(
      "an encoding that nobody knows", .malformed, "network.protocol",
      "AUTHORITY does not keep to HTTP (unrecognized content encoding type)"
    ) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\nno")
    },
    Fault("a version that is none", .malformed, "network.protocol", "the answer of AUTHORITY is not HTTP") {
      $0.send("HTTP/7.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    },
    Fault("HTTP/0.9", .malformed, "network.protocol", "the answer of AUTHORITY is not HTTP") { $0.send("<html>hello</html>") },
    Fault("a status of two digits", .malformed, "network.protocol", "the answer of AUTHORITY is not HTTP") {
      $0.send("HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n")
    },
    Fault("a hang before the answer", .timeout, "timeout.attempt", "no whole answer within SECONDS s", .hangs) { $0.waitForClose() },
    Fault("a hang in the headers", .timeout, "timeout.attempt", "no whole answer within SECONDS s", .hangs) {
      $0.send("HTTP/1.1 200 OK\r\nX-A: 1\r\n")
      $0.waitForClose()
    },
    Fault("a hang in the body", .timeout, "timeout.attempt", "no whole answer within SECONDS s", .hangs) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
      $0.waitForClose()
    },
    Fault("endless interim answers, one by one", .timeout, "timeout.attempt", "no whole answer within SECONDS s", .hangs) { connection in
      while connection.send("HTTP/1.1 102 Processing\r\n\r\n") { breathe() }
    },
    Fault("headers byte by byte", .timeout, "timeout.attempt", "no whole answer within SECONDS s", .hangs) { connection in
      connection.send("HTTP/1.1 200 OK\r\nX-A: ")
      while connection.send("a") { breathe() }
    },
    Fault("a body byte by byte", .timeout, "timeout.attempt", "no whole answer within SECONDS s", .hangs) { connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      while connection.send("a") { breathe() }
    },
    Fault("a body past the limit", .bodyTooLarge, "decode.too_large", "the body of the answer is longer than 100000 bytes") { connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while connection.send("1000\r\n\(String(repeating: "x", count: 4096))\r\n") {}
    },
  ]

  /// The request has left and no whole answer has come: whatever the server does, that is `maybe`, and nothing is sent again.
  @Test(arguments: faults, [Delivery.single, .once])
  func aFault(_ fault: Fault, _ delivery: Delivery) async throws {
    try await withinSeconds(fault.pace == .hangs ? [1, 5, 30] : [60]) { seconds in
      let server = try RawServer { connection in
        guard connection.readRequest() != nil else { return }
        fault.serve(connection)
      }
      let failure = try await failure(
        of: post(server.origin, "x", delivery) { request in
          request.maxBodyBytes = 100_000
          request.timeout = .seconds(seconds)
        }, CurlTransport())
      guard !server.received.isEmpty else { return false }
      #expect(failure.reason == fault.reason)
      #expect(failure.sent == .maybe)
      let message = fault.message.replacing("AUTHORITY", with: "127.0.0.1:\(server.port)").replacing("SECONDS", with: "\(seconds)")
      #expect(failure.message == message)
      #expect(StepFailure.transport(failure).code == fault.code)
      #expect(StepFailure.transport(failure).sent == .maybe)
      #expect(server.received.count == 1)
      return true
    }
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

  @Test func anAnswerBeforeTheWholeBodyWasReadCounts() async throws {
    let server = try RawServer { connection in
      connection.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      connection.waitForClose()
    }
    let reply = try await CurlTransport().perform(post(server.origin, String(repeating: "x", count: 1 << 20), .single))
    #expect(reply.status == 413)
  }
}
