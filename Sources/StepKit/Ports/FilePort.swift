/// Files of the flow's project. Conformers keep true: a path leads to a regular file beneath the project's folder, links
/// not followed; a file is written whole or not at all.
package protocol FilePort: Sendable {
  /// All bytes of a file.
  /// - Throws: `config.file` with the path and the reason.
  func read(_ path: String) async throws(StepFailure) -> [UInt8]
  /// The files as the steps of a flow's file see them: a relative path starts at its folder.
  func beside(_ flow: String) -> any FilePort
  /// - Throws: `config.file` with the path and the reason.
  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure)
  /// The names of the files in a folder, sorted; empty where the folder is not there.
  /// - Throws: `config.file` with the path and the reason.
  func names(in folder: String) async throws(StepFailure) -> [String]
  /// Removes a file; nothing happens where it is not there.
  /// - Throws: `config.file` with the path and the reason.
  func remove(_ path: String) async throws(StepFailure)
  /// Where a body goes that is too large to hold and is to become one of these files.
  /// - Throws: `config.file` where there is no room for it.
  func spool() throws(StepFailure) -> any BodySpool
}

extension FilePort {
  /// The files as the steps of a flow's file see them: a relative path starts at its folder.
  package func beside(_ flow: String) -> any FilePort { self }
  package func names(in folder: String) async throws(StepFailure) -> [String] { throw .file("`\(folder)` cannot be listed here") }
  package func remove(_ path: String) async throws(StepFailure) { throw .file("`\(path)` cannot be removed here") }
}

/// The files of a step that has none.
package struct NoFiles: FilePort {
  package init() {}
  package func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    throw .file("`\(path)` cannot be read: there are no files here")
  }
  package func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    throw .file("`\(path)` cannot be written: there are no files here")
  }
  package func names(in folder: String) async throws(StepFailure) -> [String] { [] }
  package func remove(_ path: String) async throws(StepFailure) {}
}

extension StepFailure {
  /// A file that could not be read or written.
  package static func file(_ detail: String) -> StepFailure {
    StepFailure("config.file", title: "a file is not as the step needs it", detail: detail)
  }
}
