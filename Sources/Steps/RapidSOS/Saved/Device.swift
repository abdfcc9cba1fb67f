package import StepKit

extension RapidSOS {
  /// A device that a person has saved: a phone, a car, a sensor.
  package struct Device: Sendable {
    let id: Int
    let deviceName, classification: Section<String>?
    let uniqueID: Section<DeviceID>?
    let manufacturer, model, color, comment, hardwareDescription, licensePlate: Section<String>?
    let networkCarrierRegistration, userAgent: Section<String>?
    let callbackPhone: Section<LabelledPhone>?
    let batteryPower, bloodGlucose, bloodOxygenSaturation, bodyTemperature: Section<Metric>?
    let heartRate, respiratoryRate, stepsTaken: Section<Metric>?
    let crashPulse, ekg4, ekg12: Section<Link>?
    let videoFeed: Section<VideoStream>?
    let further: FurtherMembers
  }

  /// The sections of a device as a flow writes them.
  package struct DeviceSections: Sendable {
    let deviceName: [String]?
    let classification: [DeviceClass]?
    let uniqueID: [Written<DeviceID>]?
    let manufacturer, model, color, comment, hardwareDescription, licensePlate: [String]?
    let networkCarrierRegistration, userAgent: [String]?
    let callbackPhone: [Written<LabelledPhone>]?
    let batteryPower, bloodGlucose, bloodOxygenSaturation, bodyTemperature: [Written<Metric>]?
    let heartRate, respiratoryRate, stepsTaken: [Written<Metric>]?
    let crashPulse, ekg4, ekg12: [Written<Link>]?
    let videoFeed: [Written<VideoStream>]?
  }

  /// Every device of a person.
  package struct Devices: Sendable { let devices: [Device] }
}

extension RapidSOS.Device: SavedThing {
  package typealias Sections = RapidSOS.DeviceSections
  package typealias All = RapidSOS.Devices

  package static let noun = "device"
  package static let plural = "devices"
  package static let catalogue = SectionCatalogue.device
  package static let exampleSections = #""device_name": ["Dana's phone"]"#
  package static let exampleSection = "device_name"

  package init(_ field: inout Fields) {
    id = field("id", "Its id at RapidSOS.")
    deviceName = field("device_name", "What they call it.")
    classification = field("classification", "What it is, such as `smart-phone-app`.")
    uniqueID = field("unique_id", "What tells it from others.")
    manufacturer = field("manufacturer", "Who made it.")
    model = field("model", "Its model.")
    color = field("color", "Its colour.")
    comment = field("comment", "What responders should know.")
    hardwareDescription = field("hardware_description", "What it consists of.")
    licensePlate = field("license_plate", "Of a car.")
    networkCarrierRegistration = field("network_carrier_registration", "Whose network it is in.")
    userAgent = field("user_agent", "How its software names itself.")
    callbackPhone = field("callback_phone", "Where it can be called.")
    batteryPower = field("battery_power", "Its battery, in percent.")
    bloodGlucose = field("blood_glucose", "In mg/dL.")
    bloodOxygenSaturation = field("blood_oxygen_saturation", "In percent.")
    bodyTemperature = field("body_temperature", "In degrees Fahrenheit.")
    heartRate = field("heart_rate", "The heart rate.")
    respiratoryRate = field("respiratory_rate", "The respiratory rate.")
    stepsTaken = field("steps_taken", "Steps taken.")
    crashPulse = field("crash_pulse", "A picture of a crash's course.")
    ekg4 = field("ekg4", "A picture of four leads.")
    ekg12 = field("ekg12", "A picture of twelve leads.")
    videoFeed = field("video_feed", "Its camera.")
    further = field.further()
  }
}

extension RapidSOS.DeviceSections: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceName = field("device_name", "What they call it.")
    classification = field("classification", "What it is, such as `smart-phone-app`.")
    uniqueID = field("unique_id", "What tells it from others.")
    manufacturer = field("manufacturer", "Who made it.")
    model = field("model", "Its model.")
    color = field("color", "Its colour.")
    comment = field("comment", "What responders should know.")
    hardwareDescription = field("hardware_description", "What it consists of.")
    licensePlate = field("license_plate", "Of a car.")
    networkCarrierRegistration = field("network_carrier_registration", "Whose network it is in.")
    userAgent = field("user_agent", "How its software names itself.")
    callbackPhone = field("callback_phone", "Where it can be called.")
    batteryPower = field("battery_power", "Its battery, in percent.")
    bloodGlucose = field("blood_glucose", "In mg/dL.")
    bloodOxygenSaturation = field("blood_oxygen_saturation", "In percent.")
    bodyTemperature = field("body_temperature", "In degrees Fahrenheit.")
    heartRate = field("heart_rate", "The heart rate.")
    respiratoryRate = field("respiratory_rate", "The respiratory rate.")
    stepsTaken = field("steps_taken", "Steps taken.")
    crashPulse = field("crash_pulse", "A picture of a crash's course.")
    ekg4 = field("ekg4", "A picture of four leads.")
    ekg12 = field("ekg12", "A picture of twelve leads.")
    videoFeed = field("video_feed", "Its camera.")
  }
}

extension RapidSOS.Devices: DescribedRecord {
  package init(_ field: inout Fields) {
    devices = field("devices", "The devices; an empty list where there are none.")
  }
}
