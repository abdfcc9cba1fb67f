import SandboxKit
import Values

extension SAMISandbox.State {
  /// Without users and types of devices there are those of the document's examples.
  init(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    try switches.read(&given)
    for user in try given.maps("users") ?? [] { users.append(try SAMISandbox.User(user, number: users.count + 1)) }
    if users.isEmpty { users = [.tess] }
    account = try given.text("account") ?? users.first?.id
    if account == "" { account = nil }
    if let list = try given.maps("clients") {
      var known: [SAMISandbox.Client] = []
      for client in list { known.append(try SAMISandbox.Client(client)) }
      clients = known
    }
    for type in try given.maps("device_types") ?? [] { types.append(try SAMISandbox.DeviceType(type)) }
    if types.isEmpty { types = [.pedometer, .light] }
    for number in 0..<(try given.int("other_devices") ?? 0) {
      devices.append(.init(id: "d-other-\(number + 1)", uid: users[0].id, type: types[0], name: "Other device \(number + 1)"))
    }
    for device in try given.maps("devices") ?? [] { try add(device) }
    for entry in try given.maps("properties") ?? [] { try addProperties(entry) }
    for code in try given.maps("codes") ?? [] { try addCode(code) }
    for subscription in try given.maps("subscriptions") ?? [] { try addSubscription(subscription, &world) }
    for rule in try given.maps("rules") ?? [] { try addRule(rule, &world) }
    for message in try given.maps("messages") ?? [] { try addMessage(message, &world) }
    for export in try given.maps("exports") ?? [] { try addExport(export, &world) }
    try given.finish()
  }

  private mutating func add(_ given: GivenMap) throws(SandboxError) {
    var given = given
    let id = try given.requiredText("id")
    guard device(id) == nil else { throw SandboxError("`\(id)` is given twice", at: "\(given.path).id") }
    let dtid = try given.text("dtid") ?? types[0].id
    guard let type = type(dtid) else { throw SandboxError("there is no type `\(dtid)`", at: "\(given.path).dtid") }
    let uid = try given.text("uid") ?? users[0].id
    guard user(uid) != nil else { throw SandboxError("there is no user `\(uid)`", at: "\(given.path).uid") }
    var device = SAMISandbox.Device(id: id, uid: uid, type: type, name: try given.text("name") ?? "Device \(id)")
    device.manifestVersion = try given.int("manifest_version") ?? device.manifestVersion
    device.policy = try given.text("manifest_version_policy") ?? device.policy
    device.needsProviderAuth = try given.flag("need_provider_auth") ?? false
    if let token = try given.text("token") { deviceTokens[id] = token }
    devices.append(device)
    try given.finish()
  }

  private mutating func addProperties(_ given: GivenMap) throws(SandboxError) {
    var given = given
    let uid = try given.text("uid") ?? users[0].id
    properties[uid, default: [:]][try given.requiredText("aid")] = try given.requiredText("properties")
    try given.finish()
  }

  private mutating func addCode(_ given: GivenMap) throws(SandboxError) {
    var given = given
    let code = Code(
      uid: try given.text("uid") ?? users[0].id, client: try given.text("client_id") ?? "", scope: "read,write",
      redirect: try given.text("redirect_uri"), expires: nil)
    codes[try given.requiredText("code")] = code
    try given.finish()
  }

  private mutating func addMessage(_ given: GivenMap, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let sdid = try given.requiredText("sdid")
    guard let device = device(sdid) else { throw SandboxError("there is no device `\(sdid)`", at: "\(given.path).sdid") }
    let due = try given.span("in").map { world.now.advanced(by: $0) }
    let ts = try given.int("ts").map { Int64($0) } ?? (due ?? world.now).milliseconds
    let data = given.value("data") ?? [:]
    if let due {
      expect(Coming(due: due, sdid: sdid, ts: ts, data: data))
    } else {
      take(data, of: device, ddid: nil, ts: ts, cts: ts, &world)
    }
    try given.finish()
  }

  private mutating func addExport(_ given: GivenMap, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    exports.append(
      SAMISandbox.Export(
        id: try given.requiredText("id"), aid: try given.text("aid"), uid: try given.text("uid") ?? users[0].id,
        selection: .init(uids: [users[0].id], sdids: [], sdtids: []), startDate: Int64(try given.int("start_date") ?? 0),
        endDate: Int64(try given.int("end_date") ?? 0), isDescending: false, format: "json", hasHeaders: true, requested: world.now))
    try given.finish()
  }

  private mutating func addSubscription(_ given: GivenMap, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let nonce = try given.text("nonce")
    var subscription = SAMISandbox.Subscription(
      id: try given.requiredText("id"), aid: try given.text("aid") ?? "app-1", messageType: try given.text("message_type") ?? "message",
      uid: try given.text("uid") ?? users[0].id, callbackURL: try given.text("callback_url") ?? "https://hooks.example.test/sami",
      nonce: nonce ?? world.secret(length: 16), created: world.now)
    subscription.ddid = try given.text("ddid")
    subscription.sdid = try given.text("sdid")
    subscription.sdtid = try given.text("sdtid")
    // One with a nonce still has to be confirmed.
    subscription.isActive = nonce == nil
    subscriptions.append(subscription)
    try given.finish()
  }

