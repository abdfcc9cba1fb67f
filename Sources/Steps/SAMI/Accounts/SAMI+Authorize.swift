package import StepKit
import Values

extension SAMI {
  /// `sami/authorize`
  package enum Authorize: StepHandler {
    package static let about = About(
      "sami/authorize", "Signs a person in on the connection by the implicit grant, where they have agreed already.", effect: .idempotent,
      signsIn: true, needs: ["accounts_url", .setting("redirect_uri", or: "redirect_uri")])
    package static let errors = Consent.errors
    package static let example = Example(
      with: #"{"client": "mobile"}"#,
      outputs: """
        {"access_token": "*", "token_type": "bearer", "expires_in": 7200, "expires_at": "*", "refresh_token": "*", "state": "*"}
        """)

    package typealias Input = ConsentRequest
    package typealias Output = GrantedToken

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let redirect = try await Consent.redirect(.token, input, ports)
      guard let token = Token(implicit: redirect, at: ports.clock.now()) else {
        throw Consent.signInNeeded.local(detail: "the redirect has no `access_token`")
      }
      try await ports.session.adopt(token, .user)
      return Output(token, state: redirect["state"])
    }
  }

  /// `sami/authorize-code`
  package enum AuthorizeCode: StepHandler {
    package static let about = About(
      "sami/authorize-code", "Gets a code for a person's token, where they have agreed already.", effect: .idempotent,
      needs: ["accounts_url", .setting("redirect_uri", or: "redirect_uri")])
    package static let errors = Consent.errors
    package static let example = Example(with: "{}", outputs: #"{"code": "*", "state": "*"}"#)

    package typealias Input = ConsentRequest

    package struct Output: Sendable {
      let code: Secret<String>
      let state: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let redirect = try await Consent.redirect(.code, input, ports)
      guard let code = redirect["code"], !code.isEmpty else {
        throw Consent.signInNeeded.local(detail: "the redirect has no `code`")
      }
      return Output(code: Secret(code), state: redirect["state"])
    }
  }
}

extension SAMI.AuthorizeCode.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    code = field("code", "Good once, for 60 seconds: `sami/exchange-code` takes it.")
    state = field("state", "The text that was sent along and has come back.")
  }
}
