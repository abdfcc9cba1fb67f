package import StepKit
import Values

/// `oauth/revoke`: gives a token back (RFC 7009).
package enum OAuthRevokeStep: StepHandler {
  package static let about = About(
    "oauth/revoke", "Tells an OAuth 2.0 server that a token is not needed any more.", effect: .idempotent,
    needs: [.setting("oauth.revocation_url", or: "revocation_url"), .setting("oauth.client_id", or: "client_id")])
  package static let errors = OAuthRefusal.all
  package static let example = Example(
    with: #"{"revocation_url": "/oauth/revoke", "client_id": "cid", "client_secret": "s3cr3t", "token": "t-1"}"#, outputs: "{}")

  /// Which token it is; the server finds it faster.
  package enum Kind: String, Choice {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
  }

  package struct Input: Sendable {
    let token: Secret<String>
    let tokenTypeHint: Kind?
    let revocationURL: String?
    let clientID: Secret<String>?
    let clientSecret: Secret<String>?
    let clientAuth: OAuthClient.Authentication?
  }

  package struct Output: Sendable {}

  /// - Throws: `auth.*` for what the server refuses in the words of OAuth, `http.*` for any other refusal. A token that it
  ///   does not know is none (RFC 7009 §2.2).
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    let party = OAuthParty(ports)
    let url = try OAuthParty.needed(input.revocationURL ?? party.own?.revocationURL, "revocation_url")
    let client = try party.client(input.clientID, input.clientSecret, input.clientAuth)
    try await revoke(input.token.exposed, input.tokenTypeHint, at: url, client, ports.http)
    return Output()
  }

  static func revoke(
    _ token: String, _ kind: Kind?, at url: String, _ client: OAuthClient, _ http: any HTTPPort
  ) async throws(StepFailure) {
    var form = [(name: "token", value: token)]
    if let kind { form.append((name: "token_type_hint", value: kind.rawValue)) }
    let reply = try await http.send(client.tokenRequest(to: url, form: form, effect: .idempotent))
    guard reply.isSuccess else { throw OAuthRefusal.failure(reply) }
  }
}

extension OAuthRevokeStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    token = field("token", "The token; a refresh token takes those that came by it along.", minLength: 1)
    tokenTypeHint = field("token_type_hint", "Which token it is.")
    revocationURL = field(
      "revocation_url",
      "The revocation endpoint: an absolute URL, or a path below the connection's base URL; that of its `oauth` without it.",
      minLength: 1)
    clientID = field("client_id", "The client's id; that of the connection's `oauth` without it.")
    clientSecret = field("client_secret", "Its secret; a public client has none.")
    clientAuth = field("client_auth", "Whether id and secret go as HTTP `basic`, as they do without it, or in the `form`.")
  }
}

extension OAuthRevokeStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {}
}
