package import StepKit
import Values

extension Afero {
  /// How a device is doing.
  package struct DeviceState: DescribedRecord {
    let available, visible, dirty, rebooted, connectable, connected, linked: Bool?
    let rssi: Int?
    let location: Value?
    let updatedTimestamp: Int?

    package init(_ field: inout Fields) {
      available = field("available", "Whether it can be reached.")
      visible = field("visible", "Whether a hub sees it.")
      dirty = field("dirty", "Whether there is something that it has not been told yet.")
      rebooted = field("rebooted", "Whether it has started anew.")
      connectable = field("connectable", "Whether it takes connections.")
      connected = field("connected", "Whether it is connected.")
      linked = field("linked", "Whether it is linked.")
      rssi = field("rssi", "The strength of its signal, in dBm.")
      location = field("location", "Where it is.")
      updatedTimestamp = field("updated_timestamp", "When this was so, in milliseconds since 1970.")
    }
  }

  /// One of a device's numbered values.
  package struct DeviceAttribute: DescribedRecord {
    let id: Int
    let data: String?
    let value_: String?
    let updatedTimestamp: Int?

    package init(_ field: inout Fields) {
      id = field("id", "Its number; the device's profile says what it means.")
      data = field("data", "Its bytes in hex, the lowest first.")
      value_ = field("value", "Its value as text.")
      updatedTimestamp = field("updated_timestamp", "When it changed last, in milliseconds since 1970.")
    }
  }

  /// A word that somebody has put on a device.
  package struct DeviceTag: DescribedRecord {
    let deviceTagID: String
    let key: String?
    let value_: String?
    let deviceTagType: String?
    let localizationKey: String?

    package init(_ field: inout Fields) {
      deviceTagID = field("device_tag_id", "Its id.")
      key = field("key", "What it says something about, such as `room`.")
      value_ = field("value", "What it says.")
      deviceTagType = field("device_tag_type", "Whose it is: `ACCOUNT`, or `SYSTEM`, which is read-only.")
      localizationKey = field("localization_key", "The name of its translation.")
    }
  }

  /// A device, and with it what was asked for beside it.
  package struct Device: DescribedRecord {
    let deviceID: String
    let profileID, deviceTypeID, partnerID: String?
    let friendlyName: String?
    let createdTimestamp: Int?
    let updating, virtual, developerDevice: Bool?
    let disconnectNotificationLevel: String?
    let deviceState: DeviceState?
    let deviceTags: [DeviceTag]?
    let attributes: [DeviceAttribute]?
    let extendedData: Value?
    let profile: Value?
    let timezone: Value?

    package init(_ field: inout Fields) {
      deviceID = field("device_id", "Its id.")
      profileID = field("profile_id", "The profile that says what its attributes mean.")
      deviceTypeID = field("device_type_id", "What it is.")
      partnerID = field("partner_id", "Who made it.")
      friendlyName = field("friendly_name", "What people call it.")
      createdTimestamp = field("created_timestamp", "When it was made, in milliseconds since 1970.")
      updating = field("updating", "Whether its software is being replaced.")
      virtual = field("virtual", "Whether there is no such thing to touch.")
      developerDevice = field("developer_device", "Whether it is a developer's.")
      disconnectNotificationLevel = field("disconnect_notification_level", "How loud its loss is told: `LOW` or `MEDIUM`.")
      deviceState = field("device_state", "How it is doing, with the expansion `state`.")
      deviceTags = field("device_tags", "Its tags, with the expansion `tags`.")
      attributes = field("attributes", "Its values, with the expansion `attributes`.")
      extendedData = field("extended_data", "What its maker says of it, with the expansion `extendedData`.")
      profile = field("profile", "Its profile, with the expansion `profile`.")
      timezone = field("timezone", "Its time zone, with the expansion `timezone`.")
    }
  }

  /// What may be asked for beside a device.
  package enum DeviceExpansion: String, Choice { case state, tags, attributes, extendedData, profile, timezone }

  /// How an account's device is described in examples.
  enum DeviceExample {
    static let user = #", "devices": [{"device_id": "dev-3", "friendly_name": "Hall fan", "attributes": {"1": "01"}}]"#
    static let reference = #"{"account_id": "acc-1", "device_id": "dev-3"}"#
    /// The fields of a device without expansions.
    static let fields = """
      "device_id": "dev-3", "profile_id": "*", "device_type_id": "*", "partner_id": "*", "friendly_name": "Hall fan",
      "created_timestamp": "*", "updating": false, "virtual": false, "developer_device": false, "disconnect_notification_level": "LOW"
      """
  }
}
