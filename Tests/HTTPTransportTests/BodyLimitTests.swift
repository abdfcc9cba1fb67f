import HTTPTransport
import HTTPTypes
import StepKit
import Synchronization
import TestKit
import Testing

/// The body is counted as it streams, after decoding; libcurl's own limit knows neither chunks nor compression.
@Suite struct BodyLimitTests {
  private func request(_ server: RawServer, limit: Int) -> TransportRequest { get(server.origin) { $0.maxBodyBytes = limit } }

  @Test func theLimitItselfFits() async throws {
    let server = try RawServer.answering { _ in ok("12345") }
    let transport = CurlTransport()
    #expect(try await transport.perform(request(server, limit: 5)).text == "12345")
    let failure = try await failure(of: request(server, limit: 4), transport)
    #expect(
      failure == TransportFailure(.bodyTooLarge, sent: .maybe, message: "the body of the answer is longer than 4 bytes", curlCode: 23))
  }

  @Test(arguments: [true, false])
  func aHundredMegabytesStopEarly(_ isChunked: Bool) async throws {
    let sentBytes = Mutex(0)
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\n\(isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 104857600")\r\n\r\n")
      let piece = [UInt8](repeating: 0x61, count: 1 << 20)
      for _ in 0..<100 {
        guard connection.send(isChunked ? Array("100000\r\n".utf8) + piece + [13, 10] : piece) else { return }
        sentBytes.withLock { $0 += piece.count }
      }
    }
    let failure = try await failure(of: request(server, limit: 100_000), CurlTransport())
    #expect(failure.reason == .bodyTooLarge)
    #expect(sentBytes.withLock { $0 } < 50 << 20, "what follows the limit must not be taken in")
  }

  private func bombServer() throws -> (server: RawServer, bytes: Int) {
    let bomb = gzipBomb()
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      connection.send(bomb)
      connection.waitForClose()
    }
    return (server, bomb.count)
  }

  @Test func aGzipBombStopsAtTheLimit() async throws {
    let (server, bytes) = try bombServer()
    #expect((48_000..<49_000).contains(bytes))
    let failure = try await failure(of: request(server, limit: 1 << 20), CurlTransport())
    #expect(
      failure
        == TransportFailure(.bodyTooLarge, sent: .maybe, message: "the body of the answer is longer than 1048576 bytes", curlCode: 23))
  }

  /// The same bomb where it is allowed: it is a whole and valid answer.
  @Test func theBombIsOne() async throws {
    let server = try bombServer().server
    let reply = try await CurlTransport().perform(request(server, limit: 50_000_000))
    #expect(reply.body.count == 50_000_000)
  }

  @Test func gzipIsAskedForAndUndone() async throws {
    let hello: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 87, 200, 64, 144, 0, 128, 136, 249, 229, 17, 0, 0, 0,
    ]
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(hello.count)\r\n\r\n")
      connection.send(hello)
    }
    let transport = CurlTransport()
    #expect(try await transport.perform(get(server.origin)).text == "hello hello hello")
    #expect(try await transport.perform(get(server.origin) { $0.headers[.acceptEncoding] = "gzip;q=0.5" }).text == "hello hello hello")
    let accepted = server.received.flatMap { $0.values(of: "Accept-Encoding") }
    #expect(accepted.count == 2)
    #expect(accepted.first?.contains("gzip") == true && accepted.first?.contains("deflate") == true)
    #expect(accepted.last == "gzip;q=0.5")
  }

  @Test func whatIsNotToBeCompressedComesAsItWasSent() async throws {
    let bytes: [UInt8] = [31, 139, 8, 0]  // it need not even be gzip
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
      connection.send(bytes)
    }
    let reply = try await CurlTransport().perform(get(server.origin) { $0.isCompressed = false })
    #expect(reply.body == bytes)
    #expect(server.received.first?.values(of: "Accept-Encoding") == [])
  }

  /// 50,000,000 zeros as one block with codes of its own (RFC 1951 §3.2.7): 2 bits for each 258.
  private func gzipBomb() -> [UInt8] {
    var bytes: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3]
    var used = 8
    func put(_ bits: String) {
      for bit in bits.utf8 {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        if bit == UInt8(ascii: "1") { bytes[bytes.count - 1] |= 1 << used }
        used += 1
      }
    }
    /// A number, its lowest bit first.
    func put(_ number: Int, bits: Int) { put(String((0..<bits).map { number >> $0 & 1 == 1 ? "1" : "0" })) }
    put("101")  // the last block, codes of its own
    put(286 - 257, bits: 5)
    put(0, bits: 5)  // one code for distances
    put(18 - 4, bits: 4)
    // How the lengths of the codes are coded, in the order 16, 17, 18, 0, 8, …, 14, 1: 18 is `0`, 1 is `10`, 2 is `11`.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { put(length, bits: 3) }
    func skip(_ count: Int) {
      put("0")
      put(count - 11, bits: 7)
    }
    put("11")  // literal 0 is `10`
    skip(138)
    skip(117)
    put("11")  // the end is `11`
    skip(28)
    put("10")  // length 258 is `0`
    put("10")  // distance 1 is `0`
    put("10")  // a zero to begin with
    let groups = (50_000_000 - 1) / 258
    let rest = 50_000_000 - 1 - groups * 258
    // All of their bits are 0, so that they need not be put one by one.
    let bits = groups * 2 - (8 - used)
    bytes += [UInt8](repeating: 0, count: (bits + 7) / 8)
    used = (bits - 1) % 8 + 1
    put(String(repeating: "10", count: rest))
    put("11")
    // The checksum of all these zeros, and their number.
    return bytes + [0xE5, 0x25, 0xCB, 0x3C, 0x80, 0xF0, 0xFA, 0x02]
  }
}
