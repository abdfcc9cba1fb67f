#if DEBUG
  import CSQLite
  import Glibc
  import Synchronization
#endif

/// Places at which a debug build kills itself when it is told to, so that tests find what a crash leaves there.
///
/// `BATON_FAILPOINT=CHANGE.MOMENT` names one, such as `sent.written`; `:COUNT` behind it stands for a later passing. A
/// release build has nothing of this.
enum Failpoint {
  /// A change of the ledger of triggers.
  enum Change: String, Sendable { case intend, resume, sent, outcome, settle, unresolved }

  enum Moment: String {
    /// Nothing of it has begun.
    case before
    /// All of it is written, and nothing is committed.
    case written
    /// Within COMMIT, before the rollback journal is removed: the disk holds all of the change, and it does not count yet.
    case committing
    /// It is committed, and nobody was told.
    case after
  }

  #if DEBUG
    static func pass(_ change: Change, _ moment: Moment) { armed?.pass(change, moment) }

    private static let armed = ArmedFailpoint()
    fileprivate static func passCommit() { armed?.passCommit() }
  #else
    @inline(__always) static func pass(_ change: Change, _ moment: Moment) {}
  #endif
}

#if DEBUG
  /// The one place that the environment names.
  private final class ArmedFailpoint: Sendable {
    private let name: String
    private let state: Mutex<(passingsLeft: Int, change: Failpoint.Change?)>

    init?() {
      guard let variable = unsafe getenv("BATON_FAILPOINT") else { return nil }
      let words = unsafe String(cString: variable).split(separator: ":").map(String.init)
      name = words.first ?? ""
      state = Mutex((words.dropFirst().first.flatMap { Int($0) } ?? 1, nil))
      watchRemovals()
    }

    func pass(_ change: Failpoint.Change, _ moment: Failpoint.Moment) {
      state.withLock { state in
        state.change = moment == .after ? nil : change
        guard "\(change.rawValue).\(moment.rawValue)" == name else { return }
        state.passingsLeft -= 1
        if state.passingsLeft == 0 { kill(getpid(), SIGKILL) }
      }
    }

    func passCommit() {
      if let change = state.withLock({ $0.change }) { pass(change, .committing) }
    }

    /// SQLite removes a file at one place of a change only: where it commits (https://sqlite.org/atomiccommit.html §3.11).
    private func watchRemovals() {
      let remove: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { path in
        Failpoint.passCommit()
        guard let path = unsafe path else { return -1 }
        return unsafe unlink(path)
      }
      guard let files = unsafe sqlite3_vfs_find(nil) else { return }
      unsafe _ = files.pointee.xSetSystemCall(files, "unlink", unsafeBitCast(remove, to: sqlite3_syscall_ptr.self))
    }
  }
#endif
