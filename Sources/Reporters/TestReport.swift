package import Diagnostics
package import FlowEvents
package import Values

/// What came of many flows and scenarios.
package struct TestReport: Sendable {
  package var runs: [TestRun]
  /// Files that ran not at all; they never hide the results of the others.
  package var refusals: [Refusal]
  /// From the start of the first run to the end of the last.
  package var duration: Duration

  package init(runs: [TestRun], refusals: [Refusal] = [], duration: Duration = .zero) {
    self.runs = runs
    self.refusals = refusals
    self.duration = duration
  }

  /// The exit code of `baton test` without a signal: 2 where a file was refused, else 1 where a run did not pass.
  package var exitCode: Int {
    if !refusals.isEmpty { return 2 }
    return runs.allSatisfy { $0.outcome == .passed || $0.outcome == .skipped } ? 0 : 1
  }

  package func count(of outcome: TestRun.Outcome) -> Int { runs.count { $0.outcome == outcome } }
}

/// A file that was refused before its first request, and why.
package struct Refusal: Sendable {
  package var file: String
  package var diagnostics: [Diagnostic]

  package init(file: String, diagnostics: [Diagnostic]) {
    self.file = file
    self.diagnostics = diagnostics
  }
}

/// One flow or one case of a scenario, and what came of it: one test case in every report.
package struct TestRun: Sendable {
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case passed, failed, errored, indeterminate, cancelled, skipped
  }

  /// The path of the file that was named: the scenarios' where there is a case, else the flow's.
  package var file: String
  /// Nil for a flow without scenarios.
  package var caseName: String?
  /// Several only where a case runs again or resumes (`then`); none where it was skipped.
  package var reports: [RunReport]
  /// What the case states in `expect`; nil for a flow without scenarios, which must pass.
  package var expectations: [ExpectationReport]?
  /// Whether a recovered step counts as failed.
  package var isStrict: Bool
  /// Why it did not run.
  package var skipReason: String?
  /// Where the case is named in its file, from 1; nil for a flow without scenarios.
  package var line: Int?
  /// The path of the table whose row the case is: `line` is its; nil for a case that stands in `file`.
  package var tableFile: String?
  package var tags: [String]
  /// What its runs did, in lines; empty where nobody has kept it.
  package var story: String
  /// When it began and how long it took for whoever waited; nil where its own clock is the world's.
  package var wall: Wall?

  /// Times of the world, which a run on a virtual clock does not see.
  package struct Wall: Hashable, Sendable {
    package var startedAt: Timestamp
    package var duration: Duration

    package init(startedAt: Timestamp, duration: Duration) {
      self.startedAt = startedAt
      self.duration = duration
    }
  }

  package init(
    file: String, caseName: String? = nil, reports: [RunReport], expectations: [ExpectationReport]? = nil, isStrict: Bool = false,
    skipReason: String? = nil, line: Int? = nil, tableFile: String? = nil, tags: [String] = [], story: String = ""
  ) {
    self.file = file
    self.caseName = caseName
    self.reports = reports
    self.expectations = expectations
    self.isStrict = isStrict
    self.skipReason = skipReason
    self.line = line
    self.tableFile = tableFile
    self.tags = tags
    self.story = story
  }

  /// A flow without scenarios.
  package init(_ report: RunReport, isStrict: Bool = false) {
    self.init(file: report.file, reports: [report], isStrict: isStrict)
  }

  /// What the test is worth: a case passes where all that it expects is so, even a run that failed as expected.
  package var outcome: Outcome {
    if skipReason != nil { return .skipped }
    guard let expectations else {
      return verdict == .passed && isStrict && hasRecoveredSteps ? .failed : Outcome(verdict)
    }
    // Whoever pressed Ctrl-C has not seen the case through.
    if verdict == .cancelled { return .cancelled }
    // How the run ended is one expectation among others: what the case claims is not so.
    return expectations.allSatisfy(\.isMet) ? .passed : .failed
  }

  /// What it is called among the cases of its file.
  package var name: String { caseName ?? reports.first?.flow ?? file }

  package var duration: Duration { reports.reduce(.zero) { $0 + $1.duration } }

  package var verdict: Verdict { reports.map(\.verdict).reduce(.passed, Verdict.worst) }

  private var hasRecoveredSteps: Bool { reports.contains { $0.hasRecoveredSteps } }
}

extension TestRun.Outcome {
  init(_ verdict: Verdict) {
    switch verdict {
    case .passed: self = .passed
    case .failed: self = .failed
    case .errored: self = .errored
    case .indeterminate: self = .indeterminate
    case .cancelled: self = .cancelled
    }
  }
}
