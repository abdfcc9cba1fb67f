import HTTPTypes
import Values

/// A system with its state, whatever their types.
protocol MountedSystem: Sendable {
  var name: String { get }
  var overview: Value { get }
  var api: APIDescription? { get }

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
  private var state: System.State

  init(_ system: System, given: Value?, world: inout SandboxWorld) throws(SandboxError) {
    self.system = system
    routes = system.routes
    let given = try GivenMap(given ?? [:], at: "given.\(system.name)")
    state = try system.start(given: given, world: &world)
  }

  var name: String { system.name }
  var overview: Value { system.overview(state) }
  var api: APIDescription? { system.api }

  func route(_ method: HTTPRequest.Method, path: [String]) -> PathPattern? {
    routes.first { $0.method == method && $0.path.values(in: path) != nil }?.path
  }

  func has(_ pattern: RoutePattern) -> Bool {
    (pattern.system ?? name) == name && routes.contains { $0.method == pattern.method && $0.path.overlaps(pattern.path) }
  }

  mutating func answer(
    _ request: SandboxRequest, path: [String], world: inout SandboxWorld
  ) -> (SandboxReply, route: PathPattern?) {
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
