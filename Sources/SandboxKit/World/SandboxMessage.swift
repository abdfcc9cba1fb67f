package import Values

/// A message that somebody would have got.
package struct SandboxMessage: Hashable, Sendable {
  /// How it travels.
  package enum Channel: String, CaseIterable, Sendable { case sms, mail, push, webhook }

  package var channel: Channel
  /// Digits with the country's code, an e-mail address, a push token, or a URL.
  package var recipient: String
  /// Of a mail; empty for what has none.
  package var subject: String
  package var text: String
  /// What a push or a webhook carries; null for the others.
  package var body: Value
  /// The PIN or the code in it, if there is one.
  package var code: String?
  /// Set by the world.
  package var at = Timestamp(seconds: 0)

  package init(_ channel: Channel, to recipient: String, subject: String = "", text: String = "", body: Value = .null, code: String? = nil)
  {
    self.channel = channel
    self.recipient = recipient
    self.subject = subject
    self.text = text
    self.body = body
    self.code = code
  }

  /// Whether an address, however it is written, is the one it went to. Of a number only digits count, and ten of them are a
  /// number of North America; a mail's address is compared without case.
  package func isTo(_ other: String) -> Bool {
    switch channel {
    case .sms: Self.digits(other) == Self.digits(recipient)
    case .mail: other.lowercased() == recipient.lowercased()
    case .push, .webhook: other == recipient
    }
  }

  private static func digits(_ number: String) -> String {
    let digits = number.filter { $0.isASCII && $0.isNumber }
    return digits.count == 10 ? "1\(digits)" : digits
  }
}
