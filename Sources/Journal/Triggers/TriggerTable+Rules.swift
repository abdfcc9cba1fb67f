/// What may become of attempts: the rules of reliability.md §2, once for every table.
extension TriggerTable where Self: ~Copyable {
  /// What a key that is spent and settled answers, for which nobody needs its lock; else what is known of the key.
  mutating func settledAnswer(
    to request: TriggerRequest, under key: TriggerKey
  ) throws(JournalError) -> (answer: TriggerReservation?, latest: TriggerRecord?) {
    let history = try attempts(of: key)
    return (history.last { $0.spendsKey && $0.state != .sent }?.answer(to: request), history.last)
  }

  /// `TriggerLedger.intend` for the holder of the key's lock.
  mutating func intend(
    _ key: TriggerKey, _ request: TriggerRequest, hold: any Sendable & AnyObject, _ moment: LedgerMoment
  ) throws(JournalError) -> TriggerReservation {
    let history = try attempts(of: key, endingThoseOfDeadProcesses: moment)
    if let spent = history.last(where: \.spendsKey) { return spent.answer(to: request) }
    if let latest = history.last, latest.state == .intended {
      try add(.notSent, reason: "its process ended before it was sent", to: latest.id, moment)
    }
    let id = try insert(key, request, number: history.count + 1, moment)
    try add(.intended, to: id, moment)
    return .reserved(TriggerAttempt(try attempt(id), hold: hold))
  }

  /// `TriggerLedger.resume` for the holder of the key's lock.
  mutating func resume(
    _ key: TriggerKey, _ request: TriggerRequest, hold: any Sendable & AnyObject, _ moment: LedgerMoment
  ) throws(JournalError) -> TriggerReservation? {
    let history = try attempts(of: key, endingThoseOfDeadProcesses: moment)
    if let spent = history.last(where: \.spendsKey) { return spent.answer(to: request) }
    guard let latest = history.last, latest.state == .intended, latest.request.runID == request.runID else { return nil }
    if try isExpired(latest.id, moment) { return .expired(latest) }
    guard latest.request.digest == request.digest else { return .conflict(latest) }
    return .reserved(TriggerAttempt(latest, hold: hold))
  }

  /// `TriggerLedger.markSent`.
  mutating func markSent(_ attempt: TriggerAttempt, _ moment: LedgerMoment) throws(JournalError) {
    guard attempt.isHeld else { throw .notHeld(attempt) }
    if try isExpired(attempt.id, moment) {
      throw JournalError(
        .expired, "`\(attempt.key.key)` was intended more than \(attempt.request.validFor) ago", mend: "decide anew whether to send it")
    }
    try add(.sent, to: attempt.id, moment)
  }

  /// `TriggerLedger.record`, without giving up the attempt.
  mutating func record(_ outcome: TriggerOutcome, of attempt: TriggerAttempt, _ moment: LedgerMoment) throws(JournalError) {
    guard attempt.isHeld else { throw .notHeld(attempt) }
    switch outcome {
    case .notSent(let reason): try add(.notSent, reason: reason, to: attempt.id, moment)
    case .acknowledged(let outputs): try add(.acknowledged, outputs: outputs, to: attempt.id, moment)
    case .rejected(let reason): try add(.rejected, reason: reason, to: attempt.id, moment)
    case .unknown(let reason): try add(.unknown, reason: reason, to: attempt.id, moment)
    }
  }

  /// The attempts of a key whose lock is held by the caller for nobody: a `sent` one has lost its process.
  mutating func attempts(
    of key: TriggerKey, endingThoseOfDeadProcesses moment: LedgerMoment
  ) throws(JournalError) -> [TriggerRecord] {
    let records = try attempts(of: key)
    let abandoned = records.filter { $0.state == .sent }
    if abandoned.isEmpty { return records }
    for record in abandoned { try add(.unknown, reason: "its process ended without an outcome", to: record.id, moment) }
    return try attempts(of: key)
  }
}

// MARK: settling

/// What somebody says of an attempt.
enum TriggerVerdict: Sendable {
  case resolution(TriggerResolution)
  case retry
}

