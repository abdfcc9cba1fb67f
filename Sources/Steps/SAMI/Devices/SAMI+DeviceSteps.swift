import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/create-device`
  package enum CreateDevice: SAMIOperation {
    package static let about = About("sami/create-device", "Adds a device to a user.", effect: .unsafe, token: .user)
    package static let example = Example(
      with: #"{"uid": "u-12", "dtid": "dt-7", "name": "a1b2c3d4e5f60718293a4b5c6d7e8f90"}"#,
      outputs: """
        {"id": "*", "uid": "u-12", "dtid": "dt-7", "name": "a1b2c3d4e5f60718293a4b5c6d7e8f90", "manifest_version": 2,
          "manifest_version_policy": "LATEST", "need_provider_auth": false}
        """, before: [.consent])

    package struct Input: Sendable {
      let uid: String
      let dtid: String
      let name: String
      let manifestVersion: Int?
      let manifestVersionPolicy: ManifestPolicy?
    }

    package typealias Output = Device

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest { SAMIRequest(.post, "devices", body: input.wire()) }
  }

  /// `sami/update-device`
  package enum UpdateDevice: SAMIOperation {
    package static let about = About("sami/update-device", "Replaces what SAMI knows of a device.", effect: .idempotent)
    package static let errors = usual + [tokenRefused]
    package static let example = Example(
      with: """
        {"id": "d-31", "uid": "u-12", "dtid": "dt-7", "name": "Left pocket", "manifest_version": 1, "manifest_version_policy": "DEVICE"}
        """,
      outputs: """
        {"id": "d-31", "uid": "u-12", "dtid": "dt-7", "name": "Left pocket", "manifest_version": 1, "manifest_version_policy": "DEVICE",
          "need_provider_auth": false}
        """, given: DeviceReference.given, before: [.consent])

    package struct Input: Sendable {
      let id: String
      let uid: String
      let dtid: String
      let name: String
      let manifestVersion: Int
      let manifestVersionPolicy: ManifestPolicy?
      let token: Secret<String>?
    }

    package typealias Output = Device

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.put, "devices", input.id, body: input.wire(without: ["id", "token"]), deviceToken: input.token)
    }
  }

  /// `sami/get-device`
  package enum GetDevice: SAMIOperation {
    package static let about = About("sami/get-device", "Reads one device.", effect: .read)
    package static let errors = usual + [tokenRefused]
    package static let example = Example(
      with: #"{"id": "d-31", "properties": true}"#,
      outputs: """
        {"id": "d-31", "uid": "u-12", "dtid": "dt-7", "name": "a1b2c3d4e5f60718293a4b5c6d7e8f90", "manifest_version": 2,
          "manifest_version_policy": "LATEST", "need_provider_auth": false, "properties": "*"}
        """, given: DeviceReference.given, before: [.consent])

    package struct Input: Sendable {
      let id: String
      let properties: Bool?
      let token: Secret<String>?
    }

    package typealias Output = Device

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "devices", input.id, query: input.wire(without: ["id", "token"]), deviceToken: input.token)
    }
  }

  /// `sami/delete-device`
  package enum DeleteDevice: SAMIOperation {
    package static let about = About("sami/delete-device", "Deletes a device, and gives it back once more.", effect: .idempotent)
    package static let errors = usual + [tokenRefused]
    package static let example = Example(
      with: #"{"id": "d-31"}"#,
      outputs: """
        {"id": "d-31", "uid": "u-12", "dtid": "dt-7", "name": "*", "manifest_version": 2, "manifest_version_policy": "LATEST",
          "need_provider_auth": false}
        """, given: DeviceReference.given, before: [.consent])

    package struct Input: Sendable {
      let id: String
      let token: Secret<String>?
    }

    package typealias Output = Device

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.delete, "devices", input.id, deviceToken: input.token)
    }
  }
}

extension SAMI.CreateDevice.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "Whose it is to be.", minLength: 1)
    dtid = field("dtid", "The id of its type.", minLength: 1)
    name = field("name", "What it is to be called, 5 to 36 characters.")
    manifestVersion = field("manifest_version", "The version of the manifest that reads its messages.", minimum: 1)
    manifestVersionPolicy = field("manifest_version_policy", "Whether newer manifests are used; `LATEST` at SAMI unless stated.")
  }
}

extension SAMI.UpdateDevice.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id.", minLength: 1)
    uid = field("uid", "Whose it is.", minLength: 1)
    dtid = field("dtid", "The id of its type.", minLength: 1)
    name = field("name", "What it is to be called, 5 to 36 characters.")
    manifestVersion = field("manifest_version", "The version of the manifest that reads its messages.", minimum: 1)
    manifestVersionPolicy = field("manifest_version_policy", "Whether newer manifests are used; `LATEST` at SAMI unless stated.")
    token = field("token", DeviceReference.aboutToken)
  }
}

extension SAMI.GetDevice.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id.", minLength: 1)
    properties = field("properties", "Whether what SAMI keeps with it comes as well.")
    token = field("token", DeviceReference.aboutToken)
  }
}

extension SAMI.DeleteDevice.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id.", minLength: 1)
    token = field("token", DeviceReference.aboutToken)
  }
}

/// What the steps on one device have in common.
enum DeviceReference {
  static let aboutToken = "The device's own token, sent instead of the person's; that of the person on the connection unless stated."
  /// One device of the person who signs in.
  static let given = #"{"devices": [{"id": "d-31", "name": "a1b2c3d4e5f60718293a4b5c6d7e8f90"}]}"#
}
