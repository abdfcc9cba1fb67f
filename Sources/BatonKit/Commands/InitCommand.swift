import Diagnostics
import Glibc

/// `baton init [FOLDER]`: a first flow, its scenarios, environments and a CI file, that pass as they are.
public struct InitCommand: Sendable {
  /// Where the files go; created if it is missing.
  public var folder: String

  public init(folder: String) { self.folder = folder }

  /// Writes all of the files or none: 0, or 2 where one of them is there already or cannot be written.
  public func execute(_ terminal: Terminal) -> Int {
    do throws(FileFailure) {
      let files = ProjectTemplate.files.map { (path: FileAccess.joined(folder, $0.path), text: $0.text) }
      if let existing = files.first(where: { FileAccess.exists($0.path) }) {
        throw FileFailure(message: "`\(existing.path)` is there already; name an empty folder: `baton init my-flows`")
      }
      for file in files { try FileAccess.createFolders(above: file.path) }
      try write(files)
      terminal.write(summary(files.map(\.path)), to: .output)
      return 0
    } catch {
      terminal.show([Diagnostic(.invalidValue, error.message, at: nil)])
      return 2
    }
  }

  private func write(_ files: [(path: String, text: String)]) throws(FileFailure) {
    for (index, file) in files.enumerated() {
      do throws(FileFailure) {
        try FileAccess.write(file.text, to: file.path)
      } catch {
        for written in files[..<index] { unsafe unlink(written.path) }
        throw error
      }
    }
  }

  private func summary(_ paths: [String]) -> String {
    let flows = shownText(FileAccess.joined(folder, "flows"))
    return paths.map { "+ \(shownText($0))\n" }.joined() + "\nnext: baton check \(flows) && baton test \(flows)\n"
  }
}
