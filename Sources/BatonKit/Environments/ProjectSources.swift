import FlowPlan
import FrontEnds
import SourceText
import Synchronization

/// The files that a flow's plan reads: flows that it calls, tables, schemas. A path starts at the folder of the file
/// that names it; it leads to a regular file beneath the project, never into `.git`.
final class ProjectSources: Sendable {
  private let boundary: String
  /// By resolved path: a file that is named twice is one file.
  private let read: Mutex<[String: SourceFile]>

  /// - Parameter root: the flow that is planned, and its path.
  init(root: SourceFile, project: Project) {
    boundary = project.boundary
    read = Mutex([FileAccess.resolved(root.path): root])
  }

  var sources: PlanSources {
    PlanSources(
      file: { path, from in
        do throws(PlanSources.Problem) {
          return .success(try self.file(path, from))
        } catch {
          return .failure(error)
        }
      },
      flow: { file in
        let (document, diagnostics) = NativeFrontEnd.flow(from: file)
        return (document, diagnostics)
      })
  }

  private func file(_ path: String, _ from: SourceFile) throws(PlanSources.Problem) -> SourceFile {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .init("this is no path") }
    guard !path.hasPrefix("/"), !path.hasPrefix("~") else {
      throw .init("`\(path)` cannot be read: a path starts at the folder of the file that names it")
    }
    let folder = from.path.lastIndex(of: "/").map { String(from.path[...$0]) } ?? ""
    let shown = Self.folded(folder + path)
    // Links are resolved first: one that leads out is out.
    let resolved = FileAccess.resolved(folder + path)
    guard FileAccess.exists(folder + path) else { throw .init("`\(path)` cannot be read: there is no such file") }
    guard resolved.hasPrefix(boundary == "/" ? "/" : boundary + "/") else {
      throw .init("`\(path)` cannot be read: it leads out of the project's folder")
    }
    guard !resolved.split(separator: "/").contains(".git") else { throw .init("`\(path)` cannot be read: `.git` is not for flows") }
    if let known = read.withLock({ $0[resolved] }) { return known }
    do throws(FileFailure) {
      let file = SourceFile(path: shown, bytes: try FileAccess.read(resolved))
      read.withLock { $0[resolved] = file }
      return file
    } catch {
      // The project's own path of the file is of no use to anyone.
      throw .init(error.message.replacing(resolved, with: path))
    }
  }

  /// Without `.` and `..`, as far as they can be left out.
  static func folded(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
