import HTTPTypes
package import StepKit
import Values

extension Ostelco {
  /// `ostelco/list-subscriptions`
  package enum ListSubscriptions: StepHandler {
    package static let about = About("ostelco/list-subscriptions", "Lists the customer's phone numbers.", effect: .read, token: .user)
    package static let errors = customerRefusals.errors
    package static let example = Ostelco.example(
      with: "{}", outputs: #"{"subscriptions": [{"msisdn": "6590001234", "alias": ""}]}"#, members: #""subscriptions": ["6590001234"]"#)

    package typealias Input = MobileShop.NoInput

    package struct Output: DescribedRecord {
      let subscriptions: [Subscription]

      package init(_ field: inout Fields) {
        subscriptions = field("subscriptions", "All of them, in the order of the answer.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/subscriptions")
      guard reply.isSuccess else { throw failure(reply, customerRefusals) }
      return try Output.read(reply, listAs: "subscriptions")
    }
  }

  /// A phone number of a customer.
  package struct Subscription: DescribedRecord {
    let msisdn: String
    let alias: String?

    package init(_ field: inout Fields) {
      msisdn = field("msisdn", "The number, in digits with the country's code.")
      alias = field("alias", "What the customer calls it.")
    }
  }

  /// `ostelco/get-pseudonyms`
  package enum GetPseudonyms: StepHandler {
    package static let about = About(
      "ostelco/get-pseudonyms", "Reads the names under which the customer's use is analysed, today's and tomorrow's.", effect: .read,
      token: .user)
    package static let errors = customerRefusals.errors
    package static let example = Ostelco.example(with: "{}", outputs: #"{"current": "*", "next": "*"}"#)

    package typealias Input = MobileShop.NoInput

    package struct Output: DescribedRecord {
      let current: Pseudonym
      let next: Pseudonym

      package init(_ field: inout Fields) {
        current = field("current", "The one of now.")
        next = field("next", "The one after it: it starts a millisecond after the other's end.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/customer/activePseudonyms")
      guard reply.isSuccess else { throw failure(reply, customerRefusals) }
      return try Output.read(reply)
    }
  }

  /// A name that stands for a customer for some time.
  package struct Pseudonym: DescribedRecord {
    let sourceID: String
    let pseudonym: String
    let start: Int
    let end: Int

    package init(_ field: inout Fields) {
      sourceID = field("source_id", "For whom it stands.")
      pseudonym = field("pseudonym", "The name.")
      start = field("start", "Its first millisecond since 1970.")
      end = field("end", "Its last one.")
    }
  }

  /// `ostelco/get-stripe-key`
  package enum GetStripeKey: StepHandler {
    package static let about = About(
      "ostelco/get-stripe-key", "Gets a key of the payment provider that lives for a while, for its own software.", effect: .unsafe,
      token: .user)
    package static let errors = customerRefusals.errors
    package static let example = Ostelco.example(
      with: #"{"api_version": "2015-10-12"}"#,
      outputs: """
        {"id": "*", "object": "ephemeral_key", "associated_objects": "*", "created": "*", "expires": "*", "livemode": false, "secret": "*"}
        """)

    package struct Input: DescribedRecord {
      let apiVersion: String

      package init(_ field: inout Fields) {
        apiVersion = field("api_version", "The provider's version that the software speaks.", minLength: 1)
      }
    }

    package struct Output: DescribedRecord {
      let id: String
      let object: String?
      let associatedObjects: Value?
      let created: Int?
      let expires: Int?
      let livemode: Bool?
      let secret: Secret<String>
      let further: FurtherMembers

      package init(_ field: inout Fields) {
        id = field("id", "Its id.")
        object = field("object", "`ephemeral_key`.")
        associatedObjects = field("associated_objects", "For whom it is: the customer at the provider.")
        created = field("created", "When, in seconds since 1970.")
        expires = field("expires", "Until when, in seconds since 1970.")
        livemode = field("livemode", "Whether money moves.")
        secret = field("secret", "The key itself.")
        // The answer is the provider's own, and passed on as it is.
        further = field.further()
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.send(
        HTTPCall(
          .get, "/customer/stripe-ephemeral-key", query: [("api_version", input.apiVersion)], secretMembers: ["secret"],
          isTextSecret: true))
      guard reply.isSuccess else { throw failure(reply, customerRefusals) }
      return try Output.read(reply)
    }
  }
}
