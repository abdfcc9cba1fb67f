import Journal
import Testing
import Values

extension TriggerLedgerExam {
  func acknowledged() async throws {
    let ledger = try await open()
    let attempt = try #require(try await ledger.intend(key, .test()).attempt)
    #expect(attempt.number == 1)
    #expect(try await ledger.history(of: key).map(\.state) == [.intended])
    try ledger.markSent(attempt)
    #expect(try await ledger.history(of: key).map(\.state) == [.sent])
    try await ledger.record(.acknowledged(outputs: #"{"id": 7}"#), of: attempt)
    #expect(!attempt.isHeld)
    // Read by another opening, all of it comes back.
    let record = try #require(try await open().history(of: key).first)
    #expect(record.transitions.map(\.state) == [.intended, .sent, .acknowledged])
    #expect(record.outputs == #"{"id": 7}"#)
    #expect(record.request == .test())
    #expect(record.key == key)
    #expect(record.expiresAt.seconds == (record.transitions.first?.at.seconds ?? 0) + 300)
    #expect(record.spendsKey && !record.isUnresolved)
  }

  func rejected() async throws {
    let ledger = try await open()
    let record = try await reach(.rejected, ledger)
    #expect(record.transitions.map(\.state) == [.intended, .sent, .rejected])
    #expect(record.transitions.last?.reason == "http.422")
    #expect(try await ledger.intend(key, .test("another body")).attempt?.number == 2)
  }

  func notSent() async throws {
    let ledger = try await open()
    let record = try await reach(.notSent, ledger)
    #expect(record.transitions.map(\.state) == [.intended, .notSent])
    #expect(try await ledger.intend(key, .test("another body")).attempt?.number == 2)
  }

  func unknown() async throws {
    for (resolution, state) in [(TriggerResolution.delivered, TriggerState.resolvedDelivered), (.notDelivered, .resolvedNotDelivered)] {
      let ledger = try await open(resolution.rawValue)
      let record = try await reach(.unknown, ledger)
      #expect(record.isUnresolved)
      let settled = try await ledger.resolve(record.id, resolution, by: "reconcile", reason: "looked up")
      #expect(settled.transitions.map(\.state) == [.intended, .sent, .unknown, state])
      #expect(settled.transitions.last?.by == "reconcile" && settled.transitions.last?.reason == "looked up")
      #expect(settled.spendsKey == (resolution == .delivered))
      let next = try await ledger.intend(key, .test("another body"))
      #expect(resolution == .delivered ? next.conflict != nil : next.attempt?.number == 2)
    }
  }

  /// Nothing but the arrows of `TriggerState`: each call in each state of an attempt that is held.
  func illegalTransitions() async throws {
    let outcomes: [TriggerOutcome] = [
      .notSent(reason: "n"), .acknowledged(outputs: "{}"), .rejected(reason: "r"), .unknown(reason: "u"),
    ]
    let states: [TriggerState] = [.notSent, .acknowledged, .rejected, .unknown]
    for isSent in [false, true] {
      for (outcome, next) in zip(outcomes, states) {
        let ledger = try await open("\(isSent) \(next)")
        let attempt = try #require(try await ledger.intend(key, .test()).attempt)
        if isSent { try ledger.markSent(attempt) }
        let from: TriggerState = isSent ? .sent : .intended
        let isLegal = from.successors.contains(next)
        #expect(
          await code { () throws(JournalError) in try await ledger.record(outcome, of: attempt) } == (isLegal ? nil : .illegalTransition))
        #expect(try await ledger.history(of: key).map(\.state) == [isLegal ? next : from])
        // Once it is over, nothing more is stored in its name.
        guard isLegal else { continue }
        #expect(!ledger.maySend(attempt))
        #expect(attempt.refusal?.code == .illegalTransition)
        for other in outcomes {
          #expect(await code { () throws(JournalError) in try await ledger.record(other, of: attempt) } == .illegalTransition)
        }
        #expect(try await ledger.history(of: key).map(\.state) == [next])
      }
    }
    // The second send of one attempt, which is libcurl's, is refused.
    let ledger = try await open("twice")
    let attempt = try #require(try await ledger.intend(key, .test()).attempt)
    #expect(ledger.maySend(attempt))
    #expect(!ledger.maySend(attempt))
    #expect(attempt.refusal?.code == .illegalTransition)
  }

  /// What an operator may say of an attempt in each state, its process being gone.
  func settlingInEveryState() async throws {
    let delivered: [TriggerState: [TriggerState]] = [.sent: [.unknown, .resolvedDelivered], .unknown: [.resolvedDelivered]]
    let notDelivered: [TriggerState: [TriggerState]] = [
      .intended: [.notSent], .sent: [.unknown, .resolvedNotDelivered], .unknown: [.resolvedNotDelivered],
    ]
    let retried: [TriggerState: [TriggerState]] = [.intended: [.notSent], .sent: [.unknown], .unknown: []]
    for state in TriggerState.allCases {
      for (word, legal) in [("delivered", delivered), ("not delivered", notDelivered), ("retry", retried)] {
        let ledger = try await open("\(state) \(word)")
        let record = try await reach(state, ledger)
        let refusal = await code { () throws(JournalError) in
          switch word {
          case "delivered": _ = try await ledger.resolve(record.id, .delivered, by: "ada", reason: "why")
          case "not delivered": _ = try await ledger.resolve(record.id, .notDelivered, by: "ada", reason: "why")
          default: _ = try await ledger.authoriseRetry(record.id, by: "ada", reason: "why")
          }
        }
        let after = try #require(try await ledger.history(of: key).last)
        #expect(refusal == (legal[state] == nil ? .illegalTransition : nil), "\(word) when \(state)")
        #expect(after.transitions.dropFirst(record.transitions.count).map(\.state) == legal[state] ?? [], "\(word) when \(state)")
      }
    }
    let ledger = try await open("words")
    let record = try await reach(.unknown, ledger)
    #expect(
      await code { () throws(JournalError) in _ = try await ledger.resolve(record.id, .delivered, by: "ada", reason: " ") } == .constraint)
    #expect(
      await code { () throws(JournalError) in _ = try await ledger.resolve(TriggerID(999), .delivered, by: "ada", reason: "x") }
        == .notFound)
  }
}
