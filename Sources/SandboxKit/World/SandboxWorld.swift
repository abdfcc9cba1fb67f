package import Values

/// What the systems of one sandbox share: the time, predictable ids and secrets, and what goes out by SMS.
package struct SandboxWorld: Sendable {
  package internal(set) var now: Timestamp
  package private(set) var outbox: [SandboxSMS] = []
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

  /// Puts a message into the outbox.
  package mutating func send(to number: String, text: String, code: String?) {
    if outbox.count == Self.keptMessages { outbox.removeFirst() }
    outbox.append(SandboxSMS(number: number, text: text, code: code, at: now))
  }
}

/// A message that somebody would have got.
package struct SandboxSMS: Hashable, Sendable {
  /// Digits, with the country's code.
  package var number: String
  package var text: String
  /// The PIN in it, if there is one.
  package var code: String?
  package var at: Timestamp

  /// Whether a number, however it is written, is the one it went to: only digits count, and ten of them are a
  /// number of North America.
  package func isTo(_ other: String) -> Bool { Self.digits(other) == Self.digits(number) }

  private static func digits(_ number: String) -> String {
    let digits = number.filter { $0.isASCII && $0.isNumber }
    return digits.count == 10 ? "1\(digits)" : digits
  }
}
