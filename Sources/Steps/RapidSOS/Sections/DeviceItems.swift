import StepKit

extension RapidSOS {
  /// A reading that goes on.
  struct Metric: Sendable {
    let label, dataFeed, protocol_, note: String?
    let further: FurtherMembers
  }

  struct DeviceID: Sendable {
    let type, id: String?
    let further: FurtherMembers
  }

  /// The kinds of ids that RapidSOS's own clients know.
  enum DeviceIDKind: String, Choice {
    case imei = "IMEI"
    case meid = "MEID"
    case esn = "ESN"
    case mac = "MAC"
    case wiMAX = "WiMAX"
    case imsi = "IMSI"
    case udi = "UDI"
    case rfid = "RFID"
    case serial = "SN"
  }

  enum FeedProtocol: String, Choice { case http, https, ws, wss }

  enum BloodType: String, Choice {
    case aPositive = "A+"
    case aNegative = "A-"
    case bPositive = "B+"
    case bNegative = "B-"
    case abPositive = "AB+"
    case abNegative = "AB-"
    case oPositive = "O+"
    case oNegative = "O-"
  }

  /// What a device is, in the words of RapidSOS's own clients.
  enum DeviceClass: String, Choice {
    case cordless, fixed, satellite
    case sensorFixed = "sensor-fixed"
    case desktop, laptop, tablet
    case alarmMonitored = "alarm-monitored"
    case sensorMobile = "sensor-mobile"
    case aircraft, automobile, truck, farm, marine, personal
    case featurePhone = "feature-phone"
    case smartPhone = "smart-phone"
    case smartPhoneApp = "smart-phone-app"
    case unknownDevice = "unknown-device"
    case textOnly = "text-only"
    case game, nomadic, mobile, vehicle, home, other
    case notApplicable = "NA"
  }
}

extension RapidSOS.Metric: SectionItem {
  static let essential = ["data_feed"]
  static let choices = ["protocol": RapidSOS.FeedProtocol.shape]

  init(_ field: inout Fields) {
    label = field("label", "What measures it.")
    dataFeed = field("data_feed", "Where the readings come from.")
    protocol_ = field("protocol", "How they come: `http`, `https`, `ws` or `wss`.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.DeviceID: SectionItem {
  static let essential = ["type", "id"]
  static let choices = ["type": RapidSOS.DeviceIDKind.shape]

  init(_ field: inout Fields) {
    type = field("type", "What kind of id it is, such as `IMEI` or `SN`.")
    id = field("id", "The id.")
    further = field.further()
  }
}
