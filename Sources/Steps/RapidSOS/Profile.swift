package import StepKit

extension RapidSOS {
  /// A person's emergency profile: their id, and the sections that have been filled in.
  package struct Profile: Sendable {
    let id: Int
    let fullName, allergy, bloodType, disability, ethnicity, gender: Section<String>?
    let medicalCondition, medicalNote, medication, occupation: Section<String>?
    let birthday, height, weight: Section<Double>?
    let address: Section<PostalAddress>?
    let email: Section<EmailAddress>?
    let phoneNumber: Section<LabelledPhone>?
    let emergencyContact: Section<EmergencyContact>?
    let language: Section<SpokenLanguage>?
    let photo: Section<Link>?
    let further: FurtherMembers
  }

  /// The sections as a flow writes them: lists of values, the first of which counts.
  package struct ProfileSections: Sendable {
    let fullName, allergy: [String]?
    let bloodType: [BloodType]?
    let disability, ethnicity, gender, medicalCondition, medicalNote, medication, occupation: [String]?
    let birthday, height, weight: [Double]?
    let address: [Written<PostalAddress>]?
    let email: [Written<EmailAddress>]?
    let phoneNumber: [Written<LabelledPhone>]?
    let emergencyContact: [Written<EmergencyContact>]?
    let language: [Written<SpokenLanguage>]?
    let photo: [Written<Link>]?
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
    emergencyContact = field("emergency_contact", "Who is told of an emergency.")
    language = field("language", "The languages that they speak.")
    photo = field("photo", "Their picture.")
    further = field.further()
  }
}

extension RapidSOS.ProfileSections: DescribedRecord {
  package init(_ field: inout Fields) {
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
    emergencyContact = field("emergency_contact", "Who is told of an emergency.")
    language = field("language", "The languages that they speak.")
    photo = field("photo", "Their picture.")
  }
}
