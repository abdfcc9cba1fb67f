import StepKit
import Synchronization
package import Values

/// A clock that stands still while anything is under way, and jumps to the next timer when nothing else is left.
///
/// Give a run the same clock as `clock` and as `activity`. Timers of the same moment wake in the order in which they
/// were set, one after the other, so that a run is the same at every repetition.
package final class VirtualClock: ClockPort, ActivityPort {
  private struct Sleeper {
    let id: Int
    let deadline: Duration
    let wake: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var elapsed = Duration.zero
    /// What was begun and not ended, sleepers taken off.
    var busy = 0
    var lastID = 0
    var sleepers: [Sleeper] = []
    /// Cancelled before they had fallen asleep.
    var cancelled: Set<Int> = []
  }

  private let start: Timestamp
  private let state = Mutex(State())

  /// - Parameter start: what the wall shows at first.
  package init(start: Timestamp = Timestamp(seconds: 1_732_150_800)) { self.start = start }

  package func elapsed() -> Duration { state.withLock { $0.elapsed } }

  package func now() -> Timestamp {
    let (seconds, attoseconds) = elapsed().components
    let nanoseconds = Int64(start.nanoseconds) + attoseconds / 1_000_000_000
    return Timestamp(seconds: start.seconds + seconds + nanoseconds / 1_000_000_000, nanoseconds: Int32(nanoseconds % 1_000_000_000))
  }

  package func began() { state.withLock { $0.busy += 1 } }

  package func ended() {
    let woken = state.withLock { state in
      state.busy -= 1
      return Self.jump(&state)
    }
    woken?.resume(returning: true)
  }

  package func sleep(for duration: Duration) async throws(CancellationError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { fallAsleep(id, duration, $0) }
    } onCancel: {
      cancel(id)
    }
    guard isOver else { throw CancellationError() }
  }

  private func fallAsleep(_ id: Int, _ duration: Duration, _ wake: CheckedContinuation<Bool, Never>) {
    let (isCancelled, woken) = state.withLock { state -> (Bool, CheckedContinuation<Bool, Never>?) in
      if state.cancelled.remove(id) != nil { return (true, nil) }
      state.sleepers.append(Sleeper(id: id, deadline: state.elapsed + max(duration, .zero), wake: wake))
      state.busy -= 1
      return (false, Self.jump(&state))
    }
    if isCancelled { wake.resume(returning: false) }
    woken?.resume(returning: true)
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      state.busy += 1
      return state.sleepers.remove(at: index)
    }
    sleeper?.wake.resume(returning: false)
  }

  /// Takes out who sleeps until the nearest moment, where nothing else is left.
  private static func jump(_ state: inout State) -> CheckedContinuation<Bool, Never>? {
    guard state.busy == 0, let next = state.sleepers.min(by: { ($0.deadline, $0.id) < ($1.deadline, $1.id) }) else { return nil }
    state.sleepers.removeAll { $0.id == next.id }
    state.elapsed = next.deadline
    state.busy += 1
    return next.wake
  }
}
