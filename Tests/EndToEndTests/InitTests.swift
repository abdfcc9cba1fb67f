import FoundationEssentials
import Glibc
import TestKit
import Testing

/// `baton init`: files that pass as they are, all of them or none.
@Suite(.timeLimit(.minutes(5))) struct InitTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private static let files = ["baton.yaml", "flows/todo.flow.yaml", "flows/todo.scenarios.yaml", ".github/workflows/baton.yml"]

  private func below(_ folder: String = ".") -> [String] { Self.files.filter { workspace.exists("\(folder)/\($0)") } }

  @Test(arguments: [".", "my-flows", "deep/in/folders/"])
  func whatItWritesPasses(_ folder: String) async throws {
    let run = try await workspace.baton(["init"] + (folder == "." ? [] : [folder]))
    #expect(run.code == 0)
    #expect(run.stdout.split(separator: "\n").count { $0.hasPrefix("+ ") } == Self.files.count)
    #expect(below(folder) == Self.files)
    let flows = folder == "." ? "flows" : "\(folder)/flows".replacing("//", with: "/")
    #expect(run.stdout.hasSuffix("next: baton check \(flows) && baton test \(flows)\n"))
    #expect(try await workspace.baton("check", flows, "--strict").code == 0)
    for name in ["staging", "production"] { #expect(try await workspace.baton("check", flows, "--env", name, "--strict").code == 0) }
    let test = try await workspace.baton("test", flows)
    #expect(test.code == 0)
    #expect(test.stdout.contains("2 passed"))
  }

  /// What the CI file runs is what there is.
  @Test func theCommandsOfTheCIFile() async throws {
    _ = try await workspace.baton("init")
    let lines = try workspace.read(".github/workflows/baton.yml").split(separator: "\n")
    let commands = lines.compactMap { line in line.firstRange(of: "run: baton ").map { line[$0.upperBound...] } }
    #expect(commands.count == 2)
    for command in commands {
      let run = try await workspace.baton(command.split(separator: " ").map(String.init))
      #expect(run.code == 0, "\(command)")
    }
    #expect(workspace.exists("baton.xml"))
  }

  @Test(arguments: files)
  func whatIsThereStays(_ name: String) async throws {
    try workspace.makeFolder("flows")
    try workspace.makeFolder(".github/workflows")
    try workspace.write(name, "mine\n")
    let run = try await workspace.baton("init")
    #expect(run.code == 2)
    #expect(run.stdout == "")
    #expect(run.stderr == "error[invalid-value]: `\(name)` is there already; name an empty folder: `baton init my-flows`\n")
    #expect(try workspace.read(name) == "mine\n")
    #expect(below() == [name])
  }

  /// A link that leads nowhere is there, too.
  @Test func aLink() async throws {
    unsafe symlink("nowhere", "\(workspace.path)/baton.yaml")
    #expect(try await workspace.baton("init").code == 2)
    #expect(!workspace.exists("nowhere"))
  }

  @Test func aFileInTheWayOfAFolder() async throws {
    try workspace.write("flows", "mine\n")
    let run = try await workspace.baton("init")
    #expect(run.code == 2)
    #expect(run.stderr.contains("the folder `flows` cannot be made: a file stands there"))
    #expect(below() == [])
    #expect(try workspace.read("flows") == "mine\n")
  }

  @Test func aFolderWithAnOddName() async throws {
    let run = try await workspace.baton("init", "a\n::error::b\u{1b}[31m")
    #expect(run.code == 0)
    #expect(!run.stdout.utf8.contains(0x1b))
    #expect(!run.stdout.contains("\n::error"))
  }

  @Test func aFolderThatCannotBeMade() async throws {
    let run = try await workspace.baton("init", "/proc/nowhere")
    #expect(run.code == 2)
    #expect(run.stderr.contains("the folder `/proc/nowhere` cannot be made"))
  }
}
