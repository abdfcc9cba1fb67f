import FoundationEssentials
import Glibc
import TestKit
import Testing

/// `state`: what a flow keeps between runs, and `baton state`, which lists, shows and forgets it.
@Suite(.timeLimit(.minutes(5))) struct StateTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("a.flow.yaml", Self.flow)
  }

  private static let flow = """
    inputs: { key: { type: string, default: "" } }
    state: { n: { type: integer, default: 0 }, note: { type: string, default: none } }
    state_key: ${{ inputs.key }}
    steps:
      - set: { state.n: "${{ state.n + 1 }}" }
    outputs: { n: "${{ state.n }}" }

    """

  private static let folder = ".local/state/baton/state"

  private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Ended {
    try await workspace.baton(["run", "a.flow.yaml"] + arguments, environment: environment)
  }

  /// The only file of the store.
  private func file() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(workspace.path)/\(Self.folder)")
    #expect(names.count == 1)
    return "\(Self.folder)/\(try #require(names.first))"
  }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return unsafe stat("\(workspace.path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
  }

  // MARK: - what is kept

  @Test func theNextRunGoesOn() async throws {
    for number in 1...3 { #expect(try await run().stdout.contains("= n  \(number)\n")) }
    #expect(try await workspace.baton("state", "show", "a.flow.yaml").stdout == #"{"n":3,"note":"none"}"# + "\n")
    #expect(mode(try file()) == 0o600)
    #expect(mode(Self.folder) == 0o700)
  }

  @Test func eachKeyHasItsOwn() async throws {
    for key in ["x", "y", "x"] { _ = try await run("--input", "key=\(key)") }
    for (key, count) in [("x", 2), ("y", 1)] {
      #expect(try await workspace.baton("state", "show", "a.flow.yaml", "--key", key).stdout.hasPrefix(#"{"n":\#(count),"#))
    }
    #expect(try await workspace.baton("state", "reset", "a.flow.yaml", "--key", "x").code == 0)
    #expect(try await run("--input", "key=x").stdout.contains("= n  1\n"))
    #expect(try await run("--input", "key=y").stdout.contains("= n  2\n"))
  }

  @Test func eachEnvironmentHasItsOwn() async throws {
    try workspace.write("baton.yaml", "environments: { qa: {}, ci: {} }\n")
    _ = try await run("--env", "qa")
    #expect(try await run("--env", "ci").stdout.contains("= n  1\n"))
    #expect(try await run("--env", "qa").stdout.contains("= n  2\n"))
    #expect(try await workspace.baton("state", "reset", "a.flow.yaml", "--env", "qa").code == 0)
    #expect(try await workspace.baton("state", "list").stdout.split(separator: "\n").count == 1)
  }

  @Test func theListForPeopleAndForPrograms() async throws {
    #expect(try await workspace.baton("state").stdout == "no flow keeps any state\n")
    _ = try await run("--input", "key=\u{1b}]52;c;aGk=\u{7}")
    let list = try await workspace.baton("state", "list")
    #expect(list.code == 0)
    #expect(list.stdout.hasSuffix("n, note\n"))
    #expect(!list.stdout.utf8.contains(0x1b), "what a flow names reaches no terminal as it is")
    let entries = try JSONValue(try await workspace.baton("state", "list", "--json").stdout).items
    #expect(entries.count == 1)
    #expect(entries.first?["values"]?["n"]?.int == 1)
  }

  // MARK: - what is refused

  @Test(arguments: [["show"], ["reset"], ["show", "--env", "qa"], ["reset", "--key", "x"]])
  func whatIsNotThere(_ words: [String]) async throws {
    _ = try await run()
    let arguments = ["state", words[0], words.count == 1 ? "other.flow.yaml" : "a.flow.yaml"] + words.dropFirst()
    let command = try await workspace.baton(arguments)
    #expect(command.code == 2)
    #expect(command.stderr.contains("keeps no such state; `baton state list` shows what there is"))
    #expect(try await run().stdout.contains("= n  2\n"))
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"flow": "x"}"#, #"{"flow": "/other.flow.yaml", "values": {"n": 7}}"#])
  func aFileThatHoldsNoStateOfThisFlow(_ text: String) async throws {
    _ = try await run()
    try workspace.write("b.flow.yaml", Self.flow)
    let broken = try file()
    _ = try await workspace.baton("run", "b.flow.yaml")
    try workspace.write(broken, text)
    let refused = try await run()
    #expect(refused.code == 2)
    #expect(refused.stderr.contains("remove it to begin anew"))
    // It keeps nobody from the others, and can be forgotten.
    let list = try await workspace.baton("state", "list")
    #expect(list.code == 0)
    #expect(list.stdout.contains("b.flow.yaml"))
    #expect(try await workspace.baton("state", "show", "b.flow.yaml").code == 0)
    #expect(try await workspace.baton("state", "reset", "a.flow.yaml").code == 0)
    #expect(try await run().stdout.contains("= n  1\n"))
  }

  @Test func aValueThatDoesNotFitAnyMore() async throws {
    _ = try await run()
    try workspace.write(
      "a.flow.yaml", Self.flow.replacing("note: { type: string, default: none }", with: "note: { type: integer, default: 0 }"))
    let refused = try await run()
    #expect(refused.code == 2)
    #expect(refused.stderr.contains("the state `note` does not fit its schema any more"))
    #expect(refused.stderr.contains("`baton state reset a.flow.yaml`"))
  }

  @Test(arguments: ["link", "pipe", "folder"])
  func whatIsNoFile(_ kind: String) async throws {
    _ = try await run()
    let path = "\(workspace.path)/\(try file())"
    try workspace.write("elsewhere.json", try workspace.read(try file()))
    try FileManager.default.removeItem(atPath: path)
    switch kind {
    case "link": unsafe _ = symlink("\(workspace.path)/elsewhere.json", path)
    case "pipe": unsafe _ = mkfifo(path, 0o600)
    default: unsafe _ = mkdir(path, 0o700)
    }
    let before = try workspace.read("elsewhere.json")
    #expect(try await run().code == 2)
    #expect(try workspace.read("elsewhere.json") == before)
  }

  /// Before anything is sent, not after.
  @Test func aPlaceThatCannotBeWritten() async throws {
    let server = try RawServer.answering { _ in answer() }
    try workspace.write("a.flow.yaml", Self.flow.replacing("steps:\n", with: "steps:\n  - get: \(server.origin)/first\n"))
    try workspace.write("taken", "")
    for folder in ["\(workspace.path)/taken", "/proc/nowhere"] {
      let refused = try await run(environment: ["BATON_STATE_DIR": folder])
      #expect(refused.code == 2)
      #expect(refused.stderr.contains(folder))
    }
    #expect(server.connections == 0)
    #expect(try await run(environment: ["BATON_STATE_DIR": "\(workspace.path)/own"]).code == 0)
    #expect(mode("own/state") == 0o700)
  }

  @Test func aSecretIsNotKept() async throws {
    try workspace.write(
      "a.flow.yaml",
      "inputs: { k: { type: string, secret: true } }\nstate: { n: { type: string, default: \"\" } }\nsteps:\n  - set: { state.n: \"${{ inputs.k }}\" }\n"
    )
    let run = try await workspace.baton("check", "a.flow.yaml")
    #expect(run.code == 2)
    #expect(run.stderr.contains("error[secret-exposed]: a secret is kept between runs"))
  }

  // MARK: - many at once

  /// The last one wins whole: no file is half of one and half of the other, and none is left over.
  @Test func runsAtOnce() async throws {
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<6 { group.addTask { try await run().code } }
      for try await code in group { #expect(code == 0) }
    }
    let text = try workspace.read(try file())
    let count = try #require(try JSONValue(text)["values"]?["n"]?.int)
    #expect((1...6).contains(count))
  }
}
