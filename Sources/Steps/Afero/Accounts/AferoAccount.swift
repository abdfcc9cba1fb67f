import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// `afero/create-account`
  package enum CreateAccount: AferoOperation {
    package static let about = About(
      "afero/create-account", "Creates an account with its first person, who is not signed in by it.", effect: .unsafe)
    package static let meanings = [409: alreadyExists]
    package static let example = Example(
      with: #"{"credential_id": "ann@example.test", "password": "hunter22", "first_name": "Ann", "last_name": "Lee"}"#,
      outputs: #"{"account_id": "acc-1", "type": "CUSTOMER", "description": "Primary Account", "created_timestamp": "*"}"#)

    package struct Input: DescribedRecord {
      let credentialID: String
      let password: Secret<String>
      let firstName: String
      let lastName: String
      let type: String
      let description: String
      let credentialType: String
      let verified: Bool

      package init(_ field: inout Fields) {
        credentialID = field("credential_id", "The person's e-mail address; nobody else may have it.")
        password = field("password", "A password of 6 to 255 characters.")
        firstName = field("first_name", "Their first name.")
        lastName = field("last_name", "Their last name.")
        type = field("type", "The kind of account.", default: "CUSTOMER")
        description = field("description", "What the account is called.", default: "Primary Account")
        credentialType = field("credential_type", "What `credential_id` is.", default: "email")
        verified = field("verified", "Whether the address counts as proven already.", default: false)
      }
    }

    package typealias Output = Account

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .post, "/v1/accounts", headers: settings.appHeader,
        body: .json([
          "account": ["type": .string(input.type), "description": .string(input.description)],
          "user": ["firstName": .string(input.firstName), "lastName": .string(input.lastName)],
          "credential": [
            "credentialId": .string(input.credentialID), "password": input.password.value, "type": .string(input.credentialType),
            "verified": .bool(input.verified),
          ],
        ]), secretMembers: ["rejectedValue"])
    }
  }

  /// `afero/set-account-description`
  package enum SetAccountDescription: AferoOperation {
    package static let about = About("afero/set-account-description", "Renames an account.", effect: .idempotent, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "description": "Cabin by the lake"}"#, #"{"description": "Cabin by the lake"}"#)

    package struct Input: DescribedRecord {
      let accountID: String
      let description: String

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        description = field("description", "What it is called from now on.")
      }
    }

    package struct Output: DescribedRecord {
      let description: String

      package init(_ field: inout Fields) { description = field("description", "What it is called now.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.put, try path("accounts", input.accountID, "description"), body: body(input))
    }
  }

  /// `afero/get-account-info`
  package enum GetAccountInfo: AferoOperation {
    package static let about = About(
      "afero/get-account-info", "Reads who is signed in, and their accounts.", effect: .read, token: .user)
    package static let example = Example.afero(
      "{}",
      """
      {"user_id": "usr-1", "first_name": "Ann", "last_name": "Lee", "credential": "*", "account_access": "*", "partner_access": [],
       "tos": "*"}
      """)

    package typealias Input = Nothing
    package typealias Output = User

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, "/v1/users/me", secretMembers: ["clientSecret"], isTextSecret: true)
    }
  }

  /// `afero/get-conclave-access`
  package enum GetConclaveAccess: AferoOperation {
    package static let about = About(
      "afero/get-conclave-access", "Gets the hosts and tokens of Conclave, the stream of an account's events.", effect: .idempotent,
      token: .user)
    package static let example = Example.afero(#"{"account_id": "acc-1"}"#, #"{"conclave_hosts": "*", "tokens": "*"}"#)

    package typealias Input = AccountReference

    /// Where the stream is.
    package struct Host: DescribedRecord {
      let type: String?
      let host: String
      let port: Int
      let ssl: Bool?
      let compression: Bool?

      package init(_ field: inout Fields) {
        type = field("type", "How it is reached, such as `SOCKET`.")
        host = field("host", "Its name.")
        port = field("port", "Its port.")
        ssl = field("ssl", "Whether it speaks TLS.")
        compression = field("compression", "Whether it compresses.")
      }
    }

    /// Whom a token was given to.
    package struct Client: DescribedRecord {
      let type: String?
      let userID: String?

      package init(_ field: inout Fields) {
        type = field("type", "What kind of client it is, such as `user`.")
        userID = field("user_id", "Who it is.")
      }
    }

    /// What opens the stream.
    package struct ConclaveToken: DescribedRecord {
      let token: Secret<String>
      let channelID: String?
      let expiresTimestamp: Int?
      let client: Client?

      package init(_ field: inout Fields) {
        token = field("token", "The token.")
        channelID = field("channel_id", "The channel that it opens.")
        expiresTimestamp = field("expires_timestamp", "When it ends, in milliseconds since 1970.")
        client = field("client", "Whom it was given to.")
      }
    }

    package struct Output: DescribedRecord {
      let conclaveHosts: [Host]
      let tokens: [ConclaveToken]

      package init(_ field: inout Fields) {
        conclaveHosts = field("conclave_hosts", "Where the stream is.")
        tokens = field("tokens", "What opens it.")
      }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .post, try path("accounts", input.accountID, "conclaveAccess"), body: .json(["user": true]), secretMembers: ["token"],
        isTextSecret: true)
    }
  }
}
