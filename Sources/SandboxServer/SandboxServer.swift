import Hummingbird
import HummingbirdCore
import Logging
package import SandboxKit

/// Opens a sandbox on loopback.
package enum SandboxServer {
  /// A server that answers for the sandbox until it is stopped; port 0 takes any free one.
  /// - Throws: `SandboxServerError` where the port cannot be had.
  package static func start(_ sandbox: Sandbox, port: Int = 0) async throws(SandboxServerError) -> RunningSandbox {
    let (started, running) = AsyncThrowingStream<RunningSandbox.Listener, any Error>.makeStream()
    let unserved = UnservedConnections()
    var application = Application(
      responder: SandboxResponder(sandbox: sandbox),
      server: HTTPServerBuilder { AcceptedConnections(http: HTTP1Channel(responder: $0), unserved: unserved) },
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        running.yield(.init(port: channel.localAddress?.port ?? port) { try? await channel.close() })
      }
    )
    application.logger.logLevel = .critical
    let server = application
    let task = Task {
      do {
        try await server.run()
        running.finish()
      } catch {
        running.finish(throwing: error)
      }
      await unserved.finish()
    }
    do {
      for try await listener in started { return RunningSandbox(listener, task: task) }
      throw SandboxServerError("the sandbox stopped before it was ready")
    } catch let error as SandboxServerError {
      throw error
    } catch {
      let isTaken = "\(error)".contains("Address already in use")
      throw SandboxServerError(
        "the sandbox cannot listen on 127.0.0.1:\(port): \(isTaken ? "another program has this port" : "\(error)")")
    }
  }
}

/// A sandbox that can be reached; it ends with `stop`, or with its last reference.
package final class RunningSandbox: Sendable {
  /// The socket that accepts connections.
  struct Listener: Sendable {
    let port: Int
    let close: @Sendable () async -> Void
  }

  private let listener: Listener
  private let task: Task<Void, Never>

  init(_ listener: Listener, task: Task<Void, Never>) {
    self.listener = listener
    self.task = task
  }

  deinit { task.cancel() }

  package var port: Int { listener.port }

  /// Where a system is found, such as `http://127.0.0.1:40123/rapidsos`.
  package func baseURL(of system: String) -> String { "http://127.0.0.1:\(port)/\(system)" }

  /// Closes every connection, whether or not its answer is whole, and gives the port back.
  package func stop() async {
    await listener.close()
    task.cancel()
    await task.value
  }
}

/// Why a sandbox cannot be reached.
package struct SandboxServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Lower case, no full stop.
  package let description: String

  init(_ description: String) { self.description = description }
}
