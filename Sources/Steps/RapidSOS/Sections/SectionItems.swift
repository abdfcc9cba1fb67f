import StepKit

/// The values that sections hold; what answers carry beside the documented members is kept.
extension RapidSOS {
  struct PostalAddress: Sendable {
    let label, streetAddress, locality, region, postalCode, countryCode: String?
    let latitude, longitude: NumberOrText?
    let note: String?
    let further: FurtherMembers
  }

  struct EmailAddress: Sendable {
    let emailAddress, label, note: String?
    let further: FurtherMembers
  }

  struct LabelledPhone: Sendable {
    let number, label, note: String?
    let further: FurtherMembers
  }

  struct EmergencyContact: Sendable {
    let fullName, phone, email, label, note: String?
    let further: FurtherMembers
  }

  struct SpokenLanguage: Sendable {
    let languageCode: String?
    let preference: Int?
    let further: FurtherMembers
  }

  /// Of a picture, a plan, a reading, or a page.
  struct Link: Sendable {
    let url, label, note: String?
    let further: FurtherMembers
  }

  struct Animal: Sendable {
    let fullName, label, species, photo, note: String?
    let further: FurtherMembers
  }

  struct VideoStream: Sendable {
    let label, url, format: String?
    let latitude, longitude: NumberOrText?
    let note: String?
    let further: FurtherMembers
  }
}

extension RapidSOS.PostalAddress: SectionItem {
  init(_ field: inout Fields) {
    label = field("label", "What they call it.")
    streetAddress = field("street_address", "Street and number.")
    locality = field("locality", "The city.")
    region = field("region", "The state.")
    postalCode = field("postal_code", "The ZIP code.")
    countryCode = field("country_code", "Two letters.")
    latitude = field("latitude", "In degrees; a number or a text.")
    longitude = field("longitude", "In degrees; a number or a text.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.EmailAddress: SectionItem {
  static let essential = ["email_address"]

  init(_ field: inout Fields) {
    emailAddress = field("email_address", "The address.")
    label = field("label", "What they call it.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.LabelledPhone: SectionItem {
  static let essential = ["number"]

  init(_ field: inout Fields) {
    number = field("number", "The number.")
    label = field("label", "What they call it.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.EmergencyContact: SectionItem {
  static let essential = ["full_name", "phone"]

  init(_ field: inout Fields) {
    fullName = field("full_name", "Their name.")
    phone = field("phone", "Their phone.")
    email = field("email", "Their e-mail address.")
    label = field("label", "Who they are to the caller.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.SpokenLanguage: SectionItem {
  init(_ field: inout Fields) {
    languageCode = field("language_code", "Such as `en`, which it is unless it is given.")
    preference = field("preference", "Its rank.")
    further = field.further()
  }
}

extension RapidSOS.Link: SectionItem {
  static let essential = ["url"]

  init(_ field: inout Fields) {
    url = field("url", "Where it lies.")
    label = field("label", "What they call it.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.Animal: SectionItem {
  init(_ field: inout Fields) {
    fullName = field("full_name", "Its name.")
    label = field("label", "What they call it.")
    species = field("species", "Such as `dog`.")
    photo = field("photo", "Where its picture lies.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.VideoStream: SectionItem {
  static let essential = ["url"]

  init(_ field: inout Fields) {
    label = field("label", "What they call it.")
    url = field("url", "Where it is seen.")
    format = field("format", "Its format.")
    latitude = field("latitude", "In degrees; a number or a text.")
    longitude = field("longitude", "In degrees; a number or a text.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}
