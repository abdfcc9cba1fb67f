import StepKit
import Synchronization

/// The files of one case: it reads those of the project, and what it writes stays its own, in memory.
struct ScenarioFiles: FilePort {
  private let project: ProjectFiles
  private let written: WrittenFiles

  init(project: ProjectFiles) { self.init(project: project, written: WrittenFiles()) }

  private init(project: ProjectFiles, written: WrittenFiles) {
    self.project = project
    self.written = written
  }

  func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    if let plain = try? project.plainPath(ofWritten: path) {
      if let bytes = written[plain] { return bytes }
      guard !written.isRemoved(plain) else { throw .file("`\(path)` cannot be read: there is no such file") }
    }
    return try await project.read(path)
  }

  func beside(_ flow: String) -> any FilePort { ScenarioFiles(project: project.starting(beside: flow), written: written) }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    written.keep(bytes, at: try project.plainPath(ofWritten: path))
  }

  /// Those of the project, without what the case has removed and with what it has written.
  func names(in folder: String) async throws(StepFailure) -> [String] {
    let below = try project.plainPath(ofWritten: folder.isEmpty ? "_" : "\(folder)/_").dropLast()
    let own = try await project.names(in: folder).filter { !written.isRemoved(below + $0) }
    return Set(own + written.names(below: String(below))).sorted()
  }

  /// Removes what the case sees; the project's own file stays.
  func remove(_ path: String) async throws(StepFailure) { written.remove(try project.plainPath(ofWritten: path)) }
}

/// What a case has written or removed, by its path from the project's folder on.
private final class WrittenFiles: Sendable {
  private enum Change { case written([UInt8]), removed }

  private let files = Mutex<[String: Change]>([:])

  subscript(path: String) -> [UInt8]? {
    files.withLock { if case .written(let bytes) = $0[path] { bytes } else { nil } }
  }

  func isRemoved(_ path: String) -> Bool {
    files.withLock { if case .removed = $0[path] { true } else { false } }
  }

  /// The names of those that stand in a folder, which ends in `/` unless it is the project's own.
  func names(below folder: String) -> [String] {
    files.withLock { files in
      files.compactMap { path, change in
        guard case .written = change, path.hasPrefix(folder) else { return nil }
        let name = path.dropFirst(folder.count)
        return name.contains("/") ? nil : String(name)
      }
    }
  }

  func keep(_ bytes: [UInt8], at path: String) { files.withLock { $0[path] = .written(bytes) } }

  func remove(_ path: String) { files.withLock { $0[path] = .removed } }
}
