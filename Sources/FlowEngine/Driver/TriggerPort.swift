package import StepKit
package import Values

/// Keeps what must be sent once from being sent twice, over runs and processes (reliability.md §2).
package protocol TriggerPort: Sendable {
  /// Whether an emergency may lead to somebody real; to loopback it always may.
  var mayGoLive: Bool { get }

  /// Asks to send a request under a key, and keeps it from everybody else where that is granted. Waits for another
  /// process that is at it. Outside of the sandbox it is also where the operator confirms.
  ///
  /// - Throws: `indeterminate` where nobody knows what became of the key, `config.*` where it may not be sent: nothing
  ///   was sent by this run.
  func admit(_ order: TriggerOrder) async throws(StepFailure) -> TriggerAdmission

  /// Settles what nobody knew, as a look-up says.
  ///
  /// - Throws: `indeterminate` where that cannot be kept.
  func settle(_ name: TriggerName, delivered: Bool) async throws(StepFailure)
}

/// Which trigger: its key within a system of the run's environment.
package struct TriggerName: Hashable, Sendable {
  package var system: String
  package var key: String

  package init(system: String, key: String) {
    self.system = system
    self.key = key
  }
}

/// A request that is ready to be sent once.
package struct TriggerOrder: Sendable {
  package var name: TriggerName
  /// The step that sends it.
  package var stepID: String
  /// Whether a run whose process died goes on: then it may have been intended before.
  package var isResumed: Bool
  /// What the provider is told to recognise a repeat by.
  package var idempotencyKey: String?
  /// How long it may take from here to the first byte.
  package var validFor: Duration
  /// Why nobody could find out what became of it; nil where the flow does not say so.
  package var unverifiable: String?
  /// Whether the flow can look it up.
  package var canReconcile: Bool
  package var exchange: HTTPExchange

  package init(
    name: TriggerName, stepID: String, isResumed: Bool, idempotencyKey: String?, validFor: Duration, unverifiable: String?,
    canReconcile: Bool, exchange: HTTPExchange
  ) {
    self.name = name
    self.stepID = stepID
    self.isResumed = isResumed
    self.idempotencyKey = idempotencyKey
    self.validFor = validFor
    self.unverifiable = unverifiable
    self.canReconcile = canReconcile
    self.exchange = exchange
  }
}

package enum TriggerAdmission: Sendable {
  /// This run may send it, and nobody else.
  case granted(any TriggerGrant)
  /// It was sent before, and this is what it gave.
  case replayed(ValueMap)
}

/// The right to send one request once. Whoever has it records what became of it.
package protocol TriggerGrant: Sendable {
  /// Stores that bytes may leave from now on, and says whether they may. Blocks; asked by the transport's own thread.
  func maySend() -> Bool

  /// - Throws: `indeterminate` where it cannot be stored.
  func record(_ outcome: TriggerResult) async throws(StepFailure)
}

/// What became of a request that must be sent once.
package enum TriggerResult: Sendable {
  /// Nothing left this machine.
  case notSent(StepFailure)
  case acknowledged(ValueMap)
  /// The provider says that it did not act.
  case rejected(StepFailure)
  case unknown(StepFailure)
}

/// Grants everything and remembers nothing.
package struct NoTriggers: TriggerPort {
  package init() {}

  package var mayGoLive: Bool { false }
  package func admit(_ order: TriggerOrder) -> TriggerAdmission { .granted(Grant()) }
  package func settle(_ name: TriggerName, delivered: Bool) {}

  private struct Grant: TriggerGrant {
    func maySend() -> Bool { true }
    func record(_ outcome: TriggerResult) {}
  }
}
