import Synchronization
import Values

/// An open socket of a sandbox as whoever carries its messages holds it; it keeps the times that its system names.
package final class SandboxSocket: Sendable {
  package let id: SandboxSocketID
  private let sandbox: Sandbox
  private let activity: SandboxActivity
  private let timer = Mutex(Timer())

  private struct Timer {
    var moment: Timestamp?
    var task: Task<Void, Never>?
    var isOver = false
  }

  init(_ id: SandboxSocketID, of sandbox: Sandbox, activity: SandboxActivity) {
    self.id = id
    self.sandbox = sandbox
    self.activity = activity
  }

  /// Takes a message of the client; one that comes after the end goes nowhere.
  package func receive(_ text: String) { schedule(sandbox.received(text, on: id)) }

  /// Does now what is due by the clock.
  package func tick() { schedule(sandbox.tick(id)) }

  /// The connection is gone, or the client has closed it; harmless when called again.
  package func end() {
    sandbox.closed(id)
    schedule(nil)
    timer.withLock { $0.isOver = true }
  }

  /// Waits for another moment than before; nil waits for none.
  func schedule(_ moment: Timestamp?) {
    timer.withLock { timer in
      guard !timer.isOver, moment != timer.moment else { return }
      timer.task?.cancel()
      timer.moment = moment
      timer.task = moment.map(waiting)
    }
  }

  /// Counted from its start to its end, less the time that it sleeps.
  private func waiting(for moment: Timestamp) -> Task<Void, Never> {
    activity.began()
    let clock = sandbox.clock
    let wait = moment.distance(from: clock.now())
    return Task { [activity, weak self] in
      defer { activity.ended() }
      do {
        try await clock.sleep(wait)
      } catch {
        return  // another moment has taken its place
      }
      self?.wake(at: moment)
    }
  }

  private func wake(at moment: Timestamp) {
    let isDue = timer.withLock { timer in
      guard timer.moment == moment else { return false }
      (timer.moment, timer.task) = (nil, nil)
      return true
    }
    if isDue { tick() }
  }

  deinit { timer.withLock { $0.task?.cancel() } }
}

extension Timestamp {
  /// How much later it is than another; zero where it is not.
  fileprivate func distance(from other: Timestamp) -> Duration {
    max(.zero, .seconds(seconds - other.seconds) + .nanoseconds(Int64(nanoseconds) - Int64(other.nanoseconds)))
  }
}
