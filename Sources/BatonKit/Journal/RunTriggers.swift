import FlowEngine
import Journal
import StepKit
import Synchronization
import Values

/// The emergencies of one run: each is asked of the ledger, confirmed where it is live, and recorded.
struct RunTriggers: TriggerPort {
  /// Who sends, and by what.
  struct Sender: Sendable {
    /// The environment's name.
    let environment: String
    let flow: String
    let flowDigest: String
    let `operator`: String
    let runID: String
  }

  let ledger: any TriggerLedger
  let sender: Sender
  let clock: any ClockPort
  /// Whether the live gate has let the run through.
  let mayGoLive: Bool
  /// Has the key of a live one confirmed, once for each request.
  let confirm: @Sendable (TriggerOrder) async throws(StepFailure) -> Void

  private let confirmed = ConfirmedOrders()

  init(
    ledger: any TriggerLedger, sender: Sender, clock: any ClockPort, mayGoLive: Bool = false,
    confirm: @escaping @Sendable (TriggerOrder) async throws(StepFailure) -> Void = { (_: TriggerOrder) in }
  ) {
    self.ledger = ledger
    self.sender = sender
    self.clock = clock
    self.mayGoLive = mayGoLive
    self.confirm = confirm
  }

  /// How long another process that is at the same key is waited for, and how often it is asked.
  private static let patience = Duration.seconds(60)
  private static let pause = Duration.milliseconds(50)

  func admit(_ order: TriggerOrder) async throws(StepFailure) -> TriggerAdmission {
    let key = key(of: order.name)
    // Nobody is asked about what was sent already.
    let isSpent = try await asking { () async throws(JournalError) in try await ledger.history(of: key).contains { $0.spendsKey } }
    if !isSpent, confirmed.isNew(order) {
      try await confirm(order)
      confirmed.add(order)
    }
    let deadline = clock.elapsed() + Self.patience
    while true {
      switch try await asking({ () async throws(JournalError) in try await reserve(key, order) }) {
      case .reserved(let attempt): return .granted(LedgerGrant(ledger: ledger, attempt: attempt))
      case .spent(let record): return try answer(record)
      case .conflict(let record): throw .otherRequest(record)
      case .expired(let record): throw .expired(record)
      case .busy(let record):
        guard clock.elapsed() < deadline else { throw .underWay(order.name.key, record) }
        do throws(CancellationError) {
          try await clock.sleep(for: Self.pause)
        } catch {
          throw StepFailure("cancelled", title: "cancelled")
        }
      }
    }
  }

  func settle(_ name: TriggerName, delivered: Bool) async throws(StepFailure) {
    let key = key(of: name)
    do throws(JournalError) {
      guard let record = try await ledger.history(of: key).last(where: \.isUnresolved) else { return }
      _ = try await ledger.resolve(
        record.id, delivered ? .delivered : .notDelivered, by: "reconcile", reason: "looked up by run \(sender.runID)")
    } catch {
      throw StepFailure("indeterminate", title: "what was looked up cannot be kept", detail: error.description, sent: .maybe)
    }
  }

  private func key(of name: TriggerName) -> TriggerKey {
    TriggerKey(environment: sender.environment, system: name.system, key: name.key)
  }

  private func reserve(_ key: TriggerKey, _ order: TriggerOrder) async throws(JournalError) -> TriggerReservation {
    let request = TriggerRequest(
      digest: order.exchange.digest, idempotencyKey: order.idempotencyKey, validFor: order.validFor, flow: sender.flow,
      flowDigest: sender.flowDigest, operator: sender.operator, runID: sender.runID)
    if order.isResumed, let resumed = try await ledger.resume(key, request) { return resumed }
    return try await ledger.intend(key, request)
  }

  /// What was sent before gives what it gave then, or the doubt that it left.
  private func answer(_ record: TriggerRecord) throws(StepFailure) -> TriggerAdmission {
    switch record.state {
    case .acknowledged, .resolvedDelivered:
      return .replayed(record.outputs.flatMap { try? Value(storedText: $0) }?.mapValue ?? ValueMap())
    case .sent, .unknown, .intended, .notSent, .rejected, .resolvedNotDelivered: throw .inDoubt(record)
    }
  }