/// Whose word a verdict is, and why.
struct TriggerWord: Sendable {
  let by: String
  let reason: String

  /// - Throws: `constraint` where no reason is given.
  init(by: String, reason: String) throws(JournalError) {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw JournalError(.constraint, "a reason is needed", mend: "say why in a few words")
    }
    (self.by, self.reason) = (by, reason)
  }
}

extension TriggerTable where Self: ~Copyable {
  /// `TriggerLedger.resolve` and `authoriseRetry`; `isHeld`: the caller holds the lock of the key, as it must while the
  /// attempt may be under way.
  mutating func settle(
    _ id: TriggerID, _ verdict: TriggerVerdict, _ word: TriggerWord, isHeld: Bool, _ moment: LedgerMoment
  ) throws(JournalError) -> TriggerRecord {
    let seen = try attempt(id)
    if isHeld { _ = try attempts(of: seen.key, endingThoseOfDeadProcesses: moment) }
    let record = try attempt(id)
    switch (verdict, record.state) {
    case (.resolution(.delivered), _): try add(.resolvedDelivered, by: word.by, reason: word.reason, to: id, moment)
    case (.resolution(.notDelivered), .intended), (.retry, .intended):
      try add(.notSent, by: word.by, reason: word.reason, to: id, moment)
    case (.resolution(.notDelivered), _): try add(.resolvedNotDelivered, by: word.by, reason: word.reason, to: id, moment)
    case (.retry, .unknown) where record.authorisation == nil:
      try authorise(id, RetryAuthorisation(by: word.by, reason: word.reason, at: moment.wall))
    case (.retry, .unknown): throw JournalError(.illegalTransition, "a retry of `\(record.key.key)` is authorised already")
    case (.retry, .notSent), (.retry, .sent), (.retry, .acknowledged), (.retry, .rejected), (.retry, .resolvedDelivered),
      (.retry, .resolvedNotDelivered):
      throw JournalError(
        .illegalTransition, "`\(record.key.key)` is `\(record.state.rawValue)`, which leaves nothing to authorise",
        mend: record.state.isSpent ? "" : "run the flow again")
    }
    return try attempt(id)
  }

  /// - Throws: `illegalTransition` where it does not follow the latest state.
  private mutating func add(
    _ state: TriggerState, by: String? = nil, reason: String? = nil, outputs: String? = nil, to id: TriggerID, _ moment: LedgerMoment
  ) throws(JournalError) {
    if let latest = try attempt(id).transitions.last?.state, !latest.successors.contains(state) {
      throw JournalError(.illegalTransition, "an attempt that is `\(latest.rawValue)` cannot become `\(state.rawValue)`")
    }
    try append(TriggerTransition(state: state, at: moment.wall, by: by, reason: reason, outputs: outputs), to: id)
  }

  /// Whether an attempt is too old, or of an earlier start of the machine, which cannot be compared.
  private mutating func isExpired(_ id: TriggerID, _ moment: LedgerMoment) throws(JournalError) -> Bool {
    guard let deadline = try deadline(of: id), !deadline.boot.isEmpty, deadline.boot == moment.boot else { return true }
    return moment.sinceBoot > deadline.nanoseconds
  }
}

extension TriggerRecord {
  /// Whether a living process may be at it, so that nobody touches it without the lock of its key.
  var mayBeUnderWay: Bool { state == .intended || state == .sent }

  /// What a spent key answers.
  fileprivate func answer(to request: TriggerRequest) -> TriggerReservation {
    request.digest == self.request.digest ? .spent(self) : .conflict(self)
  }
}

extension JournalError {
  fileprivate static func notHeld(_ attempt: TriggerAttempt) -> JournalError {
    JournalError(.illegalTransition, "attempt \(attempt.number) at `\(attempt.key.key)` is over")
  }

  static func unknownAttempt(_ id: TriggerID) -> JournalError { JournalError(.notFound, "there is no attempt \(id.number)") }

  /// - Parameter key: whose attempt another process holds.
  static func underWay(_ key: TriggerKey) -> JournalError {
    JournalError(.busy, "the process that sends `\(key.key)` is alive", mend: "wait for it, or end it")
  }
}
