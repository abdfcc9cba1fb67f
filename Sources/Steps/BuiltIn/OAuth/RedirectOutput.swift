package import StepKit
import Values

/// What a redirect from an authorization server hands over, for the steps that read one.
package struct OAuthRedirectOutput: Sendable {
  let code: Secret<String>?
  let codeVerifier: Secret<String>?
  let redirectURI: String?
  let accessToken: Secret<String>?
  let tokenType: String?
  let expiresIn: Int?
  let idToken: Secret<String>?
  let scope: String?
  let state: String?

  /// - Throws: `auth.denied`, `auth.state`, and `schema.input` for a redirect with neither a code nor a token.
  init(_ redirect: AuthorizationRedirect, state: String?, verifier: String? = nil, redirectURI: String? = nil) throws(StepFailure) {
    try redirect.check(state: state)
    guard redirect["code"] ?? redirect["access_token"] ?? redirect["id_token"] != nil else {
      throw .input("the redirect has neither a code nor a token")
    }
    code = redirect["code"].map { Secret($0) }
    codeVerifier = code == nil ? nil : verifier.map { Secret($0) }
    self.redirectURI = redirectURI
    accessToken = redirect["access_token"].map { Secret($0) }
    tokenType = redirect["token_type"]
    expiresIn = redirect["expires_in"].flatMap { Int($0) }
    idToken = redirect["id_token"].map { Secret($0) }
    scope = redirect["scope"]
    self.state = redirect["state"]
  }
}

extension OAuthRedirectOutput: DescribedRecord {
  package init(_ field: inout Fields) {
    code = field("code", "For `oauth/token` with `grant: authorization_code`; good for one use.")
    codeVerifier = field("code_verifier", "What proves that the code is ours, for `oauth/token` (PKCE, RFC 7636).")
    redirectURI = field("redirect_uri", "The redirect's address, as `oauth/token` needs it again.")
    accessToken = field("access_token", "The token, where one was asked for.")
    tokenType = field("token_type", "Its type, such as `Bearer`.")
    expiresIn = field("expires_in", "Its life in seconds.")
    idToken = field("id_token", "Who has signed in, as a JSON Web Token (OpenID Connect).")
    scope = field("scope", "The scopes that were granted.")
    state = field("state", "The text that tells this answer from another request's.")
  }
}
