import StepKit
import Testing
import Values

@Suite("A session whose tokens outlive the run, and are others' too")
struct SharedStoreTests {
  private let clock = StepClock()
  private let ada = Credentials(username: "ada", password: "pw")

  // MARK: kept

  @Test("finds what an earlier run has left, and asks nobody")
  func stored() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    _ = try await clock.session(server, credentials: ada, store: shelf).token(.user)
    #expect(try await clock.session(server, credentials: ada, store: shelf).token(.user).accessToken == "t1")
    #expect(server.asked == ["user ada"])
    #expect(shelf.log == ["load", "acquire", "load", "save user=t1", "release", "load"])
  }

  @Test("takes the token that another process has got meanwhile")
  func others() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let ours = clock.session(server, credentials: ada, store: shelf)
    let theirs = clock.session(server, credentials: ada, store: shelf)
    let old = try await ours.token(.user)
    _ = try await theirs.token(.user)
    #expect(try await theirs.replacement(for: old, .user).accessToken == "t2")
    #expect(try await ours.replacement(for: old, .user).accessToken == "t2")
    clock.advance(seconds: 3600)
    #expect(try await ours.token(.user).accessToken == "t3")
    #expect(try await theirs.token(.user).accessToken == "t3")
    #expect(server.asked == ["user ada", "refresh r1", "refresh r2"])
  }

  @Test("removes what was refused from the store too, and nothing that somebody else has put there")
  func purged() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let session = clock.session(server, store: shelf)
    let token = try await session.signIn(.user(ada))
    await session.forget(.user, refused: token)
    #expect(shelf.session.isEmpty)
    #expect(await session.held(.user) == nil)

    let next = try await session.signIn(.user(ada))
    shelf.session.tokens[.user]?.accessToken = "another"
    await session.forget(.user, refused: next)
    #expect(shelf.session.tokens[.user]?.accessToken == "another")
  }

  @Test("hides what it finds in the store before it is sent: a server names what it refuses")
  func hiddenBeforeSent() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    shelf.session.tokens[.user] = Token(accessToken: "t-old", expires: Timestamp(seconds: 0), refreshToken: "r-old")
    let hidden = HiddenTexts()
    let session = clock.session(server, store: shelf, hidden: hidden)
    await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(server.asked == ["refresh r-old"])
    #expect(hidden.texts == ["t-old", "r-old"])
  }

  @Test("signs out who was renewed by another process too, and hands over the token to give back")
  func signOutOfAll() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let ours = clock.session(server, store: shelf)
    _ = try await ours.signIn(.user(ada))
    let theirs = clock.session(server, store: shelf)
    clock.advance(seconds: 3600)
    _ = try await theirs.token(.user)
    #expect(await ours.held(.user)?.refreshToken == "r2")
    await ours.signOut()
    #expect(shelf.session.isEmpty)
    #expect(await ours.held(.user) == nil)
  }

  @Test("signs out of the store in a run that is stopped as well")
  func signOutWhenStopped() async throws {
    let shelf = SessionShelf()
    let session = clock.session(RotatingServer(), store: shelf)
    _ = try await session.signIn(.user(ada))
    let stopped = Task {
      while !Task.isCancelled { await Task.yield() }
      await session.signOut()
    }
    stopped.cancel()
    await stopped.value
    #expect(shelf.session.isEmpty)
  }

  @Test("leaves to the store what an earlier process has put there, and who was signed in since")
  func recalledWithStore() async throws {
    let shelf = SessionShelf()
    let session = clock.session(RotatingServer(), store: shelf)
    session.recall(.signedIn(Token(accessToken: "t-past", expires: nil, refreshToken: "r-past")))
    #expect(await session.held(.user) == nil)

    let settingsUser = clock.session(RotatingServer(), credentials: ada, store: shelf)
    _ = try await settingsUser.token(.user)
    let beside = clock.session(RotatingServer(), credentials: ada, store: shelf)
    beside.recall(.signedIn(Token(accessToken: "t-eve", expires: nil)))
    #expect(try await beside.token(.user).accessToken == "t-eve")
    #expect(shelf.session.tokens[.user]?.accessToken == "t1")

    let other = clock.session(RotatingServer())
    other.recall(.signedIn(Token(accessToken: "t-past", expires: nil)))
    #expect(try await other.signIn(.user(ada)).accessToken == "t1")
    #expect(try await other.token(.user).accessToken == "t1")
    other.recall(.signedIn(Token(accessToken: "t-past", expires: nil)))
    await other.signOut()
    #expect(await other.held(.user) == nil)
  }

  @Test("keeps the store's user apart from whom a step signs in beside the user of the settings")
  func guest() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let session = clock.session(server, credentials: ada, store: shelf)
    _ = try await session.token(.user)
    _ = try await session.signIn(.user(Credentials(username: "eve", password: "x")))
    #expect(shelf.session.tokens[.user]?.accessToken == "t1")
  }

  @Test("asks for nothing while the store cannot be read: a refresh token would be lost")
  func brokenStore() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let session = clock.session(server, credentials: ada, store: shelf)
    shelf.fail(StepFailure("config.token_store", title: "the disk is full"))
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "config.token_store")
    #expect(server.asked.isEmpty)
    shelf.fail(nil)
    #expect(try await session.token(.user).accessToken == "t1")
  }

  @Test("says with the next request that a token could not be removed from the store")
  func brokenPurge() async throws {
    let server = RotatingServer()
    let shelf = SessionShelf()
    let session = clock.session(server, store: shelf)
    _ = try await session.signIn(.user(ada))
    shelf.fail(StepFailure("config.token_store", title: "the disk is full"))
    await session.signOut()
    #expect(await session.storeFailure?.code == "config.token_store")
    shelf.fail(nil)
    await #expect(throws: StepFailure("config.token_store", title: "the disk is full")) { try await session.signIn(.user(ada)) }
    _ = try await session.signIn(.user(ada))
  }
}
