import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/list-subscriptions`
  package enum ListSubscriptions: Operation {
    package static let about = About(
      "oya/list-subscriptions", "Lists the customer's phone numbers in a region.", effect: .read, token: .user)
    package static let refusals = regionRefusals
    package static let example = Oya.example(with: #"{"region": "no"}"#, outputs: #"{"subscriptions": "*"}"#, members: exampleSim)

    package typealias Input = RegionReference
    package typealias Output = Subscriptions

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path + "/subscriptions") }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output {
      try .read(reply, listAs: "subscriptions")
    }
  }

  /// Phone numbers.
  package struct Subscriptions: Sendable { let subscriptions: [Subscription] }

  /// A phone number; each eSIM has one.
  package struct Subscription: Sendable {
    let msisdn: String
    let analyticsID: String?
    let lastActiveOn: String?
  }
}

extension Oya.Subscriptions: DescribedRecord {
  package init(_ field: inout Fields) { subscriptions = field("subscriptions", "All of them, in the order of the answer.") }
}

extension Oya.Subscription: DescribedRecord {
  package init(_ field: inout Fields) {
    msisdn = field("msisdn", "The number, digits alone.")
    analyticsID = field("analytics_id", "Its pseudonym in statistics.")
    lastActiveOn = field("last_active_on", "When it was used last, in UTC.")
  }
}
