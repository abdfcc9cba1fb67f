import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// HTTP connections of which none is lost between being accepted and being served.
///
/// A server that stops drops what it has accepted and not begun to serve, and SwiftNIO ends the process where such a
/// channel goes without having been finished (swift-nio issue 2813). Here each is held until it is served or finished.
struct AcceptedConnections: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  let http: HTTP1Channel
  let unserved: UnservedConnections

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    http.setup(channel: channel, logger: logger).map { [unserved] connection in
      unserved.hold(connection)
      return connection
    }
  }

  func handle(value connection: Value, logger: Logger) async {
    guard unserved.release(connection) else { return }
    await http.handle(value: connection, logger: logger)
  }
}

/// What a server has accepted and not begun to serve.
final class UnservedConnections: Sendable {
  private struct State {
    var held: [ObjectIdentifier: HTTP1Channel.Value] = [:]
    var isFinished = false
  }

  private let state = Mutex(State())

  func hold(_ connection: HTTP1Channel.Value) {
    let isTooLate = state.withLock { state in
      if !state.isFinished { state.held[ObjectIdentifier(connection.channel)] = connection }
      return state.isFinished
    }
    if isTooLate { Task { await Self.finish(connection) } }
  }

  /// Whether it is the caller's now.
  func release(_ connection: HTTP1Channel.Value) -> Bool {
    state.withLock { $0.held.removeValue(forKey: ObjectIdentifier(connection.channel)) } != nil
  }

  /// Closes all that nobody will serve, and whatever comes after.
  func finish() async {
    let left = state.withLock { state in
      state.isFinished = true
      defer { state.held = [:] }
      return Array(state.held.values)
    }
    for connection in left { await Self.finish(connection) }
  }

  private static func finish(_ connection: HTTP1Channel.Value) async { try? await connection.executeThenClose { _, _ in } }
}
