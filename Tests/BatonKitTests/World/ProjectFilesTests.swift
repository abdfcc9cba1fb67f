import FoundationEssentials
import Glibc
import StepKit
import Testing

@testable import BatonKit

/// Flows reach the files beneath the project's folder, and nothing else.
@Suite("The files of a project")
struct ProjectFilesTests {
  /// A project beside a file that is none of its own.
  private final class World {
    let outer: String
    let project: String
    var files: ProjectFiles { ProjectFiles(root: project, secretFiles: ["secrets/token.txt"]) }

    init() throws {
      outer = FileManager.default.temporaryDirectory.path() + "/baton-files-\(UInt64.random(in: .min ... .max))"
      project = outer + "/project"
      for folder in ["data/deep", "out"] {
        try FileManager.default.createDirectory(atPath: "\(project)/\(folder)", withIntermediateDirectories: true)
      }
      try put("secret", at: "../outside.txt")
      try put("inside", at: "data/a.txt")
    }

    deinit { try? FileManager.default.removeItem(atPath: outer) }

    func put(_ text: String, at path: String) throws { try Data(text.utf8).write(to: URL(filePath: "\(project)/\(path)")) }
    func link(_ path: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: "\(project)/\(path)", withDestinationPath: target)
    }
    func text(_ path: String) -> String? {
      FileManager.default.contents(atPath: "\(project)/\(path)").map { String(decoding: $0, as: UTF8.self) }
    }
    func names(_ folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: "\(project)/\(folder)").sorted() }
  }

  @Test("are read by their path", arguments: ["data/a.txt", "./data/a.txt", "data/deep/../a.txt", "data//a.txt", "data/./a.txt"])
  func read(path: String) async throws {
    let world = try World()
    #expect(try await world.files.read(path) == Array("inside".utf8))
    #expect(world.text("data/a.txt") == "inside")
  }

  @Test(
    "are the only ones",
    arguments: [
      ("../outside.txt", "it leads out of the project's folder"),
      ("data/../../outside.txt", "it leads out of the project's folder"),
      ("data/deep/../../../project/../outside.txt", "it leads out of the project's folder"),
      ("/etc/hostname", "a path starts at the flow's folder, so it has no `/` in front"),
      ("/proc/self/environ", "a path starts at the flow's folder, so it has no `/` in front"),
      ("~/.netrc", "a path starts at the flow's folder, not at yours"),
      ("link.txt", "it is a link, and links are not followed"),
      ("up/outside.txt", "`up` is no folder; links are not followed"),
      ("processes/self/environ", "`processes` is no folder; links are not followed"),
      ("data/pipe", "it is no regular file"),
      ("data/socket", "it is no regular file"),
      ("data/deep", "it is a folder"),
      ("data/", "it names a folder"),
      ("", "it names a folder"),
      ("..", "it leads out of the project's folder"),
      ("data/a.txt/b", "`data/a.txt` is no folder; links are not followed"),
      ("data/none.txt", "there is no such file"),
      ("none/a.txt", "there is no folder `none`"),
      (".git/config", "`.git` is not for flows"),
      ("data/../data/.GIT/hooks/x", "`.git` is not for flows"),
      ("secrets/token.txt", "it holds a secret, as `baton.yaml` says; use it as `secrets.NAME`"),
      ("data/../secrets/./token.txt", "it holds a secret, as `baton.yaml` says; use it as `secrets.NAME`"),
    ])
  func hostile(path: String, reason: String) async throws {
    let world = try World()
    try world.link("link.txt", to: "../outside.txt")
    try world.link("up", to: "..")
    try world.link("processes", to: "/proc")
    #expect(unsafe mkfifo(world.project + "/data/pipe", 0o600) == 0)
    #expect(unsafe mknod(world.project + "/data/socket", S_IFSOCK | 0o600, 0) == 0)

    for (deed, word) in [("read", "read"), ("write", "written")] {
      // A new file in a folder that is there may be written.
      if deed == "write", path == "data/none.txt" { continue }
      let failure = await #expect(throws: StepFailure.self) {
        if deed == "read" { _ = try await world.files.read(path) } else { try await world.files.write([], to: path) }
      }
      #expect(failure?.code == "config.file")
      #expect(failure?.detail == "`\(path)` cannot be \(word): \(reason)")
    }
    #expect(world.text("../outside.txt") == "secret")
  }

  @Test("are told from a path with a NUL or control characters")
  func unprintable() async throws {
    let world = try World()
    let zero = await #expect(throws: StepFailure.self) { try await world.files.read("data/a.txt\0.png") }
    #expect(zero?.detail == #""data/a.txt\0.png" cannot be read: the path holds a NUL"#)
    let escape = await #expect(throws: StepFailure.self) { try await world.files.read("\u{1B}[2J") }
    #expect(escape?.detail == #""\u{1B}[2J" cannot be read: there is no such file"#)
  }

  @Test("are read up to a size, and written up to it")
  func size() async throws {
    let world = try World()
    var files = world.files
    files.limit = 1 << 20
    try await files.write(Array(repeating: 0, count: 1 << 20), to: "out/full")
    #expect(try await files.read("out/full").count == 1 << 20)
    let failure = await #expect(throws: StepFailure.self) { try await files.write(Array(repeating: 0, count: 1 + 1 << 20), to: "out/more") }
    #expect(failure?.detail == "`out/more` cannot be written: it would be larger than 1 MiB")
    files.limit = 5
    let read = await #expect(throws: StepFailure.self) { try await files.read("data/a.txt") }
    #expect(read?.code == "config.file")
  }

  @Test("are written whole, with nothing left beside them")
  func write() async throws {
    let world = try World()
    try await world.files.write(Array("one".utf8), to: "out/new.txt")
    try await world.files.write(Array("two".utf8), to: "out/new.txt")
    #expect(world.text("out/new.txt") == "two")
    #expect(try world.names("out") == ["new.txt"])
    var status = stat()
    #expect(unsafe stat("\(world.project)/out/new.txt", &status) == 0)
    let mask = umask(0)
    umask(mask)
    #expect(status.st_mode & 0o777 == 0o644 & ~mask)
  }

  @Test("are written beside another name of the same file, not through it")
  func hardLink() async throws {
    let world = try World()
    #expect(unsafe Glibc.link("\(world.outer)/outside.txt", "\(world.project)/out/same") == 0)
    try await world.files.write(Array("new".utf8), to: "out/same")
    #expect(world.text("out/same") == "new")
    #expect(world.text("../outside.txt") == "secret")
  }

  @Test("are not those that say what flows may do", arguments: ["baton.yaml", "data/baton.yaml", ".git/config", "data/.GIT/hooks/x"])
  func ownFiles(path: String) async throws {
    let world = try World()
    let failure = await #expect(throws: StepFailure.self) { try await world.files.write([], to: path) }
    #expect(failure?.code == "config.file")
    #expect(failure?.detail.contains("flow") == true)
    #expect(try world.names("data") == ["a.txt", "deep"])
  }
}
