import Synchronization

/// A connection that several threads use in turn. `@unchecked Sendable`: `turn` guards the connection.
final class LockedConnection: @unchecked Sendable {
  private let turn = Mutex(())
  private var connection: Connection

  init(_ connection: consuming Connection) {
    self.connection = connection
  }

  func withLock<T: Sendable>(_ body: (inout Connection) throws(JournalError) -> T) throws(JournalError) -> T {
    try turn.withLock { _ throws(JournalError) in try body(&connection) }
  }
}
