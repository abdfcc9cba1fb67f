package import StepKit
import Values

/// `oauth/parse-redirect`: reads the address that a browser was sent back to; nothing is sent.
package enum OAuthParseRedirectStep: StepHandler {
  package static let about = About(
    "oauth/parse-redirect", "Reads the address that an authorization server has sent a browser back to.", effect: .read)
  package static let errors = [OAuthRefusal.denied, OAuthRefusal.wrongState]
  package static let example = Example(
    with: #"{"url": "https://app.example.test/callback?code=c0de%2F1&state=xyz", "state": "xyz"}"#,
    outputs: #"{"code": "c0de/1", "state": "xyz"}"#)

  package struct Input: Sendable {
    let url: Secret<String>
    let state: String?
  }

  /// - Throws: `auth.denied` for the error that the server names, `auth.state` for the answer to another request.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> OAuthRedirectOutput {
    let redirect = AuthorizationRedirect(input.url.exposed)
    ports.http.hide(redirect.secretTexts)
    return try OAuthRedirectOutput(redirect, state: input.state)
  }
}

extension OAuthParseRedirectStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    url = field("url", "The address, as the browser's address bar or `Location` has it.", minLength: 1)
    state = field("state", "What the request said as `state`; compared where it is given.")
  }
}
