import CSQLite
import Glibc

/// A folder that this user alone can enter, and the databases in it.
///
/// The rules (reliability.md §3, row 35): the folder is 0700 and the files 0600, both owned by the user; neither is
/// reached through a symbolic link or has a second name; nobody else can put another folder in its place. What breaks
/// a rule is refused and never mended: someone may have read it already.
package struct StateDirectory: Hashable, Sendable {
  /// The real path: the folders above may be reached through links.
  package let path: String

  /// Makes the folder where it is missing, with those above it.
  ///
  /// - Throws: `unsafePath`, `readOnly`, `diskFull` or `io`.
  package init(_ path: String) throws(JournalError) {
    let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
    guard !trimmed.isEmpty else {
      throw JournalError(.unsafePath, "`\(path)` cannot be a state directory", mend: "name a folder of your own")
    }
    try Self.make(trimmed)
    let entry = try Self.entry(trimmed)
    guard entry.isFolder else {
      throw JournalError(.unsafePath, "`\(trimmed)` is \(entry.kindName), not a folder", mend: "name the folder itself")
    }
    try entry.check(trimmed, mode: 0o700)
    let parent = try Self.realPath(Self.parent(of: trimmed))
    let above = try Self.entry(parent)
    guard above.mode & 0o002 == 0 || above.mode & 0o1000 != 0 else {
      throw JournalError(.unsafePath, "anyone can replace `\(trimmed)`: `\(parent)` is writable by all", mend: "run `chmod o-w \(parent)`")
    }
    self.path = (parent == "/" ? "" : parent) + "/" + Self.name(of: trimmed)
  }

  /// The path of a database in the folder: made empty where it is missing, and checked, with what SQLite keeps beside it.
  ///
  /// - Throws: as `init`.
  func database(_ name: String) throws(JournalError) -> String {
    let file = try lockFile(name)
    for suffix in ["-journal", "-wal", "-shm"] {
      guard let beside = try Self.optionalEntry(file + suffix) else { continue }
      try beside.checkFile(file + suffix)
    }
    return file
  }

  /// The path of a file in the folder, made empty where it is missing, and checked.
  ///
  /// It is made without being opened: closing a descriptor of a database drops the locks that SQLite has on it
  /// (sqlite.org/howtocorrupt.html §2.2).
  package func lockFile(_ name: String) throws(JournalError) -> String {
    let file = "\(path)/\(name)"
    if unsafe mknod(file, S_IFREG | 0o600, 0) == 0 {
      // A umask may take from the mode that the rule asks for.
      guard unsafe chmod(file, 0o600) == 0 else { throw .system("set the mode of", file) }
      try Self.sync(path)
    } else if errno != EEXIST {
      throw .system("make", file)
    }
    try Self.entry(file).checkFile(file)
    return file
  }

  /// Has the names in a folder survive a power cut.
  package static func sync(_ path: String) throws(JournalError) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .system("open", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .system("sync", path) }
  }
}

// MARK: where it lies

extension StateDirectory {
  /// Refuses a folder that a restart empties or that other machines share: locks and syncs mean less there.
  ///
  /// - Throws: `volatilePath`.
  package func requireDurable() throws(JournalError) {
    var type: UInt32 = 0
    guard unsafe csqlite_file_system_type(path, &type) == 0 else { throw .system("look up", path) }
    // The numbers of statfs(2).
    let kinds: [UInt32: String] = [
      0x0102_1994: "tmpfs", 0x8584_58F6: "ramfs", 0x794C_7630: "an overlay", 0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB",
    ]
    guard let kind = kinds[type] else { return }
    throw JournalError(
      .volatilePath, "`\(path)` lies on \(kind), which may forget what was sent", mend: "name a state directory on a local disk")
  }

  private static func make(_ path: String) throws(JournalError) {
    let parent = parent(of: path)
    if unsafe mkdir(path, 0o700) == 0 { return try sync(parent) }
    if errno == EEXIST { return }
    guard errno == ENOENT, path != parent else { throw .system("make", path) }
    try make(parent)
    if unsafe mkdir(path, 0o700) == 0 { return try sync(parent) }
    if errno != EEXIST { throw .system("make", path) }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    let parent = path[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }

  private static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private static func realPath(_ path: String) throws(JournalError) -> String {
    guard let real = unsafe realpath(path, nil) else { throw .system("look up", path) }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  fileprivate static func entry(_ path: String) throws(JournalError) -> Entry {
    guard let entry = try optionalEntry(path) else { throw .system("look up", path, ENOENT) }
    return entry
  }

  fileprivate static func optionalEntry(_ path: String) throws(JournalError) -> Entry? {
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      return Entry(status)
    }
    if errno == ENOENT { return nil }
    throw .system("look up", path)
  }
}

/// A name in the file system, not followed.
struct Entry {
  var mode: mode_t
  var owner: uid_t
  /// How many names it has.
  var names: Int

  init(_ status: stat) {
    mode = status.st_mode
    owner = status.st_uid
    names = Int(status.st_nlink)
  }

  var isFolder: Bool { mode & S_IFMT == S_IFDIR }

  var kindName: String {
    switch mode & S_IFMT {
    case S_IFLNK: "a symbolic link"
    case S_IFREG: "a file"
    case S_IFDIR: "a folder"
    default: "a special file"
    }
  }

  func check(_ path: String, mode allowed: mode_t) throws(JournalError) {
    guard owner == geteuid() else {
      throw JournalError(.unsafePath, "`\(path)` belongs to another user (id \(owner))", mend: "name a state directory of your own")
    }
    guard mode & 0o7777 & ~allowed == 0 else {
      let now = String(mode & 0o7777, radix: 8)
      let should = String(allowed, radix: 8)
      throw JournalError(.unsafePath, "others may open `\(path)` (mode \(now))", mend: "run `chmod \(should) \(path)`")
    }
  }

  func checkFile(_ path: String) throws(JournalError) {
    guard mode & S_IFMT == S_IFREG else {
      throw JournalError(.unsafePath, "`\(path)` is \(kindName), not a file", mend: "move it away")
    }
    guard names <= 1 else {
      throw JournalError(.unsafePath, "`\(path)` has a second name (hard link)", mend: "move it away")
    }
    try check(path, mode: 0o600)
  }
}

extension JournalError {
  /// What `errno` means for a file.
  package static func system(_ verb: String, _ path: String, _ number: Int32 = errno) -> JournalError {
    let detail = unsafe "cannot \(verb) `\(path)`: \(String(cString: strerror(number)))"
    switch number {
    case ENOSPC, EDQUOT, EFBIG: return JournalError(.diskFull, detail, mend: "free some space")
    case EACCES, EPERM, EROFS: return JournalError(.readOnly, detail, mend: "make the folder writable by this user")
    case ELOOP, ENOTDIR: return JournalError(.unsafePath, detail, mend: "name the folder itself")
    case EIO: return JournalError(.io, detail, mend: "check the disk")
    default: return JournalError(.other, detail)
    }
  }
}
