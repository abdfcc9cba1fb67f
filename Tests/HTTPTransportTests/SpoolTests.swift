import Glibc
import HTTPTypes
import StepKit
import Synchronization
import TestKit
import Testing
import Values

@testable import HTTPTransport

/// A body that is to be saved is held while it is short and goes through once it is long.
@Suite struct SpoolTests {
  /// Holds little, so that little need be sent.
  private let transport = CurlTransport(TransferRules(mostBytesHeld: 100_000))

  private func server(_ bytes: Int, isChunked: Bool = false) throws -> RawServer {
    try RawServer { connection in
      while connection.readRequest() != nil { sendBody(bytes, isChunked: isChunked, over: connection) }
    }
  }

  private func request(_ server: RawServer, _ spools: Spools, limit: Int = 32 << 20) -> TransportRequest {
    get(server.origin) { request in
      request.maxBodyBytes = limit
      request.openSpool = { () throws(StepFailure) in try spools.open() }
    }
  }

  @Test func whatIsShortIsHeld() async throws {
    let (server, spools) = (try server(100_000), Spools())
    let reply = try await transport.perform(request(server, spools))
    #expect(reply.body == pattern(0..<100_000))
    #expect(reply.spool == nil)
    #expect(spools.opened == 0)
  }

  @Test func fourMegabytesAreShort() { #expect(TransferRules().mostBytesHeld == 4 << 20) }

  @Test(arguments: [true, false])
  func whatIsLongGoesThrough(_ isChunked: Bool) async throws {
    let (server, spools) = (try server(100_001, isChunked: isChunked), Spools())
    let reply = try await transport.perform(request(server, spools))
    #expect(reply.body.isEmpty)
    #expect(reply.spool?.count == 100_001)
    #expect(spools.opened == 1)
    #expect(spools.written == pattern(0..<100_001), "every byte, in order")
  }

  @Test func withoutASpoolAllIsHeld() async throws {
    let server = try server(200_000)
    #expect(try await transport.perform(get(server.origin)).body.count == 200_000)
  }

  @Test func theLimitCountsWhatIsSpooled() async throws {
    let server = try server(200_000)
    let failure = try await failure(of: request(server, Spools(), limit: 199_999), transport)
    #expect(failure.reason == .bodyTooLarge)
    #expect(try await transport.perform(request(server, Spools(), limit: 200_000)).spool?.count == 200_000)
  }

  @Test func aSpoolThatCannotTakeItEndsTheTransfer() async throws {
    let server = try server(200_000)
    for spools in [Spools(isFull: true), Spools(isAbsent: true)] {
      let failure = try await failure(of: request(server, spools), transport)
      #expect(failure.reason == .system && failure.sent == .maybe)
      #expect(failure.message == "the body of the answer has no place: no space left on device")
    }
  }

  @Test func eachAnswerHasASpoolOfItsOwn() async throws {
    let (server, spools) = (try server(200_000), Spools())
    for _ in 1...2 { #expect(try await transport.perform(request(server, spools)).spool?.count == 200_000) }
    #expect(spools.opened == 2)
  }

  /// 100 MB come in with at most 32 MiB more than a process needs that gets 1 KB.
  @Test func aHundredMegabytesInBoundedMemory() async throws {
    await #expect(processExitsWith: .success) {
      try await download(1000, isSpooled: true)
      let least = try peakKiB()
      try await download(100_000_000, isSpooled: true)
      let most = try peakKiB()
      guard most - least <= 32 << 10 else { exit(1) }
    }
  }

  /// The same measure of a body that is held: it can tell.
  @Test func theMeasureCanTell() async throws {
    await #expect(processExitsWith: .exitCode(1)) {
      try await download(1000, isSpooled: false)
      let least = try peakKiB()
      try await download(50_000_000, isSpooled: false)
      guard try peakKiB() - least <= 32 << 10 else { exit(1) }
    }
  }
}

private func pattern(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 * 7 + ($0 & 0xFFFF) >> 8) } }

private func sendBody(_ bytes: Int, isChunked: Bool, over connection: RawConnection) {
  connection.send("HTTP/1.1 200 OK\r\n\(isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(bytes)")\r\n\r\n")
  // The pattern recurs with each 64 KiB.
  let piece = pattern(0..<(64 << 10))
  var sent = 0
  while sent < bytes {
    let next = Array(piece.prefix(bytes - sent))
    if isChunked { connection.send("\(String(next.count, radix: 16))\r\n") }
    guard connection.send(next) else { return }
    if isChunked { connection.send("\r\n") }
    sent += next.count
  }
  if isChunked { connection.send("0\r\n\r\n") }
}

private func download(_ bytes: Int, isSpooled: Bool) async throws {
  let server = try RawServer { connection in
    while connection.readRequest() != nil { sendBody(bytes, isChunked: false, over: connection) }
  }
  let spools = Spools(isCounting: true)
  var request = get(server.origin)
  request.maxBodyBytes = bytes
  request.timeout = .seconds(600)
  if isSpooled { request.openSpool = { () throws(StepFailure) in try spools.open() } }
  let reply = try await CurlTransport.shared.perform(request)
  guard reply.spool?.count ?? reply.body.count == bytes else { exit(2) }
}

/// The most memory that this process has had so far (VmHWM of proc(5)); `getrusage` would count what its parent had.
private func peakKiB() throws -> Int {
  let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 8192)
  let count = unsafe read(file, &text, text.count)
  let lines = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  guard let words = lines.first(where: { $0.hasPrefix("VmHWM:") })?.split(whereSeparator: \.isWhitespace),
    let peak = Int(words[1])
  else { throw SystemError() }
  return peak
}

/// Makes spools, and holds what they were given unless it is only to be counted.
private final class Spools: Sendable {
  let isFull: Bool
  let isAbsent: Bool
  let isCounting: Bool
  private let state = Mutex((opened: 0, written: [UInt8]()))

  init(isFull: Bool = false, isAbsent: Bool = false, isCounting: Bool = false) {
    (self.isFull, self.isAbsent, self.isCounting) = (isFull, isAbsent, isCounting)
  }

  var opened: Int { state.withLock { $0.opened } }
  var written: [UInt8] { state.withLock { $0.written } }

  func open() throws(StepFailure) -> any BodySpool {
    guard !isAbsent else { throw .file("no space left on device") }
    state.withLock { $0.opened += 1 }
    return Spool(self)
  }

  fileprivate func take(_ bytes: Span<UInt8>) {
    guard !isCounting else { return }
    unsafe bytes.withUnsafeBufferPointer { bytes in state.withLock { unsafe $0.written.append(contentsOf: bytes) } }
  }
}

private final class Spool: BodySpool {
  private let spools: Spools
  private let taken = Atomic(0)

  init(_ spools: Spools) { self.spools = spools }

  var count: Int { taken.load(ordering: .relaxed) }

  func write(_ bytes: Span<UInt8>) throws(StepFailure) {
    guard !spools.isFull else { throw .file("no space left on device") }
    spools.take(bytes)
    taken.add(bytes.count, ordering: .relaxed)
  }

  func keep(as path: String) async throws(StepFailure) {}
}
