import Diagnostics
import FlowEvents

/// Why a test did not pass, as all reports for people tell it.
struct FailureStory {
  /// The code of the error, or the kind of the first finding.
  var type: String
  /// One line.
  var headline: String
  /// The findings in their source, and the block of doubt; every line ends with a line break.
  var text: String

  init(_ run: TestRun, options: ConsoleOptions) {
    let unmet = (run.expectations ?? []).filter { !$0.isMet }.map { Self.finding($0, of: run) }
    let failures = run.reports.flatMap { $0.failures(redactor: options.redactor, isJournaled: options.isJournaled) }
    var findings = unmet.map(\.onSingleLines) + failures
    if findings.isEmpty, run.isStrict { findings = run.reports.flatMap(Self.recoveredSteps) }
    let code = run.reports.compactMap(\.code).last
    type = unmet.isEmpty ? code ?? findings.first?.kind.rawValue ?? run.outcome.rawValue : "expectation-not-met"
    headline = findings.first?.message ?? "the run ended \(run.verdict.rawValue)"
    let doubts = run.reports.filter { $0.verdict == .indeterminate }.map { IndeterminateBlock(report: $0, options: options).text }
    text = ([options.style.diagnostics.render(findings)] + doubts).filter { !$0.isEmpty }.joined(separator: "\n")
    if text.isEmpty { text = headline + "\n" }
  }

  private static func finding(_ check: ExpectationReport, of run: TestRun) -> Diagnostic {
    let sides = [check.expected.map { "expected \($0)" }, check.actual.map { "actual \($0)" }].compactMap(\.self)
    return Diagnostic(
      .expectationNotMet, "case `\(run.name)` did not meet `\(check.expression)`", at: check.place,
      label: sides.joined(separator: ", "), severity: .failure, notes: check.problem.isEmpty ? [] : [check.problem])
  }

  private static func recoveredSteps(of report: RunReport) -> [Diagnostic] {
    report.steps.filter { $0.status == .recovered }.map { step in
      Diagnostic(
        .stepFailed, "step `\(step.step.id)` recovered" + (step.error.map { " from `\($0.code)`" } ?? ""), at: step.step.place,
        severity: .failure, help: ["run without `--strict` to accept it"])
    }
  }
}
