import StepKit
import Values

/// The variables of the guide's call flow, `kronos_contacts`.
struct KronosVariables: Sendable {
  static let callFlow = "kronos_contacts"

  struct Location: Sendable {
    let latitude: NumberOrText
    let longitude: NumberOrText
    let uncertainty: NumberOrText?
  }

  struct Person: Sendable {
    let fullName: String
    let phoneNumber: String
  }

  let location: Location
  let user: Person
  let contacts: [Person]
  let company: String?
}

extension KronosVariables {
  /// The variables with every phone as the guide sends it.
  /// - Throws: `rapidsos.bad_number` where the caller could not be called back; nothing is sent then.
  static func normalised(_ variables: Value) throws(StepFailure) -> Value {
    guard var map = variables.mapValue else { return variables }
    if let raw = map["user"]?["phone_number"]?.stringValue {
      let phone = PhoneNumber(raw)
      guard phone.isCallable else {
        let digits = phone.normalised.count { $0.isASCII && $0.isNumber }
        throw RapidSOS.badNumber.local(
          detail: raw.isEmpty
            ? "no valid phone number" : "invalid phone number: `\(raw)` has \(digits) digits, and 11 are needed")
      }
    }
    map["user"] = map["user"].map(withPhone)
    if let contacts = map["contacts"]?.listValue { map["contacts"] = .list(contacts.map(withPhone)) }
    return .map(map)
  }

  private static func withPhone(_ person: Value) -> Value {
    guard var map = person.mapValue, let raw = map["phone_number"]?.stringValue else { return person }
    map["phone_number"] = .string(PhoneNumber(raw).international)
    return .map(map)
  }
}

extension KronosVariables: DescribedRecord {
  init(_ field: inout Fields) {
    location = field("location", "Where the caller is.")
    user = field("user", "Who calls.")
    contacts = field("contacts", "Who is told.", default: [])
    company = field("company", "The app's own name.")
  }
}

extension KronosVariables.Location: DescribedRecord {
  init(_ field: inout Fields) {
    latitude = field("latitude", "In degrees; a number or a text.")
    longitude = field("longitude", "In degrees; a number or a text.")
    uncertainty = field("uncertainty", "In metres; a number or a text.")
  }
}

extension KronosVariables.Person: DescribedRecord {
  init(_ field: inout Fields) {
    fullName = field("full_name", "Their name.", minLength: 1)
    phoneNumber = field("phone_number", "Their phone, in any notation.")
  }
}
