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

  /// Whether a route is, or may be, the one that is meant.
  func has(_ pattern: RoutePattern) -> Bool
}

struct Mounted<System: SandboxSystem>: MountedSystem {
  private let system: System
  private let routes: [SandboxRoute<System.State>]
  /// What paths begin with before the system's own, such as `/api`; empty is nothing.
  private let prefix: [String]
  private var state: System.State

  init(_ system: System, given: Value?, world: inout SandboxWorld) throws(SandboxError) {
    self.system = system
    routes = system.routes
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
    return routes.contains { route in
      route.method == pattern.method
        && [prefixText, system.prefix, ""].contains { PathPattern($0 + route.path.description).overlaps(pattern.path) }
    }
  }

  /// The path behind the prefix; nil where it does not begin with that.
  private func ownPath(_ path: [String]) -> [String]? {
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
    guard !allowed.isEmpty else { return (system.pathUnknown(request), nil) }
    var reply = system.methodRefused(request)
    reply.headers[.allow] = allowed.joined(separator: ", ")
    return (reply, nil)
  }

  mutating func change(_ verb: String, _ what: Value, world: inout SandboxWorld) throws(SandboxError) {
    try system.change(verb, what, state: &state, world: &world)
  }
}
