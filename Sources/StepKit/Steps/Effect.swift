/// Whether sending a request again is legal. The table of retry rules stands in docs/language.md, "Effects".
package enum Effect: String, CaseIterable, Hashable, Sendable {
  /// Changes nothing.
  case read
  /// Doing it twice is doing it once.
  case idempotent
  /// The provider recognises a repeated key.
  case keyed
  /// Sending again may do it again: only if nothing was sent, or the provider says that it did not act.
  case unsafe
  /// Never again unless nothing was sent; doubt ends the run `indeterminate`.
  case once

  /// Whether a failed attempt may be followed by another.
  package func allowsRetry(sent: Sent, isRejected: Bool) -> Bool {
    switch self {
    case .read, .idempotent, .keyed: true
    case .unsafe: sent == .no || isRejected
    case .once: sent == .no
    }
  }

  /// What the transport may do with the bytes.
  package var delivery: Delivery {
    switch self {
    case .read, .idempotent: .repeatable
    case .keyed, .unsafe: .single
    case .once: .once
    }
  }
}

/// Which token of its connection a request carries.
package enum TokenClass: String, CaseIterable, Hashable, Sendable {
  case none
  /// Belongs to the app.
  case client
  /// Belongs to a signed-in person.
  case user
}

extension TokenClass: Choice {}
