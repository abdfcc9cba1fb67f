import Diagnostics
import FlowPlan
import SandboxKit
import SandboxServer
import Steps
import Values

/// A sandbox of every system, served on loopback for one run.
struct LocalSandbox {
  let sandbox: Sandbox
  let server: RunningSandbox

  static func start(port: Int = 0) async throws(Findings) -> LocalSandbox {
    do {
      let sandbox = try Sandbox(systems: SandboxCatalogue.standard)
      return LocalSandbox(sandbox: sandbox, server: try await SandboxServer.start(sandbox, port: port))
    } catch {
      throw Findings([Diagnostic(.invalidValue, "\(error)", at: nil)])
    }
  }

  /// Every system's connections lead here.
  func redirect(_ givens: inout RunGivens) {
    givens.isSandbox = true
    for system in sandbox.systemNames {
      var settings = ValueMap()
      settings["base_url"] = .string(server.baseURL(of: system))
      settings["media_url"] = .string(server.baseURL(of: system))
      givens.connections[system] = settings
    }
  }
}
