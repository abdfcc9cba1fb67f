import HTTPTransport
import StepKit
import Synchronization
import TestKit
import Testing

/// A cancel, such as by Ctrl-C, at each point of a request that is sent once: until `willSend` has said yes it is unsent,
/// from then on nobody knows, and in no case is it sent again.
@Suite struct CancellationTests {
  enum Point: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case handshake = "in the TLS handshake"
    case willSendSaysNo = "while `willSend` decides, which then says no"
    case willSendSaysYes = "while `willSend` decides, which then says yes"
    case body = "in the middle of the request's body"
    case silence = "while the server thinks"
    case headers = "in the middle of the answer's headers"
    case answer = "in the middle of the answer's body"

    var testDescription: String { rawValue }

    /// How often `willSend` is asked, how many requests the server sees whole, and what is said of it.
    var expected: (asked: Int, received: Int, reason: TransportFailure.Reason, sent: Sent) {
      switch self {
      case .handshake: (0, 0, .cancelled, .no)
      case .willSendSaysNo: (1, 0, .refusedByCaller, .no)
      case .willSendSaysYes: (1, 0, .cancelled, .maybe)
      case .body: (1, 0, .cancelled, .maybe)
      case .silence, .headers, .answer: (1, 1, .cancelled, .maybe)
      }
    }
  }

  @Test(arguments: Point.allCases)
  func aCancel(_ point: Point) async throws {
    let (moments, moment) = AsyncStream<Void>.makeStream()
    let (gate, ended) = (Gate(), Gate())
    let server = try ScriptedServer { connection in
      if point == .handshake {
        guard connection.read(1) != nil else { return }
        moment.yield()
        return connection.waitForClose()
      }
      guard let head = connection.readHead() else { return }
      if point == .body {
        moment.yield()
        // It reads no further, and the body is more than the sockets hold.
        return ended.wait()
      }
      guard let body = connection.readBody(head) else { return }
      connection.count(body)
      if point == .headers { connection.send("HTTP/1.1 200 OK\r\nX-A") }
      if point == .answer { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc") }
      moment.yield()
      connection.waitForClose()
    }
    let asked = Mutex(0)
    let url = point == .handshake ? "https://127.0.0.1:\(server.port)/" : server.origin
    let task = Task {
      await outcome(
        of: post(url, "x", .once) { request in
          if point == .body { request.body = [UInt8](repeating: 0x78, count: 16 << 20) }
          request.willSend = {
            asked.withLock { $0 += 1 }
            guard point == .willSendSaysNo || point == .willSendSaysYes else { return true }
            moment.yield()
            gate.wait()
            return point == .willSendSaysYes
          }
        }, CurlTransport())
    }
    for await _ in moments { break }
    task.cancel()
    gate.open()
    let failure = await task.value.failure
    ended.open()
    #expect(failure?.reason == point.expected.reason)
    #expect(failure?.sent == point.expected.sent)
    #expect(asked.withLock { $0 } == point.expected.asked)
    #expect(server.received.count == point.expected.received)
  }

  /// The flow's words for it; a cancel that left nothing behind is a cancel, one that did is a doubt.
  @Test func theCodeOfACancel() {
    let failure = StepFailure.transport(TransportFailure(.cancelled, sent: .maybe, message: "the request was cancelled"))
    #expect(failure.code == "cancelled")
    #expect(failure.sent == .maybe)
  }
}
