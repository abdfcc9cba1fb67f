package import HTTPTypes
package import Values

/// A whole answer; a handler may also throw it, to refuse from the middle of its work.
package struct SandboxReply: Error, Sendable {
  package var status: Int
  package var headers: HTTPFields
  package var body: [UInt8]

  package init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON answer, `application/json`.
  package static func json(_ value: Value, status: Int = 200) -> SandboxReply {
    SandboxReply(status: status, headers: [.contentType: "application/json"], body: value.jsonBytes(secrets: .exposed))
  }

  /// A plain text answer.
  package static func text(_ text: String, status: Int = 200) -> SandboxReply {
    SandboxReply(status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(text.utf8))
  }

  /// The body as JSON; nil where it is none.
  package var json: Value? { try? JSON.parse(body) }
}

/// An answer and how it travels: the server performs what is said here.
package struct SandboxOutcome: Sendable {
  /// How an answer ends.
  package enum Ending: Hashable, Sendable {
    case whole
    /// The connection is closed without a byte.
    case beforeResponse
    /// The connection is closed after half of the body that `Content-Length` promises.
    case midBody
    /// The connection is reset (TCP RST) without a byte.
    case reset
  }

  package var reply: SandboxReply
  /// Waited before the first byte.
  package var delay: Duration
  package var ending: Ending
  /// The pace of the body; nil is as fast as it goes.
  package var bytesPerSecond: Int?

  package init(_ reply: SandboxReply, delay: Duration = .zero, ending: Ending = .whole, bytesPerSecond: Int? = nil) {
    self.reply = reply
    self.delay = delay
    self.ending = ending
    self.bytesPerSecond = bytesPerSecond
  }
}
