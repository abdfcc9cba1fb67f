package import Values

/// What may happen once: a dedupe key in its scope.
package struct TriggerKey: Hashable, Sendable {
  package var environment: String
  package var system: String
  /// As the flow gives it and the operator confirms it; never secret.
  package var key: String

  package init(environment: String, system: String, key: String) {
    self.environment = environment
    self.system = system
    self.key = key
  }
}

/// What is about to be sent under a key.
package struct TriggerRequest: Hashable, Sendable {
  /// Of the request's bytes: another body under a spent key is an error.
  package var digest: String
  /// What the provider is told to recognise a repeat by; nil where it has no such thing.
  package var idempotencyKey: String?
  /// How long after `intend` it may still be sent; language.md: 5 min unless stated.
  package var validFor: Duration
  package var flow: String
  package var flowDigest: String
  /// Who asked for it.
  package var `operator`: String
  package var runID: String

  package init(
    digest: String, idempotencyKey: String?, validFor: Duration = .seconds(300), flow: String, flowDigest: String, operator: String,
    runID: String
  ) {
    self.digest = digest
    self.idempotencyKey = idempotencyKey
    self.validFor = validFor
    self.flow = flow
    self.flowDigest = flowDigest
    self.operator = `operator`
    self.runID = runID
  }
}

/// Names one attempt in its ledger.
package struct TriggerID: Hashable, Sendable {
  package let number: Int64

  package init(_ number: Int64) {
    self.number = number
  }
}

/// One step in an attempt's life.
package struct TriggerTransition: Hashable, Sendable {
  package var state: TriggerState
  package var at: Timestamp
  /// Who says so: an operator's name, `reconcile`, or nil for the run itself.
  package var by: String?
  package var reason: String?
  /// What the provider answered: JSON text with secrets hidden.
  package var outputs: String?

  package init(state: TriggerState, at: Timestamp, by: String? = nil, reason: String? = nil, outputs: String? = nil) {
    self.state = state
    self.at = at
    self.by = by
    self.reason = reason
    self.outputs = outputs
  }
}

/// An operator's word that a key may be used again although nobody knows what became of an attempt.
package struct RetryAuthorisation: Hashable, Sendable {
  package var by: String
  package var reason: String
  package var at: Timestamp

  package init(by: String, reason: String, at: Timestamp) {
    self.by = by
    self.reason = reason
    self.at = at
  }
}

/// One attempt at a trigger, with its whole life.
package struct TriggerRecord: Hashable, Sendable {
  package var id: TriggerID
  package var key: TriggerKey
  /// From 1.
  package var attempt: Int
  package var request: TriggerRequest
  /// For display: durations are measured by the boot clock.
  package var expiresAt: Timestamp
  /// In order; the first is `intended`.
  package var transitions: [TriggerTransition]
  package var authorisation: RetryAuthorisation?

  package init(
    id: TriggerID, key: TriggerKey, attempt: Int, request: TriggerRequest, expiresAt: Timestamp, transitions: [TriggerTransition],
    authorisation: RetryAuthorisation?
  ) {
    self.id = id
    self.key = key
    self.attempt = attempt
    self.request = request
    self.expiresAt = expiresAt
    self.transitions = transitions
    self.authorisation = authorisation
  }

  /// The latest.
  package var state: TriggerState { transitions.last?.state ?? .intended }

  /// What the provider answered; nil where nothing is known.
  package var outputs: String? { transitions.last { $0.outputs != nil }?.outputs }

  /// Whether it keeps its key from being used again. An authorised `unknown` does not, until it proves delivered.
  package var spendsKey: Bool { state.isSpent && !(state == .unknown && authorisation != nil) }

  /// Whether somebody must settle it; a `sent` may still be under way.
  package var isUnresolved: Bool { (state == .unknown && authorisation == nil) || state == .sent }
}
