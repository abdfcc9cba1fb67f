import Crypto
import Glibc

extension StateDirectory {
  /// The key that a file in the folder holds; made of random bytes where there is none.
  ///
  /// Read and made under the file's lock, so that of several first users one makes it, and nobody has a key that a
  /// power cut could take away. A maker that dies leaves the file empty, and the next is the maker.
  /// - Throws: `corrupt` where it has another length; else as `lockFile`.
  func keyFile(_ name: String, bytes count: Int) throws(JournalError) -> [UInt8] {
    let file = LockFile(path: try lockFile(name))
    let lock = try file.wait(0)
    defer { withExtendedLifetime(lock) {} }
    var bytes = [UInt8](repeating: 0, count: count + 1)
    let found = unsafe pread(lock.descriptor, &bytes, count + 1, 0)
    guard found >= 0 else { throw .system("read", file.path) }
    if found == 0 { return try make(file.path, lock, bytes: count) }
    bytes.removeLast(count + 1 - found)
    // Zeros are what some file systems leave of a write that a power cut met.
    guard found == count, bytes.contains(where: { $0 != 0 }) else {
      throw JournalError(
        .corrupt, "`\(file.path)` holds no key", mend: "restore it from a backup, or remove it and give up what was sealed with it")
    }
    return bytes
  }

  private func make(_ path: String, _ lock: KernelLock, bytes count: Int) throws(JournalError) -> [UInt8] {
    let bytes = unsafe SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { unsafe Array($0) }
    let written = unsafe pwrite(lock.descriptor, bytes, count, 0)
    guard written == count, fsync(lock.descriptor) == 0 else {
      let cause = written < 0 || written == count ? errno : ENOSPC
      ftruncate(lock.descriptor, 0)
      throw .system("write", path, cause)
    }
    // The one who made the name may not have synced it yet.
    try Self.sync(self.path)
    return bytes
  }
}
