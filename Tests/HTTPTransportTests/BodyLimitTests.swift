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

  @Test func aGzipBombStopsAtTheLimit() async throws {
    let bomb = gzipOfZeros(groups: 25_000)  // 325 KB that become 51.6 MB
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      connection.send(bomb)
    }
    let failure = try await failure(of: request(server, limit: 1 << 20), CurlTransport())
    #expect(failure.reason == .bodyTooLarge)
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

  /// A gzip stream of one literal zero and `groups` times eight copies of 258 zeros, with fixed Huffman codes (RFC 1951 §3.2.6).
  private func gzipOfZeros(groups: Int) -> [UInt8] {
    var bytes: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3]
    var current: UInt8 = 0
    var used = 0
    func put(_ bits: String) {
      for bit in bits.utf8 {
        if bit == UInt8(ascii: "1") { current |= 1 << used }
        used += 1
        if used == 8 {
          bytes.append(current)
          (current, used) = (0, 0)
        }
      }
    }
    put("110")  // the last block, fixed codes
    put("00110000")  // literal 0
    // Length 258, distance 1, is 13 bits; eight of them are 13 bytes that recur.
    let group = String(repeating: "1100010100000", count: 8)
    put(group)
    let start = bytes.count
    put(group)
    let recurring = bytes[start...]
    for _ in 2..<groups { bytes += recurring }
    put("0000000" + "0000000")  // end of block, padding
    return bytes
  }
}
