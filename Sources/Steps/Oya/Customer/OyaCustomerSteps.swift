import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/get-context`
  package enum GetContext: Operation {
    package static let about = About(
      "oya/get-context", "Reads the customer and all regions; an error where they have yet to sign up.", effect: .read, token: .user)
    package static let example = Example(
      with: "{}", outputs: #"{"customer": "*", "regions": "*"}"#, given: exampleGiven(""), before: [exampleSignIn])

    package typealias Input = MobileShop.NoInput
    package typealias Output = Context

    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.get, "/context") }
  }

  /// `oya/get-customer`
  package enum GetCustomer: Operation {
    package static let about = About("oya/get-customer", "Reads the customer who is signed in.", effect: .read, token: .user)
    package static let example = ofCustomer()

    package typealias Input = MobileShop.NoInput
    package typealias Output = Customer

    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.get, "/customer") }
  }

  /// `oya/create-customer`
  package enum CreateCustomer: Operation {
    package static let about = About("oya/create-customer", "Signs the person up.", effect: .unsafe, token: .user)
    package static let refusals = [
      RefusalRule(403, saying: "already exists", is: alreadyExists),
      RefusalRule(403, saying: "FAILED_TO_CREATE_CUSTOMER", is: notReferrable),
    ]
    package static let example = ofCustomer(with: #"{"nickname": "Mei", "contact_email": "mei@example.test"}"#, given: "{}")

    package struct Input: Sendable {
      let nickname: String
      let contactEmail: String
      let referredBy: String?
    }
    package typealias Output = Customer

    package static func call(_ input: Input) -> HTTPCall {
      var query = [("nickname", input.nickname), ("contactEmail", input.contactEmail)]
      if let referrer = input.referredBy { query.append(("referredBy", referrer)) }
      return HTTPCall(.post, "/customer", query: query.map { (name: $0, value: $1) })
    }
  }

  /// `oya/update-customer`
  package enum UpdateCustomer: Operation {
    package static let about = About(
      "oya/update-customer", "Changes the customer's name or address; what is left out stays.", effect: .idempotent, token: .user)
    package static let example = ofCustomer(with: #"{"nickname": "Mei"}"#)

    package struct Input: Sendable {
      let nickname: String?
      let contactEmail: String?
    }
    package typealias Output = Customer

    package static func call(_ input: Input) -> HTTPCall {
      let query = [("nickname", input.nickname), ("contactEmail", input.contactEmail)]
      return HTTPCall(.put, "/customer", query: query.compactMap { name, value in value.map { (name: name, value: $0) } })
    }
  }

  /// `oya/delete-customer`
  package enum DeleteCustomer: Operation {
    package static let about = About(
      "oya/delete-customer", "Deletes the customer and all that is theirs.", effect: .idempotent, token: .user)
    package static let example = Example(with: "{}", outputs: "{}", given: exampleGiven(""), before: [exampleSignIn])

    package typealias Input = MobileShop.NoInput
    package typealias Output = Nothing

    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.delete, "/customer") }
  }

  private static func ofCustomer(with: String = "{}", given: String = exampleGiven("")) -> Example {
    Example(
      with: with,
      outputs: """
        {"id": "*", "nickname": "Mei", "contact_email": "mei@example.test", "created_on": "2024-11-21T01:00:00Z", "analytics_id": "*",
         "referral_id": "*"}
        """,
      given: given, before: [exampleSignIn])
  }
}

extension Oya.CreateCustomer.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    nickname = field("nickname", "What they want to be called.")
    contactEmail = field("contact_email", "Where mails to them shall go.", format: .email)
    referredBy = field("referred_by", "The `referral_id` of whoever invited them.")
  }
}

extension Oya.UpdateCustomer.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    nickname = field("nickname", "What they want to be called from now on.")
    contactEmail = field("contact_email", "Where mails to them shall go from now on.", format: .email)
  }
}
