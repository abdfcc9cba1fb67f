import StepKit
import Synchronization
import Values

/// A clock that moves only when told.
final class ManualClock: ClockPort {
  private let state: Mutex<Timestamp>

  init(at seconds: Int64 = 1_732_150_800) { state = Mutex(Timestamp(seconds: seconds)) }

  func advance(seconds: Int64) { state.withLock { $0.seconds += seconds } }
  func now() -> Timestamp { state.withLock { $0 } }
  func elapsed() -> Duration { .seconds(state.withLock { $0.seconds }) }
  func sleep(for duration: Duration) async throws(CancellationError) {}
}

/// Lets waiters through once it is opened.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var watchers: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
  private var arrivals = 0

  func pass() async {
    arrivals += 1
    for watcher in watchers where watcher.count <= arrivals { watcher.waiter.resume() }
    watchers.removeAll { $0.count <= arrivals }
    guard !isOpen else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    isOpen = true
    for waiter in waiting { waiter.resume() }
    waiting = []
  }

  /// Returns when so many have arrived.
  func arrived(_ count: Int) async {
    guard arrivals < count else { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
  }
}

/// Gives out numbered tokens of 60 seconds; counts how often it was asked.
final class CountingIssuer: TokenIssuer {
  private let state = Mutex((asked: [TokenGrant](), refusal: StepFailure?.none))
  private let gate: Gate?

  init(gate: Gate? = nil) { self.gate = gate }

  var asked: [TokenGrant] { state.withLock { $0.asked } }
  func refuse(with failure: StepFailure?) { state.withLock { $0.refusal = failure } }

  func token(for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort) async throws(StepFailure) -> Token {
    let (number, refusal) = state.withLock { state in
      state.asked.append(grant)
      return (state.asked.count, state.refusal)
    }
    await gate?.pass()
    if Task.isCancelled { throw StepFailure("cancelled", title: "cancelled") }
    if let refusal { throw refusal }
    return Token(accessToken: "token-\(number)", expires: Timestamp(seconds: clock.now().seconds + 60))
  }
}

/// A port that nothing should reach.
struct SilentHTTP: HTTPPort {
  func send(_ call: HTTPCall) async throws(StepFailure) -> HTTPReply { throw StepFailure("network.connect", title: "no connection") }
}

extension ConnectionSession {
  init(_ issuer: CountingIssuer, _ clock: ManualClock, credentials: Credentials? = nil) {
    self.init(issuer: issuer, settings: ValueMap(), http: SilentHTTP(), clock: clock, credentials: credentials)
  }
}

extension ValueMap {
  /// The members of a map written as a literal.
  static func of(_ value: Value) -> ValueMap { value.mapValue ?? ValueMap() }
}
