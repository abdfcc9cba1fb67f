package import StepKit
import Values

/// `oauth/sign-out`: ends the session of a connection.
package enum OAuthSignOutStep: StepHandler {
  package static let about = About(
    "oauth/sign-out", "Gives the tokens of a connection back where its server takes them, and forgets them.", effect: .idempotent,
    signsOut: .always, needs: [.tokens])
  package static let errors = OAuthRefusal.all
  package static let example = Example(with: "{}", outputs: #"{"revoked": false}"#)

  package struct Input: Sendable {
    let revoke: Bool
  }

  package struct Output: Sendable {
    let revoked: Bool
  }

  /// - Throws: what revoking raises; the tokens are forgotten all the same. `config.token_store` where those that are kept
  ///   cannot be.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    let classes = await ports.session.classes
    let tokenClass = classes.count == 1 ? classes[0] : .user
    let token = await ports.session.held(tokenClass)
    var refusal: StepFailure?
    var isRevoked = false
    if input.revoke, let token, let own = PlainOAuth(in: ports.settings), let url = own.revocationURL {
      do throws(StepFailure) {
        try await revoke(token, at: url, own.client, ports.http)
        isRevoked = true
      } catch {
        refusal = error
      }
    }
    await ports.session.signOut()
    if tokenClass != .user { await ports.session.forget(tokenClass) }
    if let failure = await ports.session.storeFailure ?? refusal { throw failure }
    return Output(revoked: isRevoked)
  }

  /// By its refresh token, which takes the others along (RFC 7009 §2.1), else by itself.
  private static func revoke(_ token: Token, at url: String, _ client: OAuthClient, _ http: any HTTPPort) async throws(StepFailure) {
    if let refresh = token.refreshToken {
      try await OAuthRevokeStep.revoke(refresh, .refreshToken, at: url, client, http)
    } else {
      try await OAuthRevokeStep.revoke(token.accessToken, .accessToken, at: url, client, http)
    }
  }
}

extension OAuthSignOutStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    revoke = field("revoke", "Whether the server is told, where the connection's `oauth` has a `revocation_url`.", default: true)
  }
}

extension OAuthSignOutStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    revoked = field("revoked", "Whether the server was told.")
  }
}
