package import StepKit

extension Oya {
  /// Somebody who has signed up.
  package struct Customer: Sendable {
    let id: String
    let nickname: String
    let contactEmail: String
    let createdOn: String?
    let analyticsID: String
    let referralID: String
  }

  /// Everything that the app shows after it was opened.
  package struct Context: Sendable {
    let customer: Customer
    let regions: [RegionDetails]
  }
}

extension Oya.Customer: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The customer's id at OYA.")
    nickname = field("nickname", "What they want to be called.")
    contactEmail = field("contact_email", "Where mails to them go.")
    createdOn = field("created_on", "When they signed up, in UTC.")
    analyticsID = field("analytics_id", "Their pseudonym in statistics.")
    referralID = field("referral_id", "What they give to friends.")
  }
}

extension Oya.Context: DescribedRecord {
  package init(_ field: inout Fields) {
    customer = field("customer", "Who has signed up.")
    regions = field("regions", "How far they are in each region.")
  }
}
