import FlowEvents
import FlowPlan
import Reporters

/// `baton run FLOW`: one flow, for people and CI.
public struct RunCommand: Sendable {
  public var flow: String
  public var givens: Givens
  public var usesSandbox: Bool
  /// A file with what each system of the sandbox has before the first request, as a scenario's `given` has it.
  public var sandboxGiven: String?
  public var live: LiveOptions
  public var reporting: Reporting

  public init(
    flow: String, givens: Givens = Givens(), usesSandbox: Bool = false, sandboxGiven: String? = nil,
    live: LiveOptions = LiveOptions(), reporting: Reporting = Reporting()
  ) {
    self.flow = flow
    self.givens = givens
    self.usesSandbox = usesSandbox
    self.sandboxGiven = sandboxGiven
    self.live = live
    self.reporting = reporting
  }

  /// Runs it and answers the exit code of language.md §3.
  public func execute(_ terminal: Terminal, cancellation: Cancellation) async -> Int {
    do throws(Findings) {
      let files = try reporting.openFiles()
      let flow = FlowFile.load(flow)
      terminal.hide(flow.openSecrets)
      guard let plan = flow.plan else { throw Findings(flow.diagnostics) }
      if !flow.diagnostics.isEmpty { terminal.show(flow.diagnostics) }
      var execution = FlowExecution(
        plan: plan, givens: givens, terminal: terminal, usesSandbox: usesSandbox, mayAsk: true, live: live)
      execution.sandboxGiven = sandboxGiven
      return try await execution.run(cancellation, reporting, files)
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }
}

extension FlowExecution {
  /// Runs it before a person's eyes, writes its reports, and answers the exit code.
  func run(_ cancellation: Cancellation, _ reporting: Reporting, _ files: [ReportFile]) async throws(Findings) -> Int {
    let view = RunView(terminal, stream: reporting.stream, isVerbose: reporting.isVerbose, isJournaled: !usesSandbox)
    defer { view.stop() }
    let report = try await run(cancellation: cancellation, asks: { view.pause($0) }, observe: { view.consume($0) })
    if report.verdict == .indeterminate, reporting.stream == .output {
      let options = ConsoleOptions(style: terminal.style(.error), isJournaled: !usesSandbox, redactor: terminal.redactor)
      terminal.write(IndeterminateBlock(report: report, options: options).text, to: .error)
    }
    let all = TestReport(runs: [TestRun(report, isStrict: reporting.isStrict)], duration: report.duration)
    let isComplete = reporting.write(all, to: files, terminal)
    if reporting.printsJSON { terminal.writeRedacted(JSONReport.text(of: report, redactor: terminal.redactor), to: .output) }
    let code = report.exitCode == 0 && reporting.isStrict && report.hasRecoveredSteps ? 1 : report.exitCode
    return reporting.exitCode(code, isComplete: isComplete)
  }
}
