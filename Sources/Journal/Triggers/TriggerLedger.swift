import Synchronization

/// Keeps, per host, what was sent that must be sent once, so that no key is used twice (reliability.md §2).
///
/// A conformer keeps these true; the suite `TriggerLedgerExam` proves them:
/// - Of all processes that intend one key at a time, one gets the attempt.
/// - What a call has returned from survives a power cut. A call that throws has stored nothing, or has thrown `io`.
/// - States only follow each other as `TriggerState.successors` has it, and none is ever changed or removed.
/// - A record never claims more than is known: a `sent` whose process is gone becomes `unknown`, and never `not_sent`.
/// - Who holds an attempt is known to the kernel and not by a process id or an age.
///
/// A conformer in memory promises the same without power cuts and other processes. The rules themselves are no
/// conformer's: they stand in `TriggerTable+Rules.swift`.
package protocol TriggerLedger: Sendable {
  /// Asks to send a request under a key.
  func intend(_ key: TriggerKey, _ request: TriggerRequest) async throws(JournalError) -> TriggerReservation

  /// Asks to go on with what the run of a request intended before its process died: the same attempt with the same body,
  /// if it can still be sent. Nil where nothing of that run is under way and nothing is spent: `intend` it anew.
  func resume(_ key: TriggerKey, _ request: TriggerRequest) async throws(JournalError) -> TriggerReservation?

  /// Stores that bytes may leave from now on; the request may be sent only if this returns, and then once.
  ///
  /// Blocks the calling thread for a commit: for a transfer's own thread, from the callback before the first byte.
  /// - Throws: `expired`, `illegalTransition` on any second call, every error of the disk: nothing may be sent.
  func markSent(_ attempt: TriggerAttempt) throws(JournalError)

  /// Stores what became of an attempt, and gives up the right to it.
  ///
  /// - Throws: `illegalTransition`; every error of the disk: the record stays as it was, which says less and nothing false.
  func record(_ outcome: TriggerOutcome, of attempt: TriggerAttempt) async throws(JournalError)

  /// Settles an attempt of which nobody knows what became, by a look-up or an operator's word.
  ///
  /// A `sent` whose process is gone becomes `unknown` first; an `intended` one can only be `notDelivered`: `not_sent`.
  /// - Throws: `illegalTransition` in any other state, `busy` while its process lives, `notFound`.
  func resolve(_ id: TriggerID, _ resolution: TriggerResolution, by: String, reason: String) async throws(JournalError) -> TriggerRecord

  /// Lets the key be used once more although nobody knows what became of an attempt, which stays `unknown`.
  ///
  /// - Throws: as `resolve`, and `illegalTransition` where it is authorised already.
  func authoriseRetry(_ id: TriggerID, by: String, reason: String) async throws(JournalError) -> TriggerRecord

  /// The attempts that somebody must settle, oldest first. A `sent` whose process is gone is made `unknown`.
  func unresolved() async throws(JournalError) -> [TriggerRecord]

  /// Every attempt of a key, oldest first.
  func history(of key: TriggerKey) async throws(JournalError) -> [TriggerRecord]

  /// Every attempt of a run, oldest first.
  func attempts(ofRun runID: String) async throws(JournalError) -> [TriggerRecord]
}

/// The answer to `intend` and `resume`.
package enum TriggerReservation: Sendable {
  /// This process may send it, and no other.
  case reserved(TriggerAttempt)
  /// It was sent, or may have been: nothing is sent. The record has the outputs, or is indeterminate.
  case spent(TriggerRecord)
  /// Another body was sent, or intended by the run that is gone on with, under this key.
  case conflict(TriggerRecord)
  /// Another process is at it; nil where it has stored nothing yet.
  case busy(TriggerRecord?)
  /// Only from `resume`: it was never sent, and is too old to be; the operator decides.
  case expired(TriggerRecord)
}

/// What became of an attempt, as its sender saw it.
package enum TriggerOutcome: Hashable, Sendable {
  /// Nothing left: before `markSent` alone.
  case notSent(reason: String)
  /// With what the provider answered: JSON text with secrets hidden.
  case acknowledged(outputs: String)
  case rejected(reason: String)
  case unknown(reason: String)
}

package enum TriggerResolution: String, Hashable, Sendable, CaseIterable {
  case delivered
  case notDelivered = "not_delivered"
}

/// The right of this process to send one attempt. It ends with the object, or the process.
package final class TriggerAttempt: Sendable {
  package let id: TriggerID
  package let key: TriggerKey
  /// From 1.
  package let number: Int
  package let request: TriggerRequest
  private let hold: Mutex<TriggerHold>

  package init(_ record: TriggerRecord, hold: any Sendable & AnyObject) {
    id = record.id
    key = record.key
    number = record.attempt
    request = record.request
    self.hold = Mutex(TriggerHold(lock: hold))
  }

  /// Whether it may still be sent or told of.
  package var isHeld: Bool { hold.withLock { $0.lock != nil } }

  /// Why it was last kept from being sent.
  package var refusal: JournalError? { hold.withLock { $0.refusal } }

  package func release() { hold.withLock { $0.lock = nil } }

  func note(_ refusal: JournalError) { hold.withLock { $0.refusal = refusal } }
}

private struct TriggerHold: Sendable {
  var lock: (any Sendable & AnyObject)?
  var refusal: JournalError?
}

extension TriggerLedger {
  /// `markSent` for a callback that says yes or no: whether the first byte may leave. `attempt.refusal` says why not.
  package func maySend(_ attempt: TriggerAttempt) -> Bool {
    do throws(JournalError) {
      try markSent(attempt)
      return true
    } catch {
      attempt.note(error)
      return false
    }
  }
}
