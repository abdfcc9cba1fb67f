import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/exchange-code`
  package enum ExchangeCode: StepHandler {
    package static let about = About(
      "sami/exchange-code", "Trades a code for a person's token, and signs them in on the connection.", effect: .unsafe, signsIn: true,
      needs: ["accounts_url", "client_secret"])
    package static let errors = [OAuthRefusal.invalidClient, OAuthRefusal.invalidGrant, OAuthRefusal.denied]
    package static let example = Example(
      with: #"{"code": "c-44"}"#,
      outputs: #"{"access_token": "*", "token_type": "bearer", "expires_in": 3600, "expires_at": "*", "refresh_token": "*"}"#,
      given: #"{"codes": [{"code": "c-44"}]}"#)

    package struct Input: Sendable {
      let code: Secret<String>
      let redirectURI: String?
    }

    package typealias Output = GrantedToken

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let uri = input.redirectURI ?? Settings(valid: ports.settings).redirectURI
      let code = AuthorizationCode(code: input.code.exposed, redirectURI: uri)
      return Output(try await ports.session.signIn(.code(code), over: ports.http))
    }
  }

  /// `sami/refresh-token`
  package enum RefreshToken: StepHandler {
    package static let about = About(
      "sami/refresh-token", "Renews the person's token now, whether or not it is still good.", effect: .unsafe, signsIn: true,
      needs: ["accounts_url"])
    package static let errors = [OAuthRefusal.invalidClient, OAuthRefusal.invalidGrant, OAuthRefusal.denied]
    package static let example = Example(
      with: "{}",
      outputs: """
        {"access_token": "*", "token_type": "bearer", "expires_in": 3600, "expires_at": "*", "refresh_token": "*", "scope": "read,write"}
        """, before: [.consent])

    package struct Input: Sendable {
      let refreshToken: Secret<String>?
      let accessToken: Secret<String>?
    }

    package typealias Output = GrantedToken

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let refresh = input.refreshToken?.exposed else { return Output(try await ports.session.renew(.user)) }
      let kind: TokenKind = input.accessToken == nil ? .code : .implicit
      let old = Token(
        accessToken: input.accessToken?.exposed ?? "", expires: nil, type: kind.rawValue, refreshToken: refresh)
      return Output(try await ports.session.signIn(.refresh(old, .user), over: ports.http))
    }
  }

  /// `sami/get-app-token`
  package enum GetAppToken: StepHandler {
    package static let about = About(
      "sami/get-app-token", "Gets the application's own token.", effect: .idempotent, needs: ["accounts_url", "client_secret"])
    package static let errors = [OAuthRefusal.invalidClient, OAuthRefusal.denied]
    package static let example = Example(
      with: "{}", outputs: #"{"access_token": "*", "token_type": "bearer", "expires_in": 3600, "expires_at": "*"}"#)

    package struct Input: Sendable { let scope: String? }

    package typealias Output = GrantedToken

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let settings = Settings(valid: ports.settings)
      var form = TokenGrant.client.form ?? []
      if let scope = input.scope { form.append(("scope", scope)) }
      let call = try settings.client().tokenRequest(to: try settings.accounts("/token"), form: form, effect: nil)
      let reply = try await ports.http.send(call)
      if let refusal = SAMITokenIssuer.refusal(reply, .client) { throw refusal }
      let token = try TokenAnswer(reply).token(at: ports.clock.now())
      try await ports.session.adopt(token, .client)
      return Output(token)
    }
  }
}

extension SAMI.ExchangeCode.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    code = field("code", "The code, as `sami/authorize-code` gives it.")
    redirectURI = field("redirect_uri", "The one that the code was asked for with; the connection's unless stated.")
  }
}

extension SAMI.RefreshToken.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    refreshToken = field("refresh_token", "The refresh token of a sign-in elsewhere; the connection's own unless stated.")
    accessToken = field(
      "access_token", "The token that came with it, where that was got by the implicit grant; else the client's secret proves who asks.")
  }
}

extension SAMI.GetAppToken.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    scope = field("scope", "What it is to allow, such as `read`; SAMI takes `read,write` unless stated.")
  }
}
