import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/list-user-devices`
  package enum ListUserDevices: SAMIOperation {
    package static let about = About("sami/list-user-devices", "Lists a user's devices, page by page.", effect: .read, token: .user)
    package static let example = Example(
      with: #"{"uid": "u-12", "count": 100, "offset": 0}"#, outputs: #"{"devices": "*", "total": 1, "offset": 0, "count": 1}"#,
      given: DeviceReference.given, before: [.consent])

    package struct Input: Sendable {
      let uid: String
      let count: Int?
      let offset: Int?
      let includeProperties: Bool?
    }

    package struct Output: Sendable {
      let devices: [Device]
      let total: Int
      let offset: Int
      let count: Int
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "users", input.uid, "devices", query: input.wire(without: ["uid"]))
    }
  }
}

extension SAMI.ListUserDevices.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "The user's id.", minLength: 1)
    count = field("count", Page.aboutCount, minimum: 1)
    offset = field("offset", Page.aboutOffset, minimum: 0)
    includeProperties = field("include_properties", "Whether what SAMI keeps with each device comes as well.")
  }
}

extension SAMI.ListUserDevices.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    devices = field("devices", "The devices of this page.")
    total = field("total", Page.aboutTotal)
    offset = field("offset", Page.aboutStart)
    count = field("count", Page.aboutSize)
  }
}

/// The words of every list that has pages.
enum Page {
  static let aboutCount = "How many come at most."
  static let aboutOffset = "How many are passed over: 0 for the first page, then so many more as the page before had."
  static let aboutTotal = "How many there are on all pages."
  static let aboutStart = "How many were passed over."
  static let aboutSize = "How many are on this page."
}
