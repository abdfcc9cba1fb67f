import Glibc
import Synchronization
import TestKit

/// A server of emergencies that writes down every byte before it does anything else, and can kill its client at one
/// point of the connection that carries the emergency.
final class KillServer: Sendable {
  /// Where the client is killed, in the order of a connection's life.
  enum Point: String, CaseIterable, Sendable {
    case connected, firstByte, midHeader, header, midBody, lastByte
    /// All of it has come, and the client has been told to wait.
    case holding
    case partialAnswerLine, partialAnswerHeader, partialAnswerBody, wholeAnswer
    /// The client has taken the whole answer and has closed.
    case answerRead
  }

  enum Answer: String, CaseIterable, Sendable {
    case accepted, acceptedInChunks, refused, unavailable

    var isAccepted: Bool { self == .accepted || self == .acceptedInChunks }

    fileprivate var head: String {
      let status =
        switch self {
        case .accepted, .acceptedInChunks: "202 Accepted"
        case .refused: "404 Not Found"
        case .unavailable: "503 Service Unavailable"
        }
      let framing = self == .acceptedInChunks ? "Transfer-Encoding: chunked" : "Content-Length: \(content.utf8.count)"
      return "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\n\(framing)\r\n\r\n"
    }

    fileprivate var body: String {
      self == .acceptedInChunks ? content.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n" : content
    }

    private var content: String { isAccepted ? #"{"alert_id": "al_1", "status": "accepted"}"# : #"{"detail": "of the test"}"# }
  }

  /// A request to the trigger's route, by the bytes that came.
  struct Received: Sendable, CustomStringConvertible {
    var bytes: [UInt8] = []
    var isWhole = false
    var isAnswered = false

    var description: String {
      let head =
        KillServer.end(ofHeader: bytes).map { "\($0) bytes of header, \(bytes.count - $0) of body" } ?? "\(bytes.count) bytes of header"
      return "\(head), \(isWhole ? "whole" : "partial"), \(isAnswered ? "answered" : "not answered")"
    }
  }

  private struct State {
    var received: [Received] = []
    /// Of those that the client has opened; the first asks for a token.
    var connections = 0
    var open = 0
    var isProbed = false
    var hasKilled = false
    var settled: [CheckedContinuation<Void, Never>] = []

    mutating func begin() -> Int {
      received.append(Received())
      return received.count - 1
    }
  }

  let port: UInt16
  var origin: String { "http://127.0.0.1:\(port)" }
  private let listener: Mutex<Int32>
  private let tokens: TokenGate?
  private let point: Point?
  private let answer: Answer
  private let state = Mutex(State())
  private let victim = Latch()

  /// - Parameters:
  ///   - point: where the process that `aim` names is killed, once.
  ///   - tokens: when so many have asked for a token, nobody listens any more, and all get one.
  init(killingAt point: Point? = nil, answering answer: Answer = .accepted, refusingAfter tokens: Int? = nil) throws {
    (self.point, self.answer, self.tokens) = (point, answer, tokens.map(TokenGate.init))
    let (socket, port) = try loopbackListener()
    listener = Mutex(socket)
    self.port = port
    runThread { [self] in acceptAll(socket) }
  }

  /// All that came, in order.
  var received: [Received] { state.withLock { $0.received } }

  func aim(at process: pid_t) { victim.set(process) }

  /// Returns when every byte that has left a dead client was written down: connections are accepted in their order.
  func settle() async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.settled.append(continuation) }
      probe(port)
    }
  }

  /// Refuses connections from now on.
  func close() { listener.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) } }

  func listenAgain() throws {
    let socket = try loopbackListener(port: port).socket
    listener.withLock { $0 = socket }
    runThread { [self] in acceptAll(socket) }
  }
}

// MARK: - connections

extension KillServer {
  private func acceptAll(_ listener: Int32) {
    while true {
      let socket = accept(listener, nil, nil)
      guard socket >= 0 else { break }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      state.withLock { $0.open += 1 }
      runThread { [self] in
        serve(Wire(socket))
        finish()
      }
    }
    Glibc.close(listener)
  }

