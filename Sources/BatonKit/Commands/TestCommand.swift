import Diagnostics
import FlowPlan
import Reporters

/// `baton test PATH…`: flows and scenarios, many at once, on sandboxes of their own; one test case each in every report.
public struct TestCommand: Sendable {
  public var paths: [String]
  /// How many tests run at once; nil is one for each core.
  public var jobs: Int?
  public var failsFast: Bool
  /// `nightly`, or `!slow` for those that have it not.
  public var tags: [String]
  /// Cases by their names; none is all.
  public var cases: [String]
  /// `2/5`
  public var shard: String?
  public var givens: Givens
  public var reporting: Reporting

  public init(
    paths: [String], jobs: Int? = nil, failsFast: Bool = false, tags: [String] = [], cases: [String] = [], shard: String? = nil,
    givens: Givens = Givens(), reporting: Reporting = Reporting()
  ) {
    self.paths = paths
    self.jobs = jobs
    self.failsFast = failsFast
    self.tags = tags
    self.cases = cases
    self.shard = shard
    self.givens = givens
    self.reporting = reporting
  }

  /// 0, 1 where a test did not pass, 2 where a file was refused or a filter leaves nothing, 130 or 143 after a signal.
  public func execute(_ terminal: Terminal, cancellation: Cancellation) async -> Int {
    do throws(Findings) {
      let selection = try TestSelection(tags: tags, names: cases, shard: shard)
      let reportFiles = try reporting.openFiles()
      let files = TestFiles(paths)
      guard !files.files.isEmpty else { throw Findings([.noTests(below: paths)]) }
      let active = ActiveRuns()
      cancellation.attach { active.cancel(exitCode: $0) }
      let stream = reporting.stream
      let options = ConsoleOptions(style: terminal.style(stream), isVerbose: reporting.isVerbose)
      let session = TestSession(
        files: files, selection: selection, jobs: max(jobs ?? Cores.count, 1), failsFast: failsFast, givens: givens,
        isStrict: reporting.isStrict, terminal: terminal, active: active,
        console: ConsoleTestReporter(options: options) { terminal.write($0, to: stream) })
      let (report, unmatched) = await session.run()
      if let unmatched, active.exitCode == nil { throw Findings([.nothingSelected(selection, paths, unmatched)]) }
      let isComplete = reporting.write(report, to: reportFiles, terminal)
      if reporting.printsJSON { terminal.writeRedacted(JSONReport.text(of: report, redactor: terminal.redactor), to: .output) }
      return active.exitCode ?? reporting.exitCode(report.exitCode, isComplete: isComplete)
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }
}

extension Diagnostic {
  /// A run over nothing must not look like a success.
  fileprivate static func noTests(below paths: [String]) -> Diagnostic {
    let list = paths.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(.cannotFail, "there is no `*.flow.yaml` below \(list), and no `*.scenarios.yaml`", at: nil)
  }

  fileprivate static func nothingSelected(_ selection: TestSelection, _ paths: [String], _ names: TestNames) -> Diagnostic {
    let near = selection.suggestions(among: names)
    return Diagnostic(
      .cannotFail, "\(selection.description) leaves no test of \(paths.map { "`\($0)`" }.joined(separator: ", "))", at: nil,
      help: near.isEmpty ? ["cases have `tags`, and so have whole scenarios files"] : near)
  }
}
