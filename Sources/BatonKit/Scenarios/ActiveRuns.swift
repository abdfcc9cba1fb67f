import Synchronization

/// The runs of a command that are under way, so that a signal reaches them all and a finished one is forgotten.
final class ActiveRuns: Sendable {
  private struct State {
    var exitCode: Int?
    var lastNumber = 0
    var cancels: [Int: @Sendable (Int) -> Void] = [:]
  }

  private let state = Mutex(State())

  /// The exit code of the signal that ended the command; nil while none came.
  var exitCode: Int? { state.withLock { $0.exitCode } }

  func cancel(exitCode: Int) {
    let cancels = state.withLock { state in
      state.exitCode = exitCode
      return Array(state.cancels.values)
    }
    for cancel in cancels { cancel(exitCode) }
  }

  /// Runs to the end, or to the end that a signal asks for.
  func run<Result: Sendable>(
    cancel: @escaping @Sendable (_ exitCode: Int) -> Void, _ body: () async -> Result
  ) async -> Result {
    let (number, exitCode) = state.withLock { state in
      state.lastNumber += 1
      state.cancels[state.lastNumber] = cancel
      return (state.lastNumber, state.exitCode)
    }
    defer { state.withLock { _ = $0.cancels.removeValue(forKey: number) } }
    if let exitCode { cancel(exitCode) }
    return await body()
  }
}
