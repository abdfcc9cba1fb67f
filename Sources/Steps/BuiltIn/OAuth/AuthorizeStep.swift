import HTTPTypes
package import StepKit
package import Values

/// `oauth/authorize`: an authorization request without a browser (RFC 6749 §4.1.1, §4.2.1), always with PKCE for a code.
package enum OAuthAuthorizeStep: StepHandler {
  package static let about = About(
    "oauth/authorize", "Asks an authorization server for a code or a token, for a person whom it knows already.", effect: .idempotent,
    needs: [.setting("oauth.client_id", or: "client_id")])
  package static let errors = [
    OAuthRefusal.interaction, OAuthRefusal.denied, OAuthRefusal.wrongState, OAuthRefusal.invalidClient, OAuthRefusal.invalidGrant,
    OAuthRefusal.pending,
  ]
  package static let example = Example(
    with: #"{"authorization_url": "/oauth/authorize", "client_id": "cid", "redirect_uri": "https://app.example.test/callback"}"#,
    outputs: """
      {"code": "*", "code_verifier": "*", "redirect_uri": "https://app.example.test/callback", "state": "*"}
      """)

  /// What the redirect is to bring.
  package enum ResponseType: String, Choice { case code, token }

  package struct Input: Sendable {
    let authorizationURL: String
    let responseType: ResponseType
    let clientID: Secret<String>?
    let redirectURI: String?
    let scope: String?
    let audience: String?
    let state: String?
    let parameters: NamedMembers<Value>
  }

  /// What was asked for is there.
  package static func refineOutput(_ shape: RecordShape, literals: ValueMap) -> RecordShape {
    let names: [String]
    switch literals["response_type"]?.stringValue {
    case nil where literals["response_type"] == nil, ResponseType.code.rawValue: names = ["code", "code_verifier", "state"]
    case ResponseType.token.rawValue: names = ["access_token", "state"]
    case .some, nil: names = ["state"]
    }
    let shape = names.reduce(shape) { $0.requiring($1) }
    return literals["redirect_uri"] == nil ? shape : shape.requiring("redirect_uri")
  }

  /// - Throws: `auth.interaction` where the server shows a page, `auth.denied`, `auth.state`, `http.*` for any other answer.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> OAuthRedirectOutput {
    let key = ProofKey(ports.random)
    let stated = input.state ?? ""
    let state = !stated.isEmpty ? stated : Base64URL.encoded(ports.random.bytes(16))
    let client = try OAuthParty(ports).client(input.clientID, nil, nil)
    var call = HTTPCall(.get, input.authorizationURL, query: try input.query(client, state, key), token: TokenClass.none)
    call.options.redirects = 0
    call.secretParameters = AuthorizationRedirect.secretNames
    // Whoever reads it before the redirect has come could answer in the server's place.
    if stated.isEmpty { call.hidden = [state] }
    let reply = try await ports.http.send(call)
    guard let location = reply.headers[.location], (300..<400).contains(reply.status) else { throw input.failure(reply) }
    let redirect = AuthorizationRedirect(location)
    guard input.isAnswered(by: location, redirect) else { throw input.interaction(reply) }
    let output = try OAuthRedirectOutput(
      redirect, state: state, verifier: input.responseType == .code ? key.verifier : nil, redirectURI: input.redirectURI)
    let isThere = input.responseType == .code ? output.code != nil : output.accessToken != nil
    guard isThere else { throw .input("the redirect has no \(input.responseType.rawValue)") }
    return output
  }
}

extension OAuthAuthorizeStep.Input {
  func query(_ client: OAuthClient, _ state: String, _ key: ProofKey) throws(StepFailure) -> [(name: String, value: String)] {
    var query: [(name: String, value: String)] = [("response_type", responseType.rawValue), ("client_id", client.id)]
    if let redirectURI { query.append(("redirect_uri", redirectURI)) }
    query += OAuthClient.scopeForm(scope, audience) + [("state", state)]
    if responseType == .code { query += [("code_challenge", key.challenge), ("code_challenge_method", "S256")] }
    for (name, value) in parameters.entries {
      guard let text = value.scalarText else { throw .input("`parameters.\(name)` must be a text, a number or a bool") }
      guard !query.contains(where: { $0.name == name }) else { throw .input("`parameters.\(name)` is stated by the step already") }
      query.append((name, text))
    }
    return query
  }

  /// Whether the server has sent the person back, and not to a page of its own.
  func isAnswered(by location: String, _ redirect: AuthorizationRedirect) -> Bool {
    if let redirectURI { return AuthorizationRedirect.address(of: location) == AuthorizationRedirect.address(of: redirectURI) }
    return ["code", "access_token", "id_token", "error"].contains { redirect[$0] != nil }
  }

  /// A page is for a person; anything else that is no redirect is a refusal.
  func failure(_ reply: HTTPReply) -> StepFailure {
    if reply.isSuccess, reply.body["error"] == nil { return interaction(reply) }
    return reply.body["error"] == nil ? .http(reply) : OAuthRefusal.failure(reply)
  }

  func interaction(_ reply: HTTPReply) -> StepFailure {
    let what = reply.isSuccess ? "answers with a page" : "leads to a page of its own"
    return OAuthRefusal.interaction.failure(reply, detail: "the server \(what) and not to the redirect address")
  }
}

extension OAuthAuthorizeStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    authorizationURL = field(
      "authorization_url", "The authorization endpoint: an absolute URL, or a path below the connection's base URL.", minLength: 1)
    responseType = field("response_type", "A `code`, with PKCE by S256, or a `token` in the redirect itself.", default: .code)
    clientID = field("client_id", "The client's id; that of the connection's `oauth` without it.")
    redirectURI = field("redirect_uri", "Where the server sends the person back to; nobody needs to listen there.")
    scope = field("scope", "The scopes asked for, with spaces between them.")
    audience = field("audience", "For whom the token is, where the server asks for it.")
    state = field("state", "What the redirect must bring back; made at random where it is empty or missing.")
    parameters = field("parameters", "Further parameters of the request, such as `nonce` or `prompt`.", default: NamedMembers())
  }
}
