import HTTPTransport
import StepKit
import Synchronization
import TestKit
import Testing

/// What goes wrong before the first byte: nothing was sent, `willSend` was never asked, and flows see so.
@Suite struct UnsentTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: TransportFailure.Reason
    let code: String
    let curlCode: Int
    let message: String
    var scheme = "http"
    var host = "127.0.0.1"
    var timeout = Duration.seconds(60)
    /// Nil where nobody listens.
    var serve: (@Sendable (ScriptedConnection) -> Void)?
  }

  static let faults = [
    Fault(
      testDescription: "a name that nobody has", reason: .dns, code: "network.dns", curlCode: 6,
      message: "cannot find the address of `nonexistent.invalid`", host: "nonexistent.invalid"),
    Fault(
      testDescription: "nobody listens", reason: .connect, code: "network.connect", curlCode: 7,
      message: "connection refused by AUTHORITY"),
    Fault(
      testDescription: "TLS never begins", reason: .connectTimeout, code: "timeout.connect", curlCode: 28,
      message: "no connection with AUTHORITY within 200 ms", scheme: "https", serve: { $0.waitForClose() }),
    Fault(
      testDescription: "closed in the TLS handshake", reason: .tlsHandshake, code: "tls.handshake", curlCode: 35,
      message: "no TLS connection with AUTHORITY (", scheme: "https", serve: { _ = $0.read(1) }),
    Fault(
      testDescription: "reset in the TLS handshake", reason: .tlsHandshake, code: "tls.handshake", curlCode: 35,
      message: "no TLS connection with AUTHORITY (", scheme: "https",
      serve: {
        _ = $0.read(1)
        $0.reset()
      }),
    Fault(
      testDescription: "no TLS at all", reason: .tlsHandshake, code: "tls.handshake", curlCode: 35,
      message: "no TLS connection with AUTHORITY (", scheme: "https",
      serve: {
        $0.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        $0.waitForClose()
      }),
    Fault(
      testDescription: "no time at all", reason: .timeout, code: "timeout.attempt", curlCode: 0, message: "no whole answer within 0 s",
      timeout: .zero),
    Fault(
      testDescription: "a scheme that is not for requests", reason: .invalidRequest, code: "config.request", curlCode: 0,
      message: "the scheme `ftp` is not supported; use `http` or `https`", scheme: "ftp"),
  ]

  @Test(arguments: faults, [Delivery.repeatable, .single, .once])
  func aFault(_ fault: Fault, _ delivery: Delivery) async throws {
    let server = try fault.serve.map { try ScriptedServer(nil, $0) }
    let port = try server?.port ?? closedPort()
    let asked = Mutex(0)
    let failure = try await failure(
      of: post("\(fault.scheme)://\(fault.host):\(port)/", "x", delivery) { request in
        request.timeout = fault.timeout
        request.connectTimeout = .milliseconds(fault.reason == .connectTimeout ? 200 : 60_000)
        request.willSend = {
          asked.withLock { $0 += 1 }
          return true
        }
      }, CurlTransport())
    #expect(failure.reason == fault.reason)
    #expect(failure.sent == .no)
    #expect(failure.curlCode == fault.curlCode)
    #expect(failure.message.hasPrefix(fault.message.replacing("AUTHORITY", with: "127.0.0.1:\(port)")))
    #expect(StepFailure.transport(failure).code == fault.code)
    #expect(StepFailure.transport(failure).sent == .no)
    #expect(asked.withLock { $0 } == 0)
  }
}

/// A whole answer came, and what it asks for is refused: the request has been sent, without a doubt.
@Suite struct SentTests {
  @Test(arguments: [
    ("file:///etc/passwd", TransportFailure.Reason.invalidRequest, "config.request"),
    ("/again", .tooManyRedirects, "network.protocol"),
  ])
  func aRedirectThatIsRefused(_ location: String, _ reason: TransportFailure.Reason, _ code: String) async throws {
    let server = try RawServer.answering { _ in "HTTP/1.1 302 There\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n" }
    let failure = try await failure(of: get(server.origin) { $0.redirects = 2 }, CurlTransport())
    #expect(failure.reason == reason)
    #expect(failure.sent == .yes)
    #expect(StepFailure.transport(failure).code == code)
  }
}