  private mutating func addRule(_ given: GivenMap, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let rule = SAMISandbox.Rule(
      id: try given.requiredText("id"), aid: try given.text("aid") ?? "app-1", uid: try given.text("uid") ?? users[0].id,
      name: try given.text("name") ?? "rule", description: try given.text("description"), rule: given.value("rule") ?? [:],
      isEnabled: try given.flag("enabled") ?? true, created: world.now)
    guard rule.isValid else { throw SandboxError("`rule` needs `if` and `then`", at: given.path) }
    rules.append(rule)
    try given.finish()
  }
}

extension SAMISandbox.User {
  static let tess = SAMISandbox.User(
    id: "u-12", name: "tstep", email: "tstep@example.test", fullName: "Tess Step", saIdentity: nil, createdOn: 1_403_042_304_000,
    modifiedOn: 1_403_042_305_000)

  fileprivate init(_ given: GivenMap, number: Int) throws(SandboxError) {
    var given = given
    id = try given.text("id") ?? "u-\(number)"
    name = try given.requiredText("name")
    email = try given.text("email") ?? "\(name)@example.test"
    fullName = try given.text("full_name") ?? name
    saIdentity = try given.text("sa_identity")
    createdOn = 1_403_042_304_000
    modifiedOn = 1_403_042_305_000
    try given.finish()
  }
}

extension SAMISandbox.Client {
  fileprivate init(_ given: GivenMap) throws(SandboxError) {
    var given = given
    id = try given.requiredText("client_id")
    secret = try given.requiredText("client_secret")
    redirects = try given.texts("redirect_uris") ?? []
    try given.finish()
  }
}

extension SAMISandbox.Device {
  /// A new one: it has the newest manifest, and takes newer ones.
  init(id: String, uid: String, type: SAMISandbox.DeviceType, name: String) {
    self.init(
      id: id, uid: uid, dtid: type.id, name: name, manifestVersion: type.manifests.count, policy: "LATEST", needsProviderAuth: false)
  }
}

extension SAMISandbox.DeviceType {
  static let pedometer = SAMISandbox.DeviceType(
    id: "dt-7", uid: "u-1", name: "iPhone Pedometer", uniqueName: "io.samsungsami.example.iPhonePedometer", isPublished: true,
    manifests: [
      .init(fields: [("numberOfSteps", "Integer", "SI.ONE", false, "steps")], actions: ValueMap()),
      .init(
        fields: [
          ("numberOfSteps", "Integer", "SI.ONE", false, "steps"), ("floorsAscended", "Integer", "SI.ONE", false, "floors up"),
          ("floorsDescended", "Integer", "SI.ONE", false, "floors down"), ("distance", "Double", "SI.METER", false, "metres"),
        ], actions: ValueMap()),
    ])
  static let light = SAMISandbox.DeviceType(
    id: "dt-9", uid: "u-1", name: "SAMI Example Smart Light", uniqueName: "io.samsungsami.example.smart_light", isPublished: true,
    manifests: [
      .init(
        fields: [("state", "String", nil, false, "on or off")],
        actions: ValueMap(members: ["setOn": ["parameters": [:]], "setOff": ["parameters": [:]]]))
    ])

  fileprivate init(_ given: GivenMap) throws(SandboxError) {
    var given = given
    id = try given.requiredText("id")
    uid = try given.text("uid") ?? "u-1"
    name = try given.text("name") ?? id
    uniqueName = try given.text("unique_name") ?? name
    isPublished = try given.flag("published") ?? true
    var manifests: [SAMISandbox.Manifest] = []
    for manifest in try given.maps("manifests") ?? [] { manifests.append(try SAMISandbox.Manifest(manifest)) }
    self.manifests = manifests.isEmpty ? [.init(fields: [], actions: ValueMap())] : manifests
    try given.finish()
  }
}

extension SAMISandbox.Manifest {
  /// `fields` are types by name, such as `{ steps: Integer }`; `actions` a list of names.
  fileprivate init(_ given: GivenMap) throws(SandboxError) {
    var given = given
    var fields: [(name: String, type: String, unit: String?, isCollection: Bool, description: String?)] = []
    if let value = given.value("fields") {
      var types = try GivenMap(value, at: "\(given.path).fields")
      for name in types.keys { fields.append((name, try types.text(name) ?? "String", nil, false, nil)) }
    }
    var actions = ValueMap()
    for name in try given.texts("actions") ?? [] { actions[name] = ["parameters": [:]] }
    self.init(fields: fields, actions: actions)
    try given.finish()
  }
}
