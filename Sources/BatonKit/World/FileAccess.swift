import Glibc

/// Why a file could not be read.
struct FileFailure: Error {
  let message: String
}

/// Files, read whole and within limits.
enum FileAccess {
  /// The bytes of a regular file; a FIFO, a device or a directory is refused before it is read.
  static func read(_ path: String, limit: Int = 8 << 20) throws(FileFailure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure(message: "`\(path)` cannot be read: \(reason(errno))") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileFailure(message: "`\(path)` cannot be read: \(reason(errno))") }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileFailure(message: "`\(path)` is a directory")
    default: throw FileFailure(message: "`\(path)` is no regular file")
    }
    guard status.st_size <= limit else { throw FileFailure(message: "`\(path)` is larger than \(limit >> 20) MiB") }
    return try bytes(of: descriptor, path, limit)
  }

  /// All that a descriptor still gives; `path` names it in errors.
  static func bytes(of descriptor: Int32, _ path: String, _ limit: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      guard count > 0 else { throw FileFailure(message: "`\(path)` cannot be read: \(reason(errno))") }
      bytes += chunk[..<count]
    }
    throw FileFailure(message: "`\(path)` is larger than \(limit >> 20) MiB")
  }

  /// Whether the file is readable by others than its owner.
  static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & 0o077 != 0
  }

  /// Whether anything stands there, a broken link included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The absolute path without links; as it is where there is no such file.
  static func resolved(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// A path below a folder; `.` adds nothing.
  static func joined(_ folder: String, _ path: String) -> String {
    folder.isEmpty || folder == "." ? path : folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// Makes the folders in which a file is to stand, those that are missing.
  static func createFolders(above path: String) throws(FileFailure) {
    for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
      let folder = String(path[..<index])
      guard unsafe mkdir(folder, 0o755) != 0, errno != EEXIST || !isDirectory(folder) else { continue }
      throw FileFailure(message: "the folder `\(folder)` cannot be made: \(errno == EEXIST ? "a file stands there" : reason(errno))")
    }
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether a regular file stands there; links are followed.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static let streams = ["/dev/stdout": Int32(1), "/dev/stderr": 2, "/dev/fd/1": 1, "/dev/fd/2": 2]

  /// Finds out, before anything runs, whether the file can be written.
  static func probe(_ path: String) throws(FileFailure) {
    guard streams[path] == nil else { return }
    try refuseOddTarget(path)
    let temporary = "\(path).\(getpid()).probe"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw FileFailure(message: "`\(path)` cannot be written: \(errno == ENOENT ? "there is no such folder" : reason(errno))")
    }
    close(descriptor)
    unsafe unlink(temporary)
  }

  /// A file is replaced only by a file: never a device, a FIFO, a folder, nor what a link leads to.
  private static func refuseOddTarget(_ path: String) throws(FileFailure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw FileFailure(message: "`\(path)` cannot be written: it is no regular file")
  }

  /// Writes the whole file or nothing: a temporary file beside it, renamed over it. `/dev/stdout` and `/dev/stderr` are
  /// the process's own streams.
  ///
  /// - Parameter isPrivate: whether it is for its owner alone, and to survive a crash of the machine.
  static func write(_ text: String, to path: String, isPrivate: Bool = false) throws(FileFailure) {
    if let stream = streams[path] {
      guard writeAll(text, to: stream) else { throw FileFailure(message: "`\(path)` cannot be written: \(reason(errno))") }
      return
    }
    try refuseOddTarget(path)
    let temporary = "\(path).\(getpid()).tmp"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o644)
    guard descriptor >= 0 else { throw FileFailure(message: "`\(path)` cannot be written: \(reason(errno))") }
    let isWritten = writeAll(text, to: descriptor) && (!isPrivate || fsync(descriptor) == 0)
    let problem = errno
    close(descriptor)
    guard isWritten, unsafe rename(temporary, path) == 0 else {
      let cause = isWritten ? errno : problem
      unsafe unlink(temporary)
      throw FileFailure(message: "`\(path)` cannot be written: \(reason(cause))")
    }
  }

  /// Whether all of it went out.
  @discardableResult
  static func writeAll(_ text: String, to descriptor: Int32) -> Bool { writeAll(Array(text.utf8), to: descriptor) }

  /// Whether all of it went out; where not, `errno` says why.
  @discardableResult
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor) }
  }

  /// Whether all of it went out; where not, `errno` says why.
  static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
      let count = unsafe Glibc.write(descriptor, piece.baseAddress, piece.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return false }
      unsafe rest = rest.dropFirst(count)
    }
    return true
  }

  /// Whether the whole of a file went out, whatever its position; where not, `errno` says why.
  static func copy(_ file: Int32, to descriptor: Int32) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var offset: off_t = 0
    while true {
      let count = unsafe pread(file, &chunk, chunk.count, offset)
      if count < 0, errno == EINTR { continue }
      guard count != 0 else { return true }
      guard count > 0, writeAll(Array(chunk[..<count]), to: descriptor) else { return false }
      offset += off_t(count)
    }
  }

  /// The paths below a folder whose names end so, sorted; hidden folders are left out, links not followed.
  static func files(below folder: String, ending: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var found: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      switch unsafe Int32(entry.pointee.d_type) {
      case Int32(DT_DIR): found += files(below: path, ending: ending)
      case Int32(DT_REG) where name.hasSuffix(ending): found.append(path)
      default: continue
      }
    }
    return found.sorted()
  }

  static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission denied"
    case ELOOP: "too many symbolic links"
    case ENAMETOOLONG: "the name is too long"
    default: unsafe String(cString: strerror(code)).lowercased()
    }
  }
}
