import SandboxKit
import Values

extension AferoSandbox.State {
  init(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    try switches.read(&given)
    for var client in try given.maps("clients") ?? [] {
      clients = clients ?? [:]
      clients?[try client.requiredText("client_id")] = try client.requiredText("client_secret")
      try client.finish()
    }
    for (index, profile) in (try given.list("profiles") ?? []).enumerated() {
      guard let id = profile["profileId"]?.stringValue else {
        throw SandboxError("`profileId` is missing", at: "\(given.path).profiles[\(index)]")
      }
      profiles[id] = profile
    }
    let shelf = try given.maps("devices")
    for device in shelf ?? [] { try add(device, to: nil, &world) }
    for user in try given.maps("users") ?? [] { try add(user, &world) }
    let sample = AferoSandbox.Device.sample(at: world.now)
    if shelf == nil, !devices.contains(where: { $0.associationID == sample.associationID || $0.id == sample.id }) { devices.append(sample) }
    try given.finish()
  }

  private mutating func add(_ given: GivenMap, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let address = try given.requiredText("username")
    guard user(credential: address) == nil else { throw SandboxError("`\(address)` is given twice", at: "\(given.path).username") }
    var person = User(
      id: "usr-\(world.nextID(of: "afero.user"))", firstName: try given.text("first_name") ?? "Pat",
      lastName: try given.text("last_name") ?? "Doe", credentialID: address, password: try given.text("password"))
    person.isVerified = try given.flag("verified") ?? false
    person.partners = (try given.list("partner_access") ?? [])
    for var mobile in try given.maps("mobile_devices") ?? [] {
      person.mobileDevices[AferoSandbox.AccountRoutes.key(try mobile.requiredText("mobile_device_id"))] = [:]
      try mobile.finish()
    }
    if let code = try given.text("reset_code") { resetCodes[code] = address }
    let account = try given.text("account_id") ?? freeAccountID(&world)
    guard !accounts.contains(where: { $0.id == account }) else {
      throw SandboxError("`\(account)` is given twice", at: "\(given.path).account_id")
    }
    addUser(
      person, accountID: account, type: "CUSTOMER", description: try given.text("description") ?? "Primary Account", now: world.now)
    for access in try given.maps("access") ?? [] { try add(access, of: person.id) }
    try addBelongings(&given, of: account, &world)
    try given.finish()
  }

  /// What somebody may do in another's account.
  private mutating func add(_ given: GivenMap, of userID: String) throws(SandboxError) {
    var given = given
    let account = try given.requiredText("account_id")
    guard accounts.contains(where: { $0.id == account }) else {
      throw SandboxError("no account `\(account)` so far; give its owner first", at: "\(given.path).account_id")
    }
    access.append(
      Access(
        accountID: account, userID: userID, isOwner: try given.flag("owner") ?? false, canWrite: try given.flag("can_write") ?? false))
    try given.finish()
  }

  private mutating func addBelongings(
    _ given: inout GivenMap, of account: String, _ world: inout SandboxWorld
  ) throws(SandboxError) {
    for device in try given.maps("devices") ?? [] { try add(device, to: account, &world) }
    for kind in AferoSandbox.Kind.all {
      for (index, value) in (try given.list(kind.givenName) ?? []).enumerated() {
        let path = "\(given.path).\(kind.givenName)[\(index)]"
        let idName = AferoSandbox.flowName(kind.idName)
        let id = value[idName]?.stringValue
        if let id, (kept[kind.plural] ?? []).contains(where: { $0.id == id }) {
          throw SandboxError("`\(id)` is given twice", at: "\(path).\(idName)")
        }
        kind.add(
          try AferoSandbox.given(.map(withAccount(value, account, kind)), kind.form, at: path), in: account, id: id, &self, &world)
      }
    }
    for email in try given.texts("invitations") ?? [] {
      invitations.append(
        Invitation(
          id: "inv-\(world.nextID(of: "afero.invitation"))", accountID: account, email: email, created: world.now.milliseconds))
    }
    for (index, value) in (try given.list("activities") ?? []).enumerated() {
      var body = try AferoSandbox.given(value, AferoSandbox.activity, at: "\(given.path).activities[\(index)]")
      body["historyId"] = .string("h-\(world.nextID(of: "afero.history"))")
      append(body, in: account)
    }
  }

