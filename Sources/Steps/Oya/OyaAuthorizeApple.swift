import HTTPTypes
package import StepKit
import Values

extension Oya {
  /// `oya/authorize-apple`
  package enum AuthorizeApple: StepHandler {
    package static let about = About(
      "oya/authorize-apple", "Signs a person in with a code of \"Sign in with Apple\".", effect: .unsafe, signsIn: true)
    package static let errors = [OAuthRefusal.invalidGrant]
    package static let example = Example(with: #"{"auth_code": "c0ffee.0.mei"}"#, outputs: #"{"token": "*", "expires_at": "*"}"#)

    package struct Input: Sendable { let authCode: Secret<String> }

    package struct Output: Sendable {
      let token: Secret<String>
      let expiresAt: String?
    }

    /// The token that OYA answers is a custom token of Firebase, and the connection uses it as it is. The sandbox takes it; the
    /// real API wants the ID token that Firebase gives for it (`accounts:signInWithCustomToken`), in the setting `id_token`.
    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let call = HTTPCall(
        .post, "/appleId/authorize", body: .json(["authCode": input.authCode.value]), token: TokenClass.none, secretMembers: ["token"],
        isTextSecret: true)
      let reply = try await ports.http.send(call)
      guard reply.isSuccess else { throw failure(reply) }
      let wire = try Wire.decode(reply)
      let expires = TokenClaims(wire.token.exposed)?.expires
      try await ports.session.adopt(Token(accessToken: wire.token.exposed, expires: expires), .user)
      return Output(token: wire.token, expiresAt: expires?.text)
    }

    private static func failure(_ reply: HTTPReply) -> StepFailure {
      let apple = reply.body["error"]?["error"]?.stringValue
      guard reply.status == 400, apple == "invalid_grant" else { return Oya.failure(reply) }
      return OAuthRefusal.invalidGrant.failure(reply, detail: "Apple does not accept the code; each is good once, for five minutes")
    }

    struct Wire: Sendable { let token: Secret<String> }
  }
}

extension Oya.AuthorizeApple.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    authCode = field("auth_code", "The authorization code that Apple gave the app.", minLength: 1)
  }
}

extension Oya.AuthorizeApple.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    token = field("token", "A custom token of Firebase; the connection already uses it, as the sandbox allows.")
    expiresAt = field("expires_at", "When it ends, in UTC, where the token says so.", format: .dateTime)
  }
}

extension Oya.AuthorizeApple.Wire: DescribedRecord {
  init(_ field: inout Fields) { token = field("token", "", minLength: 1) }
}
