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