  private func withAccount(_ value: Value, _ account: String, _ kind: AferoSandbox.Kind) -> ValueMap {
    var map = value.mapValue ?? ValueMap()
    if kind.namesAccount { map["account_id"] = .string(account) }
    return map
  }

  private mutating func add(_ given: GivenMap, to account: String?, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let own = try given.text("device_id")
    var number = world.nextID(of: "afero.device")
    while own == nil, devices.contains(where: { $0.id == "dev-\(number)" }) { number = world.nextID(of: "afero.device") }
    let id = own ?? "dev-\(number)"
    guard !devices.contains(where: { $0.id == id }) else { throw SandboxError("`\(id)` is given twice", at: "\(given.path).device_id") }
    var device = AferoSandbox.Device(
      id: id, accountID: account, associationID: try given.text("association_id") ?? "association-\(number)",
      profileID: try given.text("profile_id") ?? "prf-1", name: try given.text("friendly_name") ?? "Device \(number)",
      created: world.now.milliseconds)
    guard !devices.contains(where: { $0.associationID == device.associationID }) else {
      throw SandboxError("`\(device.associationID)` is given twice", at: "\(given.path).association_id")
    }
    try device.read(&given, now: world.now)
    for (index, value) in (try given.list("tags") ?? []).enumerated() {
      var tag = try AferoSandbox.given(value, AferoSandbox.tag, at: "\(given.path).tags[\(index)]")
      tag["deviceTagId"] = .string("tag-\(world.nextID(of: "afero.tag"))")
      device.tags.append(AferoSandbox.answered(tag))
    }
    if let location = given.value("location") {
      device.location = try AferoSandbox.given(location, AferoSandbox.location, at: "\(given.path).location")
      device.location?["lastUpdatedTimestamp"] = .int(world.now.milliseconds)
    }
    if let timezone = given.value("timezone") {
      device.timezone = try AferoSandbox.given(timezone, AferoSandbox.timezone, at: "\(given.path).timezone")
    }
    try given.finish()
    devices.append(device)
    if let account { log("ASSOCIATE", "\(device.name) was added", device, in: account, world: &world) }
  }

  /// `change: { device: { device_id, … } }`
  mutating func changeDevice(_ what: Value, at path: String, now: Timestamp) throws(SandboxError) {
    var given = try GivenMap(what, at: path)
    let id = try given.requiredText("device_id")
    guard let position = devices.firstIndex(where: { $0.id == id }) else { throw SandboxError("no device `\(id)`", at: path) }
    try devices[position].read(&given, now: now)
    try given.finish()
  }
}

extension AferoSandbox.Device {
  /// What may be given of it, and changed in the middle of a run.
  fileprivate mutating func read(_ given: inout GivenMap, now: Timestamp) throws(SandboxError) {
    isOnline = try given.flag("online") ?? isOnline
    isLinking = try given.flag("linking") ?? isLinking
    needsVerification = try given.flag("needs_verification") ?? needsVerification
    extendedData = given.value("extended_data") ?? extendedData
    guard let values = given.value("attributes") else { return }
    var map = try GivenMap(values, at: "\(given.path).attributes")
    for key in map.keys {
      guard let number = Int64(key), let data = try map.text(key), AferoSandbox.Pattern.hex.matches(data) else {
        throw SandboxError("attributes are numbers with bytes in hex, such as `\"1\": \"01\"`", at: "\(given.path).attributes.\(key)")
      }
      write(number, data.lowercased(), at: now)
    }
  }
}
