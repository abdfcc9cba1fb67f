import StepKit
import Testing
import Values

@Suite("A refusal, and the stored tokens that others use")
struct StoredRefusalTests {
  private let clock = StepClock()
  private let ada = Credentials(username: "ada", password: "pw")
  private let eve = Credentials(username: "eve", password: "x")
  private let refused = StepFailure("auth.invalid_grant", title: "refused")

  @Test(
    "keeps what others use when a sign-in is refused, whatever the reason: that run alone has nobody",
    arguments: ["auth.invalid_grant", "auth.invalid_client", "network.connect"])
  func refusedSignIn(code: String) async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let theirs = clock.session(server, store: shelf)
    _ = try await theirs.signIn(.user(ada))
    let before = shelf.session

    let ours = clock.session(server, store: shelf)
    server.refuse(refresh: nil, logIn: StepFailure(code, title: "no"))
    await #expect(throws: StepFailure.self) { try await ours.signIn(.user(eve)) }
    #expect(shelf.session == before)
    // Not even by the store does anybody take eve's place.
    #expect(await ours.held(.user) == nil)
    let failure = await #expect(throws: StepFailure.self) { try await ours.token(.user) }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.detail.hasPrefix("nobody has signed in on this connection: the sign-in before did not succeed") == true)
    await ours.signOut()
    #expect(shelf.session == before)
    #expect(try await theirs.token(.user).accessToken == "t1")

    server.refuse(refresh: nil)
    #expect(try await ours.signIn(.user(eve)).accessToken == "t2")
    #expect(shelf.session.tokens[.user]?.accessToken == "t2")
  }

  @Test("does not put the user of the settings in the place of whom a step could not sign in")
  func refusedBesideSettings() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let ours = clock.session(server, credentials: ada, store: shelf)
    _ = try await ours.token(.user)
    server.refuse(refresh: nil, logIn: refused)
    await #expect(throws: StepFailure.self) { try await ours.signIn(.user(ada)) }
    await #expect(throws: StepFailure.self) { try await ours.token(.user) }
    #expect(server.asked == ["user ada", "user ada"])
    #expect(shelf.session.tokens[.user]?.accessToken == "t1")
  }

  @Test("forgets a stored token whose refresh was refused, by whomever it was asked for")
  func refusedRefresh() async throws {
    for isByStep in [false, true] {
      let server = RotatingServer()
      let shelf = SessionShelf()
      let session = clock.session(server, store: shelf)
      let token = try await session.signIn(.user(ada))
      server.refuse(refresh: refused)
      await #expect(throws: StepFailure.self) {
        _ = isByStep ? try await session.signIn(.refresh(token, .user)) : try await session.renew(.user)
      }
      #expect(shelf.session.isEmpty)
    }
  }

  @Test("keeps a stored token when a step's own refresh token is refused, which is another one")
  func refusedOtherRefresh() async throws {
    let shelf = SessionShelf()
    let session = clock.session(RotatingServer(), store: shelf)
    _ = try await session.signIn(.user(ada))
    let other = Token(accessToken: "", expires: nil, refreshToken: "r-other")
    await #expect(throws: StepFailure.reused) { try await session.signIn(.refresh(other, .user)) }
    #expect(shelf.session.tokens[.user]?.accessToken == "t1")
  }

  @Test("keeps a stored token that could not be renewed because the client was refused: another run may name itself rightly")
  func refusedClient() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let ours = clock.session(server, store: shelf)
    let token = try await ours.signIn(.user(ada))
    server.refuse(refresh: StepFailure("auth.invalid_client", title: "wrong secret"))
    let failure = await #expect(throws: StepFailure.self) { try await ours.replacement(for: token, .user) }
    #expect(failure?.cause?.code == "auth.invalid_client")
    await ours.forget(.user, refused: token)
    #expect(shelf.session.tokens[.user] == token)
    server.refuse(refresh: nil)
    #expect(try await clock.session(server, store: shelf).replacement(for: token, .user).accessToken == "t2")
  }

  @Test("forgets no token that another run has put there since, after the second 401 neither")
  func comparedBeforeRemoved() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let script = ScriptedTransport([.text(401), .text(401)])
    let ours = clock.session(server, store: shelf)
    _ = try await ours.signIn(.user(ada))
    let port = ConnectedHTTP(
      endpoint: ConnectionEndpoint(base: try WebAddress("https://api.test")), session: ours, transport: script, clock: clock, token: .user,
      hooks: HTTPHooks(observe: { event in
        // While the second request is under way, another run signs in.
        if case .replied = event, script.asked.count == 2 { shelf.session.tokens[.user] = Token(accessToken: "t-new", expires: nil) }
      }))
    let failure = await #expect(throws: StepFailure.self) { try await port.get("/") }
    #expect(failure?.detail == "a new token was refused as well")
    #expect(shelf.session.tokens[.user]?.accessToken == "t-new")
  }
}
