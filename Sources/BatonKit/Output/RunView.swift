import FlowEvents
import Reporters
import Synchronization

/// What a person sees of a run while it goes on.
final class RunView: Sendable {
  private enum Reporting: Sendable {
    case plain(ConsoleReporter)
    case live(LiveConsoleReporter)
  }

  private let reporting: Mutex<Reporting>
  private let isAsking = Mutex(false)
  private let ticker = Mutex<Task<Void, Never>?>(nil)

  init(_ terminal: Terminal, stream: Terminal.Stream, isVerbose: Bool, isJournaled: Bool = true) {
    var options = ConsoleOptions(style: terminal.style(stream), isVerbose: isVerbose, isJournaled: isJournaled)
    // What nobody may overlook goes to the error stream, wherever people watch.
    options.tellsDoubtApart = stream == .output
    let write: ReportSink = { terminal.write($0, to: stream) }
    let isLive = terminal.isTerminal(stream) && terminal.environment["TERM"] != "dumb" && terminal.environment["CI"] == nil
    reporting = Mutex(
      isLive
        ? .live(LiveConsoleReporter(options: options, columns: terminal.columns, write: write))
        : .plain(ConsoleReporter(options: options, write: write)))
    if isLive { startTicking() }
  }

  func consume(_ event: RunEvent) {
    reporting.withLock { reporting in
      switch reporting {
      case .plain(var reporter):
        reporter.consume(event)
        reporting = .plain(reporter)
      case .live(var reporter):
        reporter.consume(event)
        reporting = .live(reporter)
      }
    }
  }

  /// While a question stands on the terminal nothing is drawn over it.
  func pause(_ isAsking: Bool) {
    self.isAsking.withLock { $0 = isAsking }
    reporting.withLock { reporting in
      guard isAsking, case .live(var reporter) = reporting else { return }
      reporter.makeRoom()
      reporting = .live(reporter)
    }
  }

  func stop() { ticker.withLock { $0?.cancel() } }

  private func startTicking() {
    let start = SystemClock().elapsed()
    ticker.withLock { ticker in
      ticker = Task { [weak self] in
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(1))
          self?.tick(SystemClock().elapsed() - start)
        }
      }
    }
  }

  private func tick(_ elapsed: Duration) {
    guard !isAsking.withLock({ $0 }) else { return }
    reporting.withLock { reporting in
      guard case .live(var reporter) = reporting else { return }
      reporter.tick(elapsed)
      reporting = .live(reporter)
    }
  }
}
