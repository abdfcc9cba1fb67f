import HTTPTypes
package import StepKit
import Values

extension SecureNode {
  /// `securenode/register-device`
  package enum RegisterDevice: StepHandler {
    package static let about = About(
      "securenode/register-device", "Registers a device, or takes over what is new of one that is registered.", effect: .idempotent)
    package static let errors = commonErrors
    package static let example = Example(
      with: """
        {"device_id": "5C1E0001", "platform": "ios", "device_type": "iPhone (17.1)", "os_version": "17.1", "app_version": "1.0",
        "sdk_version": "1.0"}
        """, outputs: #"{"success": true, "device": "*"}"#)

    package struct Input: Sendable {
      let deviceID: String
      let platform: Platform
      let deviceType: String?
      let osVersion: String?
      let appVersion: String?
      let sdkVersion: String?
      let customerName: String?
      let customerAccountNumber: String?
    }

    package struct Output: Sendable {
      let success: Bool?
      let device: Value?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      try Output.decode(
        try await Client(ports).sendExpecting(.post, "/mobile/device/register", body: input.value, effect: .idempotent))
    }
  }

  /// `securenode/update-device`
  package enum UpdateDevice: StepHandler {
    package static let about = About(
      "securenode/update-device", "Says what is new of a device, and that it is alive; costs nothing.", effect: .idempotent)
    package static let errors = [deviceNotRegistered] + commonErrors
    package static let example = Example(
      with: """
        {"device_id": "5C1E0001", "platform": "ios", "last_seen": "2024-11-21T09:00:00Z",
        "capabilities": {"contacts_enabled": true, "call_directory_enabled": true, "background_refresh": true}}
        """,
      outputs: #"{"success": true, "updated_at": "*"}"#, given: #"{"devices": [{"device_id": "5C1E0001", "platform": "ios"}]}"#)

    package struct Input: Sendable {
      let deviceID: String
      let platform: Platform
      let appVersion: String?
      let sdkVersion: String?
      let osVersion: String?
      let lastSeen: String?
      let capabilities: Capabilities?
    }

    package struct Output: Sendable {
      let success: Bool?
      let updatedAt: String?
    }

    /// A 404 in SecureNode's own envelope is about the device, whichever place it came from; any other is about the path.
    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await Client(ports).send(
        .post, "/mobile/device/update", body: .map(body(input, withoutEmpty: "last_seen")), effect: .idempotent)
      guard reply.isSuccess else { throw failure(reply, Refusal(reply).isEnvelope ? [404: deviceNotRegistered] : [:]) }
      return try Output.decode(reply)
    }
  }

  /// What a device can do and may do.
  package struct Capabilities: Sendable {
    let contactsEnabled: Bool?
    let contactsPhotosEnabled: Bool?
    let callDirectoryEnabled: Bool?
    let backgroundRefresh: Bool?
  }

  /// `securenode/send-presence`
  package enum SendPresence: StepHandler {
    package static let about = About("securenode/send-presence", "Says that a device is there; nothing is counted.", effect: .idempotent)
    package static let errors = commonErrors
    package static let example = Example(
      with: """
        {"device_id": "5C1E0001", "observed_at": "2024-11-21T09:05:00Z", "platform": "ios", "os_version": "17.1",
        "last_synced_at": "2024-11-21T09:00:00Z"}
        """, outputs: #"{"success": true}"#)

    package struct Input: Sendable {
      let deviceID: String
      let observedAt: String?
      let platform: Platform?
      let osVersion: String?
      let lastSyncedAt: String?
    }

    package typealias Output = Acknowledgement

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = body(input, withoutEmpty: "observed_at", "last_synced_at")
      if body["observed_at"] == nil { body["observed_at"] = .string(now(ports)) }
      return try read(try await Client(ports).sendExpecting(.post, "/mobile/device/presence", body: .map(body), effect: .idempotent))
    }
  }
}

extension SecureNode.RegisterDevice.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceID = field("device_id", "A random UUID that the device keeps.", minLength: 1)
    platform = field("platform", "What kind of device it is.")
    deviceType = field("device_type", "Such as `iPhone (17.1)`.")
    osVersion = field("os_version", "The version of its system.")
    appVersion = field("app_version", "The version of the app.")
    sdkVersion = field("sdk_version", "The version of the kit.")
    customerName = field("customer_name", "Whose it is.")
    customerAccountNumber = field("customer_account_number", "Their account with whoever made the app.")
  }
}

extension SecureNode.RegisterDevice.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    success = field("success", "What the server says of itself.")
    device = field("device", "The device as the server keeps it.")
  }
}

extension SecureNode.UpdateDevice.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceID = field("device_id", "The device.", minLength: 1)
    platform = field("platform", "What kind of device it is.")
    appVersion = field("app_version", "The version of the app.")
    sdkVersion = field("sdk_version", "The version of the kit.")
    osVersion = field("os_version", "The version of its system.")
    lastSeen = field("last_seen", "When it was alive, in ISO 8601; the portal shows it.", constraint: .written(.timeOrEmpty))
    capabilities = field("capabilities", "What it can do and may do.")
  }
}

extension SecureNode.UpdateDevice.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    success = field("success", "What the server says of itself.")
    updatedAt = field("updated_at", "When the server took it over, in ISO 8601.")
  }
}

extension SecureNode.Capabilities: DescribedRecord {
  package init(_ field: inout Fields) {
    contactsEnabled = field("contacts_enabled", "Whether brands become contacts.")
    contactsPhotosEnabled = field("contacts_photos_enabled", "Whether with their pictures.")
    callDirectoryEnabled = field("call_directory_enabled", "Whether the system shows brands when it rings.")
    backgroundRefresh = field("background_refresh", "Whether the app may sync in the background.")
  }
}

extension SecureNode.SendPresence.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceID = field("device_id", "The device.", minLength: 1)
    observedAt = field("observed_at", "When it was there, in ISO 8601; now unless given.", constraint: .written(.timeOrEmpty))
    platform = field("platform", "What kind of device it is.")
    osVersion = field("os_version", "The version of its system.")
    lastSyncedAt = field("last_synced_at", "The `synced_at` of its last sync.", constraint: .written(.timeOrEmpty))
  }
}
