import HTTPTypes
import StepKit
import Synchronization
import Testing
import Values

/// `rate`: every request of a connection waits for its turn, whoever sends it.
@Suite("The pace of a connection")
struct ConnectionRateTests {
  /// When each request left, and what it asked for.
  private final class Times: HTTPTransporting {
    private let clock: SteppedClock
    private let state = Mutex<[(Duration, String)]>([])

    init(_ clock: SteppedClock) { self.clock = clock }

    var starts: [Duration] { state.withLock { $0.map(\.0) } }
    var urls: [String] { state.withLock { $0.map(\.1) } }

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
      state.withLock { $0.append((clock.elapsed(), request.url)) }
      return TransportReply(status: 200, headers: [:], body: [], url: request.url)
    }
  }

  private func port(_ transport: some HTTPTransporting, _ clock: some ClockPort, rate: String = "2/1s") throws -> ConnectedHTTP {
    let settings: Value = ["base_url": "https://api.test", "rate": .string(rate)]
    return ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: settings.mapValue ?? ValueMap()), session: NoSession(), transport: transport, clock: clock)
  }

  @Test("is kept from start to start")
  func spacing() async throws {
    let clock = SteppedClock()
    let times = Times(clock)
    let port = try port(times, clock)
    for _ in 0..<3 { _ = try await port.send(HTTPCall(.get, "/")) }
    #expect(times.starts == [.zero, .milliseconds(500), .seconds(1)])
  }

  @Test("costs nothing where requests are slower anyway")
  func slow() async throws {
    let clock = SteppedClock()
    let times = Times(clock)
    let port = try port(times, clock)
    for _ in 0..<3 {
      _ = try await port.send(HTTPCall(.get, "/"))
      clock.advance(.seconds(3))
    }
    #expect(times.starts == [.zero, .seconds(3), .seconds(6)])
    #expect(clock.slept == [])
  }

  @Test("is one for all that go over the connection, sessions of their own included, in the order in which they ask")
  func shared() async throws {
    let clock = SteppedClock()
    let times = Times(clock)
    let first = try port(times, clock)
    var second = first
    second.endpoint = first.endpoint.separated()
    _ = try await first.send(HTTPCall(.get, "/1"))
    _ = try await second.send(HTTPCall(.get, "/2"))
    _ = try await first.send(HTTPCall(.get, "/3"))
    #expect(times.starts == [.zero, .milliseconds(500), .seconds(1)])
    #expect(times.urls.map { $0.suffix(2) } == ["/1", "/2", "/3"])
  }

  @Test("spreads what comes at once")
  func together() async throws {
    let clock = SteppedClock(isStill: true)
    let port = try port(ScriptedTransport(Array(repeating: .text(200), count: 20)), clock, rate: "10/1s")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try? await port.send(HTTPCall(.get, "/")) } }
    }
    // The first needs not wait; each of the others has a turn of its own.
    #expect(clock.slept.sorted() == (1..<20).map { .milliseconds(100) * $0 })
  }

  @Test("leaves the time to connect to the step, then to the connection")
  func connectTimeout() async throws {
    let script = ScriptedTransport(Array(repeating: .text(200), count: 3))
    var port = try port(script, SteppedClock(), rate: "9/1s")
    _ = try await port.send(HTTPCall(.get, "/"))
    port.endpoint.options.connectTimeout = .seconds(4)
    _ = try await port.send(HTTPCall(.get, "/"))
    var call = HTTPCall(.get, "/")
    call.options = try TransportOptions(JSON.parse(#"{"connect_timeout": "500ms"}"#).mapValue ?? ValueMap())
    _ = try await port.send(call)
    #expect(script.asked.map(\.connectTimeout) == [.seconds(10), .seconds(4), .milliseconds(500)])
  }

  @Test("gives the turn of one who is cancelled to the next")
  func cancelled() async throws {
    let clock = SteppedClock(refuses: 1)
    let port = try port(ScriptedTransport([.text(200), .text(200)]), clock)
    _ = try await port.send(HTTPCall(.get, "/"))
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == "cancelled")
    #expect(failure?.sent == .no)
    _ = try await port.send(HTTPCall(.get, "/"))
    #expect(clock.slept == [.milliseconds(500), .milliseconds(500)])
  }
}

/// A clock that jumps as far as it is slept on.
private final class SteppedClock: ClockPort {
  private let state = Mutex((elapsed: Duration.zero, slept: [Duration]()))
  private let refusals: Mutex<Int>
  private let isStill: Bool

  /// - Parameters:
  ///   - refuses: how many sleeps end by cancellation.
  ///   - isStill: whether it stands still while somebody sleeps.
  init(refuses: Int = 0, isStill: Bool = false) {
    refusals = Mutex(refuses)
    self.isStill = isStill
  }

  var slept: [Duration] { state.withLock { $0.slept } }
  func advance(_ duration: Duration) { state.withLock { $0.elapsed += duration } }
  func now() -> Timestamp { Timestamp(seconds: 0) }
  func elapsed() -> Duration { state.withLock { $0.elapsed } }

  func sleep(for duration: Duration) async throws(CancellationError) {
    state.withLock { $0.slept.append(duration) }
    let isRefused = refusals.withLock { refusals in
      refusals -= 1
      return refusals >= 0
    }
    if isRefused { throw CancellationError() }
    if !isStill { advance(duration) }
  }
}
