import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// The support API; in the real world on a host of its own.
  enum SupportRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/support/profiles/{query}", findProfiles),
      reading("/support/profiles/{id}/subscriptions", SimRoutes.subscriptionListing) { customer, _ in
        .list(customer.sims.map(\.subscription))
      },
      reading("/support/profiles/{id}/scans", .scan) { customer, state in
        .list(state.scans.filter { $0.customerID == customer.id }.map(\.value))
      },
      reading("/support/bundles/{id}", .bundles) { customer, state in .list(state.shop.account(customer.id).bundles.map(\.value)) },
      reading("/support/purchases/{id}", .purchases) { customer, state in
        .list(state.shop.account(customer.id).purchases.map { $0.value(State.rules) })
      },
      reading("/support/context/{id}", .context) { customer, state in CustomerRoutes.context(of: customer, state, isReal: true) },
      SandboxRoute(.get, "/support/auditLog/{id}", auditLog),
      SandboxRoute(.put, "/support/refund/{id}", refund),
      SandboxRoute(.put, "/support/notify/{id}", notify),
      SandboxRoute(.delete, "/support/customer/{id}", remove),
      SandboxRoute(.post, "/support/simprofile/{id}", provide),
    ]

    /// A route that reads of one customer.
    private static func reading(
      _ path: String, _ task: OperatorTask, _ value: @escaping @Sendable (State.Customer, State) -> Value
    ) -> SandboxRoute<State> {
      SandboxRoute(.get, path) { call, state, world throws(SandboxReply) in
        .json(value(state.customers[try position(call, state, world, task)], state))
      }
    }

    /// - Throws: 401 where the token is missing, a person's, or another than the one that was given; the 404 of a task.
    private static func position(
      _ call: SandboxCall, _ state: State, _ world: SandboxWorld, _ task: OperatorTask
    ) throws(SandboxReply) -> Int {
      try checkToken(call, state, world)
      guard let position = state.position(of: call["id"]) else { throw state.noCustomer(call["id"], task) }
      return position
    }

    private static func checkToken(_ call: SandboxCall, _ state: State, _ world: SandboxWorld) throws(SandboxReply) {
      guard let token = call.request.bearerToken, !token.isEmpty else { throw state.gateway.refusal(of: .missing) }
      guard case .unknown = state.tokens.access(token, at: world.now), state.switches.adminToken ?? token == token else {
        throw state.gateway.refusal(of: .unknown)
      }
    }

    @Sendable private static func findProfiles(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkToken(call, state, world)
      let query = call["query"]
      let found = state.customers.filter { customer in
        query.contains("@") ? customer.contactEmail == query : customer.sims.contains { $0.msisdn == query }
      }
      guard !found.isEmpty else {
        let type = query.contains("@") ? "Customer" : "Subscription"
        throw State.rules.refusal(
          OperatorTask("FAILED_TO_FETCH_CUSTOMER", "Failed to fetch profile."), .notFound, nested: OperatorRules.missing(type, query))
      }
      return .json(.list(found.map(\.value)))
    }

    /// Nobody is asked whether there is such a customer.
    @Sendable private static func auditLog(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkToken(call, state, world)
      return .json(.list(state.position(of: call["id"]).map { state.customers[$0].audit } ?? []))
    }

    @Sendable private static func refund(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkToken(call, state, world)
      let purchaseID = try call.request.required("purchaseRecordId")
      let reason = try call.request.required("reason")
      let position = try position(call, state, world, .refund)
      let reply = try state.shop.refund(purchaseID, of: call["id"], reason: reason, rules: State.rules, world: &world)
      state.customers[position].note("Refunded purchase \(purchaseID)", at: world.now)
      return reply
    }

    @Sendable private static func notify(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkToken(call, state, world)
      let title = try call.request.required("title")
      let message = try call.request.required("message")
      // The message is sent whether or not anybody is there to get it.
      state.push(to: call["id"], title: title, text: message, data: ["timestamp": .string(String(world.now.milliseconds))], world: &world)
      return .json("Message Sent")
    }

    @Sendable private static func remove(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      state.removeCustomer(state.customers[try position(call, state, world, .removal)].id)
      return SandboxReply(status: 204)
    }

    @Sendable private static func provide(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkToken(call, state, world)
      let region = try call.request.required("regionCode")
      let type = try call.request.required("profileType")
      let alias = try call.request.required("alias")
      let position = try position(call, state, world, OperatorTask("FAILED_TO_PROVISION_SIM_PROFILE", "Failed to provision SIM profile."))
      return .json(try SimRoutes.provide(region, type, alias: alias, to: position, &state, &world).value(), status: 201)
    }
  }
}
