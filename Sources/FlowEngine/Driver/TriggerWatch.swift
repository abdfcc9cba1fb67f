import FlowEvents
import FlowPlan
import StepKit
import Synchronization
import Values

/// One attempt of an emergency: asks before it is sent, says when its first byte may leave, and records what became of it.
final class TriggerWatch: Sendable {
  private struct State {
    var grant: (any TriggerGrant)?
    /// What the key gave before; then nothing is sent.
    var replayed: ValueMap?
    /// Bytes may have left.
    var mayHaveLeft = false
  }

  private let order: AttemptOrder
  private let triggers: any TriggerPort
  private let state = Mutex(State())

  init(_ order: AttemptOrder, _ triggers: any TriggerPort) {
    self.order = order
    self.triggers = triggers
  }

  var isReplayed: Bool { state.withLock { $0.replayed != nil } }

  /// Awaited before the request: whatever is thrown, nothing of this attempt has left.
  func admit(_ exchange: HTTPExchange) async throws(StepFailure) {
    guard state.withLock({ $0.grant == nil }) else {
      throw StepFailure("config.trigger", title: "the step sends more than one request that may be sent only once")
    }
    guard let key = order.dedupeKey, let system = order.handler.step.about.system else {
      throw StepFailure("config.trigger", title: "the step has no `dedupe_key`")
    }
    let admission = try await triggers.admit(
      TriggerOrder(
        name: TriggerName(system: system, key: key), stepID: order.step.title, isResumed: order.isResumed,
        idempotencyKey: order.idempotencyKey, validFor: order.handler.validFor, unverifiable: order.handler.unverifiable,
        canReconcile: order.canReconcile, exchange: exchange))
    switch admission {
    case .granted(let grant): state.withLock { $0.grant = grant }
    case .replayed(let outputs):
      state.withLock { $0.replayed = outputs }
      throw StepFailure("config.replayed", title: "the key has been used")
    }
  }

  /// Asked by the transport when the connection stands; blocks for a commit.
  func maySend() -> Bool {
    // Once true, always true: a second call is the transport's to refuse.
    guard let grant = state.withLock({ $0.grant }), grant.maySend() else { return false }
    state.withLock { $0.mayHaveLeft = true }
    return true
  }

  /// What the attempt came to, once that is recorded; a doubt where it cannot be.
  func concluded(_ result: Result<ValueMap, StepFailure>, answer: HTTPReply?) async -> Result<ValueMap, StepFailure> {
    let (grant, replayed, mayHaveLeft) = state.withLock { ($0.grant, $0.replayed, $0.mayHaveLeft) }
    if let replayed { return .success(replayed) }
    guard let grant else { return result }
    var result = result
    let outcome: TriggerResult
    switch result {
    case .success(let outputs): outcome = .acknowledged(outputs)
    case .failure(let failure) where !mayHaveLeft: outcome = .notSent(failure)
    case .failure(let failure) where failure.isRejected: outcome = .rejected(failure)
    // What a whole answer of the right status says cannot be read, and that is all.
    case .failure(let failure) where answer?.isSuccess == true && failure.isOfReading: outcome = .acknowledged(ValueMap())
    case .failure(var failure):
      if failure.sent == .no { failure.sent = .maybe }
      outcome = .unknown(failure)
      result = .failure(failure)
    }
    do throws(StepFailure) {
      try await grant.record(outcome)
      return result
    } catch {
      var doubt = error
      doubt.sent = mayHaveLeft ? .maybe : .no
      if case .failure(let failure) = result { doubt.causes = [failure] }
      return .failure(doubt)
    }
  }
}

extension StepFailure {
  /// Whether only the body of the answer was wrong.
  package var isOfReading: Bool { code.hasPrefix("decode") || code == "schema.response" }
}
