import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// Passwords, and the mails about them.
  enum CredentialRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/v1/credentials/{credentialId}/passwordReset", reset),
      SandboxRoute(.post, "/v1/shortvalues/{code}/passwordReset", update),
      route(.put, "/credentials/{credentialId}/password") { call, caller, state, _ throws(SandboxReply) in
        try checkOwn(call, caller, state)
        let body = try read(call.request, password)
        state.users[caller.position].password = body["password"]?.stringValue
        return empty()
      },
      route(.post, "/credentials/{credentialId}/resendVerification") { call, caller, state, world throws(SandboxReply) in
        try checkOwn(call, caller, state)
        _ = try read(call.request, .object([Form.required("credentialId", .filledText)]))
        sendVerification(to: state.users[caller.position].credentialID, &world)
        return empty(201)
      },
    ]

    @Sendable private static func reset(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard let position = state.user(credential: call["credentialId"]) else {
        if state.switches.revealsUnknownCredential { throw Refusal.notFound }
        return empty()
      }
      let address = state.users[position].credentialID
      // Assumed: A new code takes the place of one that has not been used.
      state.resetCodes = state.resetCodes.filter { $0.value != address }
      let code = state.switches.resetCode ?? world.digits(6)
      state.resetCodes[code] = address
      world.post(SandboxMessage(.mail, to: address, subject: "Reset your password", text: "Your code is \(code).", code: code))
      return empty()
    }

    @Sendable private static func update(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      // Assumed: Which of the two is looked at first.
      let body = try read(call.request, password)
      guard let address = state.resetCodes[call["code"]], let position = state.user(credential: address) else { throw Refusal.notFound }
      // Assumed: A code is good once.
      state.resetCodes[call["code"]] = nil
      state.users[position].password = body["password"]?.stringValue
      return empty()
    }

    static func sendVerification(to address: String, _ world: inout SandboxWorld) {
      let code = world.digits(6)
      world.post(SandboxMessage(.mail, to: address, subject: "Verify your address", text: "Your code is \(code).", code: code))
    }

    /// - Throws: 404 for an address that nobody has, 403 for another person's.
    private static func checkOwn(_ call: SandboxCall, _ caller: Caller, _ state: State) throws(SandboxReply) {
      guard let position = state.user(credential: call["credentialId"]) else { throw Refusal.notFound }
      guard position == caller.position else { throw Refusal.forbidden }
    }
  }

  /// What has happened.
  enum ActivityRoutes {
    static let all: [SandboxRoute<State>] = [
      route(.get, "/activity") { call, caller, state, _ throws(SandboxReply) in
        .json(try page(call.request, state.activities.filter { $0.accountID == caller.accountID }.map(\.body)))
      },
      deviceRoute(.get, "/activity") { call, position, caller, state, _ throws(SandboxReply) in
        let device = Value.string(state.devices[position].id)
        let own = state.activities.filter { $0.accountID == caller.accountID && $0.body["deviceId"] == device }
        return .json(try page(call.request, own.map(\.body)))
      },
    ]

    /// The newest first. Assumed: A `filter` lets everything through.
    private static func page(_ request: SandboxRequest, _ bodies: [ValueMap]) throws(SandboxReply) -> Value {
      let end = try number("endTimestamp", request, in: 0...(1 << 53)) ?? .max
      let limit = try number("limit", request, in: 1...2_147_483_647) ?? 40
      let found = bodies.enumerated().filter { ($0.element["createdTimestamp"]?.intValue ?? 0) <= end }.sorted { a, b in
        let times = (a.element["createdTimestamp"]?.intValue ?? 0, b.element["createdTimestamp"]?.intValue ?? 0)
        return times.0 == times.1 ? a.offset > b.offset : times.0 > times.1
      }
      return .list(found.prefix(Int(clamping: limit)).map { .map($0.element) })
    }

    private static func number(_ name: String, _ request: SandboxRequest, in range: ClosedRange<Int64>) throws(SandboxReply) -> Int64? {
      guard let text = request.query(name) else { return nil }
      guard let number = Int64(text), range.contains(number) else {
        throw Refusal.validation(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)", text)
      }
      return number
    }
  }
}
