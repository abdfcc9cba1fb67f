import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// What a kind of device can do: free JSON but for its ids.
  package struct Profile: Sendable {
    let profile: Value
  }

  /// The request for one profile or all, in a language and with pictures of a size.
  static func profiles(at target: String, _ locale: String?, _ imageSize: String?) -> HTTPCall {
    let query = [("locale", locale), ("imageSize", imageSize)].compactMap { name, value in value.map { (name: name, value: $0) } }
    return HTTPCall(.get, target, query: query)
  }

  /// `afero/list-profiles`
  package enum ListProfiles: AferoOperation {
    package static let about = About(
      "afero/list-profiles", "Lists the profiles of the devices of an account.", effect: .read, token: .user)
    package static let example = Example.afero(#"{"account_id": "acc-1"}"#, #"{"profiles": "*"}"#, user: DeviceExample.user)

    package struct Input: DescribedRecord {
      let accountID: String
      let locale: String?
      let imageSize: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        locale = field("locale", Prose.locale)
        imageSize = field("image_size", Prose.imageSize)
      }
    }

    package struct Output: AferoBareAnswer {
      let profiles: [Value]

      package init(_ field: inout Fields) { profiles = field("profiles", "The profiles, as Afero writes them.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      profiles(at: try path("accounts", input.accountID, "deviceProfiles"), input.locale, input.imageSize)
    }
  }

  /// `afero/get-profile`
  package enum GetProfile: AferoOperation {
    package static let about = About("afero/get-profile", "Reads one profile.", effect: .read, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "profile_id": "prf-1"}"#, #"{"profile": "*"}"#, user: DeviceExample.user)

    package struct Input: DescribedRecord {
      let accountID: String
      let profileID: String
      let locale: String?
      let imageSize: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        profileID = field("profile_id", "The profile, as a device names it.")
        locale = field("locale", Prose.locale)
        imageSize = field("image_size", Prose.imageSize)
      }
    }

    package typealias Output = Profile

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      profiles(at: try path("accounts", input.accountID, "deviceProfiles", input.profileID), input.locale, input.imageSize)
    }
  }

  /// `afero/get-device-profile`
  package enum GetDeviceProfile: AferoOperation {
    package static let about = About("afero/get-device-profile", "Reads the profile of a device.", effect: .read, token: .user)
    package static let example = Example.afero(DeviceExample.reference, #"{"profile": "*"}"#, user: DeviceExample.user)

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String
      let locale: String?
      let imageSize: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        locale = field("locale", Prose.locale)
        imageSize = field("image_size", Prose.imageSize)
      }
    }

    package typealias Output = Profile

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      profiles(
        at: try path("accounts", input.accountID, "devices", input.deviceID, "deviceProfile"), input.locale, input.imageSize)
    }
  }

  /// `afero/get-profile-version`
  package enum GetProfileVersion: AferoOperation {
    package static let about = About(
      "afero/get-profile-version", "Reads one version of the profile of a device that need not be in an account.", effect: .read,
      token: .user)
    package static let example = Example.afero(
      #"{"association_id": "0123456789abcdef", "version": 1}"#, #"{"profile": "*"}"#,
      further: #", "devices": [{"association_id": "0123456789abcdef"}]"#)

    package struct Input: DescribedRecord {
      let associationID: String
      let version: Int
      let locale: String?
      let imageSize: String?

      package init(_ field: inout Fields) {
        associationID = field("association_id", "What stands on the device, in its code.")
        version = field("version", "The number of the version.", minimum: 0)
        locale = field("locale", Prose.locale)
        imageSize = field("image_size", Prose.imageSize)
      }
    }

    package typealias Output = Profile

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      profiles(
        at: try path("devices", input.associationID, "deviceProfiles", "versions", String(input.version)), input.locale, input.imageSize)
    }
  }
}

extension Afero.Profile: AferoBareAnswer {
  package init(_ field: inout Fields) { profile = field("profile", "The profile, as Afero writes it.") }
}
