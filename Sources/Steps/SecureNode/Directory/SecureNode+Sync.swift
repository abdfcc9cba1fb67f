import HTTPTypes
package import StepKit
import Values

extension SecureNode {
  /// `securenode/sync`
  package enum Sync: StepHandler {
    package static let about = About(
      "securenode/sync", "Brings a directory of branded numbers up to date: all of it, or what has changed since.", effect: .read)
    package static let errors = commonErrors
    package static let example = Example(
      with: #"{"device_id": "5C1E0001"}"#,
      outputs: """
        {"directory": [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "brand_id": "b-1",
        "updated_at": "2024-11-20T03:00:00Z"}], "changed": "*", "removed": [], "synced_at": "*", "is_full": true, "success": true,
        "config": "*"}
        """,
      given: """
        {"brands": [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "brand_id": "b-1",
        "updated_at": "2024-11-20T03:00:00Z"}]}
        """)

    package struct Input: Sendable {
      let since: String?
      let deviceID: String?
      let directory: [Item]
    }

    package struct Output: Sendable {
      let directory: [Item]
      let changed: [Item]
      let removed: [String]
      let syncedAt: String
      let isFull: Bool
      let success: Bool?
      let config: Config?
    }

    struct Wire: Sendable {
      let success: Bool?
      let branding: [WireItem]
      let syncedAt: String
      let config: Config?
    }

    /// The directory that was given is never touched: a sync that fails leaves it as it is.
    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let since = stated(input.since)
      var query: [(name: String, value: String)] = []
      if let since { query.append(("since", since)) }
      if let device = stated(input.deviceID) { query.append(("device_id", device)) }
      let reply = try await Client(ports).sendExpecting(.get, "/mobile/branding/sync", query: query, effect: .read)
      let wire = try Wire.decode(reply)
      var directory = Directory(since == nil ? [] : input.directory)
      directory.merge(wire.branding)
      return Output(
        directory: directory.items, changed: wire.branding.filter { $0.isActive != false }.map { Item(clamping: $0) },
        removed: wire.branding.filter { $0.isActive == false }.map { Item(clamping: $0).phoneNumberE164 }, syncedAt: wire.syncedAt,
        isFull: since == nil, success: wire.success, config: wire.config)
    }
  }

  /// `securenode/ack-sync`
  package enum AckSync: StepHandler {
    package static let about = About(
      "securenode/ack-sync", "Tells SecureNode which numbers a sync has brought; older clients do, and nobody has to.", effect: .idempotent)
    package static let errors = commonErrors
    package static let example = Example(
      with: #"{"last_synced_at": "2024-11-21T09:00:00Z", "e164_numbers": ["+61412345678", "+61298765432"]}"#,
      outputs: #"{"success": true, "last_synced_at": "*"}"#)

    package struct Input: Sendable {
      let lastSyncedAt: String?
      let e164Numbers: [String]?
    }

    package struct Output: Sendable {
      let success: Bool?
      let lastSyncedAt: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await Client(ports).sendExpecting(
        .post, "/mobile/branding/sync", body: .map(body(input, withoutEmpty: "last_synced_at")), effect: .idempotent)
      return try Output.decode(reply)
    }
  }
}

extension SecureNode.Sync.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    since = field(
      "since", "The `synced_at` of the sync before; everything is fetched where it is missing or empty.", constraint: .written(.timeOrEmpty)
    )
    deviceID = field("device_id", "The device that asks.")
    directory = field("directory", "The numbers that are stored, which a sync of changes goes into.", default: [])
  }
}

extension SecureNode.Sync.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    directory = field("directory", "All numbers from now on, to be stored.")
    changed = field("changed", "Those that this sync has brought.")
    removed = field("removed", "The numbers that this sync has switched off.")
    syncedAt = field("synced_at", "The `since` of the next sync.")
    isFull = field("is_full", "Whether everything was fetched, so that nothing of before is left.")
    success = field("success", "What the server says of itself.")
    config = field("config", "What the portal says of the account.")
  }
}

extension SecureNode.Sync.Wire: DescribedRecord {
  init(_ field: inout Fields) {
    success = field("success", "")
    branding = field("branding", "")
    // Refused here: once it is stored, each later sync would be.
    syncedAt = field("synced_at", "", constraint: .written(.time))
    config = field("config", "")
  }
}

extension SecureNode.AckSync.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    lastSyncedAt = field("last_synced_at", "The `synced_at` of the sync.", constraint: .written(.timeOrEmpty))
    // As they came: a server may brand a number that is none of E.164, and has sent it all the same.
    e164Numbers = field("e164_numbers", "The numbers that it brought.")
  }
}

extension SecureNode.AckSync.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    success = field("success", "What the server says of itself.")
    lastSyncedAt = field("last_synced_at", "When the server took note of it.")
  }
}
