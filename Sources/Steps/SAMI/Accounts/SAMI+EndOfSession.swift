import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/logout`
  package enum Logout: StepHandler {
    package static let about = About(
      "sami/logout", "Ends the session at the accounts host; tokens stay good until they end or are revoked.", effect: .idempotent,
      signsOut: .asked("forget"),
      needs: ["accounts_url", .setting("redirect_uri", or: "redirect_uri")])
    static let refused = StepError("sami.logout_refused", "SAMI does not say that the session has ended")
    package static let errors = [Consent.badRedirect, refused]
    package static let example = Example(
      with: #"{"state": "xyz"}"#, outputs: #"{"status": "logout", "state": "xyz"}"#, before: [.consent])

    package struct Input: Sendable {
      let redirectURI: String?
      let state: String?
      let forget: Bool
    }

    package struct Output: Sendable {
      let status: String
      let state: String?
    }

    /// - Throws: what the accounts host raises; with `forget` the person's token is forgotten all the same.
    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let outcome: Result<Output, StepFailure>
      do throws(StepFailure) {
        outcome = .success(try await logOut(input, ports))
      } catch {
        outcome = .failure(error)
      }
      if input.forget { await ports.session.signOut() }
      return try outcome.get()
    }

    private static func logOut(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let settings = Settings(valid: ports.settings)
      var query = [(name: "redirect_uri", value: try settings.redirect(input.redirectURI))]
      if let state = input.state { query.append(("state", state)) }
      var call = HTTPCall(.get, try settings.accounts("/logout"), query: query, token: TokenClass.none)
      call.options.redirects = 0
      let reply = try await ports.http.send(call)
      let text = SAMIRefusal(reply).text
      guard let location = reply.headers[.location], (300..<400).contains(reply.status) else {
        if reply.status == 400 { throw Consent.badRedirect.failure(reply, detail: text) }
        throw reply.isSuccess ? refused.failure(reply, detail: "there is no redirect") : .http(reply, detail: text)
      }
      let redirect = AuthorizationRedirect(location)
      try redirect.check(state: input.state)
      guard let status = redirect["status"] else { throw refused.failure(reply, detail: "the redirect has no `status`") }
      return Output(status: status, state: redirect["state"])
    }
  }

  /// `sami/revoke-token`
  package enum RevokeToken: StepHandler {
    package static let about = About(
      "sami/revoke-token", "Ends the life of a person's token; the application's own token proves who asks.", effect: .idempotent,
      needs: ["accounts_url", "client_secret"])
    static let nothingToRevoke = StepError(
      "sami.no_token", "there is no token to revoke", help: "give `token`, or sign in on the connection before it")
    package static let errors = [nothingToRevoke, validationFailed, forbidden, notFound, rateLimited]
    package static let example = Example(
      with: "{}", outputs: #"{"message": "Token successfully revoked"}"#, before: [.consent])

    package struct Input: Sendable { let token: Secret<String>? }

    package struct Output: Sendable { let message: String }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var revoked = input.token?.exposed
      if revoked == nil { revoked = await ports.session.held(.user)?.accessToken }
      guard let revoked else { throw nothingToRevoke.local(detail: "nobody is signed in on this connection") }
      let target = try Settings(valid: ports.settings).accounts("/revokeAccessToken")
      // It is the application's token that a 401 is about.
      return try await withToken(.client, ports) { app throws(StepFailure) in
        let call = HTTPCall(
          .put, target, query: [("client_credentials", app), ("token", revoked)], token: TokenClass.none, hidden: [app, revoked])
        let reply = try await ports.http.send(call)
        guard reply.isSuccess else { throw failure(reply) }
        return try decode(reply)
      }
    }
  }
}

extension SAMI.Logout.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    redirectURI = field("redirect_uri", "Where the browser would be sent; the connection's unless stated.")
    state = field("state", "A text that comes back and is compared.", minLength: 1)
    forget = field("forget", "Whether the connection forgets the person's token as well.", default: false)
  }
}

extension SAMI.Logout.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    status = field("status", "Always `logout`.")
    state = field("state", "The text that was sent along and has come back.")
  }
}

extension SAMI.RevokeToken.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    token = field("token", "The token to revoke; that of the person on the connection unless stated.")
  }
}

extension SAMI.RevokeToken.Output: DescribedRecord {
  package init(_ field: inout Fields) { message = field("message", "What SAMI says to it.") }
}
