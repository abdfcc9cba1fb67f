package import Values

/// A run as its records have it: what `baton runs` says in one line.
package struct RecordedRun: Sendable {
  package var id: String
  /// The path of the flow's file.
  package var flow: String
  /// Empty where it had none.
  package var environment: String
  package var startedAt: Timestamp
  /// Nil where it has not ended, or nobody wrote down that it did.
  package var endedAt: Timestamp?
  /// Who ran it.
  package var `operator`: String
  package var isSandbox: Bool
  package var standing: RunStanding
  /// The code of the error that decided it.
  package var code: String?
  /// What nobody knows of it.
  package var doubts: [RecordedDoubt]

  package init(
    id: String, flow: String, environment: String, startedAt: Timestamp, endedAt: Timestamp?, operator: String, isSandbox: Bool,
    standing: RunStanding, code: String?, doubts: [RecordedDoubt] = []
  ) {
    self.id = id
    self.flow = flow
    self.environment = environment
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.operator = `operator`
    self.isSandbox = isSandbox
    self.standing = standing
    self.code = code
    self.doubts = doubts
  }
}

/// What has become of a run: a verdict, or why it has none.
package enum RunStanding: String, Hashable, Sendable, CaseIterable {
  case passed, failed, errored, cancelled, indeterminate
  /// A process is at it.
  case running
  /// Its process ended without a word.
  case interrupted
}

/// Something that may have happened, and of which nobody knows whether it did.
package struct RecordedDoubt: Hashable, Sendable {
  /// Which execution of a step; empty for the run as a whole, nil for a trigger of which the journal tells no step.
  package var path: String?
  /// `POST /orders`, `rapidsos/trigger-call-flow`.
  package var action: String
  /// The provider that can be asked.
  package var system: String?
  /// What it may happen once under.
  package var key: String?
  package var since: Timestamp
  /// Why nobody knows: one line.
  package var reason: String

  package init(path: String?, action: String, system: String?, key: String?, since: Timestamp, reason: String) {
    self.path = path
    self.action = action
    self.system = system
    self.key = key
    self.since = since
    self.reason = reason
  }

  /// How people, and `--step`, name it: the path, else the key.
  package var name: String { path ?? key ?? "" }
}

/// One attempt at what may happen once, with its whole life.
package struct RecordedTrigger: Sendable {
  package struct Transition: Sendable {
    package var state: String
    package var at: Timestamp
    /// Nil for the run itself.
    package var by: String?
    package var reason: String?

    package init(state: String, at: Timestamp, by: String?, reason: String?) {
      self.state = state
      self.at = at
      self.by = by
      self.reason = reason
    }
  }

  package var key: String
  package var system: String
  package var environment: String
  /// From 1.
  package var attempt: Int
  package var runID: String
  package var flow: String
  package var `operator`: String
  /// In order; an authorised retry is the state `retry_authorised`.
  package var transitions: [Transition]
  /// Whether somebody must settle it.
  package var isUnresolved: Bool
  /// Whether its run can be found in this journal.
  package var isJournaled: Bool

  package init(
    key: String, system: String, environment: String, attempt: Int, runID: String, flow: String, operator: String,
    transitions: [Transition], isUnresolved: Bool, isJournaled: Bool = true
  ) {
    self.key = key
    self.system = system
    self.environment = environment
    self.attempt = attempt
    self.runID = runID
    self.flow = flow
    self.operator = `operator`
    self.transitions = transitions
    self.isUnresolved = isUnresolved
    self.isJournaled = isJournaled
  }

  /// The latest.
  var state: String { transitions.last?.state ?? "intended" }
  var since: Timestamp { transitions.last?.at ?? Timestamp(seconds: 0) }
}
