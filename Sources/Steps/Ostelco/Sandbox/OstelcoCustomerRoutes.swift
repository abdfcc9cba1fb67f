import HTTPTypes
import SandboxKit
import Values

extension OstelcoSandbox {
  /// Numbers, consents, pseudonyms, the payment provider's key.
  enum CustomerRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/subscriptions", subscriptions),
      SandboxRoute(.get, "/consents", consents),
      SandboxRoute(.put, "/consents/{id}", setConsent),
      SandboxRoute(.get, "/customer/activePseudonyms", pseudonyms),
      // The path before it was moved.
      SandboxRoute(.get, "/subscription/activePseudonyms", pseudonyms),
      SandboxRoute(.get, "/customer/stripe-ephemeral-key", stripeKey),
    ]

    private static let aboutConsent: Value = "Grant permission to process personal data"

    @Sendable private static func subscriptions(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let customer = try customer(call, state, world, OperatorTask("FAILED_TO_FETCH_SUBSCRIPTIONS", "Failed to get subscriptions."))
      return .json(.list(customer.subscriptionValues))
    }

    /// Of anybody who is signed in: nobody is asked whether there is a profile.
    @Sendable private static func consents(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let identity = try state.identity(of: call.request, at: world.now)
      return .json([consent("privacy", state.consents(of: identity)["privacy"] == true)])
    }

    /// Any id is taken, and agreed to unless the query says otherwise.
    @Sendable private static func setConsent(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let identity = try state.identity(of: call.request, at: world.now)
      let isAccepted = call.request.query("accepted").map { $0 == "true" } ?? true
      state.agree(to: call["id"], isAccepted, as: identity)
      return .json(consent(call["id"], isAccepted))
    }

    private static func consent(_ id: String, _ isAccepted: Bool) -> Value {
      ["consentId": .string(id), "description": aboutConsent, "accepted": .bool(isAccepted)]
    }

    /// A name for each day of UTC.
    @Sendable private static func pseudonyms(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let customer = try customer(
        call, state, world, OperatorTask("FAILED_TO_FETCH_PSEUDONYM_FOR_SUBSCRIBER", "Failed to get pseudonym"))
      let day = world.now.seconds / 86_400
      func pseudonym(_ day: Int64) -> Value {
        [
          "sourceId": .string(customer.id), "pseudonym": .string("ps-\(customer.id.prefix(8))-\(day)"), "start": .int(day * 86_400_000),
          "end": .int((day + 1) * 86_400_000 - 1),
        ]
      }
      return .json(["current": pseudonym(day), "next": pseudonym(day + 1)])
    }

    @Sendable private static func stripeKey(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let customer = try customer(
        call, state, world, OperatorTask("FAILED_TO_GENERATE_STRIPE_EPHEMERAL_KEY", "Failed to generate stripe ephemeral key"))
      _ = try call.request.required("api_version")
      let profile = state.shop.accounts[customer.id]?.wallet.profile(&world) ?? ""
      return .json([
        "id": .string("ephkey_\(world.nextID(of: "ostelco.stripe-key"))"), "object": "ephemeral_key",
        "associated_objects": [["type": "customer", "id": .string(profile)]], "created": .int(world.now.seconds),
        "expires": .int(world.now.seconds + 3600), "livemode": false, "secret": .string("ek_test_\(world.secret(length: 24))"),
      ])
    }

    private static func customer(
      _ call: SandboxCall, _ state: State, _ world: SandboxWorld, _ task: OperatorTask
    ) throws(SandboxReply) -> State.Customer {
      let identity = try state.identity(of: call.request, at: world.now)
      guard let customer = state.customer(identity) else { throw state.noCustomer(identity, task) }
      return customer
    }
  }

  /// `/refund/{email}`: the support desk's.
  enum RefundRoutes {
    static let all: [SandboxRoute<State>] = [SandboxRoute(.put, "/refund/{email}", refund)]

    @Sendable private static func refund(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard let token = call.request.bearerToken else { throw state.gateway.refusal(of: .missing) }
      // Assumed: a customer's own token is no better here than an unknown one.
      guard state.adminToken.map({ $0 == token }) ?? (state.tokens.access(token, at: world.now) == .unknown) else {
        throw state.gateway.refusal(of: .unknown)
      }
      let purchase = try call.request.required("purchaseRecordId")
      let reason = try call.request.required("reason")
      guard let customer = state.customer(call["email"]) else {
        throw State.rules.refusal(.refund, .notFound, nested: OperatorRules.missing("Identity", call["email"]))
      }
      return try state.shop.refund(purchase, of: customer.id, reason: reason, rules: State.rules, world: &world)
    }
  }
}
