import Diagnostics
import FlowEvents
import Values

/// A test report as JUnit XML, in the subset that GitLab, Jenkins and the viewers of GitHub read alike.
///
/// A suite is a file, a test case a run or a case of a scenario. What was expected and is not so is a `failure`; what
/// gave no usable answer, is in doubt or was cancelled is an `error`, and so is a file that was refused.
package enum JUnitReport {
  /// The whole document.
  /// - Parameter redactor: hides secrets in texts before they are shortened.
  package static func text(of report: TestReport, redactor: Redactor = Redactor()) -> String {
    let suites = suites(of: report, redactor: redactor)
    var writer = XMLWriter()
    let counts = counts(of: suites.flatMap(\.cases))
    writer.element("testsuites", [("name", "baton")] + counts + [("time", report.duration.secondsWithMilliseconds)]) { writer in
      for suite in suites { suite.write(to: &writer) }
    }
    return writer.text
  }

  /// In the order in which the files first come, the refused ones last.
  private static func suites(of report: TestReport, redactor: Redactor) -> [JUnitSuite] {
    var suites: [JUnitSuite] = []
    var positions: [String: Int] = [:]
    for run in report.runs {
      let position = positions[run.file] ?? suites.count
      if position == suites.count {
        positions[run.file] = position
        suites.append(JUnitSuite(file: run.file))
      }
      suites[position].add(run, redactor: redactor)
    }
    for refusal in report.refusals { suites.append(JUnitSuite(refusal, redactor: redactor)) }
    return suites
  }

  static func counts(of cases: [JUnitCase]) -> [(String, String)] {
    func count(_ kind: JUnitCase.Result.Kind) -> String { String(cases.count { $0.result?.kind == kind }) }
    return [("tests", String(cases.count)), ("failures", count(.failure)), ("errors", count(.error)), ("skipped", count(.skipped))]
  }
}

/// The test cases of one file.
struct JUnitSuite {
  var file: String
  var startedAt: Timestamp?
  var duration: Duration = .zero
  var cases: [JUnitCase] = []

  init(file: String) { self.file = file }

  init(_ refusal: Refusal, redactor: Redactor) {
    self.init(file: refusal.file)
    cases = [JUnitCase(refusal, redactor: redactor)]
  }

  mutating func add(_ run: TestRun, redactor: Redactor) {
    let start = run.wall?.startedAt ?? run.reports.first?.startedAt
    startedAt = [startedAt, start].compactMap(\.self).min()
    duration += run.wall?.duration ?? run.duration
    cases.append(JUnitCase(run, redactor: redactor))
  }

  func write(to writer: inout XMLWriter) {
    var attributes = [("name", shownText(file))] + JUnitReport.counts(of: cases) + [("time", duration.secondsWithMilliseconds)]
    if let startedAt {
      // The schema has local time without a zone; UTC is the only one that is the same everywhere.
      let seconds = Value.timestamp(Timestamp(seconds: startedAt.seconds)).json()
      attributes.append(("timestamp", String(seconds.filter { $0 != "\"" && $0 != "Z" })))
    }
    writer.element("testsuite", attributes) { writer in
      for testCase in cases { testCase.write(to: &writer) }
    }
  }
}
