import Synchronization

/// The session's own port during one errand: notes which request goes out, so that a failure tells of it.
///
/// A step waits for its token without having asked for that: its report must say that it was the token request which
/// failed, and where it went.
final class TokenRequestPort: HTTPPort {
  private let http: any HTTPPort
  private let sent = Mutex<String?>(nil)

  init(_ http: any HTTPPort) { self.http = http }

  /// Whether anybody was asked.
  var hasSent: Bool { sent.withLock { $0 != nil } }

  func send(_ call: HTTPCall) async throws(StepFailure) -> HTTPReply {
    let shown = http.shown(call)
    sent.withLock { $0 = shown }
    return try await http.send(call)
  }

  func hide(_ texts: [String]) { http.hide(texts) }

  func shown(_ call: HTTPCall) -> String { http.shown(call) }

  /// The failure, which says of which request it is; unchanged where none went out, or nothing went wrong.
  func named(_ failure: StepFailure) -> StepFailure {
    guard let request = sent.withLock({ $0 }), failure != .cancelled else { return failure }
    var named = failure
    named.detail = "in the token request `\(request)`" + (failure.detail.isEmpty ? "" : ": \(failure.detail)")
    return named
  }
}
