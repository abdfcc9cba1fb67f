import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// A kind of device.
  package struct DeviceType: Sendable {
    let id: String
    let uid: String?
    let name: String
    let published: Bool?
    let approved: Bool?
    let latestVersion: Int?
    let uniqueName: String?
    let vid: String?
    let rsp: Bool?
    let issuerDn: String?
    let description: String?
  }

  /// One page of device types.
  package struct DeviceTypes: Sendable {
    let deviceTypes: [DeviceType]
    let total: Int
    let offset: Int
    let count: Int
  }

  /// `sami/list-user-device-types`
  package enum ListUserDeviceTypes: SAMIOperation {
    package static let about = About(
      "sami/list-user-device-types", "Lists the device types of a user, page by page.", effect: .read, token: .user)
    package static let example = Example(
      with: #"{"uid": "u-12", "include_shared": true}"#, outputs: #"{"device_types": "*", "total": 2, "offset": 0, "count": 2}"#,
      before: [.consent])

    package struct Input: Sendable {
      let uid: String
      let count: Int?
      let offset: Int?
      let includeShared: Bool?
    }

    package typealias Output = DeviceTypes

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "users", input.uid, "devicetypes", query: input.wire(without: ["uid"]))
    }
  }

  /// `sami/find-device-types`
  package enum FindDeviceTypes: SAMIOperation {
    package static let about = About("sami/find-device-types", "Finds device types by name.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"name": "io.samsungsami.example.iPhonePedometer", "count": 1}"#,
      outputs: #"{"device_types": "*", "total": 1, "offset": 0, "count": 1}"#, before: [.consent])

    package struct Input: Sendable {
      let name: String
      let count: Int?
      let offset: Int?
      let as_: SAMICaller
    }

    package typealias Output = DeviceTypes

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "devicetypes", query: input.wire(without: ["as"]), as: input.as_)
    }
  }

  /// `sami/get-device-type`
  package enum GetDeviceType: SAMIOperation {
    package static let about = About("sami/get-device-type", "Reads one device type.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"id": "dt-7", "as": "app"}"#,
      outputs: """
        {"id": "dt-7", "uid": "u-1", "name": "iPhone Pedometer", "published": true, "approved": true, "latest_version": 2,
          "unique_name": "io.samsungsami.example.iPhonePedometer", "vid": "0", "rsp": false}
        """)

    package struct Input: Sendable {
      let id: String
      let as_: SAMICaller
    }

    package typealias Output = DeviceType

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "devicetypes", input.id, as: input.as_)
    }
  }
}

extension SAMICaller {
  static let about = "Whose token the call carries: the person's who is signed in, or the application's own."
}

extension SAMI.ListUserDeviceTypes.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "The user's id.", minLength: 1)
    count = field("count", Page.aboutCount, minimum: 1)
    offset = field("offset", Page.aboutOffset, minimum: 0)
    includeShared = field("include_shared", "Whether those that others share come as well.")
  }
}

extension SAMI.FindDeviceTypes.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    name = field("name", "The type's name, or its unique name.", minLength: 1)
    count = field("count", Page.aboutCount, minimum: 1)
    offset = field("offset", Page.aboutOffset, minimum: 0)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.GetDeviceType.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The type's id.", minLength: 1)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.DeviceTypes: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceTypes = field("device_types", "The device types of this page.")
    total = field("total", Page.aboutTotal)
    offset = field("offset", Page.aboutStart)
    count = field("count", Page.aboutSize)
  }
}

extension SAMI.DeviceType: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id, which devices call `dtid`.")
    uid = field("uid", "Whose it is.")
    name = field("name", "What it is called.")
    published = field("published", "Whether everybody may use it.")
    approved = field("approved", "Whether SAMI's team has approved its newest manifest.")
    latestVersion = field("latest_version", "The version of its newest manifest.")
    uniqueName = field("unique_name", "Its name among all types, such as `io.samsungsami.example.iPhonePedometer`.")
    vid = field("vid", "The vendor's id.")
    rsp = field("rsp", "Whether its devices must prove themselves with a certificate.")
    issuerDn = field("issuer_dn", "Who issues those certificates.")
    description = field("description", "What its owner says about it.")
  }
}
