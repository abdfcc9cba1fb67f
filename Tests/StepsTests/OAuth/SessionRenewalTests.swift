import HTTPTypes
import StepKit
import Synchronization
import Testing
import Values

@Suite("A session with refresh tokens")
struct SessionRenewalTests {
  private let clock = StepClock()
  private let ada = Credentials(username: "ada", password: "pw")
  private let refused = StepFailure("auth.invalid_grant", title: "refused")

  // MARK: renewing

  @Test("renews by the refresh token, and by the newest one each time")
  func rotation() async throws {
    let server = RotatingServer()
    let session = clock.session(server)
    _ = try await session.signIn(.user(ada))
    for _ in 0..<3 {
      clock.advance(seconds: 3600)
      _ = try await session.token(.user)
    }
    #expect(server.asked == ["user ada", "refresh r1", "refresh r2", "refresh r3"])
  }

  @Test("renews shortly before the end, so that no request arrives too late", arguments: [(3594, "t1"), (3595, "t2")] as [(Int64, String)])
  func margin(age: Int64, token: String) async throws {
    let session = clock.session(RotatingServer())
    _ = try await session.signIn(.user(ada))
    clock.advance(seconds: age)
    #expect(try await session.token(.user).accessToken == token)
  }

  @Test("renews once for a hundred who come with the token that was refused, and for whoever comes later")
  func oneRefresh() async throws {
    let server = RotatingServer()
    let session = clock.session(server)
    let old = try await session.signIn(.user(ada))
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { try await session.replacement(for: old, .user).accessToken } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens == ["t2"])
    #expect(server.asked == ["user ada", "refresh r1"])
  }

  @Test("is over for all once the refresh was refused: whoever comes later with one of its tokens asks nobody")
  func overForAll() async throws {
    let server = RotatingServer()
    let session = clock.session(server)
    let first = try await session.signIn(.user(ada))
    let second = try await session.replacement(for: first, .user)
    server.refuse(refresh: refused)
    for (old, told) in [
      (second, "the token was refused, and no new one could be had"),
      (first, "the token was refused, and its session has ended; run a step that signs in first"),
      (second, "the token was refused, and its session has ended; run a step that signs in first"),
    ] {
      let failure = await #expect(throws: StepFailure.self) { try await session.replacement(for: old, .user) }
      #expect(failure?.code == "auth.expired")
      #expect(failure?.detail == told)
    }
    #expect(server.asked == ["user ada", "refresh r1", "refresh r2"])
    #expect(await session.held(.user) == nil)
  }

  @Test("never logs in again with what a step handed in, once the refresh was refused")
  func noSecretLogIn() async throws {
    let server = RotatingServer()
    let session = clock.session(server)
    _ = try await session.signIn(.user(ada))
    server.refuse(refresh: refused)
    clock.advance(seconds: 3600)
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.cause?.code == "auth.invalid_grant")
    #expect(server.asked == ["user ada", "refresh r1"])
  }

  @Test("logs in once with the connection's own user, and sends no third request")
  func ownUser() async throws {
    let server = RotatingServer()
    let session = clock.session(server, credentials: ada)
    _ = try await session.token(.user)
    server.refuse(refresh: refused)
    clock.advance(seconds: 3600)
    #expect(try await session.token(.user).accessToken == "t2")
    server.refuse(refresh: refused, logIn: refused)
    clock.advance(seconds: 3600)
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "auth.expired")
    #expect(server.asked == ["user ada", "refresh r1", "user ada", "refresh r2", "user ada"])
    // A password that was refused is not tried again.
    await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(server.asked.count == 5)
  }

  @Test("does not put the connection's user in the place of whom a step has signed in")
  func noOtherUser() async throws {
    let server = RotatingServer()
    let session = clock.session(server, credentials: ada)
    _ = try await session.signIn(.user(Credentials(username: "eve", password: "x")))
    server.refuse(refresh: refused)
    clock.advance(seconds: 3600)
    await #expect(throws: StepFailure.self) { try await session.token(.user) }
    await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(server.asked == ["user eve", "refresh r1"])
  }

  @Test("begins with the refresh token of its settings")
  func settingsToken() async throws {
    let server = RotatingServer(refresh: "r-own", isInSettings: true)
    let session = clock.session(server)
    #expect(try await session.token(.user).accessToken == "t1")
    #expect(server.asked == ["refresh r-own"])
  }

  @Test("goes on with a refresh whose caller has left, for its answer is the only way on")
  func leftAlone() async throws {
    let server = RotatingServer()
    let gate = OneGate()
    let slow = SlowIssuer(issuer: server, gate: gate)
    let session = ConnectionSession(issuer: slow, settings: ValueMap(), http: UnreachableHTTP(), clock: clock)
    try await session.adopt(Token(accessToken: "t0", expires: clock.now(), refreshToken: ""), .user)
    let caller = Task { try await session.token(.user) }
    await gate.arrived()
    caller.cancel()
    _ = await caller.result
    await gate.open()
    #expect(try await session.token(.user).accessToken == "t1")
    #expect(server.asked == ["refresh "])
  }

  @Test("renews when told to, though the token is good")
  func renew() async throws {
    let server = RotatingServer()
    let session = clock.session(server)
    _ = try await session.signIn(.user(ada))
    #expect(try await session.renew(.user).accessToken == "t2")
    #expect(try await session.token(.user).accessToken == "t2")
  }

  // MARK: adopting, leaving

  @Test("uses a token that was got elsewhere, renews it, and hides it")
  func adopt() async throws {
    let server = RotatingServer(refresh: "r0")
    let hidden = HiddenTexts()
    let session = clock.session(server, hidden: hidden)
    try await session.adopt(
      Token(accessToken: "t-adopted", expires: Timestamp(seconds: clock.now().seconds + 60), refreshToken: "r0"), .user)
    #expect(try await session.token(.user).accessToken == "t-adopted")
    clock.advance(seconds: 60)
    #expect(try await session.token(.user).accessToken == "t1")
    #expect(hidden.texts.isSuperset(of: ["t-adopted", "r0", "t1", "r1"]))
  }

  @Test("forgets at the end of a session whoever was signed in, and the cookies that they had")
  func signOut() async throws {
    var endpoint = ConnectionEndpoint(base: try WebAddress("https://api.test"))
    endpoint.keepsCookies = true
    let script = ScriptedTransport([.text(200, "", [.setCookie: "sid=abc; Path=/"]), .text(200), .text(200)])
    let port = ConnectedHTTP(endpoint: endpoint, session: NoSession(), transport: script, clock: clock)
    let server = RotatingServer()
    let session = ConnectionSession(
      issuer: server, settings: ValueMap(), http: UnreachableHTTP(), clock: clock, credentials: ada, memory: endpoint.memory)
    _ = try await session.token(.user)
    for _ in 0..<2 { _ = try await port.get("/") }
    await session.signOut()
    _ = try await port.get("/")
    #expect(script.asked.map { $0.headers[.cookie] } == [nil, "sid=abc", nil])
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "auth.expired")
    #expect(server.asked == ["user ada"])
  }

  // MARK: gone on with

  @Test("goes on with the token of an earlier process, hides it, and renews it")
  func recalled() async throws {
    let server = RotatingServer(refresh: "r-past")
    let hidden = HiddenTexts()
    let session = clock.session(server, hidden: hidden)
    session.recall(.signedIn(Token(accessToken: "t-past", expires: Timestamp(seconds: clock.now().seconds + 60), refreshToken: "r-past")))
    #expect(hidden.texts == ["t-past", "r-past"])
    #expect(try await session.token(.user).accessToken == "t-past")
    clock.advance(seconds: 60)
    #expect(try await session.token(.user).accessToken == "t1")
    #expect(server.asked == ["refresh r-past"])
  }
}

