import HTTPTypes
package import StepKit
import Values

/// What every device has one of, read and set as a whole: its location, its time zone.
package protocol AferoDeviceAspect: DescribedRecord {
  /// As it is set: the device and the aspect's own members.
  associatedtype Change: AferoDeviceChange
  /// `location`: the segment of the path, and in the names of the steps.
  static var noun: String { get }
  /// Members of `with` that set it.
  static var exampleMembers: String { get }
  /// What the sandbox has then.
  static var exampleOutputs: String { get }
}

/// The input of what changes something of a device.
package protocol AferoDeviceChange: DescribedRecord {
  var accountID: String { get }
  var deviceID: String { get }
}

extension Afero {
  /// `afero/get-location`, `afero/get-timezone`
  package enum GetDeviceAspect<Aspect: AferoDeviceAspect>: AferoOperation {
    package static var about: About {
      About("afero/get-\(Aspect.noun)", "Reads the \(Aspect.noun) of a device.", effect: .read, token: .user)
    }
    package static var example: Example {
      .afero(
        DeviceExample.reference, Aspect.exampleOutputs,
        user: #", "devices": [{"device_id": "dev-3", "\#(Aspect.noun)": {\#(Aspect.exampleMembers)}}]"#)
    }

    package typealias Input = DeviceReference
    package typealias Output = Aspect

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, "\(try input.path)/\(Aspect.noun)")
    }
  }

  /// `afero/set-location`, `afero/set-timezone`
  package enum SetDeviceAspect<Aspect: AferoDeviceAspect>: AferoOperation {
    package static var about: About {
      About("afero/set-\(Aspect.noun)", "Sets the \(Aspect.noun) of a device.", effect: .idempotent, token: .user)
    }
    package static var example: Example {
      .afero(
        #"{"account_id": "acc-1", "device_id": "dev-3", \#(Aspect.exampleMembers)}"#, Aspect.exampleOutputs, user: DeviceExample.user)
    }

    package typealias Input = Aspect.Change
    package typealias Output = Aspect

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .put, try path("accounts", input.accountID, "devices", input.deviceID, Aspect.noun),
        body: .json(Coordinates.asTexts(members(of: input, without: ["account_id", "device_id"]))))
    }
  }

  /// Degrees, which Afero writes as texts.
  enum Coordinates {
    static func asTexts(_ value: Value) -> Value {
      guard case .map(var map) = value else { return value }
      for name in ["latitude", "longitude"] {
        if let text = map[name]?.scalarText { map[name] = .string(text) }
      }
      return .map(map)
    }
  }

  /// Where a device is.
  package struct DeviceLocation: AferoDeviceAspect {
    let latitude: NumberOrText
    let longitude: NumberOrText
    let locationSourceType: String?
    let formattedAddressLines: [String]?
    let lastUpdatedTimestamp: Int?

    package init(_ field: inout Fields) {
      latitude = field("latitude", "Degrees north, as text.")
      longitude = field("longitude", "Degrees east, as text.")
      locationSourceType = field("location_source_type", "Who says so.")
      formattedAddressLines = field("formatted_address_lines", "The address, line by line.")
      lastUpdatedTimestamp = field("last_updated_timestamp", "When it was set, in milliseconds since 1970.")
    }

    package static let noun = "location"
    package static let exampleMembers = """
      "latitude": "47.61", "longitude": "-122.33", "location_source_type": "USER_DEFINED_LOCATION",
      "formatted_address_lines": ["1 Pine St"]
      """
    package static let exampleOutputs = #"{\#(exampleMembers), "last_updated_timestamp": "*"}"#

    package struct Change: AferoDeviceChange {
      package let accountID: String
      package let deviceID: String
      let latitude: NumberOrText
      let longitude: NumberOrText
      let locationSourceType: String
      let formattedAddressLines: [String]

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        latitude = field("latitude", "Degrees north.")
        longitude = field("longitude", "Degrees east.")
        locationSourceType = field("location_source_type", "Who says so.", default: "USER_DEFINED_LOCATION")
        formattedAddressLines = field("formatted_address_lines", "The address, line by line.", default: [])
      }
    }
  }

  /// The time zone of a device.
  package struct DeviceTimezone: AferoDeviceAspect {
    let timezone: String?
    let userOverride: Bool?

    package init(_ field: inout Fields) {
      timezone = field("timezone", "Its name, such as `America/Los_Angeles`.")
      userOverride = field("user_override", "Whether a person has set it.")
    }

    package static let noun = "timezone"
    package static let exampleMembers = #""timezone": "America/Los_Angeles", "user_override": true"#
    package static let exampleOutputs = "{\(exampleMembers)}"

    package struct Change: AferoDeviceChange {
      package let accountID: String
      package let deviceID: String
      let timezone: String
      let userOverride: Bool

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        timezone = field("timezone", "A name of the IANA's list, such as `America/Los_Angeles`.")
        userOverride = field("user_override", "Whether a person sets it, rather than where the device is.", default: true)
      }
    }
  }
}
