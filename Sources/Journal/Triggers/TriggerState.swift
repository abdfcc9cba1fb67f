/// What is known of a request that must be sent once (reliability.md §2).
///
/// ```text
/// intended ─► not_sent
///        └──► sent ─► acknowledged | rejected | unknown ─► resolved_delivered | resolved_not_delivered
/// ```
package enum TriggerState: String, Hashable, Sendable, CaseIterable {
  /// About to be sent; nothing has left.
  case intended
  /// Nothing has left, and nothing will.
  case notSent = "not_sent"
  /// Its bytes may have left: pessimistic, stored before the first of them.
  case sent
  /// The provider says that it acted.
  case acknowledged
  /// The provider says that it did not act.
  case rejected
  /// Nobody knows whether the provider acted.
  case unknown
  /// A look-up, or an operator, says that the provider acted.
  case resolvedDelivered = "resolved_delivered"
  /// A look-up, or an operator, says that it did not.
  case resolvedNotDelivered = "resolved_not_delivered"

  /// The states that may come next.
  package var successors: Set<TriggerState> {
    switch self {
    case .intended: [.notSent, .sent]
    case .sent: [.acknowledged, .rejected, .unknown]
    case .unknown: [.resolvedDelivered, .resolvedNotDelivered]
    case .notSent, .acknowledged, .rejected, .resolvedDelivered, .resolvedNotDelivered: []
    }
  }

  /// Whether the provider may have acted, so that the key must not be used again.
  package var isSpent: Bool {
    switch self {
    case .sent, .unknown, .acknowledged, .resolvedDelivered: true
    case .intended, .notSent, .rejected, .resolvedNotDelivered: false
    }
  }
}