/// A port that nothing should reach.
struct UnreachableHTTP: HTTPPort {
  func send(_ call: HTTPCall) async throws(StepFailure) -> HTTPReply { throw StepFailure("network.connect", title: "no connection") }
}

/// What was to be hidden.
final class HiddenTexts: Sendable {
  private let state = Mutex<Set<String>>([])
  var texts: Set<String> { state.withLock { $0 } }
  @Sendable func append(_ texts: [String]) { state.withLock { $0.formUnion(texts) } }
}

/// Holds one caller back until it is opened.
actor OneGate {
  private var isOpen = false
  private var hasArrived = false
  private var inside: [CheckedContinuation<Void, Never>] = []
  private var outside: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    hasArrived = true
    for watcher in outside { watcher.resume() }
    outside = []
    if !isOpen { await withCheckedContinuation { inside.append($0) } }
  }

  func arrived() async { if !hasArrived { await withCheckedContinuation { outside.append($0) } } }

  func open() {
    isOpen = true
    for waiter in inside { waiter.resume() }
    inside = []
  }
}

private struct SlowIssuer: TokenIssuer {
  let issuer: RotatingServer
  let gate: OneGate

  func token(for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort) async throws(StepFailure) -> Token {
    await gate.pass()
    if Task.isCancelled { throw StepFailure("cancelled", title: "cancelled") }
    return try await issuer.token(for: grant, settings: settings, http: http, clock: clock)
  }
}
