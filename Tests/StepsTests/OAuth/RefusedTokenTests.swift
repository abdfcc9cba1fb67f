import StepKit
import Synchronization
import Testing
import Values

@Suite("A token that was refused, and the truth about it")
struct RefusedTokenTests {
  private let clock = StepClock()

  private func port(_ session: ConnectionSession, _ transport: any HTTPTransporting, hooks: HTTPHooks = HTTPHooks()) throws -> ConnectedHTTP
  {
    ConnectedHTTP(
      endpoint: ConnectionEndpoint(base: try WebAddress("https://api.test")), session: session, transport: transport, clock: clock,
      token: .user, hooks: hooks)
  }

  private func session(_ issuer: any TokenIssuer, credentials: Credentials? = nil, store: (any SessionStore)? = nil) -> ConnectionSession {
    ConnectionSession(
      issuer: issuer, settings: ValueMap(), http: UnreachableHTTP(), clock: clock, credentials: credentials,
      waysIn: { ["`shop/sign-in`", "`id_token` in the connection's settings"] }, store: store)
  }

  @Test("is not sent a second time where it is all that the settings hold, by no later step either", arguments: [false, true])
  func fixed(isStored: Bool) async throws {
    let script = ScriptedTransport([.text(401), .text(200)])
    let shelf = SessionShelf()
    let session = session(
      FixedIssuer(), credentials: Credentials(username: "id_token", password: "t-own"), store: isStored ? shelf : nil)
    let port = try port(session, script)
    let failure = await #expect(throws: StepFailure.self) { try await port.get("/") }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.title == "the session is not valid any more")
    #expect(
      failure?.detail
        == "the token was refused, and the connection has no other; sign in with `shop/sign-in` or `id_token` in the connection's settings")
    #expect(failure?.answer?.status == 401)
    #expect(failure?.isRejected == true)
    #expect(failure?.cause == nil)

    let later = await #expect(throws: StepFailure.self) { try await port.get("/") }
    #expect(later?.code == "auth.expired")
    #expect(later?.detail.hasPrefix("nobody is signed in on this connection any more: the token was refused before") == true)
    #expect(later?.sent == .no)
    #expect(script.asked.count == 1)
    #expect(shelf.session.isEmpty)
  }

  @Test("is not sent a second time either where another run has stored one that has ended")
  func fixedBesideAnother() async throws {
    let script = ScriptedTransport([.text(401), .text(200)])
    let shelf = SessionShelf()
    let session = session(FixedIssuer(), credentials: Credentials(username: "id_token", password: "t-own"), store: shelf)
    let hooks = HTTPHooks(observe: { event in
      if case .replied = event { shelf.session.tokens[.user] = Token(accessToken: "t-past", expires: Timestamp(seconds: 0)) }
    })
    let port = try port(session, script, hooks: hooks)
    let failure = await #expect(throws: StepFailure.self) { try await port.get("/") }
    #expect(failure?.detail.hasPrefix("the token was refused, and the connection has no other; ") == true)
    #expect(script.asked.count == 1)
  }

  @Test("is sent again where the provider was asked for another, and gave the same")
  func sameAgain() async throws {
    let token = #"{"access_token": "t-same", "token_type": "Bearer"}"#
    let world = try OAuthWorld(
      [.json(200, token), .text(401), .json(200, token), .text(401)],
      oauth: #", "client_secret": "s", "grant": "client_credentials""#)
    let failure = await #expect(throws: StepFailure.self) { try await world.get("/") }
    #expect(failure?.detail == "the provider gave the refused token again, and it was refused again")
    #expect(world.carried.filter { $0 == "Bearer t-same" }.count == 2)
  }

  @Test("is told from one that has ended by the clock, where nothing renews it")
  func withoutRefreshToken() async throws {
    let script = ScriptedTransport([.text(401)])
    let refused = session(FixedIssuer())
    try await refused.adopt(Token(accessToken: "t-adopted", expires: nil), .user)
    let port = try port(refused, script)
    let failure = await #expect(throws: StepFailure.self) { try await port.get("/") }
    #expect(failure?.detail.hasPrefix("the token was refused, and there is nothing to renew it by; sign in with `shop/sign-in`") == true)

    let ended = session(FixedIssuer())
    try await ended.adopt(Token(accessToken: "t-adopted", expires: clock.now()), .user)
    let over = await #expect(throws: StepFailure.self) { try await ended.token(.user) }
    #expect(over?.detail.hasPrefix("the token has ended, and there is nothing to renew it by; sign in with `shop/sign-in`") == true)
    #expect(over?.sent == .no)
  }

  // MARK: nobody

  @Test("nobody has signed in: no session is called ended, and the steps and settings that sign in are named")
  func nobodyYet() async throws {
    let failure = await #expect(throws: StepFailure.self) { try await session(FixedIssuer()).token(.user) }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.title == "nobody is signed in")
    #expect(
      failure?.detail
        == "nobody has signed in on this connection; sign in with `shop/sign-in` or `id_token` in the connection's settings")
    #expect(failure?.isRejected == true)
  }

  @Test("a plain connection names what signs in on it")
  func nobodyOnPlain() async throws {
    let failure = await #expect(throws: StepFailure.self) { try await OAuthWorld([]).get("/") }
    #expect(failure?.detail.hasSuffix("; sign in with `oauth/token` and `keep: true` or a `grant` in the connection's `oauth`") == true)
  }

  @Test("a step that has signed out is named by whoever comes later")
  func signedOut() async throws {
    let world = try OAuthWorld([OAuthWorld.token(1)], stepID: "leave")
    try await world.run("oauth/token", #"{"grant": "authorization_code", "code": "the-code", "keep": true}"#)
    try await world.run("oauth/sign-out", "{}")
    let failure = await #expect(throws: StepFailure.self) { try await world.get("/") }
    #expect(failure?.title == "nobody is signed in")
    #expect(failure?.detail.hasPrefix("nobody is signed in on this connection any more: signed out by step `leave`; sign in with") == true)
    #expect(world.transport.asked.count == 1)
  }

  @Test("a user of the settings who was refused is told from one who never came")
  func refusedUser() async throws {
    let server = RotatingServer()
    server.refuse(refresh: nil, logIn: StepFailure("auth.invalid_grant", title: "wrong password"))
    let session = session(server, credentials: Credentials(username: "ada", password: "pw"))
    let first = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(first?.code == "auth.invalid_grant")
    let later = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(later?.detail.hasPrefix("nobody is signed in on this connection: the user of its settings was refused; ") == true)
    #expect(server.asked.count == 1)
  }
}

/// Gives the token that the settings hold, and asks nobody.
private struct FixedIssuer: TokenIssuer {
  func token(for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort) async throws(StepFailure) -> Token {
    guard case .user(let person) = grant else { throw .grantRefused("there is one token") }
    return Token(accessToken: person.password, expires: nil)
  }
}