  private func finish() {
    let settled = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.open -= 1
      guard state.open == 0, state.isProbed else { return [] }
      defer { (state.settled, state.isProbed) = ([], false) }
      return state.settled
    }
    for continuation in settled { continuation.resume() }
  }

  private func serve(_ wire: Wire) {
    guard wire.peek() != UInt8(ascii: "?") else { return state.withLock { $0.isProbed = true } }
    let number = state.withLock { state in
      state.connections += 1
      return state.connections
    }
    if number == 2 { reach(.connected) }
    while serveRequest(wire) {}
  }

  /// Reads and answers one request; false at the connection's end.
  private func serveRequest(_ wire: Wire) -> Bool {
    var bytes: [UInt8] = []
    var entry: Int?
    func read(_ count: Int) -> Bool {
      guard let more = wire.read(count) else { return false }
      bytes += more
      if entry == nil, Self.isTrigger(bytes) { entry = state.withLock { $0.begin() } }
      if let entry { state.withLock { $0.received[entry].bytes = bytes } }
      return true
    }
    func reach(_ point: Point) { if entry != nil { self.reach(point) } }

    guard read(12) else { return false }
    reach(.firstByte)
    while Self.end(ofHeader: bytes) == nil {
      guard read(bytes.count < 76 ? 64 : 1) else { return false }
      if bytes.count >= 76 { reach(.midHeader) }
    }
    reach(.header)
    let head = bytes.count
    let length = Self.contentLength(bytes)
    while bytes.count - head < length {
      let half = bytes.count - head < length / 2 ? length / 2 : length
      guard read(half - (bytes.count - head)) else { return false }
      if bytes.count - head < length { reach(.midBody) }
    }
    guard let entry else {
      guard Self.isTokenRequest(bytes) else { return wire.send(lookedUp()) }
      tokens?.pass { close() }
      return wire.send(tokenAnswer)
    }
    state.withLock { $0.received[entry].isWhole = true }
    reach(.lastByte)
    if point == .holding, wire.send("HTTP/1.1 100 Continue\r\n\r\n") { reach(.holding) }
    return give(wire, entry)
  }

  private func give(_ wire: Wire, _ entry: Int) -> Bool {
    let (head, body) = (answer.head, answer.body)
    let parts: [(Substring, Point?)] = [
      (head.prefix(10), .partialAnswerLine), (head.dropFirst(10).prefix(30), .partialAnswerHeader), (head.dropFirst(40), nil),
      (body.prefix(body.count / 2), .partialAnswerBody), (body.dropFirst(body.count / 2), .wholeAnswer),
    ]
    for (part, point) in parts {
      guard wire.send(String(part)) else { return false }
      if point == .wholeAnswer { state.withLock { $0.received[entry].isAnswered = true } }
      if let point { reach(point) }
    }
    if point == .answerRead {
      _ = wire.peek()
      reach(.answerRead)
    }
    return true
  }

  /// Whether an emergency has come, to who asks.
  private func lookedUp() -> String { EndToEndTests.answer("200 OK", #"{"delivered": \#(received.contains(where: \.isWhole))}"#) }

  /// Kills the client where it was to be killed.
  private func reach(_ point: Point) {
    guard point == self.point, state.withLock({ !$0.hasKilled }) else { return }
    state.withLock { $0.hasKilled = true }
    kill(victim.wait(), SIGKILL)
  }
}

// MARK: - bytes

extension KillServer {
  private static let route = Array("POST /v1/rem/trigger ".utf8)

  /// A beginning counts: nothing of an emergency may come twice.
  private static func isTrigger(_ bytes: [UInt8]) -> Bool { bytes.prefix(route.count).elementsEqual(route.prefix(bytes.count)) }

  private static func isTokenRequest(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("POST /oauth/token".utf8)) }

  private static func end(ofHeader bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= 4 else { return nil }
    return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual(end) }
  }

  private static func contentLength(_ head: [UInt8]) -> Int {
    let match = String(decoding: head, as: UTF8.self).firstMatch(of: /(?i)\r\ncontent-length: *(\d+)/)
    return match.flatMap { Int($0.1) } ?? 0
  }
}

/// The server's end of one connection.
private final class Wire: Sendable {
  private let socket: Int32

  init(_ socket: Int32) { self.socket = socket }

  /// The next byte, left where it is; nil at the end.
  func peek() -> UInt8? {
    var byte: UInt8 = 0
    return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK)) == 1 ? byte : nil
  }

  /// At least one byte and at most `count`; nil at the end.
  func read(_ count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: min(count, 65536))
    let length = unsafe recv(socket, &buffer, buffer.count, 0)
    return length > 0 ? Array(buffer[..<length]) : nil
  }

  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
  }

  deinit { Glibc.close(socket) }
}

/// A process id that a thread waits for.
private final class Latch: Sendable {
  private let ends: (reading: Int32, writing: Int32)

  init() {
    var pair: [Int32] = [0, 0]
    unsafe _ = pipe(&pair)
    for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    ends = (pair[0], pair[1])
  }

  func set(_ value: pid_t) {
    var value = value
    unsafe _ = write(ends.writing, &value, MemoryLayout<pid_t>.size)
  }

  func wait() -> pid_t {
    var value: pid_t = 0
    unsafe _ = read(ends.reading, &value, MemoryLayout<pid_t>.size)
    return value
  }

  deinit {
    Glibc.close(ends.reading)
    Glibc.close(ends.writing)
  }
}

/// Holds back so many threads until the last of them has come.
private final class TokenGate: Sendable {
  private let missing: Mutex<Int>
  private let latch = Latch()

  init(_ count: Int) { missing = Mutex(count) }

  /// - Parameter open: what the last one does before any goes on.
  func pass(_ open: () -> Void) {
    let left = missing.withLock { missing in
      missing -= 1
      return missing
    }
    guard left >= 0 else { return }
    if left == 0 { open() } else { _ = latch.wait() }
    // One wakes the next.
    latch.set(0)
  }
}

/// A listening socket on 127.0.0.1 and its port. What it accepts has a small buffer, so that half of a long body is
/// still with the client when half of it has been read.
func loopbackListener(port: UInt16 = 0) throws -> (socket: Int32, port: UInt16) {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var (size, yes) = (Int32(16384), Int32(1))
  unsafe setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var address = loopback(port)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(listener, $0, length) == 0 && listen(listener, 256) == 0 && getsockname(listener, $0, &length) == 0
    }
  }
  guard isListening else { throw SystemError() }
  return (listener, UInt16(bigEndian: address.sin_port))
}

/// A connection that says `?` and goes.
private func probe(_ port: UInt16) {
  let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = loopback(port)
  unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe _ = connect(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  unsafe _ = send(probe, "?", 1, Int32(MSG_NOSIGNAL))
  close(probe)
}

private func loopback(_ port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  return address
}
