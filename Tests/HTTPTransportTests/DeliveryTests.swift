import Glibc
import HTTPTransport
import HTTPTypes
import StepKit
import Synchronization
import TestKit
import Testing

/// What libcurl would send twice of its own accord leaves once. It is undocumented behaviour that is held down here.
@Suite struct DeliveryTests {
  /// Answers the first request of each connection, reads the second one whole and closes.
  private func closingServer() throws -> RawServer {
    try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(ok())
      _ = connection.readRequest()
    }
  }

  @Test(arguments: [Delivery.single, .repeatable])
  func aPostOnAReusedConnectionThatDies(_ delivery: Delivery) async throws {
    let server = try closingServer()
    let transport = CurlTransport()
    var failures: [TransportFailure] = []
    for number in 1...5 {
      let outcome = await outcome(of: post(server.origin, "\(number)", delivery), transport)
      if let failure = outcome.failure { failures.append(failure) }
    }
    let bodies = server.received.map { String(decoding: $0.body, as: UTF8.self) }
    switch delivery {
    case .single, .once:
      #expect(bodies == ["1", "2", "3", "4", "5"])
      #expect(failures.map(\.reason) == [.refusedSecondSend, .refusedSecondSend])
      #expect(failures.allSatisfy { $0.sent == .maybe })
    case .repeatable:
      #expect(bodies.count > 5, "libcurl resends; if it no longer does, the hook may be simplified")
      #expect(failures.isEmpty)
    }
  }

  @Test func onceTakesAFreshConnectionEachTime() async throws {
    let server = try RawServer.answering { _ in ok() }
    let transport = CurlTransport()
    for _ in 1...3 { #expect(try await transport.perform(post(server.origin, "x", .once)).status == 200) }
    #expect(server.connections == 3)
    #expect(server.received.count == 3)
    #expect(server.received.allSatisfy { $0.line == "POST / HTTP/1.1" })
  }

  @Test func othersShareAConnection() async throws {
    let server = try RawServer.answering { _ in ok() }
    let transport = CurlTransport()
    let first = try await transport.perform(get(server.origin))
    let second = try await transport.perform(post(server.origin, "x", .single))
    #expect(server.connections == 1)
    #expect(!first.timings.isConnectionReused && second.timings.isConnectionReused)
    #expect(first.timings.connect > .zero && second.timings.connect == .zero)
    #expect(first.timings.total >= first.timings.firstByte && first.timings.firstByte > .zero)
  }

  @Test(arguments: [Delivery.repeatable, .single, .once])
  func expectIsNeverSentAndA417IsAnAnswer(_ delivery: Delivery) async throws {
    let server = try RawServer.answering { _ in "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n" }
    let body = String(repeating: "x", count: 2 << 20)  // libcurl adds `Expect` past 1 MB
    let reply = try await CurlTransport().perform(post(server.origin, body, delivery) { $0.headers[.expect] = "100-continue" })
    #expect(reply.status == 417)
    #expect(server.received.count == 1)
    #expect(server.received.first?.values(of: "Expect") == [])
  }

  @Test(arguments: [Delivery.single, .once], [307, 308])
  func aRedirectThatKeepsThePostIsNotFollowed(_ delivery: Delivery, _ status: Int) async throws {
    let server = try RawServer.answering { _ in "HTTP/1.1 \(status) There\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n" }
    let reply = try await CurlTransport().perform(post(server.origin, "x", delivery) { $0.redirects = 5 })
    #expect(reply.status == status)
    #expect(server.received.count == 1)
  }

  @Test(arguments: [Delivery.single, .once])
  func a401WithAChallengeIsAnAnswer(_ delivery: Delivery) async throws {
    let challenge = "WWW-Authenticate: Negotiate\r\nWWW-Authenticate: Basic realm=x\r\nWWW-Authenticate: Digest realm=x, nonce=y\r\n"
    let server = try RawServer.answering { _ in "HTTP/1.1 401 Unauthorized\r\n\(challenge)Content-Length: 0\r\n\r\n" }
    let reply = try await CurlTransport().perform(post(server.origin, "x", delivery))
    #expect(reply.status == 401)
    #expect(reply.headers[values: .wwwAuthenticate].count == 3)
    #expect(server.received.count == 1)
  }

  @Test(arguments: [Delivery.repeatable, .single, .once])
  func willSendSaysNo(_ delivery: Delivery) async throws {
    let (endings, ended) = AsyncStream<Void>.makeStream()
    let server = try RawServer { connection in
      _ = connection.readRequest()
      ended.yield()
    }
    let failure = try await failure(of: post(server.origin, "x", delivery) { $0.willSend = { false } }, CurlTransport())
    #expect(failure.reason == .refusedByCaller)
    #expect(failure.sent == .no)
    for await _ in endings { break }  // all that left has been read
    #expect(server.received.isEmpty)
  }

  @Test func willSendComesAfterTheConnectionStands() async throws {
    let calls = Mutex(0)
    let port = try closedPort()
    let refused = try await failure(
      of: post("http://127.0.0.1:\(port)/", "x", .once) { request in
        request.willSend = {
          calls.withLock { $0 += 1 }
          return true
        }
      })
    #expect(refused.reason == .connect && refused.sent == .no)
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func aBlockedWillSendHoldsUpNoOtherTransfer() async throws {
    let server = try RawServer.answering { _ in ok() }
    let transport = CurlTransport()
    let gate = Gate()
    let (blocked, reached) = AsyncStream<Void>.makeStream()
    async let once = transport.perform(
      post(server.origin, "slow", .once) { request in
        request.willSend = {
          reached.yield()
          gate.wait()
          return true
        }
      })
    for await _ in blocked { break }
    for _ in 1...3 { #expect(try await transport.perform(get(server.origin)).status == 200) }
    #expect(server.received.map(\.line) == Array(repeating: "GET / HTTP/1.1", count: 3))
    gate.open()
    #expect(try await once.status == 200)
    #expect(server.received.count == 4)
  }

  @Test func timeSpentInWillSendCountsAndNothingLeaves() async throws {
    try await withinSeconds { seconds in
      let (endings, ended) = AsyncStream<Void>.makeStream()
      let server = try RawServer { connection in
        _ = connection.readRequest()
        ended.yield()
      }
      let isAsked = Mutex(false)
      let failure = try await failure(
        of: post(server.origin, "x", .once) { request in
          request.timeout = .seconds(seconds)
          request.willSend = {
            isAsked.withLock { $0 = true }
            _ = poll(nil, 0, Int32(seconds * 1000))  // a commit to a slow disk
            return true
          }
        })
      guard isAsked.withLock({ $0 }) else { return false }
      #expect(failure.reason == .timeout)
      #expect(failure.sent == .maybe, "it was called sent")
      for await _ in endings { break }  // all that left has been read
      #expect(server.received.isEmpty)
      #expect(failure.message == "no whole answer within \(seconds) s")
      return true
    }
  }

  @Test func anEmptyPostSaysSo() async throws {
    let server = try RawServer.answering { _ in ok() }
    _ = try await CurlTransport().perform(TransportRequest(method: .post, url: server.origin, delivery: .single))
    #expect(server.received.first?.values(of: "Content-Length") == ["0"])
    #expect(server.received.first?.values(of: "Content-Type") == [])
  }

  @Test(arguments: [HTTPRequest.Method.put, .patch, .delete, .get])
  func theBodyGoesOutByteForByte(_ method: HTTPRequest.Method) async throws {
    let server = try RawServer.answering { _ in ok() }
    let body: [UInt8] = [0, 13, 10, 255, 0, 64]
    _ = try await CurlTransport().perform(TransportRequest(method: method, url: server.origin, body: body, delivery: .single))
    #expect(server.received.map(\.body) == [body])
    #expect(server.received.first?.line == "\(method.rawValue) / HTTP/1.1")
  }
}

/// Holds a thread until a test opens it.
final class Gate: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() {
    var pair: [Int32] = [0, 0]
    unsafe pipe(&pair)
    ends = (pair[0], pair[1])
  }

  func wait() {
    var byte: UInt8 = 0
    unsafe _ = read(ends.read, &byte, 1)
  }

  func open() { unsafe _ = write(ends.write, [1], 1) }

  deinit {
    close(ends.read)
    close(ends.write)
  }
}
