import Diagnostics
import FlowEvents
import Values

/// One line for each test as it ends, its failures below it, and the counts at the end: what `baton test` prints.
package struct ConsoleTestReporter: Sendable {
  private let options: ConsoleOptions
  private let write: ReportSink

  package init(options: ConsoleOptions = ConsoleOptions(), write: @escaping ReportSink) {
    self.options = options
    self.write = write
  }

  /// A test ended; with `isVerbose`, or where it did not pass, with the lines of its steps.
  package func consume(_ run: TestRun) {
    let style = options.style
    var columns = [shownText(run.file)] + (run.caseName.map { [shownText($0)] } ?? [])
    columns.append(run.skipReason.map { "skipped: \(shownText($0))" } ?? run.duration.text)
    let recovered = run.reports.flatMap(\.steps).count { $0.status == .recovered }
    if recovered > 0 { columns.append("\(recovered) recovered") }
    if isBad(run) {
      columns.append(([run.outcome.rawValue] + run.reports.compactMap { $0.error?.tellingCode }.map(shownText)).joined(separator: " "))
    }
    var text = style.mark(mark(of: run.outcome)) + " " + columns.joined(separator: "  ") + "\n"
    if options.isVerbose, !run.story.isEmpty {
      text += run.story.split(separator: "\n").map { "  \($0)\n" }.joined()
    } else if options.isVerbose || isBad(run) {
      let lines = StepLines(style: style)
      text += run.reports.flatMap(\.steps).map { "  " + lines.ended($0) + "\n" }.joined()
    }
    if isBad(run) { text += "\n" + FailureStory(run, options: options).text + "\n" }
    write(text)
  }

  /// A file was refused.
  package func consume(_ refusal: Refusal) {
    let style = options.style
    write("\(style.mark(.failed)) \(shownText(refusal.file))  refused\n\n" + style.diagnostics.render(refusal.diagnostics) + "\n")
  }

  /// Something about all of the tests.
  package func remark(_ text: String) { write(text + "\n") }

  /// All is done.
  package func finish(_ report: TestReport) {
    var parts = TestRun.Outcome.allCases.filter { report.count(of: $0) > 0 }.map { "\(report.count(of: $0)) \($0.rawValue)" }
    if !report.refusals.isEmpty { parts.append("\(counted(report.refusals.count, "file")) refused") }
    if parts.isEmpty { parts = ["no tests"] }
    let verdict = report.exitCode == 0 ? options.style.painted("passed", .green) : options.style.painted("failed", .red)
    write("\(verdict)  \(parts.joined(separator: ", "))  \(report.duration.text)\n")
  }

  private func isBad(_ run: TestRun) -> Bool { run.outcome != .passed && run.outcome != .skipped }

  private func mark(of outcome: TestRun.Outcome) -> ConsoleStyle.Mark {
    switch outcome {
    case .passed: .passed
    case .failed, .errored: .failed
    case .indeterminate: .unknown
    case .cancelled: .cancelled
    case .skipped: .skipped
    }
  }
}
