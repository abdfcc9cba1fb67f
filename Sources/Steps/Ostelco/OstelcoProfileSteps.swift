import HTTPTypes
package import StepKit
import Values

extension Ostelco {
  /// `ostelco/get-profile`
  package enum GetProfile: StepHandler {
    package static let about = About("ostelco/get-profile", "Reads the profile of whoever is signed in.", effect: .read, token: .user)
    package static let errors = customerRefusals.errors
    package static let example = Ostelco.example(with: "{}", outputs: profileExample)

    package typealias Input = MobileShop.NoInput
    package typealias Output = Profile

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/profile")
      guard reply.isSuccess else { throw failure(reply, customerRefusals) }
      return try Profile.read(reply)
    }
  }

  /// `ostelco/create-profile`: signing up, which gives the first data.
  package enum CreateProfile: StepHandler {
    package static let about = About(
      "ostelco/create-profile", "Signs up whoever is signed in; the first data comes with it.", effect: .unsafe, token: .user)
    private static let rules = [
      RefusalRule(400, needsEnvelope: true, is: incompleteProfile),
      RefusalRule(403, saying: "Unsupported country", is: unsupportedCountry),
      RefusalRule(403, saying: "eferred by self", is: referredBySelf), RefusalRule(403, needsEnvelope: true, is: alreadyExists),
      RefusalRule(502, saying: "not found", needsEnvelope: true, is: unknownReferrer),
    ]
    package static let errors = rules.errors
    package static let example = Example(
      with: #"{"name": "Mei Tan", "email": "mei@example.test", "country": "SG"}"#, outputs: profileExample, given: #"{"users": []}"#,
      before: [exampleSignIn])

    package struct Input: Sendable {
      let name: String
      let email: String
      let country: String
      let address: String
      let postCode: String
      let city: String
      let referredBy: String?
    }

    package typealias Output = Profile

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.send(
        HTTPCall(
          .post, "/profile", query: input.referredBy.map { [("referred_by", $0)] } ?? [],
          body: .json([
            "name": .string(input.name), "email": .string(input.email), "country": .string(input.country),
            "address": .string(input.address), "postCode": .string(input.postCode), "city": .string(input.city),
          ])))
      guard reply.isSuccess else { throw failure(reply, rules) }
      return try Profile.read(reply)
    }
  }

  /// `ostelco/update-profile`
  ///
  /// The service finds the profile by the `id` of the body, and answers 200 with the old one where that is not right.
  package enum UpdateProfile: StepHandler {
    package static let about = About(
      "ostelco/update-profile", "Replaces the profile of whoever is signed in, and makes sure that it was.", effect: .idempotent,
      token: .user)
    private static let rules = [RefusalRule(400, needsEnvelope: true, is: incompleteProfile)] + customerRefusals
    package static let errors = rules.errors + [profileUnchanged]
    package static let example = Ostelco.example(
      with: """
        {"id": "0c95007b-1111", "name": "Mei Tan", "email": "mei@example.test", "country": "SG", "city": "Singapore",
         "referral_id": "b18635c0-2222"}
        """,
      outputs: profileExample, members: #""id": "0c95007b-1111", "referral_id": "b18635c0-2222""#)

    package struct Input: Sendable {
      let id: String
      let name: String
      let email: String
      let country: String
      let address: String
      let postCode: String
      let city: String
      let referralID: String?
    }

    package typealias Output = Profile

    /// - Throws: `ostelco.profile_unchanged` where what came back is not what was sent.
    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = ValueMap()
      body["id"] = .string(input.id)
      body["name"] = .string(input.name)
      body["email"] = .string(input.email)
      body["address"] = .string(input.address)
      body["postCode"] = .string(input.postCode)
      body["city"] = .string(input.city)
      body["country"] = .string(input.country)
      body["referralId"] = input.referralID.map { .string($0) }
      let reply = try await ports.http.send(HTTPCall(.put, "/profile", body: .json(.map(body))))
      guard reply.isSuccess else { throw failure(reply, rules) }
      let profile = try Profile.read(reply)
      let other = body.filter { reply.body[$0.key.text] != $0.value }.map { "`\(snakeCase($0.key.text))`" }
      guard other.isEmpty else {
        throw profileUnchanged.failure(reply, detail: "\(other.joined(separator: ", ")) came back with another value than was sent")
      }
      return profile
    }
  }

  private static let profileExample = """
    {"id": "*", "name": "Mei Tan", "email": "mei@example.test", "address": "*", "post_code": "*", "city": "*", "country": "SG",
     "referral_id": "*"}
    """
}

extension Ostelco.CreateProfile.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    name = field("name", "Their name.")
    email = field("email", "Their address; the service takes the token's instead.")
    country = field("country", "The country, in two letters.")
    address = field("address", "Street and number.", default: "")
    postCode = field("post_code", "The post code.", default: "")
    city = field("city", "The town.", default: "")
    referredBy = field("referred_by", "The `id` of the customer who referred them: more data comes with it.")
  }
}

extension Ostelco.UpdateProfile.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The `id` of `ostelco/get-profile`.")
    name = field("name", "Their name.")
    email = field("email", "Their address.")
    country = field("country", "The country, in two letters.")
    address = field("address", "Street and number.", default: "")
    postCode = field("post_code", "The post code.", default: "")
    city = field("city", "The town.", default: "")
    referralID = field("referral_id", "The `referral_id` of `ostelco/get-profile`; left out where it is not given.")
  }
}
