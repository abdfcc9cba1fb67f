import HTTPTypes
import SandboxKit
import Values

/// Balance, products, purchases.
enum ShopRoutes<State: OperatorState> {
  static var all: [SandboxRoute<State>] {
    [
      SandboxRoute(.get, "/bundles", bundles),
      SandboxRoute(.get, "/products", products),
      SandboxRoute(.post, "/products/{sku}/purchase", purchase),
      SandboxRoute(.get, "/purchases", purchases),
    ]
  }

  @Sendable private static func bundles(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .bundles)
    return .json(.list(state.shop.account(id).bundles.map(\.value)))
  }

  @Sendable private static func products(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .products)
    return .json(.list(state.shop.offers(for: id).map(\.value)))
  }

  /// In no order that a client could rely on: here the oldest first.
  @Sendable private static func purchases(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .purchases)
    return .json(.list(state.shop.account(id).purchases.map { $0.value(State.rules) }))
  }

  /// There is no key that would tell a repeat: each request buys.
  @Sendable private static func purchase(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .purchase)
    guard let product = state.shop.offers(for: id).first(where: { $0.sku == call["sku"] }) else {
      throw State.rules.refusal(
        .purchase, .unknownProduct,
        nested: [
          "type": "Product", "id": .string(call["sku"]), "message": .string("Product \(call["sku"]) is unavailable"), "error": .null,
        ])
    }
    var wallet = state.shop.account(id).wallet
    let profile = wallet.profile(&world)
    // What the provider kept stays, whatever becomes of the charge.
    state.shop.accounts[id]?.wallet = wallet
    // A source that is named is looked up or saved whatever the price; what is free is not charged to it.
    let named = call.request.query("sourceId")
    if named != nil || product.amount > 0 {
      let source = try source(named ?? wallet.defaultID, in: &wallet, &world)
      if let failure = source.outcome.failure(savingOnly: product.amount == 0) {
        throw refusal(failure, product, source: source, profile: profile)
      }
      let isNew = state.shop.account(id).wallet.source(source.id) == nil
      if isNew, call.request.query("saveCard") != "true" { wallet.remove(source.id) }
    }
    let charge = product.amount > 0 ? "ch_\(world.secret(length: 14))" : "ZERO_CHARGE_\(world.uuid())"
    state.shop.accounts[id]?.wallet = wallet
    state.shop.deliver(product, to: id, charge: charge, at: world.now)
    return .json(["id": .string(product.sku)], status: 201)
  }

  private static func source(
    _ name: String?, in wallet: inout Wallet, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> Wallet.Source {
    guard let name, !name.isEmpty else {
      // Assumed: the provider's answer for a customer without any source.
      throw State.rules.refusal(
        State.rules.declined ?? .purchase, .declined,
        nested: State.rules.payment(
          "Failed to authorize the charge", "Cannot charge a customer that has no active card", declined: "missing"))
    }
    if name.hasPrefix("card_"), wallet.source(name) == nil { throw SourceRoutes<State>.unknown(name, .purchase) }
    if Wallet.outcome(of: name) == .unknown { throw SourceRoutes<State>.unknown(name, .purchase) }
    return wallet.add(name, world: &world)
  }

  private static func refusal(
    _ failure: (cause: OperatorCause, message: String), _ product: Shop.Product, source: Wallet.Source, profile: String
  ) -> SandboxReply {
    let task = failure.cause == .declined ? State.rules.declined ?? .purchase : .purchase
    let what = "customerId \(profile) sourceId \(source.id) amount \(product.amount) currency \(product.currency)"
    return State.rules.refusal(
      task, failure.cause,
      nested: State.rules.payment(
        "Failed to authorize the charge for \(what)", failure.message, declined: failure.cause == .declined ? source.declineCode : nil))
  }
}
