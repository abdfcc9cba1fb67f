/// Why something could not be stored or read, and what to do about it.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// The disk, or the quota of the user, is full; nothing of the change was kept.
    case diskFull = "disk_full"
    case readOnly = "read_only"
    /// The file is damaged, or is no database.
    case corrupt
    /// Another process held the database for longer than a writer waits.
    case busy
    /// The disk failed. What was asked may or may not be stored, and nothing more is written over this connection.
    case io
    /// A later version wrote the file.
    case newerSchema = "newer_schema"
    /// The file belongs to another program.
    case foreignFile = "foreign_file"
    /// A file or folder that others can read, write or replace.
    case unsafePath = "unsafe_path"
    /// The folder does not outlast a restart, or is shared over a network.
    case volatilePath = "volatile_path"
    /// There is no such run or attempt.
    case notFound = "not_found"
    /// The run exists already.
    case duplicate
    /// The record's state does not allow it.
    case illegalTransition = "illegal_transition"
    /// The attempt is too old to be sent.
    case expired
    /// A rule of the database itself was broken.
    case constraint
    /// What was sealed cannot be opened: the key is none, or another one, or the text was changed.
    case sealed
    case other
  }

  package var code: Code
  /// What is wrong and where.
  package var message: String
  /// What to do; empty where there is nothing.
  package var mend: String

  package init(_ code: Code, _ message: String, mend: String = "") {
    self.code = code
    self.message = message
    self.mend = mend
  }

  /// Whether the same call may succeed later with nothing else changed.
  package var isTransient: Bool { code == .busy }

  package var description: String { mend.isEmpty ? message : "\(message); \(mend)" }
}
