import StepKit
import Testing
import Values

@Suite("The session of a connection")
struct ConnectionSessionTests {
  let clock = ManualClock()
  let ada = Credentials(username: "ada", password: "pw")

  @Test("fetches a client token on first need, and again when it has expired by the clock")
  func clientToken() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock)
    #expect(try await session.token(.client).accessToken == "token-1")
    clock.advance(seconds: 59)
    #expect(try await session.token(.client).accessToken == "token-1")
    clock.advance(seconds: 1)
    #expect(try await session.token(.client).accessToken == "token-2")
    #expect(issuer.asked == [.client, .client])
  }

  @Test("fetches once for a hundred callers")
  func singleFlight() async throws {
    let gate = Gate()
    let issuer = CountingIssuer(gate: gate)
    let session = ConnectionSession(issuer, clock)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { try await session.token(.client).accessToken } }
      await gate.open()
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens == ["token-1"])
    #expect(issuer.asked.count == 1)
  }

  @Test("goes on fetching for the others when one caller is cancelled")
  func cancelled() async throws {
    let gate = Gate()
    let issuer = CountingIssuer(gate: gate)
    let session = ConnectionSession(issuer, clock)
    let first = Task { try await session.token(.client) }
    await gate.arrived(1)
    let second = Task { try await session.token(.client) }
    await session.untilWaiting(2, .client)
    first.cancel()
    await #expect(throws: StepFailure("cancelled", title: "cancelled")) { try await first.value }
    await gate.open()
    #expect(try await second.value.accessToken == "token-1")
    #expect(issuer.asked.count == 1)
  }

  @Test("fetches anew for whoever comes after all callers were cancelled")
  func abandoned() async throws {
    let gate = Gate()
    let issuer = CountingIssuer(gate: gate)
    let session = ConnectionSession(issuer, clock)
    let first = Task { try await session.token(.client) }
    await gate.arrived(1)
    first.cancel()
    _ = await first.result
    await gate.open()
    #expect(try await session.token(.client).accessToken == "token-2")
  }

  @Test("gives the token that somebody else got, and fetches once for the one that was refused")
  func replacement() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock)
    let first = try await session.token(.client)
    let second = try await session.replacement(for: first, .client)
    #expect(second.accessToken == "token-2")
    #expect(try await session.replacement(for: first, .client) == second)
    #expect(issuer.asked.count == 2)
  }

  @Test("renews a user's token with the credentials of the log-in, and keeps the two classes apart")
  func user() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock)
    #expect(try await session.signIn(.user(ada)).accessToken == "token-1")
    #expect(try await session.token(.client).accessToken == "token-2")
    clock.advance(seconds: 60)
    #expect(try await session.token(.user).accessToken == "token-3")
    #expect(issuer.asked == [.user(ada), .client, .user(ada)])
  }

  @Test("takes the credentials of its connection")
  func credentialsOfConnection() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock, credentials: ada)
    _ = try await session.token(.user)
    #expect(issuer.asked == [.user(ada)])
  }

  @Test("has no user token where nobody signed in, and says how to get one")
  func nobody() async throws {
    let session = ConnectionSession(CountingIssuer(), clock)
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.detail == "nobody has signed in on this connection; run a step that signs in first")
    #expect(failure?.sent == .no)
  }

  @Test("replaces the user from the start of a log-in: after a refusal nobody is signed in")
  func refusedLogIn() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock)
    _ = try await session.signIn(.user(ada))
    issuer.refuse(with: StepFailure("auth.invalid_grant", title: "wrong password"))
    let failure = await #expect(throws: StepFailure.self) { try await session.signIn(.user(Credentials(username: "eve", password: "x"))) }
    #expect(failure?.code == "auth.invalid_grant")
    let after = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(after?.code == "auth.expired")
  }

  @Test("waits with a log-in for a fetch that is under way, and can be cancelled meanwhile")
  func logInWaits() async throws {
    let gate = Gate()
    let issuer = CountingIssuer(gate: gate)
    let session = ConnectionSession(issuer, clock, credentials: ada)
    let fetch = Task { try await session.token(.user) }
    await gate.arrived(1)
    let eve = Credentials(username: "eve", password: "x")
    let impatient = Task { try await session.signIn(.user(eve)) }
    let patient = Task { try await session.signIn(.user(eve)) }
    await session.untilWaiting(3, .user)
    impatient.cancel()
    await #expect(throws: StepFailure("cancelled", title: "cancelled")) { try await impatient.value }
    await gate.open()
    #expect(try await fetch.value.accessToken == "token-1")
    #expect(try await patient.value.accessToken == "token-2")
    #expect(try await session.token(.user).accessToken == "token-2")
    #expect(issuer.asked == [.user(ada), .user(eve)])
  }

  @Test("is over when a renewal is refused, and keeps the refusal as the cause")
  func refusedRenewal() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock)
    _ = try await session.signIn(.user(ada))
    issuer.refuse(with: StepFailure("auth.invalid_grant", title: "wrong password"))
    clock.advance(seconds: 60)
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.cause?.code == "auth.invalid_grant")
    // The credentials are forgotten with the token: a refused password is not tried again.
    let after = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(after?.code == "auth.expired")
    #expect(issuer.asked.count == 2)
  }

  @Test("stays as it is when a renewal could not be asked for")
  func unreachable() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock)
    _ = try await session.signIn(.user(ada))
    clock.advance(seconds: 60)
    issuer.refuse(with: StepFailure("network.connect", title: "no connection"))
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "network.connect")
    issuer.refuse(with: nil)
    #expect(try await session.token(.user).accessToken == "token-3")
  }

  @Test("forgets with a person's token the credentials that a step handed in, but not those of its connection")
  func forget() async throws {
    let issuer = CountingIssuer()
    let session = ConnectionSession(issuer, clock)
    _ = try await session.signIn(.user(ada))
    await session.forget(.user)
    let failure = await #expect(throws: StepFailure.self) { try await session.token(.user) }
    #expect(failure?.code == "auth.expired")
    let configured = ConnectionSession(issuer, clock, credentials: ada)
    _ = try await configured.token(.user)
    await configured.forget(.user)
    #expect(try await configured.token(.user).accessToken == "token-3")
  }
}

extension ConnectionSession {
  /// Returns when so many callers wait for one fetch.
  fileprivate func untilWaiting(_ count: Int, _ tokenClass: TokenClass) async {
    while waitingCount(tokenClass) < count { await Task.yield() }
  }
}
