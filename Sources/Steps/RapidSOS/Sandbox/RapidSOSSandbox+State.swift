import SandboxKit
import Values

extension RapidSOSSandbox {
  /// What RapidSOS knows; everything that a later operation needs has its place here.
  package struct State: Sendable {
    struct User: Sendable {
      let id: Int64
      var username: String
      /// Nil lets anybody in.
      var password: String?
      var email: String
      var created: Timestamp
      /// The sections of the profile by name.
      var profile = ValueMap()
    }

    /// A number that a user has asked a PIN for.
    struct CallerID: Sendable {
      let id: Int64
      let userID: Int64
      /// Digits, with the country's code.
      let number: String
      /// Nil once it has been used.
      var pin: String?
      var isVerified = false
    }

    struct Alert: Sendable {
      let id: String
      let callFlow: String
      let variables: Value
      let at: Timestamp
    }

    var users: [User] = []
    var callerIDs: [CallerID] = []
    /// The newest ones; a sandbox may stand for days.
    private(set) var alerts: [Alert] = []
    var locations: [Saved] = []
    var devices: [Saved] = []
    private(set) var uploads: [Upload] = []
    private(set) var photos: [Photo] = []
    /// By number.
    var pushTokens: [String: String] = [:]
    /// Addresses that a new password was asked for, oldest first.
    private(set) var resets: [String] = []
    var switches = Switches()
    var tokens = TokenBook()
    var logins = LoginGuard()
    /// Nil accepts any pair that is not empty.
    private(set) var clients: [String: String]?
    /// The variables that each call flow requires, as dotted paths.
    private(set) var callFlows: [String: [String]] = [
      "kronos_contacts": ["location.latitude", "location.longitude", "user.full_name", "user.phone_number"]
    ]

    init(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) {
      var given = given
      try switches.read(&given)
      clients = try Self.clients(&given)
      for user in try given.maps("users") ?? [] { try add(user, world: &world) }
      if let flows = given.value("call_flows") {
        var flows = try GivenMap(flows, at: "\(given.path).call_flows")
        for name in flows.keys { callFlows[name] = try flows.texts(name) }
      }
      for upload in try given.maps("uploads") ?? [] { uploads.append(try Upload(upload)) }
      try given.finish()
    }

    private static func clients(_ given: inout GivenMap) throws(SandboxError) -> [String: String]? {
      guard let list = try given.maps("clients") else { return nil }
      var clients: [String: String] = [:]
      for var client in list {
        clients[try client.requiredText("client_id")] = try client.requiredText("client_secret")
        try client.finish()
      }
      return clients
    }

    private mutating func add(_ given: GivenMap, world: inout SandboxWorld) throws(SandboxError) {
      var given = given
      let username = try given.requiredText("username")
      guard user(named: username) == nil else { throw SandboxError("`\(username)` is given twice", at: "\(given.path).username") }
      let password = try given.text("password")
      let email = try given.text("email") ?? "\(username)@example.test"
      let id = addUser(username: username, password: password, email: email, world: &world)
      for phone in try given.texts("verified_phones") ?? [] {
        addCallerID(PhoneNumber(phone).normalised, of: id, pin: nil, isVerified: true, world: &world)
      }
      try addBelongings(&given, of: id, &world)
      try given.finish()
    }

    private mutating func addBelongings(_ given: inout GivenMap, of id: Int64, _ world: inout SandboxWorld) throws(SandboxError) {
      if let profile = given.value("profile"), let position = users.firstIndex(where: { $0.id == id }) {
        users[position].profile = try Sections.profile.given(profile, at: "\(given.path).profile", now: world.now)
      }
      for routes in [SavedRoutes.locations, .devices] {
        for (index, value) in (try given.list(routes.plural) ?? []).enumerated() {
          let kept = try routes.sections.given(value, at: "\(given.path).\(routes.plural)[\(index)]", now: world.now)
          routes.add(kept, of: id, &self, &world)
        }
      }
    }

    // MARK: Changes

    @discardableResult
    mutating func addUser(username: String, password: String?, email: String, world: inout SandboxWorld) -> Int64 {
      let id = world.nextID(of: "rapidsos.user")
      users.append(User(id: id, username: username, password: password, email: email, created: world.now))
      return id
    }

    @discardableResult
    mutating func addCallerID(
      _ number: String, of userID: Int64, pin: String?, isVerified: Bool, world: inout SandboxWorld
    ) -> Int64 {
      let id = world.nextID(of: "rapidsos.caller-id")
      callerIDs.append(CallerID(id: id, userID: userID, number: number, pin: pin, isVerified: isVerified))
      return id
    }

    mutating func add(_ alert: Alert) {
      if alerts.count == 10_000 { alerts.removeFirst() }
      alerts.append(alert)
    }

    mutating func sign(_ upload: Upload) {
      uploads.removeAll { $0.key == upload.key }
      if uploads.count == 1000 { uploads.removeFirst() }
      uploads.append(upload)
    }

    mutating func store(_ photo: Photo) {
      photos.removeAll { $0.key == photo.key }
      if photos.count == 100 { photos.removeFirst() }
      photos.append(photo)
    }

    mutating func addReset(of email: String) {
      if resets.count == 10_000 { resets.removeFirst() }
      resets.append(email)
    }

    // MARK: Look-ups

    func upload(_ key: String) -> Upload? { uploads.first { $0.key == key } }

    func user(named name: String) -> User? { users.first { $0.username == name } }

    func callerID(_ number: String, of userID: Int64) -> Int? {
      callerIDs.firstIndex { $0.userID == userID && $0.number == number }
    }

    func isVerified(_ number: String) -> Bool {
      // Ten digits and eleven from 1 are one number, whoever wrote it down.
      let number = PhoneNumber(number)
      return callerIDs.contains { $0.isVerified && PhoneNumber($0.number).normalised == number.normalised }
    }

    /// What tests and scenarios may see; passwords, PINs and tokens are not in it.
    var overview: Value {
      [
        "users": .list(
          users.map {
            ["id": .int($0.id), "username": .string($0.username), "email": .string($0.email), "profile": .map($0.profile)]
          }),
        "locations": .list(locations.map(\.value)),
        "devices": .list(devices.map(\.value)),
        "photos": .list(
          photos.map { ["key": .string($0.key), "content_type": .string($0.contentType), "bytes": .int(Int64($0.bytes.count))] }),
        "push_numbers": .list(pushTokens.keys.sorted().map { .string($0) }),
        "password_resets": .list(resets.map { .string($0) }),
        "caller_ids": .list(
          callerIDs.map {
            ["id": .int($0.id), "user": .int($0.userID), "caller_id": .string($0.number), "verified": .bool($0.isVerified)]
          }),
        "alerts": .list(
          alerts.map {
            ["alert_id": .string($0.id), "callflow": .string($0.callFlow), "variables": $0.variables, "at": .timestamp($0.at)]
          }),
      ]
    }
  }
}

extension RapidSOSSandbox.Upload {
  /// An upload that a scenario gives, under the names of the step's `fields`; it does not end.
  fileprivate init(_ given: GivenMap) throws(SandboxError) {
    var given = given
    key = try given.requiredText("key")
    accessKeyID = try given.requiredText("aws_access_key_id")
    policy = try given.requiredText("policy")
    signature = try given.requiredText("signature")
    token = try given.text("x_amz_security_token")
    expires = nil
    try given.finish()
  }
}
