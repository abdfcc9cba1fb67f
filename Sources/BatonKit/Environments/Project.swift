import Diagnostics
import FlowSyntax
import FrontEnds
import Glibc
import SourceText

/// Where a flow belongs: the folder that its files live in, and the `baton.yaml` that its operators wrote.
///
/// `baton.yaml` is searched for upwards from the flow, as far as the root of its repository. One that others may
/// change says nothing: it is no project's.
struct Project: Sendable {
  /// The folder of `baton.yaml`, else the flow's own: paths that steps name start here, and programs do.
  let folder: String
  /// What the flow's plan may read stands beneath it: the folder of `baton.yaml`, else the repository, else the flow's own.
  let boundary: String
  /// The `baton.yaml`, as it was found; nil where there is none.
  let file: String?
  /// Why `file` is not to be trusted.
  let distrust: String?

  /// - Parameter flow: a flow's path.
  init(of flow: String) {
    let own = Self.folder(of: FileAccess.resolved(flow))
    var current = own
    while true {
      let candidate = FileAccess.joined(current, "baton.yaml")
      if FileAccess.exists(candidate) {
        distrust = Self.distrust(candidate)
        file = Self.shown(candidate, beside: flow)
        (folder, boundary) = distrust == nil ? (current, current) : (own, own)
        return
      }
      if FileAccess.exists(FileAccess.joined(current, ".git")) || current == "/" { break }
      current = Self.folder(of: current)
    }
    (folder, boundary, file, distrust) = (own, current == "/" ? own : current, nil, nil)
  }

  /// What an author wrote in `baton.yaml`.
  /// - Throws: why there is nothing to read, as findings.
  func document(for environment: String) throws(Findings) -> ProjectDocument {
    guard let file else {
      throw Findings([
        Diagnostic(
          .missingFile, "there is no `baton.yaml` with the environment `\(environment)`", at: nil,
          notes: ["it is searched for from `\(folder)` upwards, as far as the root of the repository"],
          help: ["write one beside the flow: `environments: { \(environment): { hosts: […] } }`"])
      ])
    }
    if let distrust {
      throw Findings([Diagnostic(.invalidValue, "`\(file)` \(distrust)", at: nil, help: [Self.mend(file)])])
    }
    let source: SourceFile
    do throws(FileFailure) {
      source = SourceFile(path: file, bytes: try FileAccess.read(file))
    } catch {
      throw Findings([Diagnostic(.missingFile, error.message, at: nil)])
    }
    let (document, diagnostics) = NativeFrontEnd.project(from: source)
    guard let document, !diagnostics.hasErrors else { throw Findings(diagnostics) }
    return document
  }

  /// The files that its environments name for secrets and answers, from the folder on; none where `baton.yaml` cannot be read.
  func secretFiles() -> Set<String> {
    guard file != nil, distrust == nil, let document = try? document(for: "") else { return [] }
    let sources = document.environments.flatMap { $0.secrets.map(\.1) + $0.answers.map(\.1) }
    return Set(
      sources.compactMap { source -> String? in
        guard case .file(let path) = source, !path.value.hasPrefix("/") else { return nil }
        return ProjectSources.folded(path.value)
      })
  }

  // MARK: - trust

  /// Nil where only the user and root may change the file.
  private static func distrust(_ path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "cannot be read: \(FileAccess.reason(errno))" }
    guard status.st_mode & S_IFMT == S_IFREG else { return "is no regular file" }
    guard status.st_uid == geteuid() || status.st_uid == 0 else { return "belongs to another user" }
    return status.st_mode & 0o022 == 0 ? nil : "may be changed by others"
  }

  private static func mend(_ path: String) -> String { "make it yours alone to write: `chmod go-w \(path)`, and own it" }

  // MARK: - paths

  /// The folder of an absolute path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// An absolute path as people called the flow: relative to where they are.
  private static func shown(_ path: String, beside flow: String) -> String {
    let here = FileAccess.resolved(".")
    guard !flow.hasPrefix("/"), path.hasPrefix(here + "/") else { return path }
    return String(path.dropFirst(here.utf8.count + 1))
  }
}
