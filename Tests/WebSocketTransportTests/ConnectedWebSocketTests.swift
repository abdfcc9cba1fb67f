import HTTPTypes
import SandboxKit
import SandboxServer
import StepKit
import Synchronization
import Testing
import Values
import WebSocketTransport

/// A step's WebSockets over its connection, against a sandbox on loopback.
@Suite(.timeLimit(.minutes(5))) struct ConnectedWebSocketTests {
  private func connection(
    _ server: RunningSandbox, tokens: [String] = ["good"], settings: Value = [:], effect: Effect = .read, notes: Notes = Notes()
  ) throws -> ConnectedWebSocket {
    var map = settings.mapValue ?? ValueMap()
    map["base_url"] = .string(server.baseURL(of: "echo"))
    let endpoint = try ConnectionEndpoint(settings: map)
    let session = ListedTokens(tokens)
    let hooks = HTTPHooks(
      allows: { method, address in
        notes.add("asked \(method.rawValue) \(address.host)")
        return address.host == "evil.test" ? StepFailure("config.host", title: "not allowed") : nil
      }, admit: { exchange in notes.add("admitted \(exchange.method) \(exchange.address.path)") }, observe: { notes.add($0) })
    let http = ConnectedHTTP(
      endpoint: endpoint, session: session, transport: NoRequests(), clock: StandingClock(), effect: effect, token: .user, hooks: hooks)
    return ConnectedWebSocket(http, transport: NIOWebSocketTransport())
  }

  private func failure(_ body: () async throws(StepFailure) -> Void) async -> StepFailure? {
    do throws(StepFailure) {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test func aStepTalks() async throws {
    let sandbox = try Sandbox(systems: [Echo()])
    let server = try await SandboxServer.start(sandbox)
    let notes = Notes()
    let heard = Mutex<[WebSocketEvent]>([])
    let sockets = try connection(server, settings: ["headers": ["X-Own": "mine"]], notes: notes)
    try await sockets.open(WebSocketCall("/live", query: [("room", "a b")])) { socket throws(StepFailure) in
      try await socket.send("one")
      for _ in 0..<2 {
        let event = try await socket.next(within: .seconds(3600))
        heard.withLock { $0.append(event) }
      }
      try await socket.send("close")
      let last = try await socket.next(within: .seconds(3600))
      heard.withLock { $0.append(last) }
    }
    #expect(heard.withLock(\.self) == [.text("a b for mine"), .text("one"), .closed(code: 4001, reason: "as you wish")])
    // One request, with the status of the handshake.
    #expect(notes.all == ["asked GET 127.0.0.1", "admitted GET /echo/live", "sending", "replied 101"])
    #expect(sandbox.requests.map(\.status) == [101])
    while !sandbox.openSockets.isEmpty { await Task.yield() }
    await server.stop()
  }

  @Test func a401GetsOneNewTokenAndOneRepeat() async throws {
    let sandbox = try Sandbox(systems: [Echo()])
    let server = try await SandboxServer.start(sandbox)
    let notes = Notes()
    try await connection(server, tokens: ["old", "good"], notes: notes).open(WebSocketCall("/live")) { _ in }
    #expect(sandbox.requests.map(\.status) == [401, 101])
    #expect(notes.all.filter { $0.hasPrefix("replied") } == ["replied 401", "replied 101"])
    let outdated = try connection(server, tokens: ["old", "older"])
    let expired = await failure { () throws(StepFailure) in try await outdated.open(WebSocketCall("/live")) { _ in } }
    #expect(expired?.code == "auth.expired")
    #expect(sandbox.requests.count == 4)
    await server.stop()
  }

  @Test func anotherRefusalIsItsStatus() async throws {
    let server = try await SandboxServer.start(try Sandbox(systems: [Echo()]))
    let sockets = try connection(server)
    let refused = await failure { () throws(StepFailure) in try await sockets.open(WebSocketCall("/none")) { _ in } }
    #expect(refused?.code == "http.404")
    #expect(refused?.answer?.status == 404)
    await server.stop()
  }

  @Test func hostsAreChecked() async throws {
    let server = try await SandboxServer.start(try Sandbox(systems: [Echo()]))
    let notes = Notes()
    let sockets = try connection(server, notes: notes)
    for target in ["wss://evil.test/live", "WS://evil.test/live", "https://evil.test/live"] {
      let refused = await failure { () throws(StepFailure) in try await sockets.open(WebSocketCall(target)) { _ in } }
      #expect(refused?.code == "config.host")
    }
    #expect(!notes.all.contains("sending"))
    var here = sockets
    here.http.staysHere = true
    let away = here
    let held = await failure { () throws(StepFailure) in try await away.open(WebSocketCall("wss://other.test/")) { _ in } }
    #expect(held?.code == "config.emergency_host")
    await server.stop()
  }

  @Test func tokensAndHeadersStayAtHome() async throws {
    let server = try await SandboxServer.start(try Sandbox(systems: [Echo()]))
    let other = try Sandbox(systems: [Echo()])
    let stranger = try await SandboxServer.start(other)
    let sockets = try connection(server, settings: ["headers": ["X-Own": "mine"]])
    let url = "ws://127.0.0.1:\(stranger.port)/echo/live"
    let refused = await failure { () throws(StepFailure) in try await sockets.open(WebSocketCall(url)) { _ in } }
    // No token went there, and so no second one either.
    #expect(refused?.code == "http.401")
    #expect(other.overview["echo"] == ["authorization": "", "own": ""])
    await server.stop()
    await stranger.stop()
  }

  @Test func aProxyIsToldNotPassedBy() async throws {
    let server = try await SandboxServer.start(try Sandbox(systems: [Echo()]))
    let sockets = try connection(server, settings: ["proxy": "http://proxy.test:3128"])
    let refused = await failure { () throws(StepFailure) in try await sockets.open(WebSocketCall("/live")) { _ in } }
    #expect(refused?.code == "config.request")
    #expect(refused?.detail.contains("`http://proxy.test:3128`") == true)
    await server.stop()
  }

  @Test func whatIsSentOnceGoesOverNoSocket() async throws {
    let server = try await SandboxServer.start(try Sandbox(systems: [Echo()]))
    let sockets = try connection(server, effect: .once)
    let refused = await failure { () throws(StepFailure) in try await sockets.open(WebSocketCall("/live")) { _ in } }
    #expect(refused?.code == "config.request")
    await server.stop()
  }

  @Test func silenceIsIdleAndLosesNothing() async throws {
    let server = try await SandboxServer.start(try Sandbox(systems: [Echo()]))
    let sockets = try connection(server)
    try await sockets.open(WebSocketCall("/live")) { socket throws(StepFailure) in
      guard case .text = try await socket.next(within: .seconds(3600)) else { throw StepFailure("test", title: "no greeting") }
      for number in 0..<50 {
        // No time at all: what is on the way comes with one of the next.
        #expect(try await socket.next(within: .zero) == .idle)
        try await socket.send("\(number)")
        #expect(try await socket.next(within: .seconds(3600)) == .text("\(number)"))
      }
    }
    await server.stop()
  }

  @Test func aFailureBehindAMessageIsNotUnsent() async throws {
    let sandbox = try Sandbox(systems: [Echo()])
    let server = try await SandboxServer.start(sandbox)
    let own = StepFailure("echo.wrong", title: "wrong")
    for (effect, sent) in [(Effect.unsafe, Sent.maybe), (.read, .no)] {
      let sockets = try connection(server, effect: effect)
      let failed = await failure { () throws(StepFailure) in
        try await sockets.open(WebSocketCall("/live")) { socket throws(StepFailure) in
          try await socket.send("one")
          throw own
        }
      }
      #expect(failed?.code == "echo.wrong")
      #expect(failed?.sent == sent)
    }
    while !sandbox.openSockets.isEmpty { await Task.yield() }
    await server.stop()
  }

  @Test func aCancelledStepLeavesNoSocket() async throws {
    let sandbox = try Sandbox(systems: [Echo()])
    let server = try await SandboxServer.start(sandbox)
    let sockets = try connection(server)
    let step = Task {
      await failure { () throws(StepFailure) in
        try await sockets.open(WebSocketCall("/live")) { socket throws(StepFailure) in
          while true { _ = try await socket.next(within: .seconds(3600)) }
        }
      }
    }
    while sandbox.openSockets.isEmpty { await Task.yield() }
    step.cancel()
    let failed = await step.value
    #expect(failed?.code == "cancelled", "\(failed?.detail ?? "")")
    while !sandbox.openSockets.isEmpty { await Task.yield() }
    await server.stop()
  }
}

/// A system that says over its socket what it is told.
private struct Echo: SandboxSystem {
  struct State: Sendable {
    var authorization = ""
    var own = ""
  }

  var name = "echo"
  var routes: [SandboxRoute<State>] { [] }
  var sockets: [SandboxSocketRoute<State>] {
    [
      SandboxSocketRoute(
        "/live",
        open: { call, socket, state, world throws(SandboxReply) in
          state.authorization = call.request.headers[.authorization] ?? ""
          state.own = HTTPField.Name("X-Own").flatMap { call.request.headers[$0] } ?? ""
          guard call.request.bearerToken == "good" else { throw .json(["error": "no"], status: 401) }
          world.push("\(call.request.query("room") ?? "-") for \(state.own)", to: socket)
        },
        received: { text, socket, _, world in
          if text == "close" { world.close(socket, code: 4001, reason: "as you wish") } else { world.push(text, to: socket) }
        })
    ]
  }

  func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State { State() }
  func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {}
  func overview(_ state: State) -> Value { ["authorization": .string(state.authorization), "own": .string(state.own)] }
  func pathUnknown(_ request: SandboxRequest) -> SandboxReply { .json(["error": "no such page"], status: 404) }
  func methodRefused(_ request: SandboxRequest) -> SandboxReply { .json(["error": "not that way"], status: 405) }
}

/// What the hooks of a connection were told.
final class Notes: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock(\.self) }
  func add(_ line: String) { lines.withLock { $0.append(line) } }

  func add(_ event: HTTPEvent) {
    switch event {
    case .sending: add("sending")
    case .replied(_, let reply, _): add("replied \(reply.status)")
    case .failed(_, let failure, _): add("failed \(failure.code)")
    }
  }
}

/// Gives tokens in their order, the last one again and again.
private final class ListedTokens: SessionPort {
  private let tokens: Mutex<[String]>
  init(_ tokens: [String]) { self.tokens = Mutex(tokens) }

  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    Token(accessToken: tokens.withLock { $0.first ?? "" }, expires: nil)
  }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    tokens.withLock { if $0.count > 1 { $0.removeFirst() } }
    return try await token(tokenClass)
  }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { try await token(.user) }
  func forget(_ tokenClass: TokenClass) async {}
}

/// No request but those for sockets is sent.
private struct NoRequests: HTTPTransporting {
  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    throw TransportFailure(.system, sent: .no, message: "a request went past the sockets")
  }
}

/// Sleeps for ever, or not at all.
private struct StandingClock: ClockPort {
  func now() -> Timestamp { Timestamp(seconds: 1_732_150_800) }
  func elapsed() -> Duration { .zero }
  func sleep(for duration: Duration) async throws(CancellationError) {
    guard duration > .zero else { return }
    do { try await Task.sleep(for: .seconds(3600)) } catch { throw CancellationError() }
  }
}
