import Glibc
import StepKit

extension ProjectFiles {
  /// One path of a flow, taken apart.
  struct Place {
    let path: String
    /// `read`, `written`, `listed` or `removed`
    let deed: String
    /// The folders on the way, without `.` and `..`.
    private let folders: [String]
    let name: String

    /// Without `.` and `..`, as it was looked at.
    var plainPath: String { (folders + [name]).joined(separator: "/") }

    /// - Throws: `config.file` for a path that is absolute, leads above the project, or names no file.
    /// - Parameter shown: what messages call it, where that is not the path.
    init(
      _ path: String, _ deed: String, from base: String, unless secretFiles: Set<String> = [], shown: String? = nil
    ) throws(StepFailure) {
      self.path = shown ?? path
      self.deed = deed
      let shown = Self.shown(self.path)
      func refusal(_ reason: String) -> StepFailure { .file("\(shown) cannot be \(deed): \(reason)") }
      guard !path.utf8.contains(0) else { throw refusal("the path holds a NUL") }
      guard !path.hasPrefix("/") else { throw refusal("a path starts at the flow's folder, so it has no `/` in front") }
      guard !path.hasPrefix("~") else { throw refusal("a path starts at the flow's folder, not at yours") }
      var parts = base.split(separator: "/").map(String.init)
      // No link is followed below, so `a/../b` is `b`.
      for part in path.split(separator: "/") where part != "." {
        guard part == ".." else {
          parts.append(String(part))
          continue
        }
        guard parts.popLast() != nil else { throw refusal("it leads out of the project's folder") }
      }
      guard let name = parts.popLast(), !path.hasSuffix("/"), !path.hasSuffix("/."), !path.hasSuffix("/..") else {
        throw refusal("it names a folder")
      }
      // It may hold credentials, and what is written there runs.
      if (parts + [name]).contains(where: { $0.lowercased() == ".git" }) { throw refusal("`.git` is not for flows") }
      self.name = name
      folders = parts
      guard !secretFiles.contains(plainPath) else {
        throw refusal("it holds a secret, as `baton.yaml` says; use it as `secrets.NAME`")
      }
    }

    func failure(_ reason: String) -> StepFailure { .file("\(Self.shown(path)) cannot be \(deed): \(reason)") }

    /// What decides who may do what is not the flow's to change.
    func refuseOwnFiles() throws(StepFailure) {
      if name == "baton.yaml" { throw failure("`baton.yaml` says what flows may do, so no flow writes it") }
    }

    /// A descriptor of the folder that holds the file; the caller closes it.
    func openFolder(below root: String) throws(StepFailure) -> Int32 {
      guard let folder = try openFolder(below: root, mayBeAbsent: false) else { throw failure("there is no such folder") }
      return folder
    }

    /// The same; nil for a folder that is not there, where it need not be.
    func openFolder(below root: String, mayBeAbsent: Bool) throws(StepFailure) -> Int32? {
      var current = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard current >= 0 else { throw failure("there is no project folder `\(root)`") }
      for (index, folder) in folders.enumerated() {
        let next = unsafe openat(current, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        let problem = errno
        close(current)
        if next < 0, mayBeAbsent, problem == ENOENT { return nil }
        guard next >= 0 else { throw failure(reason(problem, folders[...index].joined(separator: "/"))) }
        current = next
      }
      return current
    }

    private func reason(_ problem: Int32, _ folder: String) -> String {
      switch problem {
      case ENOENT: "there is no folder `\(folder)`"
      // What a link says with `O_DIRECTORY`, too.
      case ENOTDIR, ELOOP: "`\(folder)` is no folder; links are not followed"
      default: FileAccess.reason(problem)
      }
    }

    /// Whether it is there.
    @discardableResult
    func expectRegular(in folder: Int32, mayBeAbsent: Bool = false) throws(StepFailure) -> Bool {
      var status = stat()
      guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        if mayBeAbsent, errno == ENOENT { return false }
        throw failure(FileAccess.reason(errno))
      }
      try expectRegular(status)
      return true
    }

    func status(of descriptor: Int32) throws(StepFailure) -> stat {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw failure(FileAccess.reason(errno)) }
      return status
    }

    func expectRegular(_ status: stat) throws(StepFailure) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: return
      case S_IFDIR: throw failure("it is a folder")
      case S_IFLNK: throw failure("it is a link, and links are not followed")
      default: throw failure("it is no regular file")
      }
    }

    private static func shown(_ path: String) -> String {
      path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } ? "`\(path)`" : path.debugDescription
    }
  }
}
