import HTTPTypes
import Values

/// A system with its state, whatever their types.
protocol MountedSystem: Sendable {
  var name: String { get }
  var overview: Value { get }
  var api: APIDescription? { get }
  /// What its paths begin with; empty or such as `/api`.
  var prefixText: String { get }

  /// The answer, and the pattern of the route that gave it.
  mutating func answer(_ request: SandboxRequest, path: [String], world: inout SandboxWorld) -> (SandboxReply, route: PathPattern?)
  mutating func change(_ verb: String, _ what: Value, world: inout SandboxWorld) throws(SandboxError)

  /// The pattern of the route that a request has; nil where none has its method and path.
  func route(_ method: HTTPRequest.Method, path: [String]) -> PathPattern?

  /// Whether a route is, or may be, the one that is meant; a socket's is `GET`.
  func has(_ pattern: RoutePattern) -> Bool

  /// The pattern of the socket that stands at a path; nil where none does.
  func socketRoute(path: [String]) -> PathPattern?
  /// - Returns: the refusal; nil where the socket is open.
  mutating func open(_ request: SandboxRequest, path: [String], as socket: SandboxSocketID, world: inout SandboxWorld) -> SandboxReply?
  mutating func received(_ text: String, on socket: SandboxSocketID, world: inout SandboxWorld)
  mutating func closed(_ socket: SandboxSocketID, world: inout SandboxWorld)
  /// - Returns: when it wants to be ticked again.
  mutating func tick(_ socket: SandboxSocketID, world: inout SandboxWorld) -> Timestamp?
}

struct Mounted<System: SandboxSystem>: MountedSystem {
  let system: System
  private let routes: [SandboxRoute<System.State>]
  let sockets: [SandboxSocketRoute<System.State>]
  /// What paths begin with before the system's own, such as `/api`; empty is nothing.
  private let prefix: [String]
  var state: System.State
  /// Which of `sockets` each open socket belongs to.
  var routesOfSockets: [SandboxSocketID: Int] = [:]

  init(_ system: System, given: Value?, world: inout SandboxWorld) throws(SandboxError) {
    self.system = system
    routes = system.routes
    sockets = system.sockets
    var given = try GivenMap(given ?? [:], at: "given.\(system.name)")
    let prefix = try given.text("prefix") ?? system.prefix
    guard prefix.isEmpty || prefix.hasPrefix("/") && !prefix.hasSuffix("/") else {
      throw SandboxError("`\(prefix)` is no prefix of paths; write it like `/api`, or as an empty text", at: "\(given.path).prefix")
    }
    self.prefix = prefix.isEmpty ? [] : PathPattern.segments(of: prefix)
    state = try system.start(given: given, world: &world)
  }

  var name: String { system.name }
  var overview: Value { system.overview(state) }
  var api: APIDescription? { system.api }
  var prefixText: String { prefix.isEmpty ? "" : "/" + prefix.joined(separator: "/") }

  func route(_ method: HTTPRequest.Method, path: [String]) -> PathPattern? {
    guard let path = ownPath(path) else { return nil }
    return routes.first { $0.method == method && $0.path.values(in: path) != nil }?.path
  }

  /// With the prefix or without: where a system stands may be what a case tries out.
  func has(_ pattern: RoutePattern) -> Bool {
    guard (pattern.system ?? name) == name else { return false }
    let paths = routes.filter { $0.method == pattern.method }.map(\.path) + (pattern.method == .get ? sockets.map(\.path) : [])
    return paths.contains { path in
      [prefixText, system.prefix, ""].contains { PathPattern($0 + path.description).overlaps(pattern.path) }
    }
  }

  /// The path behind the prefix; nil where it does not begin with that.
  func ownPath(_ path: [String]) -> [String]? {
    path.starts(with: prefix) ? Array(path.dropFirst(prefix.count)) : nil
  }

  mutating func answer(
    _ request: SandboxRequest, path: [String], world: inout SandboxWorld
  ) -> (SandboxReply, route: PathPattern?) {
    guard let path = ownPath(path) else { return (system.pathUnknown(request), nil) }
    var allowed: [String] = []
    for route in routes {
      guard let values = route.path.values(in: path) else { continue }
      guard route.method == request.method else {
        allowed.append(route.method.rawValue)
        continue
      }
      do throws(SandboxReply) {
        return (try route.handler(SandboxCall(request, values: values), &state, &world), route.path)
      } catch {
        return (error, route.path)
      }
    }
    if allowed.isEmpty, let socket = sockets.first(where: { $0.path.values(in: path) != nil }) {
      return (upgradeRequired(request, path: path), request.method == .get ? socket.path : nil)
    }
    guard !allowed.isEmpty else { return (system.pathUnknown(request), nil) }
    var reply = system.methodRefused(request)
    reply.headers[.allow] = allowed.joined(separator: ", ")
    return (reply, nil)
  }

  mutating func change(_ verb: String, _ what: Value, world: inout SandboxWorld) throws(SandboxError) {
    try system.change(verb, what, state: &state, world: &world)
  }
}
