import FlowEvents
import FlowPlan
import Reporters

/// `baton run FLOW`: one flow, for people and CI.
public struct RunCommand: Sendable {
  public var flow: String
  public var givens: Givens
  public var usesSandbox: Bool
  public var reporting: Reporting

  public init(flow: String, givens: Givens = Givens(), usesSandbox: Bool = false, reporting: Reporting = Reporting()) {
    self.flow = flow
    self.givens = givens
    self.usesSandbox = usesSandbox
    self.reporting = reporting
  }

  /// Runs it and answers the exit code of language.md §3.
  public func execute(_ terminal: Terminal, cancellation: Cancellation) async -> Int {
    do throws(Findings) {
      let files = try reporting.openFiles()
      let flow = FlowFile.load(flow)
      guard let plan = flow.plan else { throw Findings(flow.diagnostics) }
      if !flow.diagnostics.isEmpty { terminal.show(flow.diagnostics) }
      let report = try await run(plan, terminal, cancellation)
      let all = TestReport(runs: [TestRun(report, isStrict: reporting.isStrict)], duration: report.duration)
      let isComplete = reporting.write(all, to: files, terminal)
      if reporting.printsJSON { terminal.writeRedacted(JSONReport.text(of: report, redactor: terminal.redactor), to: .output) }
      let code = report.exitCode == 0 && reporting.isStrict && report.hasRecoveredSteps ? 1 : report.exitCode
      return reporting.exitCode(code, isComplete: isComplete)
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }

  private func run(_ plan: Plan, _ terminal: Terminal, _ cancellation: Cancellation) async throws(Findings) -> RunReport {
    let execution = FlowExecution(
      plan: plan, givens: givens, terminal: terminal, usesSandbox: usesSandbox, mayAsk: true)
    let view = RunView(terminal, stream: reporting.stream, isVerbose: reporting.isVerbose)
    defer { view.stop() }
    return try await execution.run(cancellation: cancellation, asks: { view.pause($0) }, observe: { view.consume($0) })
  }
}
