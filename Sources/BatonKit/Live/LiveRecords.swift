import Journal

/// A place where it is recorded what was sent, before it is sent.
struct LiveRecords: Sendable {
  struct Problem: Hashable, Sendable {
    let message: String
    /// What to do; empty where there is nothing.
    let mend: String
  }

  /// `the ledger of emergencies`
  let name: String
  /// Why it cannot be relied upon; nil where it can.
  let problem: @Sendable () -> Problem?
}

extension LiveRecords {
  /// The ledger and the journal of this user, whose folders are made where they are missing.
  static var standard: [LiveRecords] { places { path throws(JournalError) in try StateDirectory(path).requireDurable() } }

  /// The same, and nothing is made: a folder that is missing is judged by the one in which it would be.
  static var untouched: [LiveRecords] {
    places { path throws(JournalError) in
      if FileAccess.exists(path) { return try StateDirectory(path).requireDurable() }
      guard let kind = FileSystemKind.volatile(path) else { return }
      throw JournalError(
        .volatilePath, "`\(path)` would lie on \(kind), which may forget what was sent", mend: "name a state directory on a local disk")
    }
  }

  private static func places(_ check: @escaping @Sendable (String) throws(JournalError) -> Void) -> [LiveRecords] {
    func records(_ name: String, _ variable: String, _ place: @escaping @Sendable () throws(FileFailure) -> String) -> LiveRecords {
      LiveRecords(name: name) {
        let path: String
        do throws(FileFailure) { path = try place() } catch { return Problem(message: error.message, mend: "") }
        do throws(JournalError) {
          try check(path)
          return nil
        } catch {
          return Problem(message: error.message, mend: error.code == .volatilePath ? "\(error.mend): `\(variable)=PATH`" : error.mend)
        }
      }
    }
    return [
      records("the ledger of emergencies", "BATON_TRIGGER_DIR", { () throws(FileFailure) in try RecordPlaces.triggers() }),
      records("the journal of runs", "BATON_STATE_DIR", { () throws(FileFailure) in try RecordPlaces.state() }),
    ]
  }
}

/// What kind of file system a path would stand on, read from the kernel's list of mounts.
enum FileSystemKind {
  private static let volatileKinds = [
    "tmpfs": "tmpfs", "ramfs": "ramfs", "overlay": "an overlay", "nfs": "NFS", "nfs4": "NFS", "cifs": "CIFS", "smb3": "SMB",
  ]

  /// How a kind is called that a restart empties or that other machines share; nil for any other.
  ///
  /// - Parameters:
  ///   - existing: the nearest folder above a path that there is, without links.
  ///   - mounts: as `/proc/self/mountinfo` has them (proc_pid_mountinfo(5)).
  static func volatile(
    _ path: String, existing: (String) -> String = { FileSystemKind.existing($0) }, mounts: String? = nil
  ) -> String? {
    guard let mounts = mounts ?? readMounts() else { return nil }
    let path = existing(path)
    var best: (length: Int, kind: String)?
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 5, let dash = words.firstIndex(of: "-"), words.indices.contains(dash + 1) else { continue }
      let point = words[4].replacing("\\040", with: " ")
      guard point == "/" || path == point || path.hasPrefix(point + "/") else { continue }
      // The later of two mounts on one point hides the other.
      if point.utf8.count >= best?.length ?? 0 { best = (point.utf8.count, String(words[dash + 1])) }
    }
    return best.flatMap { volatileKinds[$0.kind] }
  }

  static func existing(_ path: String) -> String {
    var path = path.hasPrefix("/") ? path : FileAccess.joined(FileAccess.resolved("."), path)
    while path != "/", !FileAccess.exists(path) { path = Project.folder(of: path) }
    return FileAccess.resolved(path)
  }

  /// `/proc` tells no size, so that it is read as far as it goes.
  private static func readMounts() -> String? {
    (try? FileAccess.read("/proc/self/mountinfo")).map { String(decoding: $0, as: UTF8.self) }
  }
}
