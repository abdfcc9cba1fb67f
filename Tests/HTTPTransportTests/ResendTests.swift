import HTTPTypes
import StepKit
import Synchronization
import TestKit
import Testing

@testable import HTTPTransport

/// libcurl sends some requests a second time of its own accord. For each way there are three tests: what is sent once
/// is received once; with the options gone that keep libcurl from it, the pre-request hook alone still holds; with the hook
/// gone as well, libcurl does send again. The last one shows that the first two can fail.
///
/// It is undocumented behaviour. Where a newer libcurl no longer sends again, only the last test fails.
@Suite struct ResendTests {
  enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case closed = "a reused connection is closed once the whole POST was read"
    case reset = "a reused connection is reset once the whole POST was read"
    case closedTLS = "the same over TLS"
    case expectationFailed = "`Expect` is answered 417"
    case negotiation = "a 401 offers authentication"
    case redirect = "a 307 leads elsewhere"

    var testDescription: String { rawValue }

    static var possible: [Way] { allCases.filter { $0 != .closedTLS || TestCertificates.absence == nil } }

    /// What keeps libcurl from it, beside the hook.
    var option: Weakening {
      switch self {
      case .closed, .reset, .closedTLS: .reuse
      case .expectationFailed: .expect
      case .negotiation: .negotiation
      case .redirect: .following
      }
    }

    /// What the first request of this test meets; true where the connection goes on.
    func answer(_ connection: ScriptedConnection) -> Bool {
      switch self {
      case .closed, .closedTLS: return false
      case .reset:
        connection.reset()
        return false
      case .expectationFailed: connection.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
      case .negotiation:
        connection.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
      case .redirect: connection.send("HTTP/1.1 307 There\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
      }
      return true
    }

    /// Nil where there is no answer.
    var status: Int? {
      switch self {
      case .closed, .reset, .closedTLS: nil
      case .expectationFailed: 417
      case .negotiation: 401
      case .redirect: 307
      }
    }
  }

  /// What came of one request that is sent once, by a transport that has just talked with the same server.
  struct Attempt {
    /// Of the server's own count: how often it saw the request.
    let received: Int
    /// How often `willSend` was asked.
    let asked: Int
    let outcome: Result<TransportReply, TransportFailure>
  }

  private func attempt(_ way: Way, _ delivery: Delivery = .once, without weakening: Weakening) async throws -> Attempt {
    let certificates = try way == .closedTLS ? TestCertificates.shared.get() : nil
    let posts = Mutex(0)
    let server = try ScriptedServer(certificates) { connection in
      while let head = connection.readHead() {
        let post =
          head.first?.hasPrefix("POST") == true
          ? posts.withLock {
            $0 += 1; return $0
          } : 0
        if post > 0 { connection.count([]) }
        // A request that waits for a 100 is refused before its body comes.
        if post != 1 || way != .expectationFailed, connection.readBody(head) == nil { return }
        if post == 1 {
          guard way.answer(connection) else { return }
        } else {
          connection.send(ok())
        }
      }
    }
    let transport = CurlTransport(TransferRules(weakening: weakening))
    let asked = Mutex(0)
    let tls = TLSOptions(caFile: certificates?.root)
    #expect(try await transport.perform(get(server.origin) { $0.tls = tls }).status == 200)
    let outcome = await outcome(
      of: post(server.origin, "the deed", delivery) { request in
        request.tls = tls
        // After a second libcurl waits no longer for the 100. Of a body that the sockets do not hold, it has not sent all when a
        // late 417 comes.
        if weakening.contains(.expect) { request.body = [UInt8](repeating: 0x78, count: 16 << 20) }
        request.willSend = {
          asked.withLock { $0 += 1 }
          return true
        }
      }, transport)
    return Attempt(received: server.received.count, asked: asked.withLock { $0 }, outcome: outcome)
  }

  @Test(arguments: Way.possible)
  func whatIsSentOnceIsReceivedOnce(_ way: Way) async throws {
    let attempt = try await attempt(way, without: [])
    #expect(attempt.received == 1)
    #expect(attempt.asked == 1)
    #expect(attempt.outcome.status == way.status)
    #expect(attempt.outcome.failure?.sent == (way.status == nil ? .maybe : nil))
  }

  @Test(arguments: Way.possible)
  func theHookAloneHolds(_ way: Way) async throws {
    let attempt = try await attempt(way, without: way.option)
    #expect(attempt.received == 1)
    #expect(attempt.asked == 1)
    #expect(attempt.outcome.failure?.reason == .refusedSecondSend)
    #expect(attempt.outcome.failure?.sent == .maybe)
  }

  @Test(arguments: Way.possible)
  func withoutBothItLeavesTwice(_ way: Way) async throws {
    let attempt = try await attempt(way, without: [way.option, .secondSend])
    #expect(attempt.received == 2, "libcurl no longer sends again here, so that the tests above prove less")
    #expect(attempt.outcome.status == 200)
  }

  @Test(arguments: [Way.closed, .reset], [Delivery.single, .repeatable])
  func onlyWhatIsRepeatableIsSentAgain(_ way: Way, _ delivery: Delivery) async throws {
    let attempt = try await attempt(way, delivery, without: [])
    #expect(attempt.received == (delivery == .repeatable ? 2 : 1))
    #expect(attempt.outcome.failure?.reason == (delivery == .repeatable ? nil : .refusedSecondSend))
  }
}

extension Result where Success == TransportReply {
  var status: Int? { try? get().status }
}
