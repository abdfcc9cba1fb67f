package import StepKit
package import Values

extension SAMI {
  /// `sami/parse-redirect`
  package enum ParseRedirect: StepHandler {
    package static let about = About(
      "sami/parse-redirect", "Reads the URL that a browser was sent back to, and signs the person in; sends nothing.", effect: .read,
      signsIn: true)
    static let noToken = StepError(
      "sami.no_token_in_redirect", "the URL holds no access token", help: "it is not the redirect of a consent: wait for the next one")
    package static let errors = [OAuthRefusal.denied, OAuthRefusal.wrongState, noToken]
    package static let example = Example(
      with: """
        {"url": "ios-app://redirect#expires_in=7200&token_type=bearer&refresh_token=r-81&access_token=2f6c0d&state=xyz", "state": "xyz"}
        """,
      outputs: """
        {"kind": "token", "access_token": "2f6c0d", "token_type": "bearer", "expires_in": 7200, "refresh_token": "r-81", "state": "xyz"}
        """)

    package struct Input: Sendable {
      let url: Secret<String>
      let state: String?
      let adopt: Bool
    }

    /// What a URL turns out to be.
    package enum Kind: String, Choice { case token, code, denial, logout, other }

    package struct Output: Sendable {
      let kind: Kind
      let accessToken: Secret<String>?
      let tokenType: String?
      let expiresIn: Int?
      let refreshToken: Secret<String>?
      let code: Secret<String>?
      let state: String?
      let error: String?
    }

    package static func signsIn(_ literals: ValueMap) -> Bool? {
      switch literals["adopt"] {
      case .bool(let adopt): adopt
      case nil: true
      case .some: nil
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let redirect = AuthorizationRedirect(input.url.exposed)
      ports.http.hide(redirect.secretTexts)
      let output = Output(redirect)
      switch output.kind {
      // Only these answer a request that had a state.
      case .token, .code, .denial:
        if let state = input.state, redirect["state"] != state {
          // Its words are used, and nothing of the redirect.
          try AuthorizationRedirect("?state=\(PercentEncoding.component(redirect["state"] ?? ""))").check(state: state)
        }
      case .logout, .other: break
      }
      guard input.adopt else { return output }
      try redirect.check(state: input.state)
      guard let token = Token(implicit: redirect, at: ports.clock.now()) else { throw noToken.local(detail: "") }
      try await ports.session.adopt(token, .user)
      return output
    }
  }
}

extension SAMI.ParseRedirect.Output {
  fileprivate init(_ redirect: AuthorizationRedirect) {
    func some(_ name: String) -> String? { redirect[name].flatMap { $0.isEmpty ? nil : $0 } }
    accessToken = some("access_token").map { Secret($0) }
    tokenType = some("token_type")
    expiresIn = some("expires_in").flatMap { Int($0) }
    refreshToken = some("refresh_token").map { Secret($0) }
    code = some("code").map { Secret($0) }
    state = some("state")
    error = some("error")
    kind =
      error != nil
      ? .denial : accessToken != nil ? .token : code != nil ? .code : redirect["status"] == "logout" ? .logout : .other
  }
}

extension SAMI.ParseRedirect.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    url = field("url", "The address, with all that stands behind `#` or `?`.")
    state = field("state", "The text that was sent along; another one in the URL is refused.")
    adopt = field(
      "adopt", "Whether the connection uses the token from now on: then a denial, or a URL without a token, is an error.", default: true)
  }
}

extension SAMI.ParseRedirect.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    kind = field("kind", "What the URL is: with a token, a code or a denial, after a log-out, or none of these.")
    accessToken = field("access_token", "The token.")
    tokenType = field("token_type", "Its type, which is `bearer`.")
    expiresIn = field("expires_in", "Its life in seconds.")
    refreshToken = field("refresh_token", "Trades for the next token.")
    code = field("code", "Trades for a token, where a code was asked for.")
    state = field("state", "The text that was sent along.")
    error = field("error", "Why there is no token, such as `access_denied`.")
  }
}
