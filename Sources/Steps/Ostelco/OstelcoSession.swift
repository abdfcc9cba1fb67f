import HTTPTypes
package import StepKit
import Values

extension Ostelco {
  /// `ostelco/refresh-token`
  ///
  /// A refusal signs out: the refresh token was revoked, and the app goes to its login screen.
  package enum RefreshToken: StepHandler {
    package static let about = About(
      "ostelco/refresh-token", "Renews the access token, or signs a person in by a refresh token.", effect: .idempotent, signsIn: true,
      needs: ["auth_url"])
    static let expired = StepError("auth.expired", "nobody is signed in, or the refresh token was revoked", help: "sign in again")
    package static let errors = OAuthRefusal.all + [expired]
    package static let example = Example(
      with: "{}",
      outputs: """
        {"access_token": "*", "refresh_token": "*", "token_type": "Bearer", "expires_in": 7200, "expires_at": "*",
         "scope": "openid profile email offline_access"}
        """, before: [exampleSignIn])

    package struct Input: DescribedRecord {
      let refreshToken: Secret<String>?

      package init(_ field: inout Fields) {
        refreshToken = field("refresh_token", "One that was got elsewhere, to sign in by it; else the connection's own is used.")
      }
    }

    package typealias Output = SignedIn

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      // The session itself sees to it that many who wait share one request.
      guard let refresh = input.refreshToken?.exposed else { return SignedIn(try await ports.session.renew(.user)) }
      await ports.session.signOut()
      let earlier = Token(accessToken: "", expires: nil, refreshToken: refresh)
      let answer = try await OstelcoTokenIssuer.answer(to: .refresh(earlier, .user), Settings(valid: ports.settings), ports.http)
      return try await SignedIn.adopting(answer, after: earlier, ports)
    }
  }

  /// `ostelco/revoke-refresh-token`: the tenant's own operation; access tokens live on until they end.
  package enum RevokeRefreshToken: StepHandler {
    package static let about = About(
      "ostelco/revoke-refresh-token", "Revokes a refresh token, so that no new access token can be had by it.", effect: .idempotent,
      needs: ["auth_url"])
    static let noToken = error("no_refresh_token", "there is no refresh token to revoke", help: "sign in first, or give `refresh_token`")
    package static let errors = [noToken, OAuthRefusal.invalidClient]
    package static let example = Example(with: "{}", outputs: "{}", before: [exampleSignIn])

    package struct Input: DescribedRecord {
      let refreshToken: Secret<String>?

      package init(_ field: inout Fields) {
        refreshToken = field("refresh_token", "Which one; the connection's own where it is left out.")
      }
    }

    package typealias Output = Nothing

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let settings = Settings(valid: ports.settings)
      let held = await ports.session.held(.user)?.refreshToken
      guard let token = input.refreshToken?.exposed ?? held else { throw noToken.local(detail: "nobody is signed in with one") }
      let reply = try await ports.http.send(
        HTTPCall(
          .post, try settings.tenant("/oauth/revoke"),
          body: .json(["client_id": .string(settings.clientID.exposed), "token": Value.string(token).hidden()]), token: TokenClass.none))
      guard reply.isSuccess else { throw OAuthRefusal.failure(reply) }
      return Nothing()
    }
  }

  /// `ostelco/logout`: sends nothing; tokens and whatever belongs to the user are forgotten.
  package enum Logout: StepHandler {
    package static let about = About(
      "ostelco/logout", "Signs out: the connection forgets tokens and user, and nothing is sent.", effect: .idempotent, signsOut: .always)
    package static let errors: [StepError] = []
    package static let example = Example(with: "{}", outputs: #"{"auth_state": "login"}"#, before: [exampleSignIn])

    package typealias Input = MobileShop.NoInput

    package struct Output: DescribedRecord {
      let authState: String

      package init(_ field: inout Fields) {
        authState = field("auth_state", "Where the app goes: `login`.")
      }

      fileprivate init(_ state: String) { authState = state }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      await ports.session.signOut()
      return Output("login")
    }
  }

  /// What an answer without a body gives.
  package struct Nothing: DescribedRecord {
    package init(_ field: inout Fields) {}
    init() {}
  }
}
