import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// Accounts, who is signed in, their installations, and the way to the stream of events.
  enum AccountRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/v1/accounts", create),
      route(.put, "/description", .own) { call, caller, state, _ throws(SandboxReply) in
        let body = try read(call.request, .object([Form.required("description", .anyText)]))
        let text = body["description"]?.stringValue ?? ""
        for index in state.accounts.indices where state.accounts[index].id == caller.accountID { state.accounts[index].description = text }
        return .json(["description": .string(text)])
      },
      SandboxRoute(.get, "/v1/users/me") { call, state, world throws(SandboxReply) in
        .json(user(state.users[try state.signedIn(call.request, at: world.now)], state))
      },
      SandboxRoute(.post, "/v1/users/{userId}/mobileDevices") { call, state, world throws(SandboxReply) in
        let position = try own(call, state, world)
        let body = try read(call.request, mobileDevice)
        state.users[position].mobileDevices[key(body["mobileDeviceId"]?.stringValue ?? "")] = body
        return empty(state.switches.mobileDeviceStatus)
      },
      SandboxRoute(.delete, "/v1/users/{userId}/mobileDevices/{mobileDeviceId}") { call, state, world throws(SandboxReply) in
        let position = try own(call, state, world)
        guard state.users[position].mobileDevices.removeValue(forKey: key(call["mobileDeviceId"])) != nil else { throw Refusal.notFound }
        return empty()
      },
      route(.post, "/conclaveAccess") { call, caller, _, world throws(SandboxReply) in
        _ = try read(call.request, .object([Form.optional("user", .flag)]))
        return .json(conclave(caller, &world))
      },
    ]

    @Sendable private static func create(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try read(call.request, newAccount)
      let address = body["credential"]?["credentialId"]?.stringValue ?? ""
      guard state.user(credential: address) == nil else { throw Refusal.alreadyExists(status: state.switches.duplicateStatus) }
      var user = State.User(
        id: "usr-\(world.nextID(of: "afero.user"))", firstName: body["user"]?["firstName"]?.stringValue ?? "",
        lastName: body["user"]?["lastName"]?.stringValue ?? "", credentialID: address,
        password: body["credential"]?["password"]?.stringValue ?? "")
      user.isVerified = body["credential"]?["verified"]?.boolValue ?? false
      let type = body["account"]?["type"]?.stringValue ?? "CUSTOMER"
      let description = body["account"]?["description"]?.stringValue ?? "Primary Account"
      let id = state.freeAccountID(&world)
      state.addUser(user, accountID: id, type: type, description: description, now: world.now)
      if !user.isVerified { CredentialRoutes.sendVerification(to: address, &world) }
      let account = State.Account(id: id, type: type, description: description, created: world.now.milliseconds)
      return .json(value(of: account), status: state.switches.createStatus)
    }

    static func value(of account: State.Account) -> Value {
      [
        "accountId": .string(account.id), "type": .string(account.type), "description": .string(account.description),
        "createdTimestamp": .int(account.created),
      ]
    }

    private static func user(_ user: State.User, _ state: State) -> Value {
      var credential = ValueMap()
      credential["credentialId"] = .string(user.credentialID)
      credential["type"] = "EMAIL"
      credential["verified"] = .bool(user.isVerified)
      credential["lastUsedTimestamp"] = user.lastUsed.map { .int($0) }
      credential["failedAttempts"] = .int(user.failedAttempts)
      let accounts = state.accounts(of: user.id).compactMap { access -> Value? in
        guard let account = state.accounts.first(where: { $0.id == access.accountID }) else { return nil }
        return ["account": value(of: account), "privileges": access.privileges]
      }
      return [
        "userId": .string(user.id), "firstName": .string(user.firstName), "lastName": .string(user.lastName),
        "credential": .map(credential), "accountAccess": .list(accounts), "partnerAccess": .list(user.partners),
        "tos": [
          [
            "tosType": "user", "currentVersion": 1, "userVersion": 1, "needsAcceptance": false,
            "url": "https://cdn.afero.io/tos/user/v1/user.html",
          ]
        ],
      ]
    }

    /// Who is signed in, where the path names them.
    /// - Throws: 401, and 403 for somebody else's id.
    private static func own(_ call: SandboxCall, _ state: State, _ world: SandboxWorld) throws(SandboxReply) -> Int {
      let position = try state.signedIn(call.request, at: world.now)
      guard state.users[position].id == call["userId"] else { throw Refusal.forbidden }
      return position
    }

    /// Two spellings of a UUID are one (RFC 9562 §4).
    static func key(_ uuid: String) -> String { uuid.uppercased() }

    private static func conclave(_ caller: Caller, _ world: inout SandboxWorld) -> Value {
      [
        "conclaveHosts": [["type": "SOCKET", "host": "conclave.example.test", "port": 8883, "ssl": true, "compression": true]],
        "tokens": [
          [
            "token": .string(world.secret(length: 28)), "channelId": .string(caller.accountID),
            // Assumed: A day.
            "expiresTimestamp": .int(world.now.milliseconds + 86_400_000),
            "client": ["type": "user", "userId": .string(caller.userID)],
          ]
        ],
      ]
    }
  }
}
