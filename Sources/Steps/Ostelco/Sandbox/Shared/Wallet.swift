import SandboxKit
import Values

/// A customer at the payment provider: their sources, and what comes of charging them.
///
/// What happens is told by the source's name; a card keeps the outcome of the token that it was made from:
///
/// | token or source | outcome |
/// |---|---|
/// | `tok_visa`, `src_18eY` and any other name | the charge succeeds |
/// | with `eclined` in it, such as `tok_chargeDeclined` | declined, on saving too |
/// | `tok_chargeCustomerFail`, `src_chargeCustomerFail` | can be saved, and declines charges |
/// | with `review` | the charge is held for review, which counts as declined |
/// | with `outage` | the provider cannot be reached |
/// | with `invalid`, or not beginning with `tok_`, `src_`, `card_` | no such source |
struct Wallet: Sendable {
  enum Outcome: Hashable, Sendable { case good, declined, declinesCharges, review, outage, unknown }

  struct Source: Sendable {
    /// `card_1`, or the source's own.
    let id: String
    let outcome: Outcome
    let created: Timestamp
    /// Why it declines: `insufficient_funds` where its name says so.
    let declineCode: String

    var isCard: Bool { id.hasPrefix("card_") }
  }

  /// `cus_1`; nil until it is needed.
  private(set) var profileID: String?
  /// The newest first.
  private(set) var sources: [Source] = []
  private(set) var defaultID: String?
}

extension Wallet {
  static func outcome(of name: String) -> Outcome {
    guard ["tok_", "src_", "card_"].contains(where: { name.hasPrefix($0) }), !name.contains("invalid") else { return .unknown }
    if name.contains("eclined") { return .declined }
    if name.contains("chargeCustomerFail") { return .declinesCharges }
    if name.contains("review") { return .review }
    return name.contains("outage") ? .outage : .good
  }

  static func declineCode(of name: String) -> String { name.contains("InsufficientFunds") ? "insufficient_funds" : "generic_decline" }

  /// The customer's id at the provider, made where there is none yet.
  mutating func profile(_ world: inout SandboxWorld) -> String {
    let id = profileID ?? "cus_\(world.nextID(of: "operator.payment-profile"))"
    profileID = id
    return id
  }

  func source(_ id: String) -> Source? { sources.first { $0.id == id } }

  /// Saves a token or a source: a token becomes a card.
  mutating func add(_ name: String, world: inout SandboxWorld) -> Source {
    if let known = source(name) { return known }
    let id = name.hasPrefix("tok_") ? "card_\(world.nextID(of: "operator.card"))" : name
    let source = Source(id: id, outcome: Self.outcome(of: name), created: world.now, declineCode: Self.declineCode(of: name))
    sources.insert(source, at: 0)
    // The first one is the default until another is chosen.
    defaultID = defaultID ?? id
    return source
  }

  mutating func remove(_ id: String) {
    sources.removeAll { $0.id == id }
    if defaultID == id { defaultID = sources.last?.id }
  }

  mutating func choose(_ id: String) { defaultID = id }
}

extension Wallet.Source {
  var value: Value {
    let kind: Value = isCard ? "card" : "source"
    return [
      "id": .string(id), "type": kind,
      "details": [
        "id": .string(id), "type": kind, "brand": "Visa", "last4": "4242", "expMonth": 8, "expYear": 2027, "country": "SG",
        "funding": "credit", "created": .int(created.seconds),
      ],
    ]
  }
}

extension Wallet.Outcome {
  /// The provider's words; nil is no failure.
  func failure(savingOnly: Bool = false) -> (cause: OperatorCause, message: String)? {
    switch self {
    case .good: nil
    case .declined: (.declined, "Your card was declined.")
    case .declinesCharges: savingOnly ? nil : (.declined, "Your card was declined.")
    // Assumed: the words for a review.
    case .review: savingOnly ? nil : (.declined, "Review required for the charge.")
    case .outage: (.provider, "Could not reach the payment provider.")
    case .unknown: (.invalidParameter, "No such source.")
    }
  }
}
