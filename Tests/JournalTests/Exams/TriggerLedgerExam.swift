import Journal
import Testing
import Values

/// What every `TriggerLedger` must pass, whatever it keeps its records in.
///
/// `makeLedger` opens the ledger of a name with a clock: the same name twice gives two openings of one ledger, as two
/// processes have it, or one object twice where it lives in memory. Run it as `ask(_:)` for each question, or
/// `examine(makeLedger:)`.
struct TriggerLedgerExam: Sendable {
  var makeLedger: @Sendable (String, LedgerClock) async throws -> any TriggerLedger

  enum Question: String, CaseIterable, Sendable {
    case acknowledged, rejected, notSent, unknown, illegalTransitions, settlingInEveryState, spentKeysAnswer, anotherBodyConflicts
    case scopes, deadProcesses, resuming, expiry, authorisedRetry, lateDelivery, listing, racers
  }

  func ask(_ question: Question) async throws {
    switch question {
    case .acknowledged: try await acknowledged()
    case .rejected: try await rejected()
    case .notSent: try await notSent()
    case .unknown: try await unknown()
    case .illegalTransitions: try await illegalTransitions()
    case .settlingInEveryState: try await settlingInEveryState()
    case .spentKeysAnswer: try await spentKeysAnswer()
    case .anotherBodyConflicts: try await anotherBodyConflicts()
    case .scopes: try await scopes()
    case .deadProcesses: try await deadProcesses()
    case .resuming: try await resuming()
    case .expiry: try await expiry()
    case .authorisedRetry: try await authorisedRetry()
    case .lateDelivery: try await lateDelivery()
    case .listing: try await listing()
    case .racers: try await racers()
    }
  }

  let key = TriggerKey.test("alarm-7")

  func open(_ name: String = "one", _ clock: HandClock = HandClock()) async throws -> any TriggerLedger {
    try await makeLedger(name, clock.clock)
  }

  /// Brings a new attempt into a state, by the shortest way, and gives it up.
  func reach(_ state: TriggerState, _ ledger: any TriggerLedger, _ request: TriggerRequest = .test()) async throws -> TriggerRecord {
    let attempt = try #require(try await ledger.intend(key, request).attempt)
    switch state {
    case .intended: break
    case .notSent: try await ledger.record(.notSent(reason: "refused"), of: attempt)
    case .sent: try ledger.markSent(attempt)
    case .acknowledged, .rejected, .unknown, .resolvedDelivered, .resolvedNotDelivered:
      try ledger.markSent(attempt)
      switch state {
      case .acknowledged: try await ledger.record(.acknowledged(outputs: #"{"id": 7}"#), of: attempt)
      case .rejected: try await ledger.record(.rejected(reason: "http.422"), of: attempt)
      default: try await ledger.record(.unknown(reason: "timeout.attempt"), of: attempt)
      }
    }
    // The process that had it is gone.
    attempt.release()
    if state == .resolvedDelivered { _ = try await ledger.resolve(attempt.id, .delivered, by: "ada", reason: "seen") }
    if state == .resolvedNotDelivered { _ = try await ledger.resolve(attempt.id, .notDelivered, by: "ada", reason: "not seen") }
    return try #require(try await ledger.history(of: key).last)
  }

  /// The code of the error that `body` throws; nil where it throws none.
  func code(_ body: () async throws(JournalError) -> Void) async -> JournalError.Code? {
    do throws(JournalError) {
      try await body()
      return nil
    } catch {
      return error.code
    }
  }
}

/// Asks every question of `TriggerLedgerExam`.
func examine(makeLedger: @escaping @Sendable (String, LedgerClock) async throws -> any TriggerLedger) async throws {
  for question in TriggerLedgerExam.Question.allCases { try await TriggerLedgerExam(makeLedger: makeLedger).ask(question) }
}
