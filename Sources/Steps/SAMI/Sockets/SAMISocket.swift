import HTTPTypes
import StepKit
import Synchronization
import Values

/// Why a step stops listening.
package enum SocketEnd: String, Choice {
  /// As many came as were wanted.
  case count
  /// The time is over.
  case time
  /// SAMI has closed the socket.
  case closed
  /// Nothing came for a minute, not even SAMI's own sign of life.
  case stalled
}

/// What comes in over one of SAMI's sockets, until there is enough of it.
struct SAMISocket {
  static let refused = StepError("sami.socket_refused", "SAMI refuses what was sent over the socket")

  let connection: any WebSocketConnection
  let clock: any ClockPort
  /// By the clock's `elapsed`.
  let deadline: Duration

  init(_ connection: any WebSocketConnection, _ clock: any ClockPort, seconds: Double) {
    self.connection = connection
    self.clock = clock
    deadline = clock.elapsed() + .seconds(seconds)
  }

  /// The most seconds that a step may listen: every number of them is a `Duration`.
  static let longest = 86_400.0

  /// SAMI sends a sign of life every 30 seconds; whoever misses two of them has lost the connection.
  private static let patience = Duration.seconds(60)

  /// Opens one, and hands it to `body`.
  /// - Throws: a refused upgrade under the name that the same answer has everywhere else, and what `body` raises.
  static func open(
    _ call: WebSocketCall, _ ports: Ports, _ body: @Sendable (any WebSocketConnection) async throws(StepFailure) -> Void
  ) async throws(StepFailure) {
    do throws(StepFailure) {
      try await ports.sockets.open(call, body)
    } catch {
      throw named(error)
    }
  }

  /// Hands over each message until `take` says that it was the last one.
  /// - Throws: what `failure` makes of an error of SAMI's, `decode` for what is no JSON, and what the connection raises.
  func listen(_ take: (Value) throws(StepFailure) -> Bool) async throws(StepFailure) -> SocketEnd {
    while true {
      let left = deadline - clock.elapsed()
      guard left > .zero else { return .time }
      switch try await connection.next(within: min(left, Self.patience)) {
      case .idle: if left > Self.patience { return .stalled }
      case .closed: return .closed
      case .text(let text):
        let message = try Self.parse(text)
        if message["type"] == "ping" { continue }
        if let complaint = message["error"] { throw Self.failure(complaint) }
        if try take(message) { return .count }
      }
    }
  }

  private static func parse(_ text: String) throws(StepFailure) -> Value {
    do {
      return try JSON.parse(Array(text.utf8))
    } catch {
      throw StepFailure(
        "decode", title: "the answer cannot be read", detail: "a message of the socket is not valid JSON: \(error.message)", sent: .yes)
    }
  }

  /// What SAMI says against something that was sent: `{"code", "message", "cid"}`; codes are texts here and there.
  static func failure(_ complaint: Value) -> StepFailure {
    let (code, text) = (complaint["code"]?.scalarText ?? "", complaint["message"]?.stringValue ?? "")
    let declared =
      switch (code, text) {
      // Of a message, and not of a token.
      case ("401", "Device not registered"), ("403", "Wrong cid"): refused
      case ("401", _): SAMI.tokenRefused
      case ("403", _): SAMI.forbidden
      case ("429", _): SAMI.rateLimited
      default: refused
      }
    let cid = complaint["cid"]?.scalarText.map { " (cid `\($0)`)" } ?? ""
    var failure = declared.local(detail: [code, text].filter { !$0.isEmpty }.joined(separator: ": ") + cid)
    failure.sent = .yes
    return failure
  }

  private static func named(_ failure: StepFailure) -> StepFailure {
    guard let answer = failure.answer, failure.code == "http.\(answer.status)" else { return failure }
    let reply = HTTPReply(status: answer.status, headers: answer.headers, bytes: [], body: answer.body, url: "", duration: .zero)
    var named = SAMI.failure(reply)
    guard named.code != failure.code else { return failure }
    if named.detail.isEmpty { named.detail = failure.detail }
    return named
  }
}

/// What a listener has gathered; sockets hand it over from their own context.
final class SocketCatch<Content: Sendable>: Sendable {
  private let content: Mutex<Content>

  init(_ content: Content) { self.content = Mutex(content) }

  var all: Content { content.withLock { $0 } }
  func change<Result: Sendable>(_ body: (inout Content) -> Result) -> Result { content.withLock { body(&$0) } }
}
