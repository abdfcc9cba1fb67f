import Values

extension RapidSOS {
  /// What RapidSOS calls a section, beside its values: a flow states the values alone.
  package struct SectionDefinition: Sendable {
    let name: String
    let title: String
    let type: String
    let units: String?

    init(_ name: String, _ title: String, _ type: String = "string", units: String? = nil) {
      self.name = name
      self.title = title
      self.type = type
      self.units = units
    }

    /// Members of each value that the reference client sends whether or not they say anything.
    var filledMembers: [(name: String, value: Value)] {
      switch type {
      case "address", "email", "phone-number", "web-url", "video-stream", "realtime-metric", "animal": [("label", ""), ("note", "")]
      case "image-url": [("label", name == "photo" ? "kronos_profile_pic" : ""), ("note", "")]
      case "emergency-contact": [("email", ""), ("label", ""), ("note", "")]
      case "language": [("language_code", "en")]
      default: []
      }
    }

    /// The section as it goes over the wire.
    func wire(_ values: [Value]) -> Value {
      var section = ValueMap()
      section["display_name"] = .string(title)
      section["type"] = .string(type)
      section["units"] = units.map { .string($0) }
      section["value"] = .list(values.map(filled))
      return .map(section)
    }

    private func filled(_ value: Value) -> Value {
      guard var map = value.mapValue else { return value }
      for (name, filler) in filledMembers where map[name] == nil { map[name] = filler }
      return .map(map)
    }
  }
}

/// The sections of one kind of thing, by name.
package struct SectionCatalogue: Sendable {
  let definitions: [RapidSOS.SectionDefinition]

  subscript(_ name: String) -> RapidSOS.SectionDefinition? { definitions.first { $0.name == name } }

  /// Lists of values by section as they go over the wire. A section without a value is not sent, which is why none can be
  /// emptied: the reference client's rule.
  func wire(_ sections: ValueMap) -> ValueMap {
    var body = ValueMap()
    for definition in definitions {
      guard let values = sections[definition.name]?.listValue, !values.isEmpty else { continue }
      body[definition.name] = definition.wire(values)
    }
    return body
  }

  static let profile = SectionCatalogue(definitions: [
    .init("full_name", "Name"), .init("allergy", "Allergies"), .init("blood_type", "Blood Type"), .init("disability", "Disabilities"),
    .init("ethnicity", "Ethnicity"), .init("gender", "Gender"), .init("medical_condition", "Medical Conditions"),
    .init("medical_note", "Medical Notes"), .init("medication", "Medications"), .init("occupation", "Occupation"),
    .init("birthday", "Birthday", "timestamp", units: "millisecond"), .init("height", "Height", "float", units: "inches"),
    .init("weight", "Weight", "float", units: "lbs"), .init("address", "Known Addresses", "address"), .init("email", "Emails", "email"),
    .init("phone_number", "Known Phone Numbers", "phone-number"),
    .init("emergency_contact", "Emergency Contacts", "emergency-contact"), .init("language", "Languages", "language"),
    .init("photo", "Profile Picture", "image-url"),
  ])

  // Of the titles below only five are known; the others follow the names.
  static let location = SectionCatalogue(definitions: [
    .init("location_name", "Location Name"), .init("address", "Known Addresses", "address"), .init("animal", "Animals", "animal"),
    .init("comment", "Comments"), .init("external_data_portal", "External Data Portal", "web-url"),
    .init("fixed_video_feed", "Fixed Video Feeds", "video-stream"), .init("mobile_video_feed", "Mobile Video Feeds", "video-stream"),
    .init("floor_plan", "Floor Plans", "image-url"), .init("location_contact", "Location Contacts", "emergency-contact"),
  ])

  static let device = SectionCatalogue(definitions: [
    .init("device_name", "Device Name"), .init("classification", "Device Classification"), .init("unique_id", "Unique ID", "device-id"),
    .init("manufacturer", "Manufacturer"), .init("model", "Model"), .init("color", "Color"), .init("comment", "Comments"),
    .init("hardware_description", "Hardware Description"), .init("license_plate", "License Plate"),
    .init("network_carrier_registration", "Network Carrier Registration"), .init("user_agent", "User Agent"),
    .init("callback_phone", "Callback Phone", "phone-number"),
    .init("battery_power", "Battery Level", "realtime-metric", units: "percentage"),
    .init("blood_glucose", "Blood Glucose", "realtime-metric", units: "mg/DL"),
    .init("blood_oxygen_saturation", "Blood Oxygen Saturation", "realtime-metric", units: "%spO2"),
    .init("body_temperature", "Body Temperature", "realtime-metric", units: "F"), .init("heart_rate", "Heart Rate", "realtime-metric"),
    .init("respiratory_rate", "Respiratory Rate", "realtime-metric"), .init("steps_taken", "Steps Taken", "realtime-metric"),
    .init("crash_pulse", "Crash Pulse", "image-url"), .init("ekg4", "EKG 4", "image-url"), .init("ekg12", "EKG 12", "image-url"),
    .init("video_feed", "Video Feeds", "video-stream"),
  ])
}
