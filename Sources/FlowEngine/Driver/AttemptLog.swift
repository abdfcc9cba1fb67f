import FlowPlan
import StepKit
import Synchronization

/// What the requests of one attempt came to.
final class AttemptLog: Sendable {
  private struct State {
    var response: HTTPReply?
    /// What the latest request came to, as far as sending it again is concerned.
    var latest = Sent.no
    /// What those before it came to.
    var earlier = Sent.no
  }

  private let state = Mutex(State())

  /// The whole answer with which the attempt ended; nil where its last request had none.
  var response: HTTPReply? { state.withLock { $0.response } }

  func note(_ event: HTTPEvent) {
    state.withLock { state in
      switch event {
      case .sending:
        if state.latest != .no { state.earlier = state.latest }
        state.latest = .no
      case .replied(let exchange, let reply, _):
        state.response = reply
        state.latest = exchange.effect.mayAct && reply.saysDone ? .yes : .no
      case .failed(let exchange, let failure, _):
        state.response = nil
        state.latest = exchange.effect.mayAct ? failure.sent : .no
      }
    }
  }

  /// The failure of the last request says what became of that one. Where an earlier one of the same attempt has acted,
  /// such as before a redirect, the attempt cannot be called unsent or refused.
  func corrected(_ failure: StepFailure) -> StepFailure {
    let earlier = state.withLock { $0.earlier }
    guard earlier != .no else { return failure }
    var corrected = failure
    corrected.isRejected = false
    if failure.sent == .no { corrected.sent = earlier }
    return corrected
  }
}

extension Effect {
  /// Whether doing it twice may do it twice.
  fileprivate var mayAct: Bool {
    switch self {
    case .unsafe, .once: true
    case .read, .idempotent, .keyed: false
    }
  }
}

extension HTTPReply {
  /// Whether the provider says that it acted: success, or a redirect that does not ask for the same request again
  /// (RFC 9110 §15.4.8, §15.4.9).
  fileprivate var saysDone: Bool { isSuccess || (300...303).contains(status) }
}
