import StepKit
import Synchronization
import Testing
import TokenStore
import Values

@Suite("Many sessions over one stored token")
struct TokenRaceTests {
  @Test("fifty that find it expired refresh it once, each with a store of its own on the same folder")
  func oneRefresh() async throws {
    let room = try StateRoom()
    let issuer = RotatingIssuer()
    try await room.store().put(
      StoredSession(tokens: [.user: Token(accessToken: "t0", expires: Timestamp(seconds: 0), refreshToken: "r0")]))
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        let session = ConnectionSession(
          issuer: issuer, settings: StateRoom.settings, http: NoHTTP(), clock: FixedClock(), store: try room.store())
        group.addTask { try await session.token(.user).accessToken }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens == ["t1"])
    #expect(issuer.refreshed == ["r0"])
    #expect(try await room.store().load().tokens[.user]?.refreshToken == "r1")
  }

  @Test("one at a time has an entry, and whoever is cancelled while waiting leaves")
  func exclusive() async throws {
    let room = try StateRoom()
    for store in [try room.store(), try #require(TokenMemory().store(system: "http", settings: StateRoom.settings))] {
      let lease = try await store.acquire()
      let waiting = Task { try await store.acquire() }
      waiting.cancel()
      await #expect(throws: StepFailure("cancelled", title: "cancelled")) { try await waiting.value }
      let next = Task { try await store.acquire() }
      await lease.release()
      await (try await next.value).release()
    }
  }

  @Test("in memory too, whoever comes second waits, though nothing has been stored yet", .timeLimit(.minutes(1)))
  func waiting() async throws {
    let (waits, wait) = AsyncStream<Void>.makeStream()
    let store = try #require(TokenMemory(activity: Waits { wait.yield() }).store(system: "http", settings: StateRoom.settings))
    let lease = try await store.acquire()
    let second = Task { try await store.acquire() }
    for await _ in waits { break }
    await lease.release()
    await (try await second.value).release()
  }

  @Test("in memory a case sees what its earlier run has left, and another case sees nothing")
  func memory() async throws {
    let memory = TokenMemory()
    let store = try #require(memory.store(system: "http", settings: StateRoom.settings))
    try await store.put(someSession)
    #expect(try await #require(memory.store(system: "http", settings: StateRoom.settings)).load() == someSession)
    #expect(try await #require(TokenMemory().store(system: "http", settings: StateRoom.settings)).load().isEmpty)
  }
}

/// Tells when somebody begins to wait.
private struct Waits: ActivityPort {
  let noticed: @Sendable () -> Void

  func began() {}
  func ended() { noticed() }
}

/// Each refresh token is good for one use.
private final class RotatingIssuer: TokenIssuer {
  private let state = Mutex<[String]>([])

  var refreshed: [String] { state.withLock { $0 } }

  func token(for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort) async throws(StepFailure) -> Token {
    guard case .refresh(let token, _) = grant else { throw .grantRefused("only refresh tokens are known") }
    return try state.withLock { (used) throws(StepFailure) in
      guard token.refreshToken == "r\(used.count)" else { throw StepFailure("auth.invalid_grant", title: "used already") }
      used.append(token.refreshToken ?? "")
      return Token(accessToken: "t\(used.count)", expires: nil, refreshToken: "r\(used.count)")
    }
  }
}

private struct NoHTTP: HTTPPort {
  func send(_ call: HTTPCall) async throws(StepFailure) -> HTTPReply { throw StepFailure("network.connect", title: "no connection") }
}

private struct FixedClock: ClockPort {
  func now() -> Timestamp { Timestamp(seconds: 1_732_150_800) }
  func elapsed() -> Duration { .zero }
  func sleep(for duration: Duration) async throws(CancellationError) {}
}
