import Diagnostics
import FlowPlan
import SandboxKit
import SandboxServer
import StepKit
import Steps
import Values

/// A sandbox of every system, served on loopback for one run.
struct LocalSandbox {
  let sandbox: Sandbox
  let server: RunningSandbox

  /// - Parameter file: for each system, by name, what it has before the first request, as a scenario's `given` has it.
  static func start(port: Int = 0, given file: String? = nil) async throws(Findings) -> LocalSandbox {
    let given = try file.map { path throws(Findings) in try YAMLValues.map(of: path) } ?? ValueMap()
    do {
      let sandbox = try Sandbox(systems: SandboxCatalogue.standard, given: .map(given), clock: .adjustable())
      return LocalSandbox(sandbox: sandbox, server: try await SandboxServer.start(sandbox, port: port))
    } catch let error as SandboxError where !error.path.isEmpty {
      throw Findings([Diagnostic(.invalidValue, "\(file ?? ""): \(error)", at: nil)])
    } catch {
      throw Findings([Diagnostic(.invalidValue, "\(error)", at: nil)])
    }
  }

  /// Where `baton sandbox` listens unless told otherwise. A flow that names it means the sandbox, whichever serves it.
  static let address = "http://127.0.0.1:\(SandboxCommand.standardPort)"

  /// Whether some connection of the plan leads to the sandbox.
  static func serves(_ plan: Plan) -> Bool { plan.connections.contains { isServed($0) } }

  /// Every such connection leads here.
  func redirect(_ plan: Plan, _ givens: inout RunGivens) {
    givens.isSandbox = true
    for connection in plan.connections where Self.isServed(connection) {
      let system = connection.system
      let url = system.hasSandbox ? server.baseURL(of: system.name) : "http://127.0.0.1:\(server.port)"
      var settings = ValueMap()
      for name in system.urls { settings[name] = .string(url) }
      givens.connections[connection.alias] = settings
    }
  }

  private static func isServed(_ connection: ConnectionPlan) -> Bool {
    if connection.system.hasSandbox { return true }
    guard case .map(let members) = connection.settings, case .constant(let url)? = members.first(where: { $0.key == "base_url" })?.value
    else {
      return false
    }
    return url.stringValue == address
  }
}
