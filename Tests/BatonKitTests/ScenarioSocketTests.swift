import FlowEngine
import SandboxKit
import StepKit
import Synchronization
import Testing
import Values

@testable import BatonKit

/// WebSockets of a case: its sandbox in this process, and its clock.
@Suite(.timeLimit(.minutes(1))) struct ScenarioSocketTests {
  private let clock = VirtualClock()

  private func sockets(_ sandbox: Sandbox) -> ConnectedWebSocket {
    let transport = ScenarioTransport(
      sandbox: sandbox, clock: clock, routes: [], real: NoHosts(), log: ScenarioLog(keepsContent: false), activity: clock)
    return ConnectedWebSocket(
      ConnectedHTTP(endpoint: ConnectionEndpoint(), session: NoTokens(), transport: transport, clock: clock, effect: .read),
      transport: transport)
  }

  private func sandbox() throws -> Sandbox {
    let clock = clock
    return try Sandbox(
      systems: [Pulse()], clock: SandboxClock(now: { clock.now() }, sleep: { try await clock.sleep(for: $0) }))
  }

  private let url = "\(LocalSandbox.address)/pulse/live"

  /// What comes within a time, and the time at which it came.
  private func heard(_ waits: [Duration], faults: [Value] = []) async throws -> [String] {
    let sandbox = try sandbox()
    for fault in faults { sandbox.add(try Fault(fault)) }
    let (sockets, clock, url) = (sockets(sandbox), clock, url)
    let lines = Mutex<[String]>([])
    clock.began()
    do throws(StepFailure) {
      try await sockets.open(WebSocketCall(url)) { socket throws(StepFailure) in
        try await socket.send("hi")
        for wait in waits {
          let event = try await socket.next(within: wait)
          let line = "\(clock.elapsed().components.seconds) \(event)"
          lines.withLock { $0.append(line) }
        }
      }
    } catch {
      lines.withLock { $0.append("\(clock.elapsed().components.seconds) \(error.code)") }
    }
    clock.ended()
    #expect(sandbox.openSockets == [])
    return lines.withLock(\.self)
  }

  @Test func timePassesBetweenMessages() async throws {
    // A pulse every 30 s; one that is due at the end of a wait comes before the end.
    #expect(
      try await heard([.seconds(1), .seconds(10), .seconds(60), .seconds(30), .seconds(29), .seconds(1), .seconds(3600)]) == [
        #"0 text("hi")"#, "10 idle", #"30 text("pulse")"#, #"60 text("pulse")"#, "89 idle", #"90 text("pulse")"#, #"120 text("pulse")"#,
      ])
  }

  @Test func aDelayAndABreakHappenOnTheClock() async throws {
    #expect(
      try await heard([.seconds(1)], faults: [["route": "GET /live", "delay": "5s"]]) == [#"5 text("hi")"#])
    #expect(
      try await heard([.seconds(1)], faults: [["route": "GET /live", "drop": "mid_body"]]) == ["5 network.reset"])
    #expect(try await heard([], faults: [["route": "GET /live", "status": 503]]) == ["5 http.503"])
    #expect(try await heard([], faults: [["route": "GET /live", "drop": "reset"]]) == ["5 network.reset"])
  }

  /// The same at every repetition, however the threads run.
  @Test func manyHoursAreTheSameEachTime() async throws {
    let waits = Array(repeating: Duration.seconds(20), count: 300)
    let first = try await heard(waits)
    #expect(first.filter { $0.contains("pulse") }.count == 149)
    #expect(first.filter { $0.contains("idle") }.count == 150)
  }
}

private struct Pulse: SandboxSystem {
  struct State: Sendable { var due: [SandboxSocketID: Timestamp] = [:] }

  var name = "pulse"
  var routes: [SandboxRoute<State>] { [] }
  var sockets: [SandboxSocketRoute<State>] {
    [
      SandboxSocketRoute(
        "/live",
        open: { _, socket, state, world throws(SandboxReply) in state.due[socket] = world.now.advanced(by: .seconds(30)) },
        received: { text, socket, _, world in world.push(text, to: socket) },
        closed: { socket, state, _ in state.due[socket] = nil },
        tick: { socket, state, world in
          if let due = state.due[socket], due <= world.now {
            world.push("pulse", to: socket)
            state.due[socket] = due.advanced(by: .seconds(30))
          }
          return state.due[socket]
        })
    ]
  }

  func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State { State() }
  func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {}
  func overview(_ state: State) -> Value { [:] }
  func pathUnknown(_ request: SandboxRequest) -> SandboxReply { .json(["error": "no such page"], status: 404) }
  func methodRefused(_ request: SandboxRequest) -> SandboxReply { .json(["error": "not that way"], status: 405) }
}

private struct NoHosts: HTTPTransporting {
  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    throw TransportFailure(.system, sent: .no, message: "a request left the sandbox")
  }
}

private struct NoTokens: SessionPort {
  private var none: StepFailure { StepFailure("test", title: "no token") }
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw none }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw none }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw none }
  func forget(_ tokenClass: TokenClass) async {}
}
