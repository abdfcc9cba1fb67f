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

  /// Whose phone may come from elsewhere.
  struct Caller: Sendable {
    let fullName: String
    let phoneNumber: String?
  }

  let location: Location
  let user: Caller
  let contacts: [Person]
  let company: String?
}

extension KronosVariables {
  /// The variables with every phone as the guide sends it, and with the caller's own filled in.
  /// - Parameter fallback: the verified number, for a caller whose profile has none.
  /// - Throws: `rapidsos.profile_incomplete` and `rapidsos.bad_number` in the words of RapidSOS's own client; nothing is
  ///   sent then.
  static func normalised(_ variables: Value, fallback: String?) throws(StepFailure) -> Value {
    guard var map = variables.mapValue, var user = map["user"]?.mapValue else { return variables }
    guard user["full_name"]?.exposed.stringValue?.isEmpty == false else {
      throw RapidSOS.TriggerCallFlow.profileIncomplete.local(
        detail: "You must fill out your user profile before triggering a call flow.")
    }
    let own = user["phone_number"]?.exposed.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    guard let raw = own ?? fallback, !raw.isEmpty else { throw RapidSOS.badNumber.local(detail: "No valid phone number.") }
    let phone = PhoneNumber(raw)
    guard phone.isCallable else { throw RapidSOS.badNumber.local(detail: "Invalid phone number: \(raw)") }
    user["phone_number"] = .string(phone.international)
    map["user"] = .map(user)
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

extension KronosVariables.Caller: DescribedRecord {
  init(_ field: inout Fields) {
    fullName = field("full_name", "Their name; a trigger without one is refused here.")
    phoneNumber = field("phone_number", "Their phone, in any notation; `fallback_phone` stands in for it.")
  }
}
