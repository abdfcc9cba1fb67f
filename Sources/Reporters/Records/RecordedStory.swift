package import FlowEvents
package import Values

/// A run with all that its records tell of it: what `baton show` tells.
package struct RecordedStory: Sendable {
  package var run: RecordedRun
  /// What it was given, secrets hidden; nil where that is not known.
  package var inputs: Value?
  /// Of the flow's text when it ran.
  package var flowDigest: String
  /// In the order in which they were written down.
  package var events: [Event]
  /// In the order in which they began.
  package var steps: [RecordedStep]
  /// Every attempt of the run at what may happen once, oldest first.
  package var triggers: [RecordedTrigger]
  /// The report as `baton run --json` printed it; nil where the run has none.
  package var report: Value?
  /// False where only the ledger of triggers knows of it.
  package var isJournaled: Bool

  package enum Event: Sendable {
    /// A step began in which other steps stand.
    case groupStarted(StepStart)
    /// A branch of `on_error` took an error.
    case branchTaken(step: StepIdentity, error: ErrorReport, then: String)
    case stepEnded(StepReport)
    /// A step ended, and how is not readable.
    case stepEndedSomehow(step: StepIdentity, action: String, status: String)
    /// A later process went on with the run.
    case resumed(at: Timestamp, by: String?)
    case settled(RecordedSettlement)
  }

  package init(
    run: RecordedRun, inputs: Value?, flowDigest: String, events: [Event], steps: [RecordedStep], triggers: [RecordedTrigger],
    report: Value?, isJournaled: Bool = true
  ) {
    self.run = run
    self.inputs = inputs
    self.flowDigest = flowDigest
    self.events = events
    self.steps = steps
    self.triggers = triggers
    self.report = report
    self.isJournaled = isJournaled
  }
}

/// What somebody has said of a step of which nobody knew what became.
package struct RecordedSettlement: Hashable, Sendable {
  /// Which execution; empty for the run as a whole.
  package var path: String
  /// `delivered`, `not_delivered` or `retry`.
  package var how: String
  package var by: String
  package var reason: String
  package var at: Timestamp
  package var outputs: Value?

  package init(path: String, how: String, by: String, reason: String, at: Timestamp, outputs: Value?) {
    self.path = path
    self.how = how
    self.by = by
    self.reason = reason
    self.at = at
    self.outputs = outputs
  }
}

/// One execution of a step, as the journal has it.
package struct RecordedStep: Sendable {
  package var path: String
  package var step: StepIdentity
  package var action: String
  package var effect: String?
  package var isGroup: Bool
  package var file: String?
  package var line: Int?
  package var system: String?
  /// What it may happen once under.
  package var key: String?
  /// Nil for one that was skipped.
  package var startedAt: Timestamp?
  package var endedAt: Timestamp?
  /// How it ended; nil where it has not.
  package var status: String?
  package var duration: Duration?
  package var attempts: Int?
  package var requests: Int?
  package var error: ErrorReport?
  package var lastRequest: RequestReport?
  package var outputs: Value?
  package var settlement: RecordedSettlement?

  package init(path: String, step: StepIdentity, action: String, isGroup: Bool) {
    self.path = path
    self.step = step
    self.action = action
    self.isGroup = isGroup
  }
}
