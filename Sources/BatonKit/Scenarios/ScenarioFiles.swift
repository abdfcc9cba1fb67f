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
    if let plain = try? project.plainPath(ofWritten: path), let bytes = written[plain] { return bytes }
    return try await project.read(path)
  }

  func beside(_ flow: String) -> any FilePort { ScenarioFiles(project: project.starting(beside: flow), written: written) }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    written.keep(bytes, at: try project.plainPath(ofWritten: path))
  }
}

/// What a case has written, by its path from the project's folder on.
private final class WrittenFiles: Sendable {
  private let files = Mutex<[String: [UInt8]]>([:])

  subscript(path: String) -> [UInt8]? { files.withLock { $0[path] } }

  func keep(_ bytes: [UInt8], at path: String) { files.withLock { $0[path] = bytes } }
}
