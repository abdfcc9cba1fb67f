import Journal
import Testing

extension TriggerLedgerExam {
  func spentKeysAnswer() async throws {
    for state in TriggerState.allCases {
      let ledger = try await open("\(state)")
      let record = try await reach(state, ledger)
      let answer = try await open("\(state)").intend(key, .test(runID: "R2"))
      if state.isSpent {
        let spent = try #require(answer.spent, "\(state)")
        #expect(spent.id == record.id)
        #expect(spent.outputs == record.outputs)
        // A `sent` whose process is gone is no longer called sent.
        #expect(spent.state == (state == .sent ? .unknown : state))
      } else {
        #expect(answer.attempt?.number == 2, "\(state)")
      }
    }
  }

  func anotherBodyConflicts() async throws {
    for state in TriggerState.allCases where state.isSpent {
      let ledger = try await open("\(state)")
      let record = try await reach(state, ledger)
      #expect(try await ledger.intend(key, .test("another body")).conflict?.id == record.id, "\(state)")
    }
  }

  func scopes() async throws {
    let ledger = try await open()
    let keys = [
      key, .test("alarm-7", environment: "staging"), .test("alarm-7", system: "other"), .test("alarm-8"), .test("", system: ""),
      .test("é\u{301}'; DROP TABLE key; --"),
    ]
    var attempts: [TriggerAttempt] = []
    for key in keys { attempts.append(try #require(try await ledger.intend(key, .test()).attempt)) }
    #expect(attempts.map(\.number) == keys.map { _ in 1 })
    #expect(attempts.map(\.key) == keys)
    // Each keeps its own.
    #expect(try await ledger.intend(keys[1], .test()).isBusy)
    attempts[1].release()
    #expect(try await ledger.intend(keys[1], .test()).attempt?.number == 2)
    #expect(try await ledger.intend(keys[2], .test()).isBusy)
  }

  /// What is left behind by a process that died.
  func deadProcesses() async throws {
    let ledger = try await open("sent")
    let attempt = try #require(try await ledger.intend(key, .test()).attempt)
    try ledger.markSent(attempt)
    let other = try await open("sent")
    #expect(try await other.intend(key, .test()).isBusy)
    #expect(try await other.unresolved().isEmpty, "it is under way")
    #expect(await code { () throws(JournalError) in _ = try await other.resolve(attempt.id, .delivered, by: "ada", reason: "x") } == .busy)
    attempt.release()
    #expect(try await other.unresolved().map(\.state) == [.unknown])
    #expect(try await other.intend(key, .test()).spent?.state == .unknown)
    #expect(try await other.history(of: key).map(\.attempt) == [1])

    let second = try await open("intended")
    let intended = try #require(try await second.intend(key, .test()).attempt)
    intended.release()
    let next = try #require(try await second.intend(key, .test("another body", runID: "R2")).attempt)
    #expect(next.number == 2)
    #expect(try await second.history(of: key).map(\.state) == [.notSent, .intended])
    // The one that lost its right cannot send any more, even if it wakes up.
    #expect(!second.maySend(intended))
  }

  func resuming() async throws {
    let ledger = try await open("nothing")
    #expect(try await ledger.resume(key, .test()) == nil)
    for state in TriggerState.allCases {
      let ledger = try await open("\(state)")
      let record = try await reach(state, ledger)
      let answers = [try await ledger.resume(key, .test()), try await ledger.resume(key, .test())]
      switch state {
      case .intended:
        let attempt = try #require(answers[0]?.attempt)
        #expect(attempt.id == record.id, "the same attempt goes on")
        #expect(answers[1]?.isBusy == true)
        attempt.release()
        #expect(try await ledger.resume(key, .test("another body"))?.conflict?.id == record.id)
        #expect(try await ledger.resume(key, .test(runID: "R2")) == nil, "it is not this run's")
      case .sent, .unknown, .acknowledged, .resolvedDelivered:
        // Resuming twice is resuming once.
        #expect(answers[0]?.spent?.id == record.id)
        #expect(answers[0]?.spent == answers[1]?.spent)
        #expect(answers[0]?.spent?.state == (state == .sent ? .unknown : state))
      case .notSent, .rejected, .resolvedNotDelivered:
        #expect(answers[0] == nil && answers[1] == nil)
      }
    }
  }

  func expiry() async throws {
    for isRestarted in [false, true] {
      let time = HandClock()
      let ledger = try await open("\(isRestarted)", time)
      let attempt = try #require(try await ledger.intend(key, .test(validFor: .seconds(60))).attempt)
      if isRestarted { time.restart() } else { time.advance(by: .seconds(60)) }
      if !isRestarted {
        // To the last moment, and not beyond.
        attempt.release()
        let again = try #require(try await ledger.resume(key, .test(validFor: .seconds(60)))?.attempt)
        time.advance(by: .nanoseconds(1))
        #expect(!ledger.maySend(again))
        #expect(again.refusal?.code == .expired)
        again.release()
      } else {
        #expect(!ledger.maySend(attempt))
        #expect(attempt.refusal?.code == .expired, "ages of two starts cannot be compared")
        attempt.release()
      }
      let record = try #require(try await ledger.resume(key, .test())?.expired)
      #expect(record.state == .intended, "nothing has left")
      #expect(try await ledger.resolve(record.id, .notDelivered, by: "ada", reason: "too late").state == .notSent)
      #expect(try await ledger.intend(key, .test()).attempt?.number == 2)
    }
  }

  func authorisedRetry() async throws {
    let ledger = try await open()
    let first = try await reach(.unknown, ledger)
    let word = try await ledger.authoriseRetry(first.id, by: "ada", reason: "called them")
    #expect(word.state == .unknown, "nobody knows more than before")
    #expect(word.authorisation?.by == "ada" && word.authorisation?.reason == "called them")
    #expect(try await ledger.unresolved().isEmpty)
    #expect(
      await code { () throws(JournalError) in _ = try await ledger.authoriseRetry(first.id, by: "ada", reason: "again") }
        == .illegalTransition)
    // One more attempt, and only one.
    let second = try await reach(.unknown, ledger, .test("another body"))
    #expect(second.attempt == 2)
    #expect(try await ledger.intend(key, .test("another body")).spent?.id == second.id)
    #expect(try await ledger.unresolved().map(\.id) == [second.id])
  }

  /// An attempt that was given up proves delivered: the key is spent again.
  func lateDelivery() async throws {
    let ledger = try await open()
    let first = try await reach(.unknown, ledger)
    _ = try await ledger.authoriseRetry(first.id, by: "ada", reason: "called them")
    _ = try await reach(.notSent, ledger)
    _ = try await ledger.resolve(first.id, .delivered, by: "ada", reason: "they called back")
    #expect(try await ledger.intend(key, .test()).spent?.id == first.id)
  }

  func listing() async throws {
    let ledger = try await open()
    #expect(try await ledger.unresolved().isEmpty)
    #expect(try await ledger.history(of: key).isEmpty)
    for number in 1...3 {
      let attempt = try #require(try await ledger.intend(.test("k\(number)"), .test(runID: "R\(number % 2)")).attempt)
      try ledger.markSent(attempt)
      if number != 2 { try await ledger.record(.unknown(reason: "timeout"), of: attempt) }
      attempt.release()
    }
    #expect(try await ledger.unresolved().map(\.key.key) == ["k1", "k2", "k3"])
    #expect(try await ledger.attempts(ofRun: "R1").map(\.key.key) == ["k1", "k3"])
    #expect(try await ledger.attempts(ofRun: "R9").isEmpty)
  }

  /// Fifty at once, over several openings: one gets it, and nobody after it has acted.
  func racers() async throws {
    var ledgers: [any TriggerLedger] = []
    for _ in 0..<5 { ledgers.append(try await open()) }
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for racer in 0..<50 {
        let ledger = ledgers[racer % ledgers.count]
        group.addTask {
          switch try await ledger.intend(key, .test()) {
          case .reserved(let attempt):
            guard ledger.maySend(attempt) else { return "kept back" }
            try await ledger.record(.acknowledged(outputs: "{}"), of: attempt)
            return "sent"
          case .spent(let record): return record.state == .acknowledged ? "replayed" : "\(record.state)"
          case .busy(let record): return record?.state == .acknowledged ? "late" : "busy"
          case .conflict: return "conflict"
          case .expired: return "expired"
          }
        }
      }
      return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(answers["sent"] == 1)
    #expect(answers["sent", default: 0] + answers["busy", default: 0] + answers["replayed", default: 0] == 50, "\(answers)")
    #expect(try await ledgers[0].history(of: key).map(\.state) == [.acknowledged])
  }
}
