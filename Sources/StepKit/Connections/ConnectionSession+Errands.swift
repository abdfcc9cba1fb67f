/// What a fetch does: asks the issuer.
extension ConnectionSession {
  /// What a flight is for.
  enum Errand: Sendable {
    /// The request goes over the port of the step that signs in; nil is the session's own.
    case signIn(TokenGrant, over: (any HTTPPort)?)
    case adoption(of: Token, TokenClass)
    /// Of the token that is held or was refused.
    case renewal(of: Token?, TokenClass, Reason)

    enum Reason {
      /// There is none, or it has ended by the clock.
      case due
      /// The provider answered it with 401.
      case refused
      /// A step wants another one, whether or not this one is good.
      case forced
    }

    var tokenClass: TokenClass {
      switch self {
      case .signIn(let grant, _): grant.tokenClass
      case .adoption(_, let tokenClass), .renewal(_, let tokenClass, _): tokenClass
      }
    }
  }

  /// - Parameter stored: what the store holds, which is newer than what this run does.
  func perform(
    _ errand: Errand, _ id: Int, _ issuer: any TokenIssuer, stored: Token?
  ) async throws(StepFailure) -> Token {
    switch errand {
    case .adoption(let token, _): return token
    case .signIn(let grant, let port?):
      // Its step reports the request as its own.
      return try await ask(grant, id, issuer, over: port)
    case .signIn(let grant, nil):
      let port = TokenRequestPort(http)
      do throws(StepFailure) {
        return try await ask(grant, id, issuer, over: port)
      } catch {
        throw port.named(error)
      }
    case .renewal(let old, let tokenClass, let reason):
      return try await renewal(of: stored ?? old, tokenClass, reason, refused: reason == .refused ? old : nil, id, issuer)
    }
  }

  /// The token after one that is held; two requests at most.
  private func renewal(
    of old: Token?, _ tokenClass: TokenClass, _ reason: Errand.Reason, refused: Token?, _ id: Int, _ issuer: any TokenIssuer
  ) async throws(StepFailure) -> Token {
    var refusal: StepFailure?
    var isSame = false
    for grant in tokens.grants(after: old, tokenClass).prefix(2) {
      let port = TokenRequestPort(http)
      do throws(StepFailure) {
        let token = try await ask(grant, id, issuer, over: port)
        guard token.accessToken == refused?.accessToken, !port.hasSent else { return token }
        // The settings hold it, and nobody has been asked for another: it would be refused again.
        isSame = true
      } catch {
        // Where a step renews, that is its own request.
        let named = reason == .forced ? error : port.named(error)
        guard error.code.hasPrefix("auth.") else { throw named }
        refusal = named
      }
      tokens.noteRefused(grant)
    }
    let nobody = self.nobody
    if flights.isWaitedFor(id, tokenClass) { tokens.end(tokenClass, with: old) }
    if let refusal {
      // Who has had no token yet is not told of one that has ended.
      if old == nil, tokens.given[tokenClass] == nil { throw refusal }
      let told = old == nil ? "the token of the connection's settings could not be renewed" : "\(reason.told), and no new one could be had"
      throw .sessionExpired(detail: told, cause: refusal)
    }
    if old == nil { throw nobody }
    let why = isSame ? "and the connection has no other" : "and there is nothing to renew it by"
    throw .sessionExpired(detail: "\(reason.told), \(why); \(mend)", cause: nil)
  }

  private func ask(_ grant: TokenGrant, _ id: Int, _ issuer: any TokenIssuer, over http: any HTTPPort) async throws(StepFailure) -> Token {
    switch grant {
    case .refresh, .code: try passReturn(id, grant.tokenClass)
    case .client, .user: break
    }
    let token = try await issuer.token(for: grant, settings: settings, http: http, clock: clock)
    if case .user(let person) = grant, flights.isWaitedFor(id, .user) { tokens.note(signedIn: person) }
    return token
  }
}

extension ConnectionSession.Errand.Reason {
  /// What has become of the token.
  fileprivate var told: String {
    switch self {
    case .due: "the token has ended"
    case .refused: "the token was refused"
    case .forced: "the token is to be renewed"
    }
  }
}
