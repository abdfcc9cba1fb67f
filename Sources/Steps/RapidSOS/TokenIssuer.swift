import HTTPTypes
package import StepKit
package import Values

/// `POST /oauth/token`: a client token for the app, a user token for a person.
package struct RapidSOSTokenIssuer: TokenIssuer {
  static let invalidClient = StepError(
    "auth.invalid_client", "the client id or the client secret is not accepted",
    help: "compare `client_id`, `client_secret` and `client_auth` with the app's page at RapidSOS")
  static let invalidGrant = StepError(
    "auth.invalid_grant", "the user name or the password is not accepted",
    help: "sign in with other credentials; the ones before are forgotten")

  package init() {}

  package func token(
    for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort
  ) async throws(StepFailure) -> Token {
    let reply = try await http.send(try request(for: grant, settings: RapidSOS.Settings(valid: settings)))
    guard reply.isSuccess else { throw failure(reply, grant) }
    return try Wire.decode(reply).token(now: clock.now())
  }

  private func request(for grant: TokenGrant, settings: RapidSOS.Settings) throws(StepFailure) -> HTTPCall {
    let pair = (id: settings.clientID.exposed, secret: settings.clientSecret.exposed)
    var form: [(name: String, value: String)] = []
    var headers = HTTPFields()
    switch grant {
    case .client: form.append(("grant_type", "client_credentials"))
    case .user: form.append(("grant_type", "password"))
    case .code, .refresh: throw .grantRefused("RapidSOS gives tokens to apps and for passwords alone")
    }
    switch settings.clientAuth {
    case .form: form += [("client_id", pair.id), ("client_secret", pair.secret)]
    case .basic: headers[.authorization] = HTTPFields.basicAuthorization(username: pair.id, password: pair.secret)
    }
    if case .user(let person) = grant {
      // The reference client answers these itself with a 401 and sends nothing.
      guard !person.username.isEmpty, !person.password.isEmpty else {
        throw Self.invalidGrant.local(detail: "a user name and a password are needed, and one of them is empty")
      }
      form += [("username", person.username), ("password", person.password)]
    }
    // Asking twice for a token changes nothing that matters.
    return HTTPCall(
      .post, "/oauth/token", headers: headers, body: .form(form), token: TokenClass.none, effect: .idempotent,
      secretMembers: ["access_token", "refresh_token"], isTextSecret: true)
  }

  /// The gateway refuses clients, the application refuses people.
  private func failure(_ reply: HTTPReply, _ grant: TokenGrant) -> StepFailure {
    let refusal = Refusal(reply)
    guard reply.status == 401 else { return .http(reply, detail: refusal.text) }
    switch grant {
    case .user where !refusal.isGatewayFault: return Self.invalidGrant.failure(reply, detail: refusal.text)
    case .user, .client, .code, .refresh: return Self.invalidClient.failure(reply, detail: refusal.text)
    }
  }
}

extension RapidSOSTokenIssuer {
  /// The answer: its numbers are texts.
  struct Wire: Sendable {
    let accessToken: Secret<String>
    let tokenType: String?
    let issuedAt: NumberOrText?
    let expiresIn: NumberOrText?

    /// A token without a date, or without a life, counts as expired after its first use: the reference client's rule.
    func token(now: Timestamp) -> Token {
      let issued = issuedAt.flatMap { Self.whole($0) }.map { milliseconds in
        Timestamp(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
      }
      var expires = now
      if let issued, let life = expiresIn.flatMap({ Self.whole($0) }) {
        expires = Timestamp(seconds: issued.seconds + life, nanoseconds: issued.nanoseconds)
      }
      return Token(accessToken: accessToken.exposed, expires: expires, issued: issued, type: tokenType)
    }

    /// A number that is not negative and far from the end of time.
    private static func whole(_ number: NumberOrText) -> Int64? {
      guard let whole = number.value.intValue ?? number.value.stringValue.flatMap({ Int64($0) }) else { return nil }
      return (0...(1 << 53)).contains(whole) ? whole : nil
    }
  }
}

extension RapidSOSTokenIssuer.Wire: DescribedRecord {
  init(_ field: inout Fields) {
    accessToken = field("access_token", "The token.", minLength: 1)
    tokenType = field("token_type", "Its type.")
    issuedAt = field("issued_at", "Milliseconds since 1970.")
    expiresIn = field("expires_in", "Seconds from then.")
  }
}
