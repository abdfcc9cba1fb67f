import HTTPTypes
import SandboxKit
import Values

/// One answer to plain HTTP, as a case states it: `{ route, status, headers, json or body, delay, times }`.
struct StubbedRoute: Sendable {
  let pattern: RoutePattern
  let reply: SandboxReply
  let delay: Duration
  /// How often it answers; nil is always.
  let times: Int?

  /// - Throws: `SandboxError` for what no route can be.
  init(_ route: String, _ settings: ValueMap) throws(SandboxError) {
    pattern = try RoutePattern(route)
    if let system = pattern.system, system != PlainHosts.name {
      throw SandboxError("a route answers plain HTTP; `\(system)` answers for itself", at: "route")
    }
    var given = try GivenMap(.map(settings), at: "route")
    let json = settings["json"]
    let body = given.value("body")
    _ = given.value("json")
    let isStated = given.value("status") != nil || json != nil || body != nil
    guard isStated else { throw SandboxError("a route needs an answer: `status`, `json` or `body`", at: "route") }
    delay = try given.span("delay") ?? .zero
    times = try given.int("times")
    var fault = ValueMap()
    fault["route"] = .string(route)
    fault["status"] = .int(Int64(try given.int("status") ?? 200))
    fault["headers"] = given.value("headers")
    if let json { fault["body"] = .string(json.json()) } else { fault["body"] = body }
    try given.finish()
    // A fault with a status is an answer in all but its name.
    guard case .status(let status, var headers, let bytes) = try Fault(.map(fault), at: "route").kind else {
      throw SandboxError("a route needs an answer", at: "route")
    }
    if json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
    reply = SandboxReply(status: status, headers: headers, body: bytes)
  }
}

/// The hosts of plain HTTP, as a case with `routes` answers for them: whatever the host, the path decides.
struct PlainHosts: SandboxSystem {
  static let name = "http"

  let stubs: [StubbedRoute]

  var name: String { Self.name }

  /// How often each stub has answered.
  struct State: Sendable { var answered: [Int: Int] = [:] }

  var routes: [SandboxRoute<State>] {
    var seen: [RoutePattern] = []
    for stub in stubs where !seen.contains(where: { $0.method == stub.pattern.method && $0.path == stub.pattern.path }) {
      seen.append(stub.pattern)
    }
    return seen.map { pattern in
      let own = stubs.enumerated().filter { $1.pattern.method == pattern.method && $1.pattern.path == pattern.path }
      return SandboxRoute(pattern.method, pattern.path.description) { _, state, _ throws(SandboxReply) in
        for (number, stub) in own where state.answered[number, default: 0] < stub.times ?? .max {
          state.answered[number, default: 0] += 1
          return stub.reply
        }
        throw Self.unrouted
      }
    }
  }

  /// No answer of a host: the transport makes an error of it.
  static let unrouted = SandboxReply(status: 599, headers: [marker: "unrouted"])

  static func isUnrouted(_ reply: SandboxReply) -> Bool { reply.headers[marker] != nil }

  private static let marker = HTTPField.Name("baton-unrouted") ?? .server

  /// Delays are faults, which come in the order of the stubs.
  var delays: [Fault] {
    var spared: [RoutePattern: Int] = [:]
    return stubs.compactMap { stub in
      let after = spared[stub.pattern, default: 0]
      spared[stub.pattern] = after + (stub.times ?? 0)
      guard stub.delay > .zero, let route = try? RoutePattern("\(Self.name) \(stub.pattern.method.rawValue) \(stub.pattern.path)") else {
        return nil
      }
      return Fault(route: route, after: after, times: stub.times, kind: .delay(stub.delay))
    }
  }

  func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try given.finish()
    return State()
  }

  func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {
    throw SandboxError("unknown change `\(verb)`: plain hosts have none", at: Self.name)
  }

  func overview(_ state: State) -> Value { [:] }
  func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Self.unrouted }
  func methodRefused(_ request: SandboxRequest) -> SandboxReply { Self.unrouted }
}
