import Diagnostics
import SandboxKit
import SandboxServer
import StepKit
import Steps

/// `baton sandbox`: the local servers of every system, until Ctrl-C.
public struct SandboxCommand: Sendable {
  /// Where it listens unless told otherwise.
  public static let standardPort = 4010

  public var port: Int
  /// A file with what each system has before the first request, as a scenario's `given` has it.
  public var given: String?

  public init(port: Int = standardPort, given: String? = nil) {
    self.port = port
    self.given = given
  }

  public func execute(_ terminal: Terminal, cancellation: Cancellation) async -> Int {
    do throws(Findings) {
      let local = try await LocalSandbox.start(port: port, given: given)
      terminal.write("sandbox on http://127.0.0.1:\(local.server.port)\n", to: .output)
      for system in local.sandbox.systemNames {
        let urls = StepCatalogue.standard.system(system)?.urls ?? ["base_url"]
        terminal.write("  \(system)  \(urls.joined(separator: ", ")): \(local.server.baseURL(of: system))\n", to: .output)
      }
      terminal.write("  what came in and went out: http://127.0.0.1:\(local.server.port)/_sandbox; Ctrl-C ends it\n", to: .output)
      let (stops, stop) = AsyncStream<Void>.makeStream()
      cancellation.attach { _ in stop.finish() }
      for await _ in stops {}
      await local.server.stop()
      return 0
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }
}
