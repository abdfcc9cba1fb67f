import FlowEvents
import StepKit
import Synchronization

/// Writes the notes of a run in their order, those that come while the journal is busy together.
final class NoteWriter: Sendable {
  private struct Waiting: Sendable {
    var notes: [RunNote] = []
    var durability = Durability.soon
    var waiters: [ActivationID] = []
    var isBusy = false
    /// Told when nothing is left to write.
    var ender: CheckedContinuation<Void, Never>?
  }

  private let journal: any JournalPort
  private let feed: RunFeed
  private let waiting = Mutex(Waiting())

  init(_ journal: any JournalPort, feed: RunFeed) {
    self.journal = journal
    self.feed = feed
  }

  /// - Parameter waiter: who is told when it is as durable as asked.
  func add(_ note: RunNote, _ durability: Durability, _ waiter: ActivationID?) {
    let starts = waiting.withLock { waiting in
      waiting.notes.append(note)
      waiting.durability = max(waiting.durability, durability)
      if let waiter { waiting.waiters.append(waiter) }
      defer { waiting.isBusy = true }
      return !waiting.isBusy
    }
    guard starts else { return }
    feed.activity.began()
    Task {
      await write()
      feed.activity.ended()
    }
  }

  /// Forgets what is not written yet.
  func abandon() {
    waiting.withLock { waiting in
      waiting.notes = []
      waiting.waiters = []
    }
  }

  /// Returns when all is written, or has failed to be.
  func end() async {
    await withCheckedContinuation { continuation in
      let isDone = waiting.withLock { waiting in
        if waiting.isBusy { waiting.ender = continuation }
        return !waiting.isBusy
      }
      if isDone { continuation.resume() }
    }
  }

  private func write() async {
    while let batch = take() {
      var failure: StepFailure?
      do throws(StepFailure) {
        try await journal.write(batch.notes, batch.durability)
      } catch {
        failure = error
      }
      for waiter in batch.waiters { feed.post(.noted(waiter, failure)) }
    }
  }

  private func take() -> Waiting? {
    let (batch, ender) = waiting.withLock { waiting -> (Waiting?, CheckedContinuation<Void, Never>?) in
      guard !waiting.notes.isEmpty else {
        waiting.isBusy = false
        return (nil, waiting.ender)
      }
      let batch = waiting
      waiting.notes = []
      waiting.durability = .soon
      waiting.waiters = []
      return (batch, nil)
    }
    ender?.resume()
    return batch
  }
}
