import HTTPTypes
package import StepKit

extension SAMI {
  /// `sami/get-self`
  package enum GetSelf: SAMIOperation {
    package static let about = About(
      "sami/get-self", "Reads who is signed in, which also proves that the token is good.", effect: .read, token: .user)
    package static let errors = [forbidden, rateLimited]
    package static let example = Example(
      with: "{}",
      outputs: """
        {"id": "u-12", "name": "tstep", "email": "tstep@example.test", "full_name": "Tess Step", "created_on": 1403042304000,
          "modified_on": 1403042305000}
        """, before: [.consent])

    package struct Input: Sendable {}

    package struct Output: Sendable {
      let id: String
      let name: String
      let email: String?
      let fullName: String?
      let saIdentity: String?
      let createdOn: Int?
      let modifiedOn: Int?
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest { SAMIRequest(.get, "users", "self") }
  }
}

extension SAMI.GetSelf.Input: DescribedRecord {
  package init(_ field: inout Fields) {}
}

extension SAMI.GetSelf.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Their id, which other steps call `uid`.")
    name = field("name", "Their name at SAMI.")
    email = field("email", "Their address.")
    fullName = field("full_name", "What they are called.")
    saIdentity = field("sa_identity", "Their identity at Samsung Accounts.")
    createdOn = field("created_on", "When they were registered, in milliseconds since 1970.")
    modifiedOn = field("modified_on", "When their profile was last changed, likewise.")
  }
}
