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
  /// Nil while nobody listens.
  private let listener: Mutex<Int32?>
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
  func close() {
    listener.withLock { socket in
      if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

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
      if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
      guard socket >= 0 else { break }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      state.withLock { $0.open += 1 }
      runThread { [self] in
        serve(KillWire(socket))
        finish()
      }
    }
    // Once it is closed its number is the next one that is given out: nobody may shut it down any more.
    self.listener.withLock { current in
      Glibc.close(listener)
      if current == listener { current = nil }
    }
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

  private func serve(_ wire: KillWire) {
    guard wire.peek() != UInt8(ascii: "?") else { return state.withLock { $0.isProbed = true } }
    let number = state.withLock { state in
      state.connections += 1
      return state.connections
    }
    if number == 2 { reach(.connected) }
    while serveRequest(wire) {}
  }

  /// Reads and answers one request; false at the connection's end.
  private func serveRequest(_ wire: KillWire) -> Bool {
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

  private func give(_ wire: KillWire, _ entry: Int) -> Bool {
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
