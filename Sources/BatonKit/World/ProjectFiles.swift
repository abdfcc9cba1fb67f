import Glibc
import StepKit
import Synchronization

/// The files beneath a project's folder: whatever a flow names, nothing outside of it is read or written.
///
/// Every folder on the way is opened by its own name from the one before, without following links, so that no path
/// leads out, not even one that another program changes in the meantime.
struct ProjectFiles: FilePort {
  /// The project's folder; a link here is the user's own choice.
  let root: String
  /// Where relative paths start, from the project's folder on; empty is that folder.
  var base = ""
  /// Files in which `baton.yaml` keeps secrets, from the folder on: a flow has them as `secrets`, and in no other way.
  var secretFiles: Set<String> = []
  /// The largest file that is read or written, but for what was spooled, which `max_body` limits.
  var limit = 64 << 20

  func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    let place = try Place(path, "read", from: base, unless: secretFiles)
    let folder = try place.openFolder(below: root)
    defer { close(folder) }
    // Looked at before it is opened: to open some devices is to use them.
    try place.expectRegular(in: folder)
    let descriptor = unsafe openat(folder, place.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw place.failure(FileAccess.reason(errno)) }
    defer { close(descriptor) }
    // It may have been replaced since.
    try place.expectRegular(try place.status(of: descriptor))
    do throws(FileFailure) {
      return try FileAccess.bytes(of: descriptor, path, limit)
    } catch {
      throw .file(error.message)
    }
  }

  func beside(_ flow: String) -> any FilePort { starting(beside: flow) }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    let place = try place(ofWritten: path)
    guard bytes.count <= limit else { throw place.failure("it would be larger than \(limit >> 20) MiB") }
    try put(place) { folder, name in
      let descriptor = unsafe openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { return errno }
      defer { close(descriptor) }
      return FileAccess.writeAll(bytes, to: descriptor) ? 0 : errno
    }
  }

  func spool() throws(StepFailure) -> any BodySpool { try FileSpool(self) }

  /// Makes an open file without a name one of the project's, its size aside under the same rules as `write`.
  fileprivate func adopt(_ file: Int32, as path: String) throws(StepFailure) {
    try put(try place(ofWritten: path)) { folder, name in
      // Without a copy where it lies on the same disk and has never had a name.
      if unsafe linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, name, AT_SYMLINK_FOLLOW) == 0 { return 0 }
      let descriptor = unsafe openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { return errno }
      defer { close(descriptor) }
      return FileAccess.copy(file, to: descriptor) ? 0 : errno
    }
  }

  /// A file that may be written, or removed.
  func place(ofWritten path: String, _ deed: String = "written") throws(StepFailure) -> Place {
    let place = try Place(path, deed, from: base, unless: secretFiles)
    try place.refuseOwnFiles()
    return place
  }

  /// Puts a file in its place, whole or not at all: `make` makes it under another name and answers 0 or why it cannot.
  private func put(_ place: Place, _ make: (_ folder: Int32, _ name: String) -> Int32) throws(StepFailure) {
    let folder = try place.openFolder(below: root)
    defer { close(folder) }
    try place.expectRegular(in: folder, mayBeAbsent: true)
    let temporary = ".\(place.name.prefix(64)).\(getpid()).\(UInt32.random(in: .min ... .max)).tmp"
    var problem = make(folder, temporary)
    if problem == 0 {
      if unsafe renameat(folder, temporary, folder, place.name) == 0 { return }
      problem = errno
    }
    unsafe unlinkat(folder, temporary, 0)
    throw place.failure(FileAccess.reason(problem))
  }
}

/// A file that has no name until it is kept, so that nothing stays behind of one that is not, not even after a crash.
private final class FileSpool: BodySpool {
  private let files: ProjectFiles
  /// -1 once it has been kept: whoever still holds the answer holds no open file.
  private let descriptor: Mutex<Int32>
  private let written = Atomic(0)

  init(_ files: ProjectFiles) throws(StepFailure) {
    self.files = files
    // In the project, where it need not be copied in the end.
    var problem: Int32 = 0
    for folder in [files.root, "/var/tmp", "/tmp"] {
      let descriptor = Self.open(in: folder)
      if descriptor >= 0 {
        self.descriptor = Mutex(descriptor)
        return
      }
      if problem == 0 { problem = errno }
    }
    throw .file("no file can be made for the answer in `\(files.root)`: \(FileAccess.reason(problem))")
  }

  /// A descriptor, or -1 and `errno`.
  private static func open(in folder: String) -> Int32 {
    let unnamed: Int32 = 0o20000000 | O_DIRECTORY  // O_TMPFILE, a macro that Swift does not import
    let descriptor = unsafe Glibc.open(folder, O_RDWR | unnamed | O_CLOEXEC, 0o644)
    guard descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR else { return descriptor }
    // A file system without such files: it has a name for a moment.
    let name = "\(folder)/.spool.\(getpid()).\(UInt32.random(in: .min ... .max)).tmp"
    let named = unsafe Glibc.open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if named >= 0 { unsafe unlink(name) }
    return named
  }

  var count: Int { written.load(ordering: .relaxed) }

  func write(_ bytes: Span<UInt8>) throws(StepFailure) {
    let file = descriptor.withLock { $0 }
    let isWritten = unsafe bytes.withUnsafeBytes { unsafe FileAccess.writeAll($0, to: file) }
    guard isWritten else { throw .file(FileAccess.reason(errno)) }
    written.add(bytes.count, ordering: .relaxed)
  }

  func keep(as path: String) async throws(StepFailure) {
    let file = descriptor.withLock { $0 }
    try files.adopt(file, as: path)
    descriptor.withLock { $0 = -1 }
    close(file)
  }

  deinit {
    let file = descriptor.withLock { $0 }
    if file >= 0 { close(file) }
  }
}

extension ProjectFiles {
  /// The files of a flow: its own folder is where paths start, its project's where they end.
  init(of flow: String) {
    let project = Project(of: flow)
    self = ProjectFiles(root: project.boundary, secretFiles: project.secretFiles()).starting(beside: flow)
  }

  /// The same files, with paths that start at the folder of this flow.
  func starting(beside flow: String) -> ProjectFiles {
    let folder = Project.folder(of: FileAccess.resolved(flow))
    var copy = self
    if folder == root {
      copy.base = ""
    } else if folder.hasPrefix(root == "/" ? root : root + "/") {
      copy.base = String(folder.dropFirst(root == "/" ? 1 : root.utf8.count + 1))
    }
    return copy
  }

  /// A path from the project's folder on, without `.` and `..`: one for each file.
  /// - Throws: `config.file` for a path that is not for flows to write.
  func plainPath(ofWritten path: String) throws(StepFailure) -> String {
    try place(ofWritten: path).plainPath
  }

  /// Where a file of the project stands, for libraries that open it themselves.
  /// - Throws: `config.file` as `read` does.
  func place(of path: String) throws(StepFailure) -> String {
    let place = try Place(path, "read", from: base)  // `tls.key` may well be a secret
    let folder = try place.openFolder(below: root)
    defer { close(folder) }
    try place.expectRegular(in: folder)
    return FileAccess.joined(root, place.plainPath)
  }
}
