package import StepKit
import Synchronization
package import Values

/// Tokens that outlive a run and not the process: of a test, whose runs see each other's, and of the sandbox.
package final class TokenMemory: SessionStores {
  fileprivate struct Entry {
    var session = StoredSession()
    var isHeld = false
    var waiting: [(id: Int, waiter: CheckedContinuation<Bool, Never>)] = []
  }

  fileprivate struct State {
    var entries: [TokenEntry: Entry] = [:]
    var lastID = 0
    /// Gone before they had begun to wait.
    var gone: Set<Int> = []
  }

  fileprivate let state = Mutex(State())
  fileprivate let activity: any ActivityPort

  /// - Parameter activity: told when somebody only waits for another's renewal.
  package init(activity: any ActivityPort = NoActivity()) { self.activity = activity }

  package func store(system: String, settings: ValueMap) -> (any SessionStore)? {
    TokenMemoryEntry(memory: self, entry: TokenEntry(system: system, settings: settings, environment: ""))
  }
}

private struct TokenMemoryEntry: SessionStore, SessionStoreLease {
  let memory: TokenMemory
  let entry: TokenEntry

  func load() async throws(StepFailure) -> StoredSession { memory.state.withLock { $0.entries[entry]?.session } ?? StoredSession() }

  func save(_ session: StoredSession) async throws(StepFailure) {
    memory.state.withLock { $0.entries[entry, default: .init()].session = session }
  }

  func acquire() async throws(StepFailure) -> any SessionStoreLease {
    let id = memory.state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let isOurs = await withTaskCancellationHandler {
      await withCheckedContinuation { wait(id, $0) }
    } onCancel: {
      leave(id)
    }
    guard isOurs else { throw StepFailure("cancelled", title: "cancelled") }
    return self
  }

  func release() async {
    let next = memory.state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard var held = state.entries[entry] else { return nil }
      defer { state.entries[entry] = held }
      guard !held.waiting.isEmpty else {
        held.isHeld = false
        return nil
      }
      return held.waiting.removeFirst().waiter
    }
    resume(next, with: true)
  }

  private func wait(_ id: Int, _ waiter: CheckedContinuation<Bool, Never>) {
    let answer = memory.state.withLock { state -> Bool? in
      if state.gone.remove(id) != nil { return false }
      if state.entries[entry]?.isHeld == true {
        state.entries[entry]?.waiting.append((id, waiter))
        return nil
      }
      state.entries[entry, default: .init()].isHeld = true
      return true
    }
    if let answer { waiter.resume(returning: answer) } else { memory.activity.ended() }
  }

  private func leave(_ id: Int) {
    let waiter = memory.state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let index = state.entries[entry]?.waiting.firstIndex(where: { $0.id == id }) else {
        state.gone.insert(id)
        return nil
      }
      return state.entries[entry]?.waiting.remove(at: index).waiter
    }
    resume(waiter, with: false)
  }

  /// Counts it as busy before it can be.
  private func resume(_ waiter: CheckedContinuation<Bool, Never>?, with answer: Bool) {
    guard let waiter else { return }
    memory.activity.began()
    waiter.resume(returning: answer)
  }
}
