import Diagnostics
import FlowEvents
import FlowPlan
import Reporters

/// `baton test PATH…`: many flows at once, on the sandbox; one test case each in every report.
public struct TestCommand: Sendable {
  public var paths: [String]
  public var jobs: Int
  public var failsFast: Bool
  public var givens: Givens
  public var reporting: Reporting

  public init(paths: [String], jobs: Int, failsFast: Bool = false, givens: Givens = Givens(), reporting: Reporting = Reporting()) {
    self.paths = paths
    self.jobs = jobs
    self.failsFast = failsFast
    self.givens = givens
    self.reporting = reporting
  }

  /// 0, 1 where a flow did not pass, 2 where a file was refused, 130 or 143 after a signal.
  public func execute(_ terminal: Terminal, cancellation: Cancellation) async -> Int {
    do throws(Findings) {
      let reportFiles = try reporting.openFiles()
      let files = FlowFile.paths(from: paths)
      guard !files.isEmpty else { throw Findings([.noFlows(below: paths)]) }
      let report = await run(files, terminal, cancellation)
      let isComplete = reporting.write(report, to: reportFiles, terminal)
      if reporting.printsJSON { terminal.writeRedacted(JSONReport.text(of: report, redactor: terminal.redactor), to: .output) }
      return cancellation.exitCode ?? reporting.exitCode(report.exitCode, isComplete: isComplete)
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }

  private enum Outcome: Sendable {
    case ran(TestRun)
    case refused(Refusal)
    /// Not started: a signal came, or a failure under `--fail-fast`.
    case left
  }

  private func run(_ files: [String], _ terminal: Terminal, _ cancellation: Cancellation) async -> TestReport {
    let stream = reporting.stream
    let options = ConsoleOptions(style: terminal.style(stream), isVerbose: reporting.isVerbose)
    let console = ConsoleTestReporter(options: options) { terminal.write($0, to: stream) }
    let clock = SystemClock()
    let start = clock.elapsed()
    var report = TestReport(runs: [])
    await withTaskGroup(of: Outcome.self) { group in
      var next = files.makeIterator()
      var stops = false
      func startNext() {
        guard !stops, cancellation.exitCode == nil, let path = next.next() else { return }
        group.addTask { await one(path, terminal, cancellation) }
      }
      for _ in 0..<max(jobs, 1) { startNext() }
      while let outcome = await group.next() {
        switch outcome {
        case .ran(let run):
          console.consume(run)
          report.runs.append(run)
          if failsFast, run.outcome != .passed { stops = true }
        case .refused(let refusal):
          console.consume(refusal)
          report.refusals.append(refusal)
          if failsFast { stops = true }
        case .left: break
        }
        startNext()
      }
    }
    report.duration = clock.elapsed() - start
    report.runs.sort { $0.file < $1.file }
    report.refusals.sort { $0.file < $1.file }
    console.finish(report)
    return report
  }

  private func one(_ path: String, _ terminal: Terminal, _ cancellation: Cancellation) async -> Outcome {
    let file = FlowFile.load(path)
    guard let plan = file.plan else { return .refused(Refusal(file: path, diagnostics: file.diagnostics)) }
    let execution = FlowExecution(plan: plan, givens: givens, terminal: terminal, usesSandbox: true, mayAsk: false)
    do throws(Findings) {
      return .ran(TestRun(try await execution.run(cancellation: cancellation) { _ in }, isStrict: reporting.isStrict))
    } catch {
      return .refused(Refusal(file: path, diagnostics: error.diagnostics))
    }
  }
}
