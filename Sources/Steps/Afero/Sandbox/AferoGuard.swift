import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// What a route asks of who is signed in, in the account of its path.
  ///
  /// Assumed: What is read needs access, what is changed `canWrite`, and whom an account is shared with is the owner's to say.
  enum Need: Sendable { case access, write, own }

  /// Who has sent a request, and to which account.
  struct Caller: Sendable {
    /// Where they stand among the users.
    let position: Int
    let userID: String
    let accountID: String
  }

  typealias AccountHandler =
    @Sendable (_ call: SandboxCall, _ caller: Caller, _ state: inout State, _ world: inout SandboxWorld) throws(SandboxReply)
    -> SandboxReply

  /// A route below `/v1/accounts/{accountId}`, with its guard before it.
  static func route(
    _ method: HTTPRequest.Method, _ path: String, _ need: Need = .access, _ handler: @escaping AccountHandler
  ) -> SandboxRoute<State> {
    SandboxRoute(method, "/v1/accounts/{accountId}\(path)") { call, state, world throws(SandboxReply) in
      let caller = try state.caller(call, need, at: world.now)
      return try handler(call, caller, &state, &world)
    }
  }

  /// A route below `/v1/accounts/{accountId}/devices/{deviceId}`; the handler finds its device by its position.
  static func deviceRoute(
    _ method: HTTPRequest.Method, _ path: String, _ need: Need = .access,
    _ handler: @escaping @Sendable (SandboxCall, Int, Caller, inout State, inout SandboxWorld) throws(SandboxReply) -> SandboxReply
  ) -> SandboxRoute<State> {
    route(method, "/devices/{deviceId}\(path)", need) { call, caller, state, world throws(SandboxReply) in
      let position = try state.device(call["deviceId"], in: caller.accountID)
      return try handler(call, position, caller, &state, &world)
    }
  }
}

extension AferoSandbox.State {
  /// Who has sent a request.
  /// - Throws: 401.
  func signedIn(_ request: SandboxRequest, at now: Timestamp) throws(SandboxReply) -> Int {
    switch tokens.access(request.bearerToken, at: now) {
    case .valid(let entry):
      if let position = users.firstIndex(where: { $0.id == entry.subject }) { return position }
    case .expired, .unknown: break
    }
    throw AferoSandbox.Refusal.unauthorized(at: now)
  }

  /// - Throws: 401, 404 for an account that there is not, 403 where they may not do it.
  func caller(_ call: SandboxCall, _ need: AferoSandbox.Need, at now: Timestamp) throws(SandboxReply) -> AferoSandbox.Caller {
    let position = try signedIn(call.request, at: now)
    let account = call["accountId"]
    guard accounts.contains(where: { $0.id == account }) else { throw AferoSandbox.Refusal.notFound }
    let user = users[position].id
    guard let entry = access.first(where: { $0.accountID == account && $0.userID == user }), entry.allows(need) else {
      throw AferoSandbox.Refusal.forbidden
    }
    return AferoSandbox.Caller(position: position, userID: user, accountID: account)
  }

  /// - Throws: 404; what stands in another account is not found either.
  func device(_ id: String, in account: String) throws(SandboxReply) -> Int {
    guard let position = devices.firstIndex(where: { $0.id == id && $0.accountID == account }) else {
      throw AferoSandbox.Refusal.notFound
    }
    return position
  }
}

extension AferoSandbox.State.Access {
  fileprivate func allows(_ need: AferoSandbox.Need) -> Bool {
    switch need {
    case .access: true
    case .write: canWrite || isOwner
    case .own: isOwner
    }
  }
}
