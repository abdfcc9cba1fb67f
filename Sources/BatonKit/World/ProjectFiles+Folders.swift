import Glibc
import StepKit

/// What lies in a folder, and how it goes again: under the rules of reading and writing.
extension ProjectFiles {
  /// The names of the regular files in a folder, sorted; empty where the folder is not there. Links, folders and devices
  /// are left out, and so is what holds a secret.
  /// - Throws: `config.file` for a folder that is not for flows, and for what is no folder.
  func names(in folder: String) async throws(StepFailure) -> [String] {
    // A file in it, of whatever name, takes the same way.
    let place = try Place(folder.isEmpty ? "_" : "\(folder)/_", "listed", from: base, shown: folder)
    guard let descriptor = try place.openFolder(below: root, mayBeAbsent: true) else { return [] }
    let way = place.plainPath.dropLast()
    return try names(of: descriptor, place).filter { !secretFiles.contains(way + $0) }.sorted()
  }

  /// Removes a regular file; nothing happens where it is not there.
  /// - Throws: `config.file` for what is not for flows to write, and for a link, a folder or a device.
  func remove(_ path: String) async throws(StepFailure) {
    let place = try place(ofWritten: path, "removed")
    guard let folder = try place.openFolder(below: root, mayBeAbsent: true) else { return }
    defer { close(folder) }
    guard try place.expectRegular(in: folder, mayBeAbsent: true) else { return }
    guard unsafe unlinkat(folder, place.name, 0) == 0 || errno == ENOENT else { throw place.failure(FileAccess.reason(errno)) }
  }

  /// The regular files of an open folder, which is closed.
  private func names(of folder: Int32, _ place: Place) throws(StepFailure) -> [String] {
    guard let stream = unsafe fdopendir(folder) else {
      let problem = errno
      close(folder)
      throw place.failure(FileAccess.reason(problem))
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      // A name that is no UTF-8 is one that no flow could write.
      let text = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
      }
      guard let text, text.lowercased() != ".git" else { continue }
      var status = stat()
      guard unsafe fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      names.append(text)
    }
    guard errno == 0 else { throw place.failure(FileAccess.reason(errno)) }
    return names
  }
}
