import Synchronization

/// Ends the runs of a command early. Safe from any thread; a run that begins afterwards ends at once.
public final class Cancellation: Sendable {
  private struct State {
    var exitCode: Int?
    var handlers: [@Sendable (Int) -> Void] = []
  }

  private let state = Mutex(State())

  public init() {}

  /// Asks every run to stop what is in flight and to run its `finally`.
  /// - Parameter exitCode: 130 for SIGINT, 143 for SIGTERM.
  /// - Returns: whether there is anything that ends in order; if not, the process may simply stop.
  public func cancel(exitCode: Int) -> Bool {
    let handlers = state.withLock { state in
      guard state.exitCode == nil else { return [@Sendable (Int) -> Void]() }
      state.exitCode = exitCode
      return state.handlers
    }
    for handler in handlers { handler(exitCode) }
    return !handlers.isEmpty
  }

  var exitCode: Int? { state.withLock { $0.exitCode } }

  func attach(_ handler: @escaping @Sendable (Int) -> Void) {
    let exitCode = state.withLock { state in
      state.handlers.append(handler)
      return state.exitCode
    }
    if let exitCode { handler(exitCode) }
  }
}
