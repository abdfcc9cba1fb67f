import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// `/context` and `/customer`.
  enum CustomerRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/context", context),
      SandboxRoute(.get, "/customer", read),
      SandboxRoute(.post, "/customer", create),
      SandboxRoute(.put, "/customer", update),
      SandboxRoute(.delete, "/customer", remove),
    ]

    private static let creation = OperatorTask("FAILED_TO_CREATE_CUSTOMER", "Failed to create customer.")

    @Sendable private static func context(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try state.asking(call, world, for: .context)
      return .json(context(of: state.customers[position], state))
    }

    /// - Parameter isReal: each eSIM has its own status, as support sees it.
    static func context(of customer: State.Customer, _ state: State, isReal: Bool = false) -> Value {
      ["customer": customer.value, "regions": .list(state.regions.map { state.details(of: $0, for: customer, isReal: isReal) })]
    }

    @Sendable private static func read(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      .json(state.customers[try state.asking(call, world, for: .customer)].value)
    }

    @Sendable private static func create(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let identity = try state.identity(of: call.request, at: world.now)
      let nickname = try call.request.required("nickname")
      let email = try call.request.required("contactEmail")
      guard state.customerID(of: identity) == nil else {
        throw refusal(.validation, "Identity", identity, "Identity - \(identity) already exists.")
      }
      // Assumed: A referrer is known by their referral id, their id or their identity.
      var referrer: String?
      if let code = call.request.query("referredBy"), !code.isEmpty {
        guard code != identity else { throw refusal(.validation, "Customer", identity, "Referred by self") }
        referrer = state.customers.first { [$0.referralID, $0.id].contains(code) }?.id
        guard referrer != nil else { throw refusal(.notStored, "Customer", code, "Failed to create REFERRED - \(code)") }
      }
      let position = state.addCustomer(identity, nickname: nickname, contactEmail: email, referrer: referrer, world: &world)
      return .json(state.customers[position].value, status: 201)
    }

    private static func refusal(_ cause: OperatorCause, _ type: String, _ id: String, _ message: String) -> SandboxReply {
      State.rules.refusal(
        creation, cause, nested: ["type": .string(type), "id": .string(id), "message": .string(message), "error": .null])
    }

    @Sendable private static func update(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try state.asking(call, world, for: .customer)
      if let nickname = call.request.query("nickname"), !nickname.isEmpty { state.customers[position].nickname = nickname }
      if let email = call.request.query("contactEmail"), !email.isEmpty { state.customers[position].contactEmail = email }
      return .json(state.customers[position].value)
    }

    @Sendable private static func remove(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      state.removeCustomer(state.customers[try state.asking(call, world, for: .removal)].id)
      return SandboxReply(status: 204)
    }
  }
}

extension OperatorTask {
  static let context = OperatorTask("FAILED_TO_FETCH_CONTEXT", "Failed to fetch customer.")
  static let customer = OperatorTask("FAILED_TO_FETCH_CUSTOMER", "Failed to fetch customer.")
  static let removal = OperatorTask("FAILED_TO_REMOVE_CUSTOMER", "Failed to remove customer.")
  static let regions = OperatorTask("FAILED_TO_FETCH_REGIONS", "Failed to get regions.")
}

extension OyaSandbox.State {
  /// Where the customer who asks stands.
  /// - Throws: 401, and the 404 of a task where they have yet to sign up.
  func asking(_ call: SandboxCall, _ world: SandboxWorld, for task: OperatorTask) throws(SandboxReply) -> Int {
    let id = try customer(of: call.request, at: world.now, for: task)
    guard let position = position(of: id) else { throw noCustomer(id, task) }
    return position
  }

  /// The region that a path names.
  /// - Throws: the 404 of a task.
  func asked(_ call: SandboxCall, for task: OperatorTask) throws(SandboxReply) -> Region {
    let code = call["code"]
    guard let region = region(code) else { throw Self.rules.refusal(task, .notFound, nested: OperatorRules.missing("Region", code)) }
    return region
  }
}
