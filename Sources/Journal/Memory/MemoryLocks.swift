import Synchronization

/// Rights that one holder has at a time, for as long as it keeps them.
final class MemoryLocks<Name: Hashable & Sendable>: Sendable {
  private let held = Mutex<Set<Name>>([])

  /// The right to a name; nil while another has it.
  func lock(_ name: Name) -> MemoryLock? {
    guard held.withLock({ $0.insert(name).inserted }) else { return nil }
    return MemoryLock { [self] in held.withLock { _ = $0.remove(name) } }
  }
}

/// A right that is held until this goes.
final class MemoryLock: Sendable {
  private let release: @Sendable () -> Void

  fileprivate init(_ release: @escaping @Sendable () -> Void) {
    self.release = release
  }

  deinit { release() }
}
