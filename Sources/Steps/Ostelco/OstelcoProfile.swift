package import StepKit
import Values

extension Ostelco {
  /// A customer as they describe themselves.
  package struct Profile: Sendable {
    let id: String
    let name: String
    let email: String
    let address: String?
    let postCode: String?
    let city: String?
    let country: String?
    let referralID: String?
  }

  static let alreadyExists = error("already_exists", "there is a profile already", help: "go on with `ostelco/get-profile`")
  static let unsupportedCountry = error("unsupported_country", "the operator does not serve the country")
  static let referredBySelf = error("referred_by_self", "nobody refers themselves")
  static let unknownReferrer = error(
    "unknown_referrer", "there is no customer with the id in `referred_by`", help: "give the `id` of a profile, not its `referral_id`")
  static let incompleteProfile = error("incomplete_profile", "name, e-mail address or country is missing")
  static let profileUnchanged = error(
    "profile_unchanged", "the service answered with the old profile", help: "give the `id` of `ostelco/get-profile`", isRejected: true)
}

extension Ostelco.Profile: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The customer's id.")
    name = field("name", "Their name.")
    email = field("email", "Their address, as the token has it.")
    address = field("address", "Street and number.")
    postCode = field("post_code", "The post code.")
    city = field("city", "The town.")
    country = field("country", "The country, in two letters.")
    referralID = field("referral_id", "What they give to others to be referred by.")
  }
}
