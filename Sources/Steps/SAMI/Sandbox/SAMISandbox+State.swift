import SandboxKit
import Values

extension SAMISandbox {
  /// What SAMI knows.
  package struct State: Sendable {
    /// A code that stands for a person's consent.
    struct Code: Sendable {
      let uid: String
      let client: String
      let scope: String
      let redirect: String?
      /// Nil does not end.
      let expires: Timestamp?
    }

    var users: [User] = []
    /// Nil accepts any id with any secret and any redirect.
    var clients: [Client]?
    var types: [DeviceType] = []
    var devices: [Device] = []
    /// By device.
    var deviceTokens: [String: String] = [:]
    /// Oldest first by arrival; a sandbox may stand for days.
    private(set) var messages: [Message] = []
    /// Messages that are yet to come, the nearest one first.
    private(set) var coming: [Coming] = []
    /// By user and application.
    var properties: [String: [String: String]] = [:]
    var exports: [Export] = []
    var subscriptions: [Subscription] = []
    var notifications: [Notification] = []
    var rules: [Rule] = []
    var codes: [String: Code] = [:]
    var tokens = TokenBook()
    /// The consents of the implicit grant.
    var implicitFamilies: Set<Int64> = []
    /// Who is signed in at the accounts host, in the browser; nil is nobody.
    var account: String?
    var listeners: [SandboxSocketID: Listener] = [:]
    var channels: [SandboxSocketID: Channel] = [:]
    var limits = CallLimits()
    var switches = Switches()

    mutating func keep(_ message: Message) {
      if messages.count == 20_000 { messages.removeFirst(2000) }
      messages.append(message)
    }

    /// A message that devices of nobody's flow send at a certain moment.
    struct Coming: Sendable {
      let due: Timestamp
      let sdid: String
      let ts: Int64
      let data: Value
    }

    mutating func expect(_ message: Coming) {
      let position = coming.firstIndex { message.due < $0.due } ?? coming.endIndex
      coming.insert(message, at: position)
    }

    /// Takes the messages whose moment has come.
    mutating func takeDue(_ world: inout SandboxWorld) {
      while let next = coming.first, next.due <= world.now {
        coming.removeFirst()
        guard let device = device(next.sdid) else { continue }
        take(next.data, of: device, ddid: nil, ts: next.ts, cts: next.due.milliseconds, &world)
      }
    }

    // MARK: Look-ups

    func user(_ id: String) -> User? { users.first { $0.id == id } }
    func device(_ id: String) -> Device? { devices.first { $0.id == id } }
    func type(_ id: String) -> DeviceType? { types.first { $0.id == id } }

    /// - Throws: 404 for a user that there is not, 403 for one whose data the token does not show.
    func checkUser(_ id: String, _ principal: Principal) throws(SandboxReply) {
      guard user(id) != nil else { throw Refusal.userUnknown }
      try principal.check(owner: id)
    }

    /// - Throws: 404 and 403 likewise.
    func device(_ id: String, for principal: Principal) throws(SandboxReply) -> Device {
      guard let device = device(id) else { throw Refusal.notFound }
      try principal.check(device)
      return device
    }

    /// The version of the manifest that reads a device's messages now.
    func manifestVersion(of device: Device) -> Int {
      device.policy == "DEVICE" ? device.manifestVersion : type(device.dtid)?.manifests.count ?? device.manifestVersion
    }

    /// What tests and scenarios may see; tokens and nonces are not in it.
    var overview: Value {
      [
        "users": .list(users.map(\.value)), "devices": .list(devices.map { $0.value() }),
        "messages": .list(messages.filter { $0.sdid != nil }.map(\.value)),
        "actions": .list(messages.filter { $0.sdid == nil }.map(\.value)),
        "device_tokens": .list(deviceTokens.keys.sorted().map { .string($0) }),
        "properties": .map(
          properties.keys.sorted().reduce(into: ValueMap()) { map, uid in
            map[uid] = .map(
              (properties[uid] ?? [:]).sorted { $0.key < $1.key }.reduce(into: ValueMap()) { $0[$1.key] = .string($1.value) })
          }),
        "exports": .list(exports.map { ["id": .string($0.id), "served": .bool($0.isServed)] }),
        "subscriptions": .list(subscriptions.map(\.value)), "notifications": .list(notifications.map { .string($0.id) }),
        "rules": .list(rules.map(\.value)), "account": account.map { .string($0) } ?? .null,
      ]
    }
  }
}

/// A page of a list.
struct SAMIPage {
  let offset: Int
  let count: Int

  /// The fields of a query.
  static func fields(most: Int = 100) -> [SAMISandbox.Field] {
    [.init("count", .integer, least: 1, most: most), .init("offset", .integer, least: 0)]
  }

  /// Assumed: 100, which the demo takes for all.
  init(_ query: Value) {
    offset = query["offset"]?.intValue.flatMap { Int(exactly: $0) } ?? 0
    count = Int(query["count"]?.intValue ?? 100)
  }

  func of<Item>(_ items: [Item]) -> ArraySlice<Item> { items.dropFirst(offset).prefix(count) }

  /// `{"data": {NAME: […]}, "total", "offset", "count"}`; for a name that is nil the list itself is in `data`.
  func reply<Item>(_ items: [Item], _ name: String?, _ value: (Item) -> Value) -> Value {
    let page = of(items)
    let list = Value.list(page.map(value))
    return [
      "data": name.map { SAMISandbox.object([($0, list)]) } ?? list, "total": .int(Int64(items.count)), "offset": .int(Int64(offset)),
      "count": .int(Int64(page.count)),
    ]
  }
}
