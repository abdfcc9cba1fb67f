import CSQLite
import Glibc

extension JournalError {
  /// What a result code of SQLite means here (sqlite.org/rescode.html); `cause` is the `errno` behind it.
  static func sqlite(_ result: Int32, _ detail: String, path: String, cause: Int32 = 0) -> JournalError {
    let detail = "\(detail) (SQLite \(result))"
    // A sync that fails is never a full disk: what it was to keep is gone.
    let isSync = result == SQLITE_IOERR | 4 << 8 || result == SQLITE_IOERR | 5 << 8
    let isFull = result & 0xFF == SQLITE_IOERR && !isSync && [ENOSPC, EDQUOT, EFBIG].contains(cause)
    switch isFull ? SQLITE_FULL : result & 0xFF {
    case SQLITE_FULL:
      return JournalError(.diskFull, "no space left for `\(path)`: \(detail)", mend: "free some space; nothing of the change was kept")
    case SQLITE_READONLY, SQLITE_PERM:
      return JournalError(.readOnly, "cannot write `\(path)`: \(detail)", mend: "make the folder and the file writable by this user")
    case SQLITE_CANTOPEN where result == SQLITE_CANTOPEN | 6 << 8:
      return JournalError(.unsafePath, "`\(path)` is reached through a symbolic link", mend: "replace the link by the file itself")
    case SQLITE_CANTOPEN:
      return JournalError(.readOnly, "cannot open `\(path)`: \(detail)", mend: "make the folder and the file writable by this user")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return JournalError(
        .corrupt, "`\(path)` is damaged: \(detail)", mend: "keep a copy, then restore it from a backup or with `sqlite3 FILE .recover`")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return JournalError(.busy, "another process is writing `\(path)`: \(detail)", mend: "try again when it is done")
    case SQLITE_IOERR:
      return JournalError(
        .io, "the disk failed under `\(path)`: \(detail)", mend: "check the disk; whether the last change was kept shows after a restart")
    case SQLITE_CONSTRAINT:
      return JournalError(.constraint, "`\(path)` refuses the record: \(detail)")
    default:
      return JournalError(.other, "`\(path)`: \(detail)")
    }
  }

  /// Whether nothing may be written over the connection any more. A failed fsync drops the unwritten pages while later
  /// ones succeed, so that trying again would report what is not there.
  var endsConnection: Bool { code == .io || code == .corrupt }
}

extension JournalError {
  /// The result code of a damaged file.
  static let damaged = SQLITE_CORRUPT
}
