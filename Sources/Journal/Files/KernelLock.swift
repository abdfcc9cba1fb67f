import Glibc

/// A file whose bytes are locks: one that is held is released by the kernel when its process ends, however it ends.
///
/// Locks of the open file description (fcntl(2), `F_OFD_SETLK`): two of one process exclude each other as well. A byte
/// for each thing and not a file, so that none needs removing, which is where lock files go wrong.
package struct LockFile: Sendable {
  /// `F_OFD_SETLK`, which Swift's Glibc leaves out.
  private static let setLock: Int32 = 37

  package let path: String

  package init(path: String) { self.path = path }

  /// The lock of one byte; nil while another holds it.
  ///
  /// - Throws: where the file cannot be opened.
  package func lock(_ byte: Int64) throws(JournalError) -> KernelLock? {
    let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open", path) }
    let lock = KernelLock(descriptor: descriptor)
    var range = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: Int(byte), l_len: 1, l_pid: 0)
    if unsafe fcntl(descriptor, Self.setLock, &range) == 0 { return lock }
    guard errno == EAGAIN || errno == EACCES else { throw .system("lock", path) }
    return nil
  }

  /// The lock of one byte, waited for as long as SQLite waits.
  ///
  /// - Throws: `busy`.
  package func wait(_ byte: Int64) throws(JournalError) -> KernelLock {
    var pause: UInt32 = 50
    var waited: UInt32 = 0
    while waited < UInt32(Connection.patience) * 1000 {
      if let lock = try lock(byte) { return lock }
      usleep(pause)
      waited += pause
      pause = min(pause * 2, 5_000)
    }
    throw JournalError(.busy, "another process holds `\(path)`", mend: "try again when it is done")
  }

  /// The byte that stands for a list of texts; FNV-1a, 62 bits. Two lists that share one only wait for each other.
  static func byte(for texts: [String]) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in texts {
      for byte in text.utf8 + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return Int64(hash >> 2)
  }
}

/// A lock that is held until this goes, or the process does.
package final class KernelLock: Sendable {
  /// Of the file, open for reading and writing.
  let descriptor: Int32

  fileprivate init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
