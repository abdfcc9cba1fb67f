import HTTPTypes
import Synchronization
package import Values

/// Local stand-ins for systems: one for each run or case, sharing nothing with any other.
///
/// Every system stands under `/NAME`; `GET /health` answers for all, and `/_sandbox` is for whoever tests.
package final class Sandbox: Sendable {
  struct Inside: Sendable {
    var systems: [any MountedSystem]
    var world: SandboxWorld
    var faults = FaultBook()
    var log = RequestLog()
    var sockets = SocketBook()

    func unknown(_ system: String) -> SandboxError {
      SandboxError("unknown system `\(system)`; known are \(systems.map { "`\($0.name)`" }.joined(separator: ", "))")
    }

    mutating func log(
      _ request: SandboxRequest, system: String, route: PathPattern?, _ outcome: SandboxOutcome, _ due: FaultBook.Due
    ) {
      log.append { number in
        LoggedRequest(
          number: number, system: system, method: request.method.rawValue, path: request.path, route: route?.description,
          status: outcome.reply.status, requestBytes: request.body.count, responseBytes: outcome.reply.body.count, at: world.now,
          faults: due.names)
      }
    }
  }

  package let clock: SandboxClock
  private let start: @Sendable () throws(SandboxError) -> ([any MountedSystem], SandboxWorld)
  let inside: Mutex<Inside>

  /// - Parameter given: for each system, by name, what it has before the first request.
  /// - Parameter seed: of ids and secrets; the same seed and requests give the same answers.
  /// - Throws: `SandboxError` for an unknown system or what that system does not know.
  package init(
    systems: [any SandboxSystem], given: Value = [:], clock: SandboxClock = .system, seed: UInt64 = 1
  ) throws(SandboxError) {
    self.clock = clock
    start = { () throws(SandboxError) in
      var world = SandboxWorld(now: clock.now(), seed: seed)
      return (try Self.mount(systems, given: given, world: &world), world)
    }
    let (mounted, world) = try start()
    inside = Mutex(Inside(systems: mounted, world: world))
  }

  private static func mount(
    _ systems: [any SandboxSystem], given: Value, world: inout SandboxWorld
  ) throws(SandboxError) -> [any MountedSystem] {
    var map = try GivenMap(given, at: "given")
    var mounted: [any MountedSystem] = []
    for system in systems { mounted.append(try mount(system, given: map.value(system.name), world: &world)) }
    try map.finish()
    return mounted
  }

  private static func mount(
    _ system: some SandboxSystem, given: Value?, world: inout SandboxWorld
  ) throws(SandboxError) -> any MountedSystem {
    try Mounted(system, given: given, world: &world)
  }

  // MARK: What a run sees

  /// The answer to a request, and how it travels; the path starts with the system's name.
  package func answer(_ request: SandboxRequest) -> SandboxOutcome {
    let segments = PathPattern.segments(of: request.path)
    switch segments.first {
    case "_sandbox": return SandboxOutcome(administer(request, Array(segments.dropFirst())))
    case "health" where segments.count == 1 && request.method == .get: return health(request, segments)
    default: return answer(request, segments)
    }
  }

  /// It is no system's, and faults hit it as they hit the others.
  private func health(_ request: SandboxRequest, _ segments: [String]) -> SandboxOutcome {
    let due = inside.withLock { $0.faults.due(system: "", path: segments, request: request) }
    return Self.outcome(due.answer ?? .json(["status": "up"]), due)
  }

  private func answer(_ request: SandboxRequest, _ segments: [String]) -> SandboxOutcome {
    inside.withLock { inside in
      inside.world.now = clock.now()
      let position = inside.systems.firstIndex { $0.name == segments.first }
      let system = position.map { inside.systems[$0].name } ?? ""
      let path = position == nil ? segments : Array(segments.dropFirst())
      var request = request
      if position != nil { request.path = Self.withoutPrefix(request.path) }

      let due = inside.faults.due(system: system, path: path, request: request)
      var reply = SandboxReply.json(["error": .string("no system `\(segments.first ?? "")` here")], status: 404)
      var route: PathPattern?
      if let answer = due.answer {
        reply = answer
        route = position.flatMap { inside.systems[$0].route(request.method, path: path) }
      } else if let position {
        (reply, route) = inside.systems[position].answer(request, path: path, world: &inside.world)
      }
      let outcome = Self.outcome(reply, due)
      inside.log(request, system: system, route: route, outcome, due)
      inside.deliver()
      return outcome
    }
  }

  /// An answer as it travels under the faults that are due.
  static func outcome(_ reply: SandboxReply, _ due: FaultBook.Due) -> SandboxOutcome {
    var (reply, ending) = (reply, due.ending)
    // Neither has a body (RFC 9110 §6.4.1), whatever a fault says.
    if reply.status == 204 || reply.status == 304 { reply.body = [] }
    if due.isTruncated { reply.body.removeLast((reply.body.count + 1) / 2) }
    // A body that cannot be cut is lost as a whole.
    if ending == .midBody, reply.body.isEmpty { ending = .beforeResponse }
    return SandboxOutcome(reply, delay: due.delay, ending: ending, bytesPerSecond: due.bytesPerSecond)
  }

  /// `/rapidsos/v1/x` is `/v1/x` for its system.
  static func withoutPrefix(_ path: String) -> String {
    path.dropFirst().firstIndex(of: "/").map { String(path[$0...]) } ?? "/"
  }

  // MARK: What tests and scenarios do

  /// The names of the systems, in their order.
  package var systemNames: [String] { inside.withLock { $0.systems.map(\.name) } }

  /// What has come in, oldest first; `/_sandbox` and `/health` are not counted.
  package var requests: [LoggedRequest] { inside.withLock { $0.log.entries } }

  /// How many have ever come in, those that are forgotten among them.
  package var requestCount: Int { inside.withLock { $0.log.count } }

  /// What has come in on one route, such as `POST /v1/rain/caller-ids` or `rapidsos GET /v1/rain/locations/{id}`.
  /// - Throws: `SandboxError` where the text is no route.
  package func requests(matching route: String) throws(SandboxError) -> [LoggedRequest] {
    let pattern = try RoutePattern(route)
    return requests.filter { entry in
      guard let method = HTTPRequest.Method(entry.method) else { return false }
      return pattern.matches(system: entry.system, method: method, path: PathPattern.segments(of: entry.path))
    }
  }

  /// Messages that went out, newest last; nil is over every channel, to everybody.
  package func messages(_ channel: SandboxMessage.Channel? = nil, to recipient: String? = nil) -> [SandboxMessage] {
    inside.withLock { inside in
      inside.world.outbox.filter { (channel ?? $0.channel) == $0.channel && (recipient.map($0.isTo) ?? true) }
    }
  }

  /// Text messages that went out, newest last; nil is to everybody.
  package func sms(to number: String? = nil) -> [SandboxMessage] { messages(.sms, to: number) }

  /// Whether some system has a route that a fault or a count means; a misspelt one would wait for nothing.
  package func has(_ route: RoutePattern) -> Bool {
    route.matches(system: "", method: .get, path: ["health"]) || inside.withLock { $0.systems.contains { $0.has(route) } }
  }

  /// Arms a fault; of several on one route the first that is due happens.
  package func add(_ fault: Fault) { inside.withLock { $0.faults.add(fault) } }

  /// How far each fault has come, in the order in which they were added.
  package var faultUses: [FaultUse] { inside.withLock { $0.faults.uses } }

  package func removeFaults() { inside.withLock { $0.faults.removeAll() } }

  /// Changes a system in the middle of a run, such as `change("rapidsos", "expire", "user")`.
  /// - Throws: `SandboxError` for an unknown system, verb or argument.
  package func change(_ system: String, _ verb: String, _ what: Value) throws(SandboxError) {
    let result: Result<Void, SandboxError> = inside.withLock { inside in
      inside.world.now = clock.now()
      guard let position = inside.systems.firstIndex(where: { $0.name == system }) else { return .failure(inside.unknown(system)) }
      do throws(SandboxError) {
        try inside.systems[position].change(verb, what, world: &inside.world)
        inside.deliver()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Several changes as scenarios write them: `{ SYSTEM: { VERB: WHAT } }`.
  /// - Throws: `SandboxError` for an unknown system, verb or argument.
  package func change(_ changes: Value) throws(SandboxError) {
    let systems = try GivenMap(changes, at: "do")
    for system in systems.keys {
      // Nothing to do to nobody is a slip of the pen too.
      if let unknown = inside.withLock({ $0.systems.contains { $0.name == system } ? nil : $0.unknown(system) }) { throw unknown }
      let verbs = try GivenMap(changes[system] ?? .null, at: "do.\(system)")
      for verb in verbs.keys { try change(system, verb, changes[system]?[verb] ?? .null) }
    }
  }

  /// What may be seen of each system's state, by name.
  package var overview: Value {
    inside.withLock { inside in
      var map = ValueMap()
      for system in inside.systems { map[system.name] = system.overview }
      return .map(map)
    }
  }

  /// The OpenAPI 3.1 document of a system; nil for a system that is not here or has none.
  package func openAPI(of system: String) -> Value? {
    inside.withLock { inside in
      guard let mounted = inside.systems.first(where: { $0.name == system }) else { return nil }
      return mounted.api?.openAPI(server: "/\(system)\(mounted.prefixText)")
    }
  }

  /// Back to what was given: no requests, no faults, no messages, no sockets.
  package func reset() {
    // What was accepted once is accepted again.
    guard let (systems, world) = try? start() else { return }
    inside.withLock { inside in
      for socket in inside.sockets.held.values { socket.deliver(.close(code: 1012, reason: "the sandbox begins anew")) }
      let book = inside.sockets.emptied()
      inside = Inside(systems: systems, world: world)
      inside.sockets = book
    }
  }
}