  /// A ledger that fails has let nothing leave.
  private func asking<T: Sendable>(_ body: () async throws(JournalError) -> T) async throws(StepFailure) -> T {
    do throws(JournalError) {
      return try await body()
    } catch {
      throw StepFailure(
        "config.ledger", title: "the ledger of emergencies does not answer", detail: "\(error.description); nothing was sent")
    }
  }
}

/// What somebody has confirmed: a retry of the same request asks nobody again.
private final class ConfirmedOrders: Sendable {
  private let digests = Mutex<Set<String>>([])

  func isNew(_ order: TriggerOrder) -> Bool { digests.withLock { !$0.contains(name(of: order)) } }
  func add(_ order: TriggerOrder) { digests.withLock { _ = $0.insert(name(of: order)) } }

  private func name(of order: TriggerOrder) -> String { "\(order.name.system)\0\(order.name.key)\0\(order.exchange.digest)" }
}

/// The right to send one attempt, as its ledger keeps it.
private struct LedgerGrant: TriggerGrant {
  let ledger: any TriggerLedger
  let attempt: TriggerAttempt

  func maySend() -> Bool { ledger.maySend(attempt) }

  func record(_ result: TriggerResult) async throws(StepFailure) {
    do throws(JournalError) {
      try await ledger.record(outcome(of: result), of: attempt)
    } catch {
      throw StepFailure(
        "indeterminate", title: "what became of the request cannot be kept",
        detail: "\(error.description); settle the run by hand: \(Self.told(result))")
    }
  }

  private func outcome(of result: TriggerResult) -> TriggerOutcome {
    switch result {
    case .notSent(let failure): .notSent(reason: attempt.refusal?.description ?? Self.reason(failure))
    case .acknowledged(let outputs): .acknowledged(outputs: Value.map(outputs).redacted.storedText)
    case .rejected(let failure): .rejected(reason: Self.reason(failure))
    case .unknown(let failure): .unknown(reason: Self.reason(failure))
    }
  }

  /// The code and what it stands for; an answer's body may hold what nobody is to keep.
  private static func reason(_ failure: StepFailure) -> String { "\(failure.code): \(failure.title)" }

  private static func told(_ result: TriggerResult) -> String {
    switch result {
    case .notSent: "nothing was sent"
    case .acknowledged: "the provider accepted it"
    case .rejected: "the provider refused it"
    case .unknown: "nobody knows whether it happened"
    }
  }
}

extension HTTPExchange {
  /// Of what the provider is asked to do: another body, or another address, is another request.
  fileprivate var digest: String {
    ContentDigest.of(Array("\(method) \(address.text)\0".utf8) + (body ?? []))
  }
}

extension StepFailure {
  fileprivate static func inDoubt(_ record: TriggerRecord) -> StepFailure {
    let run = record.request.runID
    return StepFailure(
      "indeterminate", title: "nobody knows whether this happened",
      detail: "the run `\(run)` sent `\(record.key.key)` and has no outcome: settle it with `baton resolve \(run)`; this run sent nothing")
  }

  fileprivate static func underWay(_ key: String, _ record: TriggerRecord?) -> StepFailure {
    let run = record.map { " of the run `\($0.request.runID)`" } ?? ""
    return StepFailure(
      "indeterminate", title: "nobody knows whether this happened",
      detail: "another process\(run) is sending `\(key)` and has no outcome yet; this run sent nothing")
  }

  fileprivate static func otherRequest(_ record: TriggerRecord) -> StepFailure {
    StepFailure(
      "config.dedupe_key", title: "the key stands for another request",
      detail:
        "the run `\(record.request.runID)` used `\(record.key.key)` for another body or address; nothing was sent: for the same emergency send the same, for another one take another key"
    )
  }

  fileprivate static func expired(_ record: TriggerRecord) -> StepFailure {
    StepFailure(
      "config.expired", title: "it is too late to send this",
      detail:
        "`\(record.key.key)` was to be sent by \(record.expiresAt.text), and never was; if it still should be, run the flow anew")
  }
}
