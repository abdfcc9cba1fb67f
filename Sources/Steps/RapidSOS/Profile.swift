package import StepKit
import Values

extension RapidSOS {
  /// A person's emergency profile: their id, and the sections that have been filled in.
  package struct Profile: Sendable {
    let id: Int
    let fullName, allergy, bloodType, disability, ethnicity, gender: ProfileSection<String>?
    let medicalCondition, medicalNote, medication, occupation: ProfileSection<String>?
    let birthday, height, weight: ProfileSection<Double>?
    let address: ProfileSection<PostalAddress>?
    let email: ProfileSection<EmailAddress>?
    let phoneNumber: ProfileSection<LabelledPhone>?
    let emergencyContact: ProfileSection<EmergencyContact>?
    let language: ProfileSection<SpokenLanguage>?
    let photo: ProfileSection<Picture>?
    let further: FurtherMembers
  }

  /// One section: every value that was given for it, the first being the one that counts.
  struct ProfileSection<Item: FieldValue>: Sendable {
    let displayName: String?
    let type: String?
    let units: String?
    let updatedTime: Int?
    let value_: [Item]
    let further: FurtherMembers
  }

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

  struct Picture: Sendable {
    let url, label, note: String?
    let further: FurtherMembers
  }
}

extension RapidSOS.Profile: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The person's id at RapidSOS.")
    fullName = field("full_name", "Their name.")
    allergy = field("allergy", "What they are allergic to.")
    bloodType = field("blood_type", "Such as `A+`.")
    disability = field("disability", "Their disabilities.")
    ethnicity = field("ethnicity", "Their ethnicity.")
    gender = field("gender", "Their gender.")
    medicalCondition = field("medical_condition", "Their conditions.")
    medicalNote = field("medical_note", "What responders should know.")
    medication = field("medication", "What they take.")
    occupation = field("occupation", "Their occupation.")
    birthday = field("birthday", "In milliseconds since 1970.")
    height = field("height", "In inches.")
    weight = field("weight", "In pounds.")
    address = field("address", "Where they live.")
    email = field("email", "Their e-mail addresses.")
    phoneNumber = field("phone_number", "Their phones.")
    emergencyContact = field("emergency_contact", "Whom to call.")
    language = field("language", "What they speak.")
    photo = field("photo", "Their picture.")
    further = field.further()
  }
}

extension RapidSOS.ProfileSection: DescribedRecord {
  init(_ field: inout Fields) {
    displayName = field("display_name", "The section's title for people.")
    type = field("type", "What kind of values it holds.")
    units = field("units", "In what they are measured.")
    updatedTime = field("updated_time", "When it was changed last, in milliseconds since 1970.")
    value_ = field("value", "The values.")
    further = field.further()
  }
}

extension RapidSOS.PostalAddress: DescribedRecord {
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

extension RapidSOS.EmailAddress: DescribedRecord {
  init(_ field: inout Fields) {
    emailAddress = field("email_address", "The address.")
    label = field("label", "What they call it.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.LabelledPhone: DescribedRecord {
  init(_ field: inout Fields) {
    number = field("number", "The number.")
    label = field("label", "What they call it.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.EmergencyContact: DescribedRecord {
  init(_ field: inout Fields) {
    fullName = field("full_name", "Their name.")
    phone = field("phone", "Their phone.")
    email = field("email", "Their e-mail address.")
    label = field("label", "Who they are to the caller.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}

extension RapidSOS.SpokenLanguage: DescribedRecord {
  init(_ field: inout Fields) {
    languageCode = field("language_code", "Such as `en`.")
    preference = field("preference", "Its rank.")
    further = field.further()
  }
}

extension RapidSOS.Picture: DescribedRecord {
  init(_ field: inout Fields) {
    url = field("url", "Where it lies.")
    label = field("label", "What they call it.")
    note = field("note", "Anything else.")
    further = field.further()
  }
}
