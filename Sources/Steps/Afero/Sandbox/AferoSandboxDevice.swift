import SandboxKit
import Values

extension AferoSandbox {
  /// A device, in an account or on a shelf.
  struct Device: Sendable {
    struct Attribute: Sendable {
      let id: Int64
      /// In hex.
      var data: String
      var updated: Int64
    }

    let id: String
    var accountID: String?
    let associationID: String
    let profileID: String
    var name: String
    let created: Int64
    var isOnline = true
    var isLinking = false
    /// Whether its transfer from one account to another has to be verified, rather than being refused.
    var needsVerification = false
    var attributes: [Attribute] = []
    var tags: [ValueMap] = []
    var location: ValueMap?
    var timezone: ValueMap?
    var extendedData: Value = [:]

    /// What lies on the shelf where nobody says what does: no request of the API makes a device.
    static func sample(at now: Timestamp) -> Device {
      var device = Device(
        id: "dev-0", associationID: "0123456789abcdef", profileID: "prf-1", name: "Hall fan", created: now.milliseconds)
      device.write(1, "00", at: now)
      return device
    }

    var plainProfile: Value {
      ["profileId": .string(profileID), "deviceTypeId": "typ-1", "version": 1, "attributes": .list(attributes.map { ["id": .int($0.id)] })]
    }

    mutating func write(_ id: Int64, _ data: String, at now: Timestamp) {
      attributes.removeAll { $0.id == id }
      attributes.append(Attribute(id: id, data: data, updated: now.milliseconds))
      attributes.sort { $0.id < $1.id }
    }

    /// As answers have it; `expansions` says what stands beside it.
    func value(_ expansions: Set<String>, profile: Value) -> Value {
      var map = ValueMap()
      map["deviceId"] = .string(id)
      map["profileId"] = .string(profileID)
      map["deviceTypeId"] = "typ-1"
      map["partnerId"] = "par-1"
      map["friendlyName"] = .string(name)
      map["createdTimestamp"] = .int(created)
      for flag in ["updating", "virtual", "developerDevice"] { map[flag] = false }
      map["disconnectNotificationLevel"] = "LOW"
      if expansions.contains("state") { map["deviceState"] = state }
      if expansions.contains("tags") { map["deviceTags"] = .list(tags.map { .map($0) }) }
      if expansions.contains("attributes") { map["attributes"] = attributeValues }
      if expansions.contains("extendedData") { map["extendedData"] = extendedData }
      if expansions.contains("profile") { map["profile"] = profile }
      if expansions.contains("timezone") { map["timezone"] = .map(timezone ?? Self.noTimezone) }
      return .map(map)
    }

    static let noTimezone = ValueMap(members: ["timezone": "UTC", "userOverride": false])

    private var state: Value {
      var map = ValueMap()
      for name in ["available", "visible", "connected"] { map[name] = .bool(isOnline) }
      for name in ["dirty", "rebooted", "connectable"] { map[name] = false }
      map["linked"] = .bool(!isLinking)
      map["rssi"] = -51
      map["location"] = location.map { .map($0) }
      map["updatedTimestamp"] = .int(attributes.map(\.updated).max() ?? created)
      return .map(map)
    }

    private var attributeValues: Value {
      .list(attributes.map { ["id": .int($0.id), "data": .string($0.data), "updatedTimestamp": .int($0.updated)] })
    }

    var overview: Value {
      [
        "device_id": .string(id), "account_id": accountID.map { .string($0) } ?? .null, "friendly_name": .string(name),
        "online": .bool(isOnline), "attributes": .map(attributes.reduce(into: ValueMap()) { $0[String($1.id)] = .string($1.data) }),
        "tags": .list(tags.map { .map($0) }), "timezone": timezone.map { .map($0) } ?? .null,
      ]
    }
  }
}
