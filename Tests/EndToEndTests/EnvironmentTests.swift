import Glibc
import TestKit
import Testing

/// `baton.yaml`: what differs between environments, and where their secrets and answers come from.
@Suite(.timeLimit(.minutes(5))) struct EnvironmentTests {
  private let workspace: Workspace
  private let server: RawServer

  init() throws {
    workspace = try Workspace()
    server = try RawServer.answering { _ in answer() }
    try workspace.makeFolder("flows/deep")
    try workspace.write(
      "flows/deep/a.flow.yaml",
      """
      inputs: { email: { type: string, format: email }, tries: { type: integer, default: 1 } }
      secrets: [token]
      connections:
        api: { system: http, base_url: "https://api.example.test", bearer: "${{ secrets.token }}" }
      steps:
        - post: /orders
          with: { json: { email: "${{ inputs.email }}", tries: "${{ inputs.tries }}" } }

      """)
  }

  private static let flow = "flows/deep/a.flow.yaml"

  /// An environment that makes the flow run against the test's server.
  private func project(_ more: String = "", secrets: String = "token: { env: QA_TOKEN }") -> String {
    """
    environments:
      base:
        connections: { http: { base_url: "\(server.origin)" } }
        inputs: { email: qa@example.test, other: ignored }
        hosts: ["\(host)"]
      qa:
        extends: base
        inputs: { tries: 3 }
        secrets: { \(secrets) }
    \(more)
    """
  }

  private var host: String { server.origin.replacing("http://", with: "") }

  private func sent() -> [String] {
    server.received.map { "\($0.values(of: "Authorization").first ?? "-") \(String(decoding: $0.body, as: UTF8.self))" }
  }

  private func expectRefusal(_ run: Ended, _ messages: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(run.code == 2, sourceLocation: sourceLocation)
    for message in messages { #expect(run.stderr.contains(message), sourceLocation: sourceLocation) }
    #expect(server.connections == 0, sourceLocation: sourceLocation)
  }

  // MARK: - what an environment gives

  @Test func itsConnectionsInputsAndSecretsAreMerged() async throws {
    try workspace.write("baton.yaml", project())
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", environment: ["QA_TOKEN": "hidden-token"])
    #expect(run.code == 0)
    #expect(sent() == [#"Bearer hidden-token {"email":"qa@example.test","tries":3}"#])
    #expect(!run.everything.contains("hidden-token"))
  }

  @Test func theCommandLineWins() async throws {
    try workspace.write("baton.yaml", project())
    let run = try await workspace.baton(
      "run", Self.flow, "--env", "qa", "--input", "email=own@example.test",
      environment: ["QA_TOKEN": "t0ken-of-qa", "BATON_SECRET_TOKEN": "other"])
    #expect(run.code == 0)
    #expect(sent() == [#"Bearer t0ken-of-qa {"email":"own@example.test","tries":3}"#])
  }

  @Test func testsRunInAnEnvironmentToo() async throws {
    try workspace.write("baton.yaml", project())
    let run = try await workspace.baton("test", "flows", "--env", "qa", environment: ["QA_TOKEN": "hidden-token"])
    #expect(run.code == 0)
    #expect(sent().count == 1)
  }

  // MARK: - secrets

  @Test func aSecretOfAFile() async throws {
    try workspace.write("baton.yaml", project(secrets: "token: { file: token.txt }"))
    try workspace.write("token.txt", "from-a-file\n", mode: 0o600)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", "-v")
    #expect(run.code == 0)
    #expect(sent().first?.hasPrefix("Bearer from-a-file ") == true)
    #expect(!run.everything.contains("from-a-file"))
  }

  @Test func aSecretOfAFileThatOthersMayRead() async throws {
    try workspace.write("baton.yaml", project(secrets: "token: { file: token.txt }"))
    try workspace.write("token.txt", "from-a-file\n", mode: 0o644)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    expectRefusal(
      run, "error[missing-secret]: the secret `token` cannot be had: `token.txt` is readable by others", "--> baton.yaml:9:16",
      "close it: `chmod 600 token.txt`")
    #expect(!run.everything.contains("from-a-file"))
  }

  @Test func aSecretOfAProgram() async throws {
    try workspace.write("baton.yaml", project(secrets: "token: { command: [./secret, qa] }"))
    try workspace.write("secret", "#!/bin/sh\nprintf 'printed-%s\\n\\n' \"$1$OWN\"\n", mode: 0o755)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", "-v", environment: ["OWN": "-mine"])
    // One newline is the program's, a second one would be the secret's own: no header may hold it.
    #expect(run.code != 0)
    try workspace.write("secret", "#!/bin/sh\nprintf 'printed-%s\\n' \"$1$OWN\"\n", mode: 0o755)
    let second = try await workspace.baton("run", Self.flow, "--env", "qa", "-v", environment: ["OWN": "-mine"])
    #expect(second.code == 0)
    #expect(sent().last?.hasPrefix("Bearer printed-qa-mine ") == true)
    #expect(!second.everything.contains("printed-qa"))
  }

  @Test func aProgramThatFails() async throws {
    try workspace.write("baton.yaml", project(secrets: "token: { command: [./secret] }"))
    try workspace.write("secret", "#!/bin/sh\necho the vault is locked >&2\nexit 3\n", mode: 0o755)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    expectRefusal(
      run, "error[missing-secret]: the secret `token` cannot be had: `./secret` ended with 3: the vault is locked", "--> baton.yaml:9:16")
  }

  @Test func aProgramThatIsNotThere() async throws {
    try workspace.write("baton.yaml", project(secrets: "token: { command: [./secret] }"))
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    expectRefusal(run, "`./secret` cannot be run: there is no such file", "--> baton.yaml:9:16")
  }

  @Test func aVariableThatIsNotSet() async throws {
    try workspace.write("baton.yaml", project())
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    expectRefusal(
      run, "error[missing-secret]: the secret `token` is missing: the variable `QA_TOKEN` is not set", "--> baton.yaml:9:16",
      "set `QA_TOKEN`, or name another source in the environment `qa`")
    let other = try await workspace.baton("run", Self.flow, "--env", "qa", environment: ["BATON_SECRET_TOKEN": "spare-token"])
    #expect(other.code == 0)
  }

  // MARK: - answers

  private func asking() throws {
    try workspace.write(
      "flows/deep/a.flow.yaml",
      """
      connections: { api: { system: http, base_url: "\(server.origin)" } }
      steps:
        - post: /before
        - id: pin
          uses: prompt
          with: { text: The PIN, secret: true }
        - post: /after
          with: { json: { pin: "${{ steps.pin.outputs.value }}" } }

      """)
  }

  @Test func aProgramAnswersWhenItIsAsked() async throws {
    try asking()
    try workspace.write("baton.yaml", project("    answers: { pin: { command: [./read-sms, --to, qa] } }"))
    // The first request has been sent by then.
    try workspace.write("read-sms", "#!/bin/sh\necho \"271828$#\"\ntouch asked\n", mode: 0o755)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", "-v")
    #expect(run.code == 0)
    #expect(sent().last?.hasSuffix(#"{"pin":"2718282"}"#) == true)
    #expect(workspace.exists("asked"))
    #expect(!run.everything.contains("2718282"))
  }

  @Test func aVariableComesBeforeTheEnvironment() async throws {
    try asking()
    try workspace.write("baton.yaml", project("    answers: { pin: { command: [./read-sms] } }"))
    try workspace.write("read-sms", "#!/bin/sh\ntouch asked\n", mode: 0o755)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", environment: ["BATON_ANSWER_PIN": "161803"])
    #expect(run.code == 0)
    #expect(!workspace.exists("asked"))
    #expect(sent().last?.hasSuffix(#"{"pin":"161803"}"#) == true)
  }

  @Test func anAnswerInTheFile() async throws {
    try asking()
    try workspace.write("baton.yaml", project("    answers: { pin: \"314159\", other: x }"))
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    #expect(run.code == 0)
    #expect(sent().last?.hasSuffix(#"{"pin":"314159"}"#) == true)
  }

  @Test func aProgramThatHasNoAnswer() async throws {
    try asking()
    try workspace.write("baton.yaml", project("    answers: { pin: { command: [./read-sms] } }"))
    try workspace.write("read-sms", "#!/bin/sh\necho no message came >&2; exit 1\n", mode: 0o755)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    #expect(run.code == 3)
    #expect(run.everything.contains("`./read-sms` ended with 1: no message came"))
    #expect(sent().count == 1)
  }

  // MARK: - hosts

  /// A secret goes to no host that the environment does not name.
  @Test func aHostThatIsNotListed() async throws {
    try workspace.write("baton.yaml", project("    hosts: [api.example.test, \"*.example.org\"]"))
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", environment: ["QA_TOKEN": "hidden-token"])
    expectRefusal(
      run, "error[host-not-allowed]: the environment `qa` does not allow the host `\(host)`", "--> baton.yaml:3:39", "it allows these",
      "add `\(host)` to its `hosts`")
  }

  /// Loopback is a host like any other.
  @Test func anAddressInTheFlow() async throws {
    try workspace.write("b.flow.yaml", "steps:\n  - get: \(server.origin)/health\n")
    try workspace.write("baton.yaml", project("    hosts: [\"127.0.0.1\"]"))
    let run = try await workspace.baton("run", "b.flow.yaml", "--env", "qa")
    expectRefusal(run, "error[host-not-allowed]: the environment `qa` does not allow the host `\(host)`", "--> b.flow.yaml:2:10")
    let allowed = try await workspace.baton("run", "b.flow.yaml", "--env", "base")
    #expect(allowed.code == 0)
  }

  /// What is known only once the run goes on is held against the list before it is sent.
  @Test func anAddressThatComesLate() async throws {
    let other = try RawServer.answering { _ in answer() }
    try workspace.write(
      "b.flow.yaml",
      """
      steps:
        - id: where
          get: \(server.origin)/where
          outputs: { url: "${{ '\(other.origin)/next' }}" }
        - get: ${{ steps.where.outputs.url }}

      """)
    try workspace.write("baton.yaml", project())
    let run = try await workspace.baton("run", "b.flow.yaml", "--env", "base")
    #expect(run.code == 3)
    #expect(run.everything.contains("add it to its `hosts` in `baton.yaml`"))
    #expect(other.connections == 0)
  }

  @Test func checkKnowsTheEnvironment() async throws {
    try workspace.write("baton.yaml", project("    hosts: [api.example.test]"))
    let run = try await workspace.baton("check", "flows", "--env", "qa")
    expectRefusal(run, "error[host-not-allowed]: the environment `qa` does not allow the host `\(host)`", "--> baton.yaml:3:39")
    let without = try await workspace.baton("check", "flows")
    #expect(without.code == 0)
  }

  @Test func anEnvironmentWithoutHostsAllowsNone() async throws {
    try workspace.write("baton.yaml", "environments:\n  qa: { secrets: { token: { env: QA_TOKEN } }, inputs: { email: a@b.example } }\n")
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", environment: ["QA_TOKEN": "hidden-token"])
    expectRefusal(
      run, "error[host-not-allowed]: the environment `qa` does not allow the host `api.example.test`", "--> flows/deep/a.flow.yaml:4:35",
      "it lists no `hosts`", "write `hosts: [\"api.example.test\"]` in it")
  }

  // MARK: - the file itself

  @Test func thereIsNone() async throws {
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    expectRefusal(
      run, "error[missing-file]: there is no `baton.yaml` with the environment `qa`", "upwards, as far as the root of the repository")
  }

  /// What stands above a repository is not its own.
  @Test func theSearchEndsWithTheRepository() async throws {
    try workspace.write("baton.yaml", project())
    try workspace.makeFolder("flows/.git")
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", environment: ["QA_TOKEN": "hidden-token"])
    expectRefusal(run, "error[missing-file]: there is no `baton.yaml` with the environment `qa`")
  }

  @Test func anUnknownEnvironment() async throws {
    try workspace.write("baton.yaml", project())
    for command in ["run", "check"] {
      let run = try await workspace.baton(command, Self.flow, "--env", "qaa")
      expectRefusal(run, "error[unknown-name]: there is no environment `qaa`", "did you mean `qa`?")
    }
  }

  @Test func oneThatOthersMayChange() async throws {
    try workspace.write("baton.yaml", project(), mode: 0o664)
    let run = try await workspace.baton("run", Self.flow, "--env", "qa", environment: ["QA_TOKEN": "hidden-token"])
    expectRefusal(run, "error[invalid-value]: `baton.yaml` may be changed by others", "`chmod go-w baton.yaml`")
  }

  @Test func environmentsThatExtendEachOther() async throws {
    try workspace.write("baton.yaml", "environments:\n  a: { extends: b }\n  b: { extends: c }\n  c: { extends: b }\n")
    let run = try await workspace.baton("run", Self.flow, "--env", "a")
    expectRefusal(run, "error[invalid-value]: these environments extend each other without end: `b` → `c` → `b`", "--> baton.yaml:4:17")
  }

  @Test func anEnvironmentThatIsNotThereToExtend() async throws {
    try workspace.write("baton.yaml", "environments:\n  staging: {}\n  b: { extends: stagin }\n")
    let run = try await workspace.baton("run", Self.flow, "--env", "b")
    expectRefusal(run, "error[unknown-name]: there is no environment `stagin` to extend", "--> baton.yaml:3:17", "did you mean `staging`?")
  }

  @Test func aFaultInTheFile() async throws {
    try workspace.write("baton.yaml", "environments:\n  qa: { host: [a] }\n")
    let run = try await workspace.baton("run", Self.flow, "--env", "qa")
    expectRefusal(run, "error[unknown-key]: the environment `qa` has no key `host`", "did you mean `hosts`?")
  }

  // MARK: - the sandbox

  @Test func theSandboxTakesTheAddressesAlone() async throws {
    try workspace.write("baton.yaml", "environments:\n  qa: { connections: { rapidsos: { base_url: \"\(server.origin)\" } } }\n")
    try workspace.write("onboarding.flow.yaml", try Workspace.shipped("flows/rapidsos/onboarding.flow.yaml"))
    let inputs = ["--input", "username=ada.lovelace", "--input", "email=ada@example.test", "--input", "phone=2345678888"]
    let run = try await workspace.baton(["run", "onboarding.flow.yaml", "--sandbox", "--env", "qa"] + inputs)
    #expect(run.code == 0)
    #expect(server.connections == 0)
  }
}

/// Files that a flow's plan reads: beneath its project and nowhere else.
@Suite(.timeLimit(.minutes(5))) struct ProjectFileTests {
  private let workspace: Workspace
  private let server: RawServer

  init() throws {
    workspace = try Workspace()
    server = try RawServer.answering { _ in answer() }
    try workspace.makeFolder("project/flows")
    try workspace.makeFolder("project/shared")
    try workspace.write("project/baton.yaml", "environments: {}\n")
    try workspace.write("outside.flow.yaml", "steps:\n  - wait: 0s\n")
  }

  private func call(_ path: String) async throws -> Ended {
    try workspace.write("project/flows/a.flow.yaml", "steps:\n  - call: \(path)\n")
    return try await workspace.baton("check", "project/flows/a.flow.yaml")
  }

  @Test func aCalledFlowBeneathTheProject() async throws {
    try workspace.write("project/shared/b.flow.yaml", "steps:\n  - get: \(server.origin)/called\n")
    #expect(try await call("../shared/b.flow.yaml").code == 0)
    let run = try await workspace.baton("run", "project/flows/a.flow.yaml")
    #expect(run.code == 0)
    #expect(server.received.map(\.line) == ["GET /called HTTP/1.1"])
  }

  @Test func flowsThatCallEachOther() async throws {
    try workspace.write("project/shared/b.flow.yaml", "steps:\n  - call: ../flows/a.flow.yaml\n")
    let run = try await call("../shared/b.flow.yaml")
    #expect(run.code == 2)
    #expect(run.stderr.contains("error[call-cycle]"))
  }

  @Test func aTable() async throws {
    try workspace.write("project/flows/users.csv", "name,age\nada,36\nalan,41\n")
    try workspace.write(
      "project/flows/a.flow.yaml",
      """
      steps:
        - for_each: { in: "csv('users.csv', {'age': 'integer'})", as: user }
          steps:
            - post: \(server.origin)/users
              with: { json: { name: "${{ user.name }}", age: "${{ user.age }}" } }

      """)
    let run = try await workspace.baton("run", "project/flows/a.flow.yaml")
    #expect(run.code == 0)
    #expect(
      server.received.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"name":"ada","age":36}"#, #"{"name":"alan","age":41}"#])
  }

  @Test(arguments: [
    ("../../outside.flow.yaml", "it leads out of the project's folder"),
    ("/etc/passwd", "a path starts at the folder of the file that names it"),
    ("~/outside.flow.yaml", "a path starts at the folder of the file that names it"),
    ("../../../../../../../../proc/self/environ", "it leads out of the project's folder"),
    ("link.flow.yaml", "it leads out of the project's folder"), ("pipe.flow.yaml", "is no regular file"), ("../shared", "is a directory"),
    ("missing.flow.yaml", "there is no such file"), ("../.git/config", "`.git` is not for flows"),
  ])
  func whatIsNotRead(_ path: String, _ reason: String) async throws {
    unsafe symlink("../../outside.flow.yaml", "\(workspace.path)/project/flows/link.flow.yaml")
    unsafe mkfifo("\(workspace.path)/project/flows/pipe.flow.yaml", 0o644)
    try workspace.makeFolder("project/.git")
    try workspace.write("project/.git/config", "x")
    let run = try await call(path)
    #expect(run.code == 2)
    #expect(run.stderr.contains("error[missing-file]"))
    #expect(run.stderr.contains(reason))
    #expect(run.stderr.contains("--> project/flows/a.flow.yaml:2:11"))
  }

  @Test func programsRunOnlyWhereThatIsPermitted() async throws {
    try workspace.write("project/flows/a.flow.yaml", "steps:\n  - uses: exec\n    with: { run: [touch, ran] }\n")
    let refused = try await workspace.baton("run", "project/flows/a.flow.yaml")
    #expect(refused.code != 0)
    #expect(!workspace.exists("project/ran"))
    let allowed = try await workspace.baton("run", "project/flows/a.flow.yaml", "--allow-exec")
    #expect(allowed.code == 0)
    #expect(workspace.exists("project/ran"))
    try workspace.write("project/baton.yaml", "environments:\n  qa: { exec: true }\n  ci: { extends: qa, exec: false }\n")
    #expect(try await workspace.baton("run", "project/flows/a.flow.yaml", "--env", "qa").code == 0)
    #expect(try await workspace.baton("run", "project/flows/a.flow.yaml", "--env", "ci").code != 0)
  }
}
