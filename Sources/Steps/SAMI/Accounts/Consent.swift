import HTTPTypes
package import StepKit
import Values

/// `GET /authorize` of the accounts host, without a browser: the redirect is the answer, and nobody follows it.
struct Consent {
  static let badRedirect = StepError(
    "sami.bad_redirect", "SAMI does not take this redirect URI", help: "write it exactly as it is registered for the application")
  static let signInNeeded = StepError(
    "sami.sign_in_needed", "a person has to sign in, or to agree, in a browser",
    help: "open the address in a browser and give what it is sent back to to `sami/parse-redirect`")
  static let errors = [OAuthRefusal.denied, OAuthRefusal.wrongState, badRedirect, signInNeeded]

  /// What is asked for, in the words of RFC 6749 §3.1.1.
  enum ResponseType: String { case token, code }

  /// What came back, its `state` checked.
  /// - Throws: `auth.denied`, `auth.state`, `sami.bad_redirect`, `sami.sign_in_needed`, and what any request raises.
  static func redirect(
    _ type: ResponseType, _ input: ConsentRequest, _ ports: Ports
  ) async throws(StepFailure) -> AuthorizationRedirect {
    let settings = SAMI.Settings(valid: ports.settings)
    let uri = try settings.redirect(input.redirectURI)
    let state = input.state ?? Base64URL.encoded(ports.random.bytes(16))
    var query: [(name: String, value: String)] = [("client_id", settings.clientID.exposed), ("response_type", type.rawValue)]
    query.append(("redirect_uri", uri))
    if let client = input.client { query.append(("client", client)) }
    if let scope = input.scope { query.append(("scope", scope)) }
    query.append(("state", state))
    var call = HTTPCall(.get, try settings.accounts("/authorize"), query: query, token: TokenClass.none)
    call.options.redirects = 0
    call.secretParameters = AuthorizationRedirect.secretNames
    if input.state == nil { call.hidden = [state] }
    let reply = try await ports.http.send(call)
    guard let location = reply.headers[.location], (300..<400).contains(reply.status) else { throw refusal(reply) }
    let redirect = AuthorizationRedirect(location)
    guard AuthorizationRedirect.address(of: location) == AuthorizationRedirect.address(of: uri) || redirect["error"] != nil else {
      throw signInNeeded.failure(reply, detail: "SAMI leads to another page than `\(uri)`")
    }
    try redirect.check(state: state)
    return redirect
  }

  private static func refusal(_ reply: HTTPReply) -> StepFailure {
    let text = SAMIRefusal(reply).text
    if reply.isSuccess {
      return signInNeeded.failure(reply, detail: "SAMI answers with a page instead of a redirect")
    }
    if reply.status == 400, text.contains("redirect_uri") || reply.text.contains("redirect_uri") {
      return badRedirect.failure(reply, detail: text.isEmpty ? reply.text : text)
    }
    return .http(reply, detail: text)
  }
}

/// The input of both steps that ask for a person's consent.
package struct ConsentRequest: Sendable {
  let redirectURI: String?
  let scope: String?
  let state: String?
  let client: String?
}

extension ConsentRequest: DescribedRecord {
  package init(_ field: inout Fields) {
    redirectURI = field("redirect_uri", "Where the browser would be sent; the connection's unless stated.")
    scope = field("scope", "What the application asks for, such as `read`; SAMI takes `read,write` unless stated.")
    state = field("state", "A text that comes back with the answer and is compared; a random one unless stated.", minLength: 1)
    client = field("client", "The kind of page, such as `mobile`.")
  }
}
