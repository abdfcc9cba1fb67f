import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// What somebody may do in an account, and for how long.
  package struct UserAccess: DescribedRecord {
    let accountID: String?
    let userID: String?
    let privileges: Privileges?
    let startAccessTimestamp: Int?
    let endAccessTimestamp: Int?

    package init(_ field: inout Fields) {
      accountID = field("account_id", "The account.")
      userID = field("user_id", "The person.")
      privileges = field("privileges", "What they may do.")
      startAccessTimestamp = field("start_access_timestamp", "From when on, in milliseconds since 1970; 0 is always.")
      endAccessTimestamp = field("end_access_timestamp", "Until when, in milliseconds since 1970; 0 is for good.")
    }
  }

  /// Somebody who may use an account.
  package struct AccountUser: DescribedRecord {
    let userID: String
    let firstName: String?
    let lastName: String?
    let credentialID: String?
    let userAccountAccess: UserAccess?

    package init(_ field: inout Fields) {
      userID = field("user_id", "Their id.")
      firstName = field("first_name", "Their first name.")
      lastName = field("last_name", "Their last name.")
      credentialID = field("credential_id", "Their address.")
      userAccountAccess = field("user_account_access", "What they may do.")
    }
  }

  /// Somebody who is asked to share an account.
  package struct Invitation: DescribedRecord {
    let value_: String
    let credentialID: String?
    let accountID: String?
    let type: String?
    let createdTimestamp: Int?
    let expiresTimestamp: Int?
    let tokenParams: String?

    package init(_ field: inout Fields) {
      value_ = field("value", "The id by which it is revoked.")
      credentialID = field("credential_id", "Who is asked.")
      accountID = field("account_id", "The account.")
      type = field("type", "Its kind, such as `ACCOUNT_INVITE`.")
      createdTimestamp = field("created_timestamp", "When it was sent, in milliseconds since 1970.")
      expiresTimestamp = field("expires_timestamp", "Until when it can be taken, in milliseconds since 1970.")
      tokenParams = field("token_params", "What Afero notes with it.")
    }
  }

  enum SharingExample {
    /// Somebody else with access to the first account.
    static let bo = """
      , {"username": "bo@example.test", "first_name": "Bo", "access": [{"account_id": "acc-1", "can_write": true}]}
      """
  }

  /// `afero/get-user-summary`
  package enum GetUserSummary: AferoOperation {
    package static let about = About(
      "afero/get-user-summary", "Lists who may use an account, and who is asked to.", effect: .read, token: .user)
    package static let example = Example.afero(#"{"account_id": "acc-1"}"#, #"{"users": "*", "invitations": []}"#)

    package typealias Input = AccountReference

    package struct Output: DescribedRecord {
      let users: [AccountUser]
      let invitations: [Invitation]

      package init(_ field: inout Fields) {
        users = field("users", "Who may use it.", default: [])
        invitations = field("invitations", "Who is asked to.", default: [])
      }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try path("accounts", input.accountID, "accountUserSummary"))
    }
  }

  /// `afero/list-access`
  package enum ListAccess: AferoOperation {
    package static let about = About("afero/list-access", "Lists who may use an account.", effect: .read, token: .user)
    package static let example = Example.afero(#"{"account_id": "acc-1"}"#, #"{"users": "*"}"#)

    package typealias Input = AccountReference

    package struct Output: AferoBareAnswer {
      let users: [AccountUser]

      package init(_ field: inout Fields) { users = field("users", "Who may use it.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try path("accounts", input.accountID, "userAccountAccess"))
    }
  }

  /// `afero/revoke-access`
  package enum RevokeAccess: AferoOperation {
    package static let about = About("afero/revoke-access", "Ends what somebody may do in an account.", effect: .idempotent, token: .user)
    package static let example = Example(
      with: #"{"account_id": "acc-1", "user_id": "usr-2"}"#, outputs: "{}",
      given: #"{"users": [{"username": "ann@example.test", "password": "hunter22"}\#(SharingExample.bo)]}"#, before: [.aferoSignIn])

    package struct Input: DescribedRecord {
      let accountID: String
      let userID: String

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        userID = field("user_id", "Who may use it no more, as `afero/list-access` gives it.")
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.delete, try path("accounts", input.accountID, "userAccountAccess", input.userID))
    }
  }

  /// `afero/invite-user`
  package enum InviteUser: AferoOperation {
    package static let about = About("afero/invite-user", "Asks somebody by mail to share an account.", effect: .unsafe, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "target_email": "bo@example.test", "source_user_id": "usr-1", "can_write": true}"#)

    package struct Input: DescribedRecord {
      let accountID: String
      let targetEmail: String
      let targetLocale: String
      let sourceUserID: String
      let startAccessTimestamp: Int
      let endAccessTimestamp: Int
      let canWrite: Bool
      let owner: Bool
      let customMessage: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        targetEmail = field("target_email", "Who is asked.")
        targetLocale = field("target_locale", "The language of the mail.", default: "en_US")
        sourceUserID = field("source_user_id", "Who asks: the person who is signed in.")
        startAccessTimestamp = field("start_access_timestamp", "From when on, in milliseconds since 1970; 0 is always.", default: 0)
        endAccessTimestamp = field("end_access_timestamp", "Until when, in milliseconds since 1970; 0 is for good.", default: 0)
        canWrite = field("can_write", "Whether they may change things.", default: false)
        owner = field("owner", "Whether the account is theirs too.", default: false)
        customMessage = field("custom_message", "What the mail says beside the rest.")
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      var body = ValueMap()
      body["targetEmail"] = .string(input.targetEmail)
      body["targetLocale"] = .string(input.targetLocale)
      body["sourceAccountId"] = .string(input.accountID)
      body["sourceUserId"] = .string(input.sourceUserID)
      body["startAccessTimestamp"] = input.startAccessTimestamp.value
      body["endAccessTimestamp"] = input.endAccessTimestamp.value
      body["accountPrivilegesDto"] = ["canWrite": .bool(input.canWrite), "owner": .bool(input.owner)]
      body["customMessage"] = input.customMessage.map { .string($0) }
      return HTTPCall(.post, try path("accounts", input.accountID, "invitations"), body: .json(.map(body)))
    }
  }

  /// `afero/revoke-invitation`
  package enum RevokeInvitation: AferoOperation {
    package static let about = About(
      "afero/revoke-invitation", "Takes an invitation back that nobody has accepted.", effect: .idempotent, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "invitation_id": "inv-1"}"#, user: #", "invitations": ["bo@example.test"]"#)

    package struct Input: DescribedRecord {
      let accountID: String
      let invitationID: String

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        invitationID = field("invitation_id", "The invitation: its `value` of `afero/get-user-summary`.")
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.delete, try path("accounts", input.accountID, "invitations", input.invitationID))
    }
  }
}
