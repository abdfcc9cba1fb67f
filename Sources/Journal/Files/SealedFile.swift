import Glibc

/// A small file of a state directory that is replaced as a whole: whoever reads it finds the old bytes or the new ones,
/// whatever happens meanwhile.
///
/// One writer at a time: whoever writes holds a lock of their own on the file's name.
package struct SealedFile: Sendable {
  /// Far beyond what a few tokens take; more is no such file.
  private static let mostBytes = 1 << 20
  /// Room that is taken before anything depends on it.
  private static let reservedBytes: off_t = 64 << 10

  package let path: String
  private let directory: StateDirectory
  private var draft: String { path + ".new" }

  package init(_ name: String, in directory: StateDirectory) {
    path = "\(directory.path)/\(name)"
    self.directory = directory
  }

  /// Nil where there is none.
  ///
  /// - Throws: `unsafePath` for a link, another owner, a second name or a mode that others can use; every error of the disk.
  package func read() throws(JournalError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw JournalError(.unsafePath, "`\(path)` is a symbolic link, not a file", mend: "move it away") }
      throw .system("open", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system("look up", path) }
    try Entry(status).checkFile(path)
    guard status.st_size <= Self.mostBytes else { throw JournalError(.foreignFile, "`\(path)` is no file of Baton", mend: "move it away") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled, off_t(filled))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system("read", path, count < 0 ? errno : EIO) }
      filled += count
    }
    return bytes
  }

  /// Takes the room that a new content needs, so that a full disk is told before anything is at stake.
  package func reserve() throws(JournalError) {
    let descriptor = try openDraft()
    defer { close(descriptor) }
    let error = posix_fallocate(descriptor, 0, Self.reservedBytes)
    // Not every file system can.
    guard error == 0 || error == EOPNOTSUPP || error == EINVAL else { throw .system("make room in", draft, error) }
  }

  /// Replaces the content: written beside it, synced, renamed, and the folder synced.
  package func replace(by bytes: [UInt8]) throws(JournalError) {
    let descriptor = try openDraft()
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written, off_t(written))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system("write", draft) }
      written += count
    }
    guard ftruncate(descriptor, off_t(bytes.count)) == 0, fsync(descriptor) == 0 else { throw .system("write", draft) }
    guard unsafe rename(draft, path) == 0 else { throw .system("rename", draft) }
    try StateDirectory.sync(directory.path)
  }

  package func remove() throws(JournalError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system("remove", path) }
    try StateDirectory.sync(directory.path)
  }

  /// Takes away what `reserve` made.
  package func discardDraft() { _ = unsafe unlink(draft) }

  /// What a writer who was killed has left is written over.
  private func openDraft() throws(JournalError) -> Int32 {
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // A pipe that nobody reads.
      if errno == ENXIO { throw JournalError(.unsafePath, "`\(draft)` is a special file, not a file", mend: "move it away") }
      throw .system("make", draft)
    }
    var status = stat()
    do throws(JournalError) {
      // A umask may take from the mode that the rule asks for.
      guard unsafe fstat(descriptor, &status) == 0, fchmod(descriptor, 0o600) == 0 else { throw .system("look up", draft) }
      try Entry(status).checkFile(draft)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }
}
