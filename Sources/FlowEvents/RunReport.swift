package import SourceText
package import Values

/// How a run ended.
package enum Verdict: String, Hashable, Sendable {
  case passed
  /// The API answered and was wrong.
  case failed
  /// No usable answer.
  case errored
  /// Nobody knows whether something happened that must happen once.
  case indeterminate
  case cancelled
}

extension Verdict {
  /// The worst of two: `indeterminate`, cancelled, errored, failed, passed.
  package static func worst(_ a: Verdict, _ b: Verdict) -> Verdict { a.rank >= b.rank ? a : b }

  private var rank: Int {
    switch self {
    case .passed: 0
    case .failed: 1
    case .errored: 2
    case .cancelled: 3
    case .indeterminate: 4
    }
  }
}

package enum StepStatus: String, Hashable, Sendable, CaseIterable {
  case succeeded, recovered, skipped, failed
  case notRun = "not_run"
  case cancelled, indeterminate, replayed
}

/// An error as reports show it; secrets are hidden already.
package struct ErrorReport: Hashable, Sendable {
  package struct Problem: Hashable, Sendable {
    package var field: String
    package var message: String

    package init(field: String, message: String) {
      self.field = field
      self.message = message
    }
  }

  package var code: String
  package var title: String
  package var detail: String
  /// What can be done about it; empty where that is not known.
  package var help = ""
  package var stepID: String
  package var place: Place
  package var attempt: Int
  package var sent: String
  package var isRejected: Bool
  package var status: Int?
  /// The body of the answer that was an error.
  package var body: Value?
  package var problems: [Problem]
  /// At most one: the error that led to this one.
  package var causes: [ErrorReport]

  package init(
    code: String, title: String, detail: String, stepID: String, place: Place, attempt: Int, sent: String, isRejected: Bool,
    status: Int? = nil, body: Value? = nil, problems: [Problem] = [], causes: [ErrorReport] = []
  ) {
    self.code = code
    self.title = title
    self.detail = detail
    self.stepID = stepID
    self.place = place
    self.attempt = attempt
    self.sent = sent
    self.isRejected = isRejected
    self.status = status
    self.body = body
    self.problems = problems
    self.causes = causes
  }
}

/// One check of `expect` and what came of it.
package struct ExpectationReport: Hashable, Sendable {
  /// As it was written: `outputs.id > 0`, `status: 201`.
  package var expression: String
  package var place: Place
  package var isMet: Bool
  package var expected: String?
  package var actual: String?
  /// What keeps it from being evaluated; empty otherwise.
  package var problem: String

  package init(expression: String, place: Place, isMet: Bool, expected: String? = nil, actual: String? = nil, problem: String = "") {
    self.expression = expression
    self.place = place
    self.isMet = isMet
    self.expected = expected
    self.actual = actual
    self.problem = problem
  }
}

/// What became of one step.
package struct StepReport: Hashable, Sendable {
  package var step: StepIdentity
  package var action: String
  package var isGroup: Bool
  package var status: StepStatus
  package var attempts: Int
  package var requests: Int
  package var duration: Duration
  package var error: ErrorReport?
  package var expectations: [ExpectationReport]
  /// The last request of the step.
  package var lastRequest: RequestReport?
  /// Whether an earlier process of the run did it.
  package var isRestored: Bool

  package init(
    step: StepIdentity, action: String, isGroup: Bool, status: StepStatus, attempts: Int, requests: Int, duration: Duration,
    error: ErrorReport? = nil, expectations: [ExpectationReport] = [], lastRequest: RequestReport? = nil,
    isRestored: Bool = false
  ) {
    self.step = step
    self.action = action
    self.isGroup = isGroup
    self.status = status
    self.attempts = attempts
    self.requests = requests
    self.duration = duration
    self.error = error
    self.expectations = expectations
    self.lastRequest = lastRequest
    self.isRestored = isRestored
  }
}

/// The whole of a finished run.
package struct RunReport: Sendable {
  package var runID: String
  package var flow: String
  /// The path of the flow's file.
  package var file: String
  package var verdict: Verdict
  /// The code of the error that decided the verdict; nil when it passed.
  package var code: String?
  /// That error.
  package var error: ErrorReport?
  /// 130 for SIGINT, 143 for SIGTERM; only with the verdict `cancelled`.
  package var signalExitCode: Int?
  /// Redacted; only after `passed`.
  package var outputs: ValueMap
  package var startedAt: Timestamp
  package var duration: Duration
  package var requests: Int
  /// In the order in which they ended.
  package var steps: [StepReport]

  package init(
    runID: String, flow: String, file: String, verdict: Verdict, code: String?, error: ErrorReport?, signalExitCode: Int? = nil,
    outputs: ValueMap, startedAt: Timestamp, duration: Duration, requests: Int, steps: [StepReport]
  ) {
    self.runID = runID
    self.flow = flow
    self.file = file
    self.verdict = verdict
    self.code = code
    self.error = error
    self.signalExitCode = signalExitCode
    self.outputs = outputs
    self.startedAt = startedAt
    self.duration = duration
    self.requests = requests
    self.steps = steps
  }

  /// language.md, "Verdict and exit code".
  package var exitCode: Int {
    switch verdict {
    case .passed: 0
    case .failed: 1
    case .errored: 3
    case .indeterminate: 4
    case .cancelled: signalExitCode ?? 130
    }
  }

  /// Whether some step was saved by a branch; counts as failed under `--strict`.
  package var hasRecoveredSteps: Bool { steps.contains { $0.status == .recovered } }
}
