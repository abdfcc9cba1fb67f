import HTTPTypes
package import StepKit
import Values

extension Afero {
  static let appNeeded = StepError(
    "afero.app_needed", "the mail of an app needs the app's id", help: "give the connection an `app_id`, or use `afero/reset-password`")

  /// The input of what sends a mail to somebody who cannot sign in.
  package struct CredentialReference: DescribedRecord {
    let credentialID: String

    package init(_ field: inout Fields) { credentialID = field("credential_id", Prose.credential) }

    /// The request that sends the code, with the headers of whose mail it is.
    func reset(_ headers: HTTPFields) throws(StepFailure) -> HTTPCall {
      HTTPCall(.post, "/v1/credentials/\(try Afero.credential(credentialID))/passwordReset", headers: headers)
    }
  }

  /// `afero/reset-password`
  package enum ResetPassword: AferoOperation {
    package static let about = About(
      "afero/reset-password", "Sends a mail with a code, by which a forgotten password can be replaced.", effect: .unsafe)
    package static let example = Example(
      with: #"{"credential_id": "ann@example.test"}"#, outputs: "{}", given: #"{"users": [{"username": "ann@example.test"}]}"#)

    package typealias Input = CredentialReference
    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall { try input.reset([:]) }
  }

  /// `afero/send-password-recovery-email`
  package enum SendPasswordRecoveryEmail: AferoOperation {
    package static let about = About(
      "afero/send-password-recovery-email", "Sends the same mail as `afero/reset-password`, in the look of the connection's app.",
      effect: .unsafe, needs: ["app_id"])
    package static let errors = common + [appNeeded]
    package static let example = ResetPassword.example

    package typealias Input = CredentialReference
    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      let header = settings.appHeader
      guard !header.isEmpty else { throw appNeeded.local(detail: "the connection has no `app_id`") }
      return try input.reset(header)
    }
  }

  /// `afero/update-password-with-code`
  package enum UpdatePasswordWithCode: AferoOperation {
    package static let about = About(
      "afero/update-password-with-code", "Replaces a forgotten password by the code of the mail.", effect: .unsafe)
    package static let example = Example(
      with: #"{"code": "123456", "password": "newhunter22"}"#, outputs: "{}",
      given: #"{"users": [{"username": "ann@example.test", "reset_code": "123456"}]}"#)

    package struct Input: DescribedRecord {
      let code: Secret<String>
      let password: Secret<String>

      package init(_ field: inout Fields) {
        code = field("code", "The code of the mail.")
        password = field("password", "The new password, of 6 to 255 characters.")
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .post, try path("shortvalues", input.code.exposed, "passwordReset"), headers: settings.appHeader,
        body: body(input, without: ["code"]), hidden: [input.code.exposed], secretMembers: ["rejectedValue"])
    }
  }

  /// `afero/update-password`
  package enum UpdatePassword: AferoOperation {
    package static let about = About(
      "afero/update-password", "Replaces the password of the person who is signed in.", effect: .idempotent, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "credential_id": "ann@example.test", "password": "newhunter22"}"#)

    package struct Input: DescribedRecord {
      let accountID: String
      let credentialID: String
      let password: Secret<String>

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        credentialID = field("credential_id", Prose.credential)
        password = field("password", "The new password, of 6 to 255 characters.")
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      let base = try path("accounts", input.accountID, "credentials")
      return HTTPCall(
        .put, "\(base)/\(try credential(input.credentialID))/password", body: body(input, without: ["account_id", "credential_id"]),
        secretMembers: ["rejectedValue"])
    }
  }

  /// `afero/resend-verification`
  package enum ResendVerification: AferoOperation {
    package static let about = About(
      "afero/resend-verification", "Sends the mail once more by which a person proves their address.", effect: .unsafe, token: .user)
    package static let example = Example.afero(#"{"account_id": "acc-1", "credential_id": "ann@example.test"}"#)

    package struct Input: DescribedRecord {
      let accountID: String
      let credentialID: String

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        credentialID = field("credential_id", Prose.credential)
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      let base = try path("accounts", input.accountID, "credentials")
      // In the path encoded, in the body as it is: the client that encodes it twice is wrong.
      return HTTPCall(
        .post, "\(base)/\(try credential(input.credentialID))/resendVerification", headers: settings.appHeader, body: body(input))
    }
  }
}
