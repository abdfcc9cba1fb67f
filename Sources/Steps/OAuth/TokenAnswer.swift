package import StepKit
package import Values

/// What a token endpoint answers (RFC 6749 §5.1).
package struct TokenAnswer: Sendable {
  package let accessToken: Secret<String>
  package let tokenType: String?
  /// Some servers write their number as text.
  package let expiresIn: NumberOrText?
  package let refreshToken: Secret<String>?
  package let idToken: Secret<String>?
  package let scope: String?

  /// Members of such an answer that are secret from the moment they are decoded.
  ///
  /// Some servers write them in their own way, and a failure shows what was answered.
  package static let secretMembers: Set<String> = [
    "access_token", "refresh_token", "id_token", "accessToken", "refreshToken", "idToken",
  ]

  /// - Throws: `auth.*` for what the server refuses in the words of OAuth, `http.*` for any other refusal, `decode` for an
  ///   answer without a token.
  package init(_ reply: HTTPReply) throws(StepFailure) {
    // Some servers answer 200 with `error`.
    guard reply.isSuccess, reply.body["error"]?.exposed.stringValue == nil else { throw OAuthRefusal.failure(reply) }
    self = try Self.decode(reply)
  }

  /// Whole seconds from the answer on; nil where the server says nothing that can be read.
  package var life: Int? {
    expiresIn?.whole
  }

  /// The token as a session keeps it.
  /// - Parameter earlier: the token that this one renews: its refresh token stays, where the answer has none (RFC 6749 §6).
  package func token(at now: Timestamp, after earlier: Token? = nil) -> Token {
    Token(
      accessToken: accessToken.exposed, expires: expiry(from: now), issued: now, type: tokenType,
      refreshToken: refreshToken?.exposed ?? earlier?.refreshToken, scope: scope ?? earlier?.scope)
  }

  /// By `expires_in`, else by the token's own claim `exp`.
  private func expiry(from now: Timestamp) -> Timestamp? {
    if let life, (0...(1 << 40)).contains(life) { return Timestamp(seconds: now.seconds + Int64(life), nanoseconds: now.nanoseconds) }
    return TokenClaims(accessToken.exposed)?.expires
  }
}

extension NumberOrText {
  /// Rounded down; nil for what reads as no number.
  var whole: Int? { (value.number ?? value.stringValue.flatMap(Double.init)).flatMap { Int(exactly: $0.rounded(.down)) } }
}

extension TokenAnswer: DescribedRecord {
  package init(_ field: inout Fields) {
    accessToken = field("access_token", "The token.", minLength: 1)
    tokenType = field("token_type", "Its type.")
    expiresIn = field("expires_in", "Seconds from now.")
    refreshToken = field("refresh_token", "The next refresh token.")
    idToken = field("id_token", "Who signed in (OpenID Connect).")
    scope = field("scope", "The scopes granted.")
  }
}
