import SandboxKit
import Values

extension AferoSandbox {
  /// What Afero knows.
  package struct State: Sendable {
    struct User: Sendable {
      let id: String
      var firstName: String
      var lastName: String
      var credentialID: String
      /// Nil lets anybody in.
      var password: String?
      var isVerified = false
      var lastUsed: Int64?
      var failedAttempts: Int64 = 0
      var partners: [Value] = []
      /// By the id of the installation.
      var mobileDevices: [String: Value] = [:]
    }

    struct Account: Sendable {
      let id: String
      let type: String
      var description: String
      let created: Int64
    }

    struct Access: Sendable {
      let accountID: String
      let userID: String
      let isOwner: Bool
      let canWrite: Bool
      var start: Int64 = 0
      var end: Int64 = 0

      var privileges: Value { ["owner": .bool(isOwner), "canWrite": .bool(canWrite)] }
    }

    /// A group, a rule or a schedule.
    struct Kept: Sendable {
      let id: String
      let accountID: String
      var body: ValueMap
    }

    struct Invitation: Sendable {
      let id: String
      let accountID: String
      let email: String
      let created: Int64
    }

    var users: [User] = []
    var accounts: [Account] = []
    var access: [Access] = []
    var devices: [Device] = []
    /// By the kind of thing, such as `deviceGroups`.
    var kept: [String: [Kept]] = [:]
    var invitations: [Invitation] = []
    /// Oldest first.
    private(set) var activities: [(accountID: String, body: ValueMap)] = []
    var profiles: [String: Value] = [:]
    /// By code, the address that may use it.
    var resetCodes: [String: String] = [:]
    var switches = Switches()
    var tokens = TokenBook()
    /// Nil accepts any pair that is not empty.
    var clients: [String: String]?
    private(set) var requestCount: Int64 = 0

    // MARK: changes

    /// A new person with an account of their own; answers the account's id.
    @discardableResult
    mutating func addUser(_ user: User, accountID: String, type: String, description: String, now: Timestamp) -> String {
      users.append(user)
      accounts.append(Account(id: accountID, type: type, description: description, created: now.milliseconds))
      access.append(Access(accountID: accountID, userID: user.id, isOwner: true, canWrite: true))
      return accountID
    }

    /// `acc-1`, `acc-2` …: the next id that nothing has.
    static func freeID(_ prefix: String, _ kind: String, _ world: inout SandboxWorld, isTaken: (String) -> Bool) -> String {
      var id = "\(prefix)-\(world.nextID(of: "afero.\(kind)"))"
      while isTaken(id) { id = "\(prefix)-\(world.nextID(of: "afero.\(kind)"))" }
      return id
    }

    func freeAccountID(_ world: inout SandboxWorld) -> String {
      Self.freeID("acc", "account", &world) { id in accounts.contains { $0.id == id } }
    }

    mutating func log(
      _ type: String, _ message: String, _ device: Device? = nil, _ further: [(String, Value)] = [], in accountID: String,
      world: inout SandboxWorld
    ) {
      var body = ValueMap()
      body["historyId"] = .string("h-\(world.nextID(of: "afero.history"))")
      body["createdTimestamp"] = .int(world.now.milliseconds)
      body["historyType"] = .string(type)
      body["message"] = .string(message)
      if let device {
        body["deviceId"] = .string(device.id)
        body["deviceFriendlyName"] = .string(device.name)
      }
      for (name, value) in further { body[name] = value }
      append(body, in: accountID)
    }

    mutating func append(_ activity: ValueMap, in accountID: String) {
      if activities.count == 10_000 { activities.removeFirst() }
      activities.append((accountID, activity))
    }

    mutating func nextRequest() -> Int64 {
      requestCount += 1
      return requestCount
    }

    // MARK: look-ups

    func user(credential: String) -> Int? { users.firstIndex { $0.credentialID.lowercased() == credential.lowercased() } }

    func accounts(of userID: String) -> [Access] { access.filter { $0.userID == userID } }

    func kept(_ kind: String, in accountID: String) -> [Kept] { (kept[kind] ?? []).filter { $0.accountID == accountID } }

    /// A profile that was given, or one of a device that has none.
    func profile(_ device: Device) -> Value { profiles[device.profileID] ?? device.plainProfile }

    /// What tests and scenarios may see; passwords, codes and tokens are not in it.
    var overview: Value {
      [
        "users": .list(
          users.map { user in
            [
              "user_id": .string(user.id), "credential_id": .string(user.credentialID), "first_name": .string(user.firstName),
              "last_name": .string(user.lastName), "verified": .bool(user.isVerified), "failed_attempts": .int(user.failedAttempts),
              "mobile_devices": .list(user.mobileDevices.keys.sorted().map { .string($0) }),
            ]
          }),
        "accounts": .list(accounts.map { ["account_id": .string($0.id), "description": .string($0.description)] }),
        "devices": .list(devices.map(\.overview)),
        "groups": .list((kept["deviceGroups"] ?? []).map { .map($0.body) }),
        "rules": .list((kept["rules"] ?? []).map { .map($0.body) }),
        "schedules": .list((kept["schedules"] ?? []).map { .map($0.body) }),
        "invitations": .list(invitations.map { ["value": .string($0.id), "credential_id": .string($0.email)] }),
        "activities": .list(activities.map { .map($0.body) }),
      ]
    }
  }
}
