import HTTPTypes
import StepKit
import Synchronization
import TestKit
import Testing

@testable import HTTPTransport

/// Over HTTP/2 a server may refuse a stream and thereby say that it did nothing (RFC 9113 §8.7); libcurl then sends again.
@Suite(.disabled(if: TestCertificates.absence != nil, "there is no `openssl` command in the path"))
struct HTTP2Tests {
  enum Fault: String, CaseIterable, Sendable {
    case refusesTheStream, goesAway, closes, resets, breaksTheFraming
  }

  /// The frame types of RFC 9113 §6.
  private enum Frame {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let goAway: UInt8 = 7
  }

  private func server(_ fault: Fault) throws -> ScriptedServer {
    try ScriptedServer(try TestCertificates.shared.get(), takesHTTP2: true) { connection in
      guard connection.read("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count) != nil else { return }
      connection.send([0, 0, 0, Frame.settings, 0, 0, 0, 0, 0])
      while let head = connection.read(9), connection.read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) != nil {
        let isEnd = head[3] <= Frame.headers && head[4] & 1 == 1
        if head[3] == Frame.settings, head[4] == 0 { connection.send([0, 0, 0, Frame.settings, 1, 0, 0, 0, 0]) }
        guard isEnd else { continue }
        connection.count([])
        switch fault {
        case .refusesTheStream: connection.send([0, 0, 4, Frame.reset, 0] + head[5...] + [0, 0, 0, 7])
        case .goesAway:
          connection.send([0, 0, 8, Frame.goAway, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + [0, 0, 0, 0])
          return
        case .closes: return
        case .resets: return connection.reset()
        case .breaksTheFraming: connection.send([0, 0, 1, Frame.data, 0, 0, 0, 0, 99, 0])
        }
      }
    }
  }

  private func attempt(_ fault: Fault, _ delivery: Delivery, _ rules: TransferRules = TransferRules()) async throws -> (
    Int, TransportFailure?
  ) {
    let server = try server(fault)
    let outcome = await outcome(
      of: post(server.origin, "the deed", delivery) { request in
        request.tls = TLSOptions(caFile: try? TestCertificates.shared.get().root)
        request.httpVersion = .http2
      }, CurlTransport(rules))
    return (server.received.count, outcome.failure)
  }

  @Test(arguments: Fault.allCases)
  func whatIsSentOnceAtMostIsReceivedOnce(_ fault: Fault) async throws {
    let (received, failure) = try await attempt(fault, .single)
    #expect(received == 1)
    #expect(failure?.sent == .maybe)
    let code = failure.map { StepFailure.transport($0).code } ?? ""
    #expect(["network.reset", "network.protocol"].contains(code))
  }

  @Test func withoutTheHookARefusedStreamIsSentAgain() async throws {
    let (received, failure) = try await attempt(.refusesTheStream, .single, TransferRules(weakening: .secondSend))
    #expect(received > 1, "libcurl no longer sends again here, so that the test above proves less")
    #expect(failure != nil)
  }
}
