import HTTPTypes
import SandboxKit
import Values

extension OstelcoSandbox {
  /// `/profile`.
  enum ProfileRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/profile", get),
      SandboxRoute(.post, "/profile", create),
      SandboxRoute(.put, "/profile", update),
    ]

    private static let creating = OperatorTask("FAILED_TO_CREATE_PROFILE", "Failed to create profile.")
    private static let updating = OperatorTask("FAILED_TO_UPDATE_PROFILE", "Failed to update profile.")

    @Sendable private static func get(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      // The code is the one of payment profiles, as the service has it.
      let identity = try state.identity(of: call.request, at: world.now)
      guard let customer = state.customer(identity) else {
        throw state.noCustomer(identity, OperatorTask("FAILED_TO_FETCH_PAYMENT_PROFILE", "Failed to fetch profile."))
      }
      return .json(customer.profile)
    }

    /// The address is the token's, and what is sent as `id` and `referralId` is ignored.
    @Sendable private static func create(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let identity = try state.identity(of: call.request, at: world.now)
      let fields = try ProfileFields(call.request)
      guard fields.isComplete else {
        throw OperatorRules.refusal(
          OperatorTask("FAILED_TO_CREATE_PROFILE", "Incomplete profile description. Profile must contain name and email"), 400)
      }
      guard state.customer(identity) == nil else { throw refused(identity, "Identity - \(identity) already exists.") }
      guard state.countries.contains(fields.country) else { throw refused(identity, "Unsupported country: \(fields.country)") }
      let referrer = call.request.query("referred_by")
      if let referrer {
        guard referrer != identity else { throw refused(identity, "Referred by self") }
        // The description speaks of a referral id; the service looks for a customer's id.
        guard state.customers.contains(where: { $0.id == referrer }) else {
          throw State.rules.refusal(creating, .notStored, nested: OperatorRules.missing("Subscriber", referrer))
        }
      }
      let id = state.signUp(identity, name: fields.name, country: fields.country, referrer: referrer, world: &world)
      state.change(id) { fields.write(to: &$0, withEmail: false) }
      return .json(state.customer(identity)?.profile ?? .null, status: 201)
    }

    /// The profile is found by the `id` of the body; where it is not the customer's own, nothing changes and the answer is 200
    /// with the old one.
    @Sendable private static func update(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let identity = try state.identity(of: call.request, at: world.now)
      let fields = try ProfileFields(call.request)
      guard fields.isComplete else {
        throw OperatorRules.refusal(OperatorTask("FAILED_TO_UPDATE_PROFILE", "Incomplete profile description"), 400)
      }
      guard let customer = state.customer(identity) else { throw state.noCustomer(identity, updating) }
      if fields.id == customer.id {
        let now = world.now
        state.change(customer.id) { customer in
          fields.write(to: &customer, withEmail: true)
          customer.modified = now
        }
      }
      return .json(state.customer(identity)?.profile ?? .null)
    }

    private static func refused(_ identity: String, _ message: String) -> SandboxReply {
      State.rules.refusal(
        creating, .validation,
        nested: ["type": "Identity", "id": .string(identity), "error": .null, "message": .string(message)])
    }
  }
}

/// The members of a profile in a request.
private struct ProfileFields {
  let id, name, email, country, address, postCode, city: String

  /// - Throws: 400 where one is no text.
  init(_ request: SandboxRequest) throws(SandboxReply) {
    let members = try request.jsonMembers()
    func text(_ name: String) throws(SandboxReply) -> String {
      switch members[name] {
      case nil, .null: return ""
      case .string(let text): return text
      default: throw OperatorRules.unreadable
      }
    }
    id = try text("id")
    name = try text("name")
    email = try text("email")
    country = try text("country")
    address = try text("address")
    postCode = try text("postCode")
    city = try text("city")
    _ = try text("referralId")
    let known = ["id", "name", "email", "country", "address", "postCode", "city", "referralId"]
    // Assumed: the framework refuses members that it does not know.
    for (key, _) in members where !known.contains(key.text) { throw OperatorRules.unreadable }
  }

  var isComplete: Bool { !name.isEmpty && !email.isEmpty && !country.isEmpty }

  func write(to customer: inout OstelcoSandbox.State.Customer, withEmail: Bool) {
    customer.name = name
    if withEmail { customer.email = email }
    customer.country = country
    customer.address = address
    customer.postCode = postCode
    customer.city = city
  }
}
