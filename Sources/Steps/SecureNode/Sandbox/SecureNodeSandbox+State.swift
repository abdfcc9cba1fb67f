import SandboxKit
import Values

extension SecureNodeSandbox {
  /// What SecureNode knows.
  package struct State: Sendable {
    var switches = Switches()
    private(set) var brands: [Brand] = []
    var devices: [Device] = []
    private(set) var events: [Event] = []
    /// Events that count, which is what the cap is of.
    private(set) var counted = 0
    /// Successful syncs: what is billed, as the specification has it.
    var deliveries = 0
    var acknowledgements: [ValueMap] = []
    var imprints: [ValueMap] = []
    var logs: [ValueMap] = []
    var uploads: [Upload] = []
    private var lastStamp: Timestamp

    /// A number that has a brand.
    struct Brand: Sendable {
      let number: String
      var name: String?
      var id: String?
      /// A URL as it stands, or nil for none.
      var logoURL: String?
      /// A picture that the sandbox serves itself, by its name.
      var logo: String?
      var reason: String?
      var isActive = true
      var updatedAt: Timestamp
    }

    struct Device: Sendable {
      let id: String
      var members: ValueMap
      var updates = 0
      var presences = 0
      var lastPresence: String?
    }

    struct Event: Sendable {
      let id: String
      /// Whose it is: of two accounts each has its own `event_key`s.
      let apiKey: String
      let key: String?
      let members: ValueMap
      let answer: ValueMap
      let isCounted: Bool
    }

    struct Upload: Sendable {
      let id: String
      let nonce: String
    }

    init(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) {
      var given = given
      lastStamp = world.now
      _ = try given.text("prefix")
      try switches.read(&given, at: world.now)
      for var brand in try given.maps("brands") ?? [] {
        try putBrand(&brand, at: world.now)
        try brand.finish()
      }
      for var device in try given.maps("devices") ?? [] {
        let id = try device.requiredText("device_id")
        let platform = try device.text("platform") ?? "ios"
        try device.finish()
        devices.append(Device(id: id, members: ValueMap(members: ["device_id": .string(id), "platform": .string(platform)])))
      }
      try given.finish()
    }

    /// A moment that no sync and no change before has had, so that a cursor parts what came before it from what came after.
    mutating func stamp(_ now: Timestamp) -> Timestamp {
      lastStamp = max(now, lastStamp.advanced(by: .milliseconds(1)))
      return lastStamp
    }

    /// Adds a brand, or changes what is given of one.
    mutating func putBrand(_ given: inout GivenMap, at time: Timestamp) throws(SandboxError) {
      let number = try given.requiredText("phone_number_e164")
      let position = brands.firstIndex { $0.number == number }
      var brand = position.map { brands[$0] } ?? Brand(number: number, updatedAt: time)
      brand.updatedAt = time
      brand.name = try given.text("brand_name") ?? brand.name
      brand.id = try given.text("brand_id") ?? brand.id
      brand.logoURL = try given.text("logo_url") ?? brand.logoURL
      brand.logo = try given.text("logo") ?? brand.logo
      brand.reason = try given.text("call_reason") ?? brand.reason
      brand.isActive = try given.flag("is_active") ?? brand.isActive
      if let text = try given.text("updated_at") {
        guard let time = Timestamp(rfc3339: text) else {
          throw SandboxError("`\(text)` is no time of ISO 8601", at: "\(given.path).updated_at")
        }
        brand.updatedAt = time
      }
      if let position { brands[position] = brand } else { brands.append(brand) }
    }

    /// False where no brand has the number.
    mutating func removeBrand(_ number: String) -> Bool {
      guard let position = brands.firstIndex(where: { $0.number == number }) else { return false }
      brands.remove(at: position)
      return true
    }

    mutating func add(_ event: Event) {
      if event.isCounted { counted += 1 }
      Self.keep(event, in: &events)
    }

    /// Adds one, and forgets the oldest of many, so that a sandbox may stand for days.
    static func keep<Thing>(_ thing: Thing, in things: inout [Thing]) {
      if things.count == 10_000 { things.removeFirst(1000) }
      things.append(thing)
    }

    func device(_ id: String) -> Int? { devices.firstIndex { $0.id == id } }

    var config: Value { switches.config(used: counted) }
  }
}

extension SecureNodeSandbox.State {
  var overview: Value {
    [
      "brands": .list(
        brands.map {
          ["phone_number_e164": .string($0.number), "brand_name": $0.name.map { .string($0) } ?? .null, "is_active": .bool($0.isActive)]
        }),
      "devices": .list(devices.map(\.overview)),
      "events": .list(events.map(\.overview)),
      "billed_deliveries": .int(Int64(deliveries)),
      "counted_events": .int(Int64(counted)),
      "acknowledgements": .list(acknowledgements.map { .map($0) }),
      "imprints": .list(imprints.map { .map($0) }),
      "logs": .list(logs.map { .map($0) }),
      "uploads": .list(uploads.map { ["id": .string($0.id), "nonce": .string($0.nonce)] }),
      "config": config,
    ]
  }
}

extension SecureNodeSandbox.State.Device {
  fileprivate var overview: Value {
    var map = members
    map["updates"] = .int(Int64(updates))
    map["presences"] = .int(Int64(presences))
    map["last_presence"] = lastPresence.map { .string($0) } ?? .null
    return .map(map)
  }
}

extension SecureNodeSandbox.State.Event {
  fileprivate var overview: Value {
    var map = members
    map["id"] = .string(id)
    map["counted"] = .bool(isCounted)
    map["reason"] = answer["reason"] ?? .null
    return .map(map)
  }
}
