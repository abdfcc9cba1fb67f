package import StepKit
package import Values

/// The Firebase ID token of the setting `id_token`. OYA gives out no tokens itself, and renews none.
package struct OyaTokenIssuer: TokenIssuer {
  package init() {}

  package func token(
    for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort
  ) async throws(StepFailure) -> Token {
    guard case .user(let person) = grant else {
      throw .grantRefused("OYA takes the tokens of Firebase; `oya/authorize-apple` gives one, or the setting `id_token` holds one")
    }
    let expires = TokenClaims(person.password)?.expires
    if let expires, expires <= clock.now() {
      throw OAuthRefusal.invalidGrant.local(detail: "the `id_token` of the connection ended at \(expires.text); get a new one at Firebase")
    }
    return Token(accessToken: person.password, expires: expires)
  }
}
