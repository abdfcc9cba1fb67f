package import StepKit
import Values

/// A person's token as the steps that get one give it.
package struct GrantedToken: Sendable {
  let accessToken: Secret<String>
  let tokenType: String?
  let expiresIn: Int?
  let expiresAt: String?
  let refreshToken: Secret<String>?
  let scope: String?
  let state: String?

  init(_ token: Token, state: String? = nil) {
    accessToken = Secret(token.accessToken)
    // The kind is for the session alone.
    tokenType = TokenKind(token) == .implicit ? TokenKind.code.rawValue : token.type
    expiresIn = token.life
    expiresAt = token.expires.flatMap { Value.timestamp($0).scalarText }
    refreshToken = token.refreshToken.map { Secret($0) }
    scope = token.scope
    self.state = state
  }
}

extension GrantedToken: DescribedRecord {
  package init(_ field: inout Fields) {
    accessToken = field("access_token", "The token; the connection already uses it.")
    tokenType = field("token_type", "Its type, which is `bearer`.")
    expiresIn = field("expires_in", "Its life in seconds.")
    expiresAt = field("expires_at", "When it ends, in UTC.", format: .dateTime)
    refreshToken = field("refresh_token", "Trades for the next token, up to 14 days after this one has ended.")
    scope = field("scope", "What it allows, where SAMI says so.")
    state = field("state", "The text that was sent along and has come back.")
  }
}

extension Token {
  /// Its life in seconds from when it was issued; nil where one of both is not known.
  var life: Int? {
    guard let issued, let expires else { return nil }
    return Int(expires.seconds - issued.seconds)
  }

  /// The token in the fragment of an implicit grant (RFC 6749 §4.2.2); nil where there is none.
  init?(implicit redirect: AuthorizationRedirect, at now: Timestamp) {
    guard let text = redirect["access_token"], !text.isEmpty else { return nil }
    let life = redirect["expires_in"].flatMap { Int64($0) }.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil }
    self.init(
      accessToken: text, expires: life.map { Timestamp(seconds: now.seconds + $0, nanoseconds: now.nanoseconds) }, issued: now,
      type: TokenKind.implicit.rawValue, refreshToken: redirect["refresh_token"], scope: redirect["scope"])
  }
}
