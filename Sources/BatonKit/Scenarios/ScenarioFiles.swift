import StepKit
import Synchronization

/// The files of one case: it reads those of the project, and what it writes stays its own, in memory.
final class ScenarioFiles: FilePort {
  private let project: any FilePort
  private let written = Mutex<[String: [UInt8]]>([:])

  init(project: any FilePort) { self.project = project }

  func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    if let bytes = written.withLock({ $0[path] }) { return bytes }
    return try await project.read(path)
  }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    written.withLock { $0[path] = bytes }
  }
}
