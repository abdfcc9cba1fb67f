import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// The shop of the second generation: a plan is bought once, and purchases have properties.
  enum PlanGuard {
    static let shopRoutes: [SandboxRoute<State>] = ShopRoutes<State>.all.map { route in
      guard route.method == .post else { return route }
      return SandboxRoute(route.method, route.path.description) { call, state, world throws(SandboxReply) in
        try check(call, state, world)
        let reply = try route.handler(call, &state, &world)
        if let id = try? state.customer(of: call.request, at: world.now, for: .purchase) { state.shop.describePurchases(of: id) }
        return reply
      }
    }

    private static func check(_ call: SandboxCall, _ state: State, _ world: SandboxWorld) throws(SandboxReply) {
      let account = state.shop.account(try state.customer(of: call.request, at: world.now, for: .purchase))
      let isPlan = state.shop.products.contains { $0.sku == call["sku"] && $0.further["payment"]?["type"] == "SUBSCRIPTION" }
      guard isPlan, account.purchases.contains(where: { $0.product.sku == call["sku"] }) else { return }
      throw State.rules.refusal(
        OperatorTask("ALREADY_SUBSCRIBED_TO_PLAN", "Already subscribed to plan. "), .validation,
        nested: ["description": "A subscription to the plan exists already", "message": .string("Plan \(call["sku"])"), "error": .null])
    }
  }
}
