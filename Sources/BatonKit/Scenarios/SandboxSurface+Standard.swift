import FlowPlan
import HTTPTypes
import SandboxKit
import Steps
import Values

extension SandboxSurface {
  /// The sandbox of every system.
  static let standard: SandboxSurface = {
    let systems = SandboxCatalogue.standard
    let empty = try? Sandbox(systems: systems)
    let routes = systems.flatMap { routeTexts($0) }
    return SandboxSurface(
      systems: systems.map(\.name), givenSchema: { name in systems.first { $0.name == name }?.givenSchema ?? .bool(true) },
      changeSchema: { name in systems.first { $0.name == name }?.changeSchema ?? .bool(true) },
      givenProblem: { given in problem { () throws(SandboxError) in _ = try Sandbox(systems: systems, given: given) } },
      faultProblem: { fault in problem { () throws(SandboxError) in _ = try Fault(fault) } },
      stubProblem: { route, settings in problem { () throws(SandboxError) in _ = try StubbedRoute(route, settings) } },
      route: { text in
        guard let pattern = try? RoutePattern(text) else { return .malformed }
        return empty?.has(pattern) ?? true ? .known : .unknown(known: routes)
      },
      routesOverlap: { a, b in
        guard let a = try? RoutePattern(a), let b = try? RoutePattern(b) else { return false }
        return a.method == b.method && a.path.overlaps(b.path)
      })
  }()

  private static func problem(_ body: () throws(SandboxError) -> Void) -> Problem? {
    do throws(SandboxError) {
      try body()
      return nil
    } catch {
      return Problem(error.message, at: error.path)
    }
  }

  private static func routeTexts(_ system: some SandboxSystem) -> [String] {
    system.routes.map { "\($0.method.rawValue) \($0.path)" }
  }
}
