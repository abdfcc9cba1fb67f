import FoundationEssentials
import Glibc
import StepKit
import Testing

@testable import BatonKit

/// A body too large to hold becomes a file of the project, whole or not at all.
@Suite("The spool of a project's files")
struct FileSpoolTests {
  private final class World {
    let project: String
    var files: ProjectFiles { ProjectFiles(root: project, secretFiles: ["token.txt"], limit: 1000) }

    init() throws {
      project = FileManager.default.temporaryDirectory.path() + "/baton-spool-\(UInt64.random(in: .min ... .max))"
      try FileManager.default.createDirectory(atPath: project + "/out", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: project) }

    func names(_ folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: project + folder).sorted() }

    func spool(_ pieces: [UInt8]...) throws -> any BodySpool {
      let spool = try files.spool()
      for piece in pieces { try spool.write(piece.span) }
      return spool
    }
  }

  private let large = [UInt8](repeating: 7, count: 300_000)

  @Test("keeps every byte, past the size of what is held")
  func kept() async throws {
    let world = try World()
    let spool = try world.spool(large, [1, 2, 3])
    #expect(spool.count == 300_003)
    #expect(try world.names("") == ["out"], "it has no name before it is kept")
    try await spool.keep(as: "out/body.bin")
    #expect(FileManager.default.contents(atPath: world.project + "/out/body.bin").map(Array.init) == large + [1, 2, 3])
    #expect(try world.names("/out") == ["body.bin"])
    var status = stat()
    #expect(unsafe stat(world.project + "/out/body.bin", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o644 & ~currentMask())
  }

  @Test("takes the place of what stands there")
  func replaced() async throws {
    let world = try World()
    for byte: UInt8 in [1, 2] { try await world.spool([byte]).keep(as: "a") }
    #expect(FileManager.default.contents(atPath: world.project + "/a").map(Array.init) == [2])
    #expect(try world.names("") == ["a", "out"])
  }

  @Test("leaves nothing behind where it is not kept")
  func dropped() throws {
    let world = try World()
    _ = try world.spool(large)
    #expect(try world.names("") == ["out"])
  }

  @Test(
    "keeps to the rules of what is written",
    arguments: [
      ("../a", "it leads out of the project's folder"), ("/a", "a path starts at the flow's folder, so it has no `/` in front"),
      ("out", "it is a folder"), ("nowhere/a", "there is no folder `nowhere`"), (".git/hooks/a", "`.git` is not for flows"),
      ("baton.yaml", "`baton.yaml` says what flows may do, so no flow writes it"), ("link", "it is a link, and links are not followed"),
    ])
  func refused(path: String, reason: String) async throws {
    let world = try World()
    try FileManager.default.createSymbolicLink(atPath: world.project + "/link", withDestinationPath: "/etc/hostname")
    let spool = try world.spool(large)
    let failure = await #expect(throws: StepFailure.self) { try await spool.keep(as: path) }
    #expect(failure?.code == "config.file")
    #expect(failure?.detail == "`\(path)` cannot be written: \(reason)")
    #expect(try world.names("") == ["link", "out"])
  }

  @Test("goes over to another disk")
  func copied() async throws {
    let world = try World()
    let source = world.project + "/source"
    try Data(large).write(to: URL(filePath: source))
    let (from, to) = (unsafe open(source, O_RDONLY), unsafe open(world.project + "/copy", O_WRONLY | O_CREAT, 0o600))
    #expect(FileAccess.copy(from, to: to))
    #expect(FileManager.default.contents(atPath: world.project + "/copy").map(Array.init) == large)
    close(from)
    #expect(!FileAccess.copy(from, to: to))
    close(to)
  }

  private func currentMask() -> mode_t {
    let mask = umask(0o022)
    umask(mask)
    return mask
  }
}
