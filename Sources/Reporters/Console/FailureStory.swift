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
    if let alone = run.rerun, let last = findings.indices.last { findings[last].help.append(shownText(alone)) }
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
    let label = sides.joined(separator: ", ")
    let isShort = label.count <= 72 && !label.contains(where: \.isNewline)
    let message =
      check.problem.isEmpty
      ? "case `\(run.name)` did not meet `\(check.expression)`" : "case `\(run.name)` could not check `\(check.expression)`"
    return Diagnostic(
      .expectationNotMet, message, at: check.place, label: isShort ? label : "", severity: .failure,
      notes: (isShort ? [] : differences(check)) + (check.problem.isEmpty ? [] : [check.problem]))
  }

  /// Both sides, line beside line where there are several.
  private static func differences(_ check: ExpectationReport) -> [String] {
    guard let expected = check.expected, let actual = check.actual else { return [check.expected, check.actual].compactMap(\.self) }
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let given = actual.split(separator: "\n", omittingEmptySubsequences: false)
    guard wanted.count == given.count else { return ["expected \(expected)", "actual \(actual)"] }
    return zip(wanted, given).flatMap { ["expected \($0)", "actual   \($1)"] }
  }

  private static func recoveredSteps(of report: RunReport) -> [Diagnostic] {
    report.steps.filter { $0.status == .recovered }.map { step in
      Diagnostic(
        .stepFailed, "step `\(step.step.id)` recovered" + (step.error.map { " from `\($0.code)`" } ?? ""), at: step.step.place,
        severity: .failure, help: ["run without `--strict` to accept it"])
    }
  }
}

extension TestRun {
  /// How to run one case alone; nil for a flow.
  fileprivate var rerun: String? {
    guard let caseName else { return nil }
    let quoted = caseName.contains("'") ? "\"\(caseName)\"" : "'\(caseName)'"
    return "run it alone: `baton test \(file) --case \(quoted)`"
  }
}
