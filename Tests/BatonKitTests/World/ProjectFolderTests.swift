import FoundationEssentials
import Glibc
import StepKit
import Testing

@testable import BatonKit

/// Flows see and remove the files beneath the project's folder, and nothing else.
@Suite("The folders of a project")
struct ProjectFolderTests {
  /// A project beside a folder that is none of its own.
  private final class World {
    let outer: String
    let project: String
    var files: ProjectFiles { ProjectFiles(root: project, secretFiles: ["data/token.txt"]) }

    init() throws {
      outer = FileManager.default.temporaryDirectory.path() + "/baton-folders-\(UInt64.random(in: .min ... .max))"
      project = outer + "/project"
      for folder in ["data/deep", "empty", ".git", "../other"] {
        try FileManager.default.createDirectory(atPath: "\(project)/\(folder)", withIntermediateDirectories: true)
      }
      for file in ["data/b.txt", "data/a.txt", "data/token.txt", "data/baton.yaml", ".git/config", "../other/x", "top.txt"] {
        try Data("text".utf8).write(to: URL(filePath: "\(project)/\(file)"))
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: outer) }

    func link(_ path: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: "\(project)/\(path)", withDestinationPath: target)
    }
    func has(_ path: String) -> Bool { FileAccess.exists("\(project)/\(path)") }
  }

  // MARK: names

  @Test("give the names of their regular files, sorted, without what holds a secret")
  func names() async throws {
    let world = try World()
    try world.link("data/link", to: "a.txt")
    #expect(unsafe mkfifo(world.project + "/data/pipe", 0o600) == 0)
    #expect(try await world.files.names(in: "data") == ["a.txt", "b.txt", "baton.yaml"])
    #expect(try await world.files.names(in: "data/deep/..") == ["a.txt", "b.txt", "baton.yaml"])
    #expect(try await world.files.names(in: "data/deep") == [])
  }

  @Test("start at the flow's folder", arguments: ["", ".", "./"])
  func own(folder: String) async throws {
    let world = try World()
    #expect(try await world.files.names(in: folder) == ["top.txt"])
    var files = world.files
    files.base = "data"
    #expect(try await files.names(in: folder) == ["a.txt", "b.txt", "baton.yaml"])
    #expect(try await files.names(in: "..") == ["top.txt"])
  }

  @Test("that are not there hold nothing", arguments: ["none", "data/none", "none/none"])
  func absent(folder: String) async throws {
    let world = try World()
    #expect(try await world.files.names(in: folder) == [])
  }

  @Test(
    "are the only ones",
    arguments: [
      ("..", "it leads out of the project's folder"),
      ("../other", "it leads out of the project's folder"),
      ("/tmp", "a path starts at the flow's folder, so it has no `/` in front"),
      ("~", "a path starts at the flow's folder, not at yours"),
      (".git", "`.git` is not for flows"),
      ("data/../.GIT", "`.git` is not for flows"),
      ("up", "`up` is no folder; links are not followed"),
      ("data/a.txt", "`data/a.txt` is no folder; links are not followed"),
    ])
  func hostile(folder: String, reason: String) async throws {
    let world = try World()
    try world.link("up", to: "../other")
    let failure = await #expect(throws: StepFailure.self) { try await world.files.names(in: folder) }
    #expect(failure?.code == "config.file")
    #expect(failure?.detail == "`\(folder)` cannot be listed: \(reason)")
  }

  // MARK: removing

  @Test("lose a file that is removed, and keep the others")
  func remove() async throws {
    let world = try World()
    try await world.files.remove("data/a.txt")
    #expect(try await world.files.names(in: "data") == ["b.txt", "baton.yaml"])
  }

  @Test("have nothing happen to them where there is no such file", arguments: ["data/none", "none/none"])
  func removeAbsent(path: String) async throws {
    let world = try World()
    try await world.files.remove(path)
    #expect(try await world.files.names(in: "data") == ["a.txt", "b.txt", "baton.yaml"])
  }

  @Test(
    "keep what is not for flows to remove",
    arguments: [
      ("../other/x", "it leads out of the project's folder"),
      ("up/x", "`up` is no folder; links are not followed"),
      ("link", "it is a link, and links are not followed"),
      ("data/pipe", "it is no regular file"),
      ("data/deep", "it is a folder"),
      ("data/deep/", "it names a folder"),
      (".git/config", "`.git` is not for flows"),
      ("data/baton.yaml", "`baton.yaml` says what flows may do, so no flow writes it"),
      ("data/token.txt", "it holds a secret, as `baton.yaml` says; use it as `secrets.NAME`"),
    ])
  func kept(path: String, reason: String) async throws {
    let world = try World()
    try world.link("up", to: "../other")
    try world.link("link", to: "data/a.txt")
    #expect(unsafe mkfifo(world.project + "/data/pipe", 0o600) == 0)
    let failure = await #expect(throws: StepFailure.self) { try await world.files.remove(path) }
    #expect(failure?.code == "config.file")
    #expect(failure?.detail == "`\(path)` cannot be removed: \(reason)")
    #expect(world.has(path))
    #expect(world.has("data/a.txt"))
  }
}
