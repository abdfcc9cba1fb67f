import Glibc
import TestKit
import Testing

/// `baton sandbox`: the stand-ins, in a terminal of their own.
@Suite(.timeLimit(.minutes(5))) struct SandboxTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func itServesUntilItIsTold(_ signal: Int32) async throws {
    let workspace = try Workspace()
    let sandbox = try workspace.start(["sandbox", "--port", "0"])
    let shown = await sandbox.output(containing: "Ctrl-C")
    let address = try #require(shown.firstMatch(of: /sandbox on http:\/\/127\.0\.0\.1:(\d+)\n/), "\(shown)")
    #expect(masked(shown).contains("  rapidsos  base_url, media_url: http://127.0.0.1:PORT/rapidsos\n"))
    #expect(address.1 != "0")
    let health = try Workspace.shipped("flows/http/health.flow.yaml")
    try workspace.write("health.flow.yaml", health.replacing(":4010", with: ":\(address.1)"))
    let run = try await workspace.start(["run", "health.flow.yaml"]).end()
    #expect(run.code == 0)
    sandbox.signal(signal)
    let end = try await sandbox.end()
    #expect(end.code == 0)
    #expect(end.stderr == "")
  }

  @Test func aPortThatIsTaken() async throws {
    let workspace = try Workspace()
    let server = try RawServer { $0.waitForClose() }
    let run = try await workspace.baton("sandbox", "--port", "\(server.port)")
    #expect(run.code == 2)
    #expect(run.stderr.contains("the sandbox cannot listen on 127.0.0.1:\(server.port)"))
    #expect(!run.stderr.contains("bind("), "the words are ours, not the library's")
  }

  /// One run's sandbox has what a file says, and the file is judged before anything is sent.
  @Test(arguments: [
    ("ostelco: { users: [ { email: mei@example.test, name: Ada Lovelace } ] }", 0, #""name": "Ada Lovelace""#),
    ("ostelco: { users: [ { email: mei@example.test, nam: Ada } ] }", 2, "world.yaml: `given.ostelco.users[0]`: unknown key `nam`"),
    ("ostelcoo: {}", 2, "`ostelcoo`"),
  ])
  func itHasWhatARunGives(_ world: String, _ code: Int32, _ told: String) async throws {
    let workspace = try Workspace()
    try workspace.write(
      "a.flow.yaml",
      """
      connections: { ostelco: { client_id: an-id } }
      steps:
        - { uses: ostelco/login, with: { login_hint: mei@example.test } }
        - { id: who, uses: ostelco/get-profile }
      outputs: { name: "${{ steps.who.outputs.name }}" }

      """)
    try workspace.write("world.yaml", world)
    let run = try await workspace.baton("run", "a.flow.yaml", "--sandbox", "--given", "world.yaml", "--json")
    #expect(run.code == code, "\(run)")
    #expect(run.everything.contains(told), "\(run)")
    let alone = try await workspace.baton("run", "a.flow.yaml", "--given", "world.yaml")
    #expect(alone.code != 0 && alone.stderr.contains("add `--sandbox`"), "\(alone)")
  }
}
