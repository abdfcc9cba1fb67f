import SandboxKit
import StepKit
import Steps
import Synchronization
import Testing
import Values

/// A sandbox of one system with one connection to it, and the ports of steps that use it.
struct StepWorld {
  let system: SystemDescription
  let clock = StepClock()
  let sandbox: Sandbox
  let settings: ValueMap
  let session: ConnectionSession
  let transport: any HTTPTransporting
  let events = EventLog()
  let answers: AnswerList

  let endpoint: ConnectionEndpoint
  let files: any FilePort

  /// - Parameters:
  ///   - given: what the system has before the first request.
  ///   - settings: of the connection, beside its URLs; these stand over `ExamSettings`.
  init(
    _ name: String = "rapidsos", given: String = "{}", settings: String = "{}", answers: [String] = [], files: any FilePort = NoFiles()
  ) throws {
    let clock = clock
    system = try #require(StepCatalogue.standard.system(name))
    let stands = SandboxCatalogue.standard.filter { $0.name == name }
    sandbox = try Sandbox(
      systems: stands, given: stands.isEmpty ? [:] : .map(ValueMap(members: [name: try JSON.parse(given)])),
      // Time goes on where a test says so, and by itself never.
      clock: SandboxClock(
        now: { clock.now() },
        sleep: { _ in
          await untilCancelled()
          throw CancellationError()
        }))
    var merged = try JSON.parse(ExamSettings.of(name)).mapValue ?? ValueMap()
    for url in system.urls where system.hasSandbox { merged[url] = .string("\(SandboxTransport.origin)/\(name)") }
    for (key, value) in try JSON.parse(settings).mapValue ?? ValueMap() { merged[key] = value }
    for field in system.settings().fields where merged[field.name] == nil {
      if let fallback = field.fallback { merged[field.name] = fallback }
    }
    self.settings = merged
    self.answers = AnswerList(answers)
    self.files = files
    transport = SandboxTransport(sandbox: sandbox)
    endpoint = try system.endpoint(merged)
    session = ConnectionSession(
      issuer: system.tokens, settings: merged,
      http: ConnectedHTTP(endpoint: endpoint, session: NoSession(), transport: transport, clock: clock), clock: clock,
      credentials: system.credentials(merged))
  }

  func ports(for about: About) throws -> Ports {
    let http = ConnectedHTTP(
      endpoint: endpoint, session: session, transport: transport, clock: clock, effect: about.effect,
      token: about.token, staysHere: about.isEmergency, hooks: HTTPHooks(observe: events.append))
    let sockets = MemorySockets(sandbox: sandbox, clock: clock)
    var handshakes = http
    handshakes.clock = sockets
    return Ports(
      http: http, clock: clock, random: ZeroRandom(), prompt: answers, session: session, settings: settings, files: files,
      sockets: ConnectedWebSocket(handshakes, transport: sockets), log: events.append, stepID: "step")
  }

  /// Validates `with` as a runner does, and runs the step.
  @discardableResult
  func run(_ name: String, _ with: String) async throws -> ValueMap {
    guard let step = StepCatalogue.standard.step(name) else { throw UnknownStep(name: name) }
    let input = try JSON.parse(with).mapValue ?? ValueMap()
    let violations = step.refine(input, settings).violations(in: input)
    guard violations.isEmpty else { throw InvalidInput(messages: violations.map(\.message)) }
    return try await step.run(input, try ports(for: step.about))
  }

  /// The failure of a step that must fail.
  func failure(_ name: String, _ with: String) async -> StepFailure? {
    do {
      try await run(name, with)
      return nil
    } catch {
      return error as? StepFailure
    }
  }

  /// `POST /oauth/token` and so on, in the order of their arrival.
  var received: [String] { sandbox.requests.map { "\($0.method) \($0.path)" } }

  func signIn() async throws {
    try await run("rapidsos/authenticate", #"{"grant": "password", "username": "dana.reyes", "password": "correct-horse"}"#)
  }
}

struct UnknownStep: Error { let name: String }

struct InvalidInput: Error, Equatable { let messages: [String] }

/// A clock that moves only when told.
final class StepClock: ClockPort {
  private let time = Mutex(Timestamp(seconds: 1_732_150_800))

  func advance(seconds: Int64) { time.withLock { $0.seconds += seconds } }
  func now() -> Timestamp { time.withLock { $0 } }
  func elapsed() -> Duration { .seconds(time.withLock { $0.seconds }) }
  func sleep(for duration: Duration) async throws(CancellationError) { advance(seconds: duration.components.seconds) }
}

struct ZeroRandom: RandomPort {
  func bytes(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}

/// What a step's port and log have said.
final class EventLog: Sendable {
  private let state = Mutex((events: [HTTPEvent](), lines: [String]()))

  var events: [HTTPEvent] { state.withLock { $0.events } }
  var lines: [String] { state.withLock { $0.lines } }
  var lastReply: HTTPReply? {
    events.reversed().lazy.compactMap { if case .replied(_, let reply, _) = $0 { reply } else { nil } }.first
  }

  @Sendable func append(_ event: HTTPEvent) { state.withLock { $0.events.append(event) } }
  @Sendable func append(_ line: String) { state.withLock { $0.lines.append(line) } }
}

/// A prompt whose answers are known, one for each ask.
final class AnswerList: PromptPort {
  private let state: Mutex<(answers: [String], asked: [PromptRequest])>

  init(_ answers: [String]) { state = Mutex((answers, [])) }

  var asked: [PromptRequest] { state.withLock { $0.asked } }

  func answer(_ request: PromptRequest) async throws(StepFailure) -> String {
    let answer = state.withLock { state in
      state.asked.append(request)
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { throw StepFailure("timeout.prompt", title: "nobody answered") }
    return answer
  }
}

/// A session that has nothing to give.
struct NoSession: SessionPort {
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw .none }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw .none }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw .none }
  func forget(_ tokenClass: TokenClass) async {}
}

extension StepFailure {
  static let none = StepFailure("config.token", title: "no token can be had")
}
