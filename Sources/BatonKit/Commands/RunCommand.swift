import Diagnostics
import FlowEvents
import FlowPlan
import HTTPTransport
import Reporters
import Synchronization

/// `baton run FLOW`: one flow, for people and CI.
public struct RunCommand: Sendable {
  public var flow: String
  public var inputs: [String]
  public var inputFiles: [String]
  public var secretFiles: [String]
  public var answers: [String]
  public var answerFiles: [String]
  public var usesSandbox: Bool
  public var isStrict: Bool
  /// `KIND=PATH`, see `ReportFile`.
  public var reports: [String]
  public var printsJSON: Bool
  public var isVerbose: Bool

  public init(
    flow: String, inputs: [String] = [], inputFiles: [String] = [], secretFiles: [String] = [], answers: [String] = [],
    answerFiles: [String] = [], usesSandbox: Bool = false, isStrict: Bool = false, reports: [String] = [], printsJSON: Bool = false,
    isVerbose: Bool = false
  ) {
    self.flow = flow
    self.inputs = inputs
    self.inputFiles = inputFiles
    self.secretFiles = secretFiles
    self.answers = answers
    self.answerFiles = answerFiles
    self.usesSandbox = usesSandbox
    self.isStrict = isStrict
    self.reports = reports
    self.printsJSON = printsJSON
    self.isVerbose = isVerbose
  }

  /// Runs it and answers the exit code of language.md §3.
  public func execute(_ terminal: Terminal, cancellation: Cancellation) async -> Int {
    let transport = CurlTransport()
    transport.preload()
    do throws(Findings) {
      let reportFiles = try reports.map { (text) throws(Findings) in try ReportFile(text) }
      let file = FlowFile.load(flow)
      guard let plan = file.plan else { throw Findings(file.diagnostics) }
      if !file.diagnostics.isEmpty { terminal.show(file.diagnostics) }
      let report = try await run(plan, transport, terminal, cancellation)
      return try finish(report, reportFiles, terminal)
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }

  private func run(_ plan: Plan, _ transport: CurlTransport, _ terminal: Terminal, _ cancellation: Cancellation) async throws(Findings) -> RunReport {
    let execution = FlowExecution(
      plan: plan,
      givens: Givens(inputs: inputs, inputFiles: inputFiles, secretFiles: secretFiles, answers: answers, answerFiles: answerFiles),
      terminal: terminal, usesSandbox: usesSandbox, mayAsk: true, transport: transport)
    // The report for machines goes to standard output, so what people watch goes beside it.
    let view = RunView(terminal, stream: printsJSON ? .error : .output, isVerbose: isVerbose)
    defer { view.stop() }
    return try await execution.run(cancellation: cancellation, makeRoom: { view.makeRoom() }, observe: { view.consume($0) })
  }

  private func finish(_ report: RunReport, _ files: [ReportFile], _ terminal: Terminal) throws(Findings) -> Int {
    let all = TestReport(runs: [TestRun(report, isStrict: isStrict)], duration: report.duration)
    for file in files {
      do throws(FileFailure) {
        try file.write(all, redactor: terminal.redactor)
      } catch {
        terminal.show([Diagnostic(.missingFile, "the report \(error.message)", at: nil)])
      }
    }
    if printsJSON { terminal.write(JSONReport.text(of: report), to: .output) }
    return report.exitCode == 0 && isStrict && report.hasRecoveredSteps ? 1 : report.exitCode
  }
}

/// What a person sees of a run while it goes on.
final class RunView: Sendable {
  private enum Reporting: Sendable {
    case plain(ConsoleReporter)
    case live(LiveConsoleReporter)
  }

  private let reporting: Mutex<Reporting>
  private let ticker = Mutex<Task<Void, Never>?>(nil)

  init(_ terminal: Terminal, stream: Terminal.Stream, isVerbose: Bool) {
    let options = ConsoleOptions(style: terminal.style(stream), isVerbose: isVerbose)
    let write: ReportSink = { terminal.write($0, to: stream) }
    let isLive = terminal.isTerminal(stream) && terminal.environment["TERM"] != "dumb" && terminal.environment["CI"] == nil
    reporting = Mutex(
      isLive ? .live(LiveConsoleReporter(options: options, columns: terminal.columns, write: write)) : .plain(ConsoleReporter(options: options, write: write)))
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

  func makeRoom() {
    reporting.withLock { reporting in
      guard case .live(var reporter) = reporting else { return }
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
    reporting.withLock { reporting in
      guard case .live(var reporter) = reporting else { return }
      reporter.tick(elapsed)
      reporting = .live(reporter)
    }
  }
}
