package import Values

/// What the systems of one sandbox share: the time, predictable ids and secrets, and what goes out by SMS.
package struct SandboxWorld: Sendable {
  package internal(set) var now: Timestamp
  /// What went out, oldest first, over every channel.
  package private(set) var outbox: [SandboxMessage] = []
  private var generator: SeededGenerator
  private var counters: [String: Int64] = [:]
  /// Older messages are forgotten, so that a sandbox may stand for days.
  private static let keptMessages = 10_000
  private var openSockets: Set<SandboxSocketID> = []
  private var outgoing: [(socket: SandboxSocketID, event: SandboxSocketEvent)] = []

  init(now: Timestamp, seed: UInt64) {
    self.now = now
    generator = SeededGenerator(seed)
  }

  /// 1, 2, 3 … for each kind of thing.
  package mutating func nextID(of kind: String) -> Int64 {
    counters[kind, default: 0] += 1
    return counters[kind, default: 1]
  }

  /// Letters and digits that look random and are the same in every run.
  package mutating func secret(length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in alphabet[generator.below(alphabet.count)] })
  }

  /// Decimal digits that look random and are the same in every run.
  package mutating func digits(_ count: Int) -> String {
    String((0..<count).map { _ in Character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(generator.below(10)))) })
  }

  /// Puts an SMS into the outbox.
  package mutating func send(to number: String, text: String, code: String?) {
    post(SandboxMessage(.sms, to: number, text: text, code: code))
  }

  /// Puts a message into the outbox, with the time of the world.
  package mutating func post(_ message: SandboxMessage) {
    if outbox.count == Self.keptMessages { outbox.removeFirst(Self.keptMessages / 10) }
    var message = message
    message.at = now
    outbox.append(message)
  }

  /// Sends a text message over a WebSocket once the handler is done; one that is closed gets nothing.
  package mutating func push(_ text: String, to socket: SandboxSocketID) {
    if openSockets.contains(socket) { outgoing.append((socket, .text(text))) }
  }

  /// Closes a WebSocket once the handler is done, after what was pushed before (RFC 6455 §7.4); what is pushed later goes
  /// nowhere. Its `closed` is called then.
  /// - Parameter reason: at most 123 bytes of UTF-8; the rest is left out.
  package mutating func close(_ socket: SandboxSocketID, code: Int = 1000, reason: String = "") {
    guard openSockets.remove(socket) != nil else { return }
    var reason = reason[...]
    while reason.utf8.count > 123 { reason = reason.dropLast() }
    outgoing.append((socket, .close(code: code, reason: String(reason))))
  }

  mutating func register(_ socket: SandboxSocketID) { openSockets.insert(socket) }

  /// Nothing more goes to it, what was pushed already included.
  mutating func forget(_ socket: SandboxSocketID) {
    openSockets.remove(socket)
    outgoing.removeAll { $0.socket == socket }
  }

  mutating func nextOutgoing() -> (socket: SandboxSocketID, event: SandboxSocketEvent)? {
    outgoing.isEmpty ? nil : outgoing.removeFirst()
  }

  /// A version 4 UUID in lower case that looks random and is the same in every run (RFC 9562 §5.4).
  package mutating func uuid() -> String {
    let hex = (0..<32).map { position -> Character in
      switch position {
      case 12: return "4"
      case 16: return Array("89ab")[generator.below(4)]
      default: return Array("0123456789abcdef")[generator.below(16)]
      }
    }
    return [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]].map { String($0) }.joined(separator: "-")
  }
}
