import HTTPTypes
package import StepKit
package import Values

/// `POST /oauth/token`: a person's token, by their password or by the refresh token of the one before.
package struct AferoTokenIssuer: TokenIssuer {
  package init() {}

  package func token(
    for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort
  ) async throws(StepFailure) -> Token {
    let settings = Afero.Settings(valid: settings)
    let earlier: Token?
    switch grant {
    case .user: earlier = nil
    case .refresh(let token, .user): earlier = token
    case .client, .code, .refresh: throw .grantRefused("Afero gives tokens for passwords and refresh tokens alone")
    }
    let reply = try await http.send(try request(for: grant, settings))
    return try TokenAnswer(readable(reply)).token(at: clock.now(), after: earlier)
  }

  private func request(for grant: TokenGrant, _ settings: Afero.Settings) throws(StepFailure) -> HTTPCall {
    let pair = (id: settings.clientID.exposed, secret: settings.clientSecret.exposed)
    let client = OAuthClient(id: pair.id, secret: pair.secret, authentication: .basic)
    guard var form = grant.form else {
      throw OAuthRefusal.invalidGrant.local(detail: "an address and a password are needed, or a refresh token, and one of them is empty")
    }
    if case .user = grant { form.append(("scope", "account")) }
    var call = client.tokenRequest(to: try target(of: grant, settings), form: form, effect: grant.effect)
    // As Afero's clients write it: the pair is not encoded first.
    call.headers[.authorization] = HTTPFields.basicAuthorization(username: pair.id, password: pair.secret)
    return call
  }

  /// Only the renewal goes to an OpenID service. In the sandbox, which stands on loopback, a service elsewhere is left out.
  private func target(of grant: TokenGrant, _ settings: Afero.Settings) throws(StepFailure) -> String {
    guard case .refresh = grant, let service = settings.openidURL, !service.isEmpty else { return "/oauth/token" }
    if let base = settings.baseURL, try WebAddress(base).isLoopback, try !WebAddress(service).isLoopback { return "/oauth/token" }
    return "\(service.hasSuffix("/") ? String(service.dropLast()) : service)/token"
  }

  /// The answer with its error's name in lower case: Afero's names are compared without it.
  private func readable(_ reply: HTTPReply) -> HTTPReply {
    guard !reply.isSuccess, var body = reply.body.mapValue, let name = body["error"]?.exposed.stringValue else { return reply }
    body["error"] = .string(name.lowercased())
    var copy = reply
    copy.body = .map(body)
    return copy
  }
}
