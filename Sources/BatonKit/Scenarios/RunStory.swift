import FlowEvents
import Reporters
import Synchronization

/// What a run did, in lines, for the reports of tests; a long one is cut.
final class RunStory: Sendable {
  private struct State {
    var text = ""
    var reporter: ConsoleReporter?
  }

  private static let limit = 16 << 10
  private let state = Mutex(State())

  /// Each line ends with a line break.
  var text: String { state.withLock(\.text) }

  func consume(_ event: RunEvent) {
    // Its end is told by the report.
    if case .runEnded = event { return }
    state.withLock { state in
      guard state.text.utf8.count < Self.limit else { return }
      var reporter = state.reporter ?? ConsoleReporter(options: ConsoleOptions(isVerbose: true)) { _ in }
      if let text = reporter.text(of: event) { state.text += text }
      if state.text.utf8.count >= Self.limit { state.text += "(the rest is left out)\n" }
      state.reporter = reporter
    }
  }
}
