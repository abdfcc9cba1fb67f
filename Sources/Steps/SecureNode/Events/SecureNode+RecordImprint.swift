import HTTPTypes
package import StepKit
import Values

extension SecureNode {
  /// `securenode/record-imprint`
  package enum RecordImprint: StepHandler {
    package static let about = About(
      "securenode/record-imprint", "Records that a brand was shown on a device; each time is one more.", effect: .unsafe)
    package static let errors = commonErrors
    package static let example = Example(
      with: """
        {"phone_number_e164": "+61412345678", "displayed_at": "2024-11-21T09:05:00Z", "device_id": "5C1E0001", "platform": "ios",
        "os_version": "17.1", "device_model": "9f86d081"}
        """, outputs: #"{"success": true}"#)

    package struct Input: Sendable {
      let phoneNumberE164: String
      let displayedAt: String?
      let deviceID: String
      let platform: Platform?
      let osVersion: String?
      let deviceModel: String?
      let campaignID: String?
    }

    package typealias Output = Acknowledgement

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = input.encoded
      if body["displayed_at"] == nil { body["displayed_at"] = .string(now(ports)) }
      return try read(try await Client(ports).sendExpecting(.post, "/mobile/branding/imprint", body: .map(body), effect: .unsafe))
    }
  }

  /// An answer that says no more than that it worked, or nothing at all.
  package struct Acknowledgement: Sendable { let success: Bool? }
}

extension SecureNode.RecordImprint.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    phoneNumberE164 = field("phone_number_e164", "The number that called.", constraint: .written(.phoneNumber))
    displayedAt = field("displayed_at", "When, in ISO 8601; now unless given.", constraint: .written(.time))
    deviceID = field("device_id", "The device.", minLength: 1)
    platform = field("platform", "What kind of device it is.")
    osVersion = field("os_version", "The version of its system.")
    deviceModel = field("device_model", "The SHA-256 of its model, in hexadecimal; `hash.sha256` makes one.")
    campaignID = field("campaign_id", "The campaign that the brand belongs to.")
  }
}

extension SecureNode.Acknowledgement: DescribedRecord {
  package init(_ field: inout Fields) { success = field("success", "What the server says of itself, where it says something.") }
}
