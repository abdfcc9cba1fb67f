/// The stable name of a kind of finding, as shown in brackets and in `--format json`.
package enum DiagnosticKind: String, CaseIterable, Hashable, Sendable {
  // 1 names
  case invalidYAML = "invalid-yaml"
  case unknownKey = "unknown-key"
  case unknownStep = "unknown-step"
  case unknownName = "unknown-name"
  case duplicateKey = "duplicate-key"
  case duplicateID = "duplicate-id"
  case missingKey = "missing-key"
  // 2 types
  case typeMismatch = "type-mismatch"
  case quoteThisNumber = "quote-this-number"
  case quoteThisString = "quote-this-string"
  case invalidExpression = "invalid-expression"
  case invalidValue = "invalid-value"
  // 3 definite assignment
  case outputMayBeMissing = "output-may-be-missing"
  case usedBeforeItRuns = "used-before-it-runs"
  // 4 definite authentication
  case notAuthenticated = "not-authenticated"
  // 5 reachability
  case unreachableBranch = "unreachable-branch"
  case constantCondition = "constant-condition"
  case impossibleCode = "impossible-code"
  // 6 secrecy
  case secretExposed = "secret-exposed"
  // 7 effects
  case unsafeRetry = "unsafe-retry"
  case missingDedupeKey = "missing-dedupe-key"
  // 8 bounds
  case unbounded = "unbounded"
  case overBudget = "over-budget"
  case callCycle = "call-cycle"
  // 9 a test can fail
  case cannotFail = "cannot-fail"
  // 10 the world around the flow
  case missingInput = "missing-input"
  case missingSecret = "missing-secret"
  case missingAnswer = "missing-answer"
  case missingFile = "missing-file"
  case hostNotAllowed = "host-not-allowed"
  case emergencyRoute = "emergency-route"
  // at run time
  case expectationNotMet = "expectation-not-met"
  case stepFailed = "step-failed"
}
