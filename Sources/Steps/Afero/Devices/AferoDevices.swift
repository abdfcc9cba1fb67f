import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// `afero/list-devices`
  package enum ListDevices: AferoOperation {
    package static let about = About("afero/list-devices", "Lists the devices of an account.", effect: .read, token: .user)
    package static let example = Example.afero(#"{"account_id": "acc-1"}"#, #"{"devices": "*"}"#, user: DeviceExample.user)

    package struct Input: DescribedRecord {
      let accountID: String
      let expansions: [DeviceExpansion]

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        expansions = field("expansions", "What is answered beside each device; everything unless given.", default: DeviceExpansion.allCases)
      }
    }

    package struct Output: AferoBareAnswer {
      let devices: [Device]

      package init(_ field: inout Fields) { devices = field("devices", "The devices; an empty list where there are none.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try path("accounts", input.accountID, "devices"), query: query(input.expansions))
    }
  }

  static func query(_ expansions: [DeviceExpansion]) -> [(name: String, value: String)] {
    expansions.isEmpty ? [] : [(name: "expansions", value: expansions.map(\.rawValue).joined(separator: ","))]
  }

  /// `afero/get-device`
  package enum GetDevice: AferoOperation {
    package static let about = About("afero/get-device", "Reads one device.", effect: .read, token: .user)
    package static let example = Example.afero(
      DeviceExample.reference, #"{\#(DeviceExample.fields), "extended_data": "*"}"#, user: DeviceExample.user)

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String
      let expansions: [DeviceExpansion]

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        expansions = field("expansions", "What is answered beside it.", default: [.extendedData])
      }
    }

    package typealias Output = Device

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try path("accounts", input.accountID, "devices", input.deviceID), query: query(input.expansions))
    }
  }

  /// `afero/associate-device`
  package enum AssociateDevice: AferoOperation {
    package static let about = About(
      "afero/associate-device", "Puts a device into an account, by the id that stands on it.", effect: .unsafe, token: .user)
    package static let meanings = [403: transferVerificationNeeded, 409: alreadyAssociated]
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "association_id": "0123456789abcdef"}"#,
      """
      {\(DeviceExample.fields), "device_state": "*", "device_tags": [], "attributes": "*", "extended_data": "*", "profile": "*",
       "timezone": "*"}
      """,
      further: #", "devices": [{"device_id": "dev-3", "friendly_name": "Hall fan", "association_id": "0123456789abcdef"}]"#)

    /// Where the device is, as whoever associates it says.
    package struct Place: DescribedRecord {
      let latitude: NumberOrText
      let longitude: NumberOrText
      let locationSourceType: String?

      package init(_ field: inout Fields) {
        latitude = field("latitude", "Degrees north.")
        longitude = field("longitude", "Degrees east.")
        locationSourceType = field("location_source_type", "Who says so, such as `INITIAL_DEVICE_ASSOCIATE`.")
      }
    }

    package struct Input: DescribedRecord {
      let accountID: String
      let associationID: String
      let location: Place?
      let verified: Bool
      let expansions: [DeviceExpansion]
      let locale: String?
      let imageSize: String

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        associationID = field("association_id", "What stands on the device, in its code.")
        location = field("location", "Where the device is.")
        verified = field("verified", "Whether the owner before agrees; see `afero.transfer_verification_needed`.", default: false)
        expansions = field("expansions", "What is answered beside it; everything unless given.", default: DeviceExpansion.allCases)
        locale = field("locale", Prose.locale)
        imageSize = field("image_size", Prose.imageSize, default: "2x")
      }
    }

    package typealias Output = Device

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      var body = ValueMap()
      body["associationId"] = .string(input.associationID)
      if let location = input.location { body["location"] = Coordinates.asTexts(AferoNames.onWire(location.value, Place.shape)) }
      var query = query(input.expansions)
      if let locale = input.locale { query.append((name: "locale", value: locale)) }
      query.append((name: "imageSize", value: input.imageSize))
      if input.verified { query.append((name: "verified", value: "true")) }
      return HTTPCall(.post, try path("accounts", input.accountID, "devices"), query: query, body: .json(.map(body)))
    }
  }

  /// `afero/remove-device`
  package enum RemoveDevice: AferoOperation {
    package static let about = About("afero/remove-device", "Takes a device out of its account.", effect: .idempotent, token: .user)
    package static let example = Example.afero(DeviceExample.reference, user: DeviceExample.user)

    package typealias Input = DeviceReference
    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall { HTTPCall(.delete, try input.path) }
  }

  /// `afero/rename-device`
  package enum RenameDevice: AferoOperation {
    package static let about = About("afero/rename-device", "Gives a device another name.", effect: .idempotent, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "device_id": "dev-3", "friendly_name": "Fan"}"#, #"{"friendly_name": "Fan"}"#, user: DeviceExample.user)

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String
      let friendlyName: String

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        friendlyName = field("friendly_name", "What people call it from now on.")
      }
    }

    package struct Output: DescribedRecord {
      let friendlyName: String

      package init(_ field: inout Fields) { friendlyName = field("friendly_name", "What people call it now.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .put, try path("accounts", input.accountID, "devices", input.deviceID, "friendlyName"),
        body: body(input, without: ["account_id", "device_id"]))
    }
  }

  /// `afero/get-device-versions`
  package enum GetDeviceVersions: AferoOperation {
    package static let about = About("afero/get-device-versions", "Reads which software a device runs.", effect: .read, token: .user)
    package static let example = Example.afero(
      DeviceExample.reference,
      """
      {"application_version": "*", "application_version_string": "*", "bootloader_version": "*", "bootloader_version_string": "*",
       "hub_version": "*", "hub_version_string": "*", "wifi_version": "*", "wifi_version_string": "*", "soft_device_version": "*",
       "soft_device_version_string": "*", "device_description_version": "*", "device_description_version_string": "*"}
      """, user: DeviceExample.user)

    package typealias Input = DeviceReference

    package struct Output: DescribedRecord {
      let applicationVersion: NumberOrText?
      let applicationVersionString: String?
      let bootloaderVersion: NumberOrText?
      let bootloaderVersionString: String?
      let hubVersion: NumberOrText?
      let hubVersionString: String?
      let wifiVersion: NumberOrText?
      let wifiVersionString: String?
      let softDeviceVersion: NumberOrText?
      let softDeviceVersionString: String?
      let deviceDescriptionVersion: NumberOrText?
      let deviceDescriptionVersionString: String?

      package init(_ field: inout Fields) {
        applicationVersion = field("application_version", "Of its application.")
        applicationVersionString = field("application_version_string", "The same for people.")
        bootloaderVersion = field("bootloader_version", "Of what starts it.")
        bootloaderVersionString = field("bootloader_version_string", "The same for people.")
        hubVersion = field("hub_version", "Of its hub.")
        hubVersionString = field("hub_version_string", "The same for people.")
        wifiVersion = field("wifi_version", "Of its Wi-Fi.")
        wifiVersionString = field("wifi_version_string", "The same for people.")
        softDeviceVersion = field("soft_device_version", "Of its Bluetooth.")
        softDeviceVersionString = field("soft_device_version_string", "The same for people.")
        deviceDescriptionVersion = field("device_description_version", "Of its description.")
        deviceDescriptionVersionString = field("device_description_version_string", "The same for people.")
      }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, "\(try input.path)/versions")
    }
  }
}
