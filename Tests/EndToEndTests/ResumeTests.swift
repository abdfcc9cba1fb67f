import FoundationEssentials
import Glibc
import TestKit
import Testing

/// The onboarding of RapidSOS against a sandbox that stays, killed wherever it can be, and gone on with.
@Suite(.timeLimit(.minutes(10))) struct ResumeTests {
  private let seat: Seat
  private let workspace: Workspace
  private let environment = [
    "BATON_SECRET_CLIENT_ID": "an-id", "BATON_SECRET_CLIENT_SECRET": "s3cr3t-of-the-test", "BATON_SECRET_PASSWORD": "Correct-horse-1",
  ]
  /// Of a run that nobody interrupts.
  private static let outputs: JSONValue = .map(["profile_id": .number(1), "registered": .bool(true)])
  private static let requests = [
    "POST /oauth/token", "POST /v1/rain/user", "POST /oauth/token", "POST /v1/rain/caller-ids", "PATCH /v1/rain/caller-ids",
    "GET /v1/rain/personal-info",
  ]

  init() async throws {
    seat = await Seat.take()
    workspace = try Workspace()
  }

  /// A sandbox, an environment that leads to it, and a program that reads its SMS.
  private func sandbox(gates: RawServer? = nil) async throws -> StandingSandbox {
    let sandbox = try await StandingSandbox.start(in: workspace)
    try workspace.write("onboarding.flow.yaml", try Workspace.shipped("flows/rapidsos/onboarding.flow.yaml"))
    try workspace.write(
      "baton.yaml",
      """
      environments:
        local:
          connections: { rapidsos: { base_url: "\(sandbox.front.origin)/rapidsos" } }
          hosts: ["127.0.0.1:\(sandbox.front.port)", "127.0.0.1:\(gates?.port ?? 1)"]
          answers: { pin: { command: [./read-sms] } }

      """)
    try workspace.write(
      "read-sms",
      """
      #!/bin/bash
      exec 3<>/dev/tcp/127.0.0.1/\(sandbox.port)
      printf 'GET /_sandbox/sms HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3
      grep -oE '\\b[0-9]{6}\\b' <&3 | tail -n 1

      """, mode: 0o755)
    return sandbox
  }

  private func baton(_ arguments: String...) async throws -> Ended { try await workspace.seated(arguments, environment: environment) }

  private func runID() async throws -> String {
    let list = try JSONValue(try await baton("runs", "--json").stdout)
    #expect(list["runs"]?.items.count == 1, "resuming is no run of its own")
    return try #require(list["runs"]?.items.first?["run"]?.text)
  }

  private func expectTheEnd(_ run: Ended, registered: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(run.code == 0, "\(run)", sourceLocation: sourceLocation)
    let report = try JSONValue(run.stdout)
    #expect(report["verdict"] == .string("passed"), sourceLocation: sourceLocation)
    #expect(
      report["outputs"] == .map(["profile_id": .number(1), "registered": .bool(registered)]), "\(run)", sourceLocation: sourceLocation)
  }

  @Test func nobodyInterruptsIt() async throws {
    let sandbox = try await sandbox()
    let run = try await baton("run", "onboarding.flow.yaml", "--env", "local", "--json")
    try expectTheEnd(run)
    #expect(try sandbox.log() == Self.requests)
    // There is nothing to go on with.
    let again = try await baton("resume", try await runID())
    #expect(again.code == 0)
    #expect(again.stdout.contains("has passed; nothing was sent"))
    #expect(try sandbox.log() == Self.requests)
  }

  // MARK: - between two steps

  /// In front of which step it is killed, with what the shipped flow has there.
  private static let gaps = [
    "  - id: log_in", "  - id: verify", "      - id: pin", "      - id: validate_pin", "  - id: profile",
  ]

  /// A step that only reads waits between the two; it is in the middle of it that the process dies.
  @Test(arguments: gaps)
  func killedBetweenTwoSteps(_ next: String) async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    let gate = try RawServer { connection in
      while connection.readRequest() != nil {
        arrival.yield()
        guard connection.number > 1 else { return connection.waitForClose() }
        connection.send(answer())
      }
    }
    let sandbox = try await sandbox(gates: gate)
    let indent = next.prefix { $0 == " " }
    let flow = try workspace.read("onboarding.flow.yaml")
      .replacing("\(next)\n", with: "\(indent)- get: /gate\n\(indent)  connection: gate\n\(next)\n")
      .replacing("connections:\n", with: "connections:\n  gate: { system: http, base_url: \"\(gate.origin)\" }\n")
    try workspace.write("onboarding.flow.yaml", flow)
    let arguments = ["run", "onboarding.flow.yaml", "--env", "local"]
    let process = try workspace.start(arguments, environment: environment, whenEnded: { arrival.finish() })
    for await _ in arrivals { break }
    process.signal(SIGKILL)
    #expect(try await process.end().code == -SIGKILL)
    let run = try await runID()
    #expect(try await baton("runs", "--unresolved").code == 0, "nothing of it is in doubt")
    let resumed = try await baton("resume", run, "--json")
    try expectTheEnd(resumed)
    #expect(try JSONValue(resumed.stdout)["run"] == .string(run))
    let log = try sandbox.log()
    // Who signed in is forgotten with the process; nothing else is done twice.
    #expect(log.filter { $0 != "POST /oauth/token" } == Self.requests.filter { $0 != "POST /oauth/token" })
    #expect(try await baton("resume", run).code == 0)
    #expect(try sandbox.log() == log)
  }

  /// Nothing is sent while the phone is waited for: no doubt, and the question comes again.
  @Test func killedWhileItAsks() async throws {
    let sandbox = try await sandbox()
    try workspace.write("baton.yaml", try workspace.read("baton.yaml").replacing(#/\ *answers:.*\n/#, with: ""))
    let terminal = try TestTerminal()
    let process = try workspace.start(
      ["run", "onboarding.flow.yaml", "--env", "local"], environment: environment.merging(["TERM": "dumb"]) { $1 }, terminal: terminal.inner
    )
    #expect(terminal.read(until: "PIN sent by SMS").contains("PIN sent by SMS"))
    process.signal(SIGKILL)
    #expect(try await process.end().code == -SIGKILL)
    let run = try await runID()
    // Nobody is there to ask: refused, before anything is sent.
    let count = try sandbox.log().count
    let refused = try await baton("resume", run)
    #expect(refused.code == 2, "\(refused)")
    #expect(refused.stderr.contains("error[missing-answer]"), "\(refused)")
    #expect(try sandbox.log().count == count)
    try workspace.write("pin.sh", "#!/bin/bash\necho \"pin: '$(./read-sms)'\" > pin.yaml; chmod 600 pin.yaml\n", mode: 0o755)
    try workspace.write("pin.flow.yaml", "steps:\n  - uses: exec\n    with: { run: [./pin.sh] }\n")
    #expect(try await baton("run", "pin.flow.yaml", "--allow-exec").code == 0)
    try expectTheEnd(try await baton("resume", run, "--answers", "pin.yaml", "--json"))
    #expect(try sandbox.log().filter { $0 == "POST /v1/rain/caller-ids" }.count == 1)
  }

  // MARK: - within a step

  /// What may be done again is: the sign-in, and what only reads.
  @Test(arguments: [3, 6], [StandingSandbox.Moment.before, .after])
  func killedWithinAStepThatMayRunAgain(_ number: Int, _ moment: StandingSandbox.Moment) async throws {
    let sandbox = try await sandbox()
    let arguments = ["run", "onboarding.flow.yaml", "--env", "local"]
    let killed = try await sandbox.kill(workspace, arguments, atRequest: number, moment, environment: environment)
    #expect(killed.code == -SIGKILL)
    try expectTheEnd(try await baton("resume", try await runID(), "--json"))
    let unsafe = Self.requests.filter { !$0.contains("token") && !$0.hasPrefix("GET") }
    #expect(try sandbox.log().filter { !$0.contains("token") && !$0.hasPrefix("GET") } == unsafe)
  }

  /// What may not waits for an operator, however often it is asked to go on.
  @Test(arguments: [2, 4, 5], [StandingSandbox.Moment.before, .after])
  func killedWithinAnUnsafeStep(_ number: Int, _ moment: StandingSandbox.Moment) async throws {
    let sandbox = try await sandbox()
    let arguments = ["run", "onboarding.flow.yaml", "--env", "local"]
    let killed = try await sandbox.kill(workspace, arguments, atRequest: number, moment, environment: environment)
    #expect(killed.code == -SIGKILL)
    let run = try await runID()
    let log = try sandbox.log()
    #expect(log == Array(Self.requests.prefix(moment == .before ? number - 1 : number)))
    for _ in 0..<2 {
      let stuck = try await baton("resume", run)
      #expect(stuck.code == 4, "\(stuck)")
      #expect(stuck.everything.contains("baton resolve \(run) --delivered"))
    }
    #expect(try sandbox.log() == log)
    let saying = moment == .before ? "--not-delivered" : "--delivered"
    #expect(try await baton("resolve", run, saying, "--reason", "the log of the sandbox").code == 0)
    let resumed = try await baton("resume", run, "--json")
    // A step that an operator has settled is `recovered`, and did not succeed by itself.
    try expectTheEnd(resumed, registered: number != 2 || moment == .before)
    #expect(try sandbox.log().filter { !$0.contains("token") } == Self.requests.filter { !$0.contains("token") })
  }

  /// The token that an unsafe step needs is fetched before it: nothing of the step itself has left.
  @Test(arguments: [StandingSandbox.Moment.before, .after])
  func killedWhileTheTokenIsFetched(_ moment: StandingSandbox.Moment) async throws {
    let sandbox = try await sandbox()
    let arguments = ["run", "onboarding.flow.yaml", "--env", "local"]
    #expect(try await sandbox.kill(workspace, arguments, atRequest: 1, moment, environment: environment).code == -SIGKILL)
    let run = try await runID()
    // It may be cautious, and must not lose the way on.
    if try await baton("resume", run, "--json").code == 4 {
      #expect(try await baton("resolve", run, "--not-delivered", "--reason", "there is no such user").code == 0)
      try expectTheEnd(try await baton("resume", run, "--json"))
    }
    #expect(try sandbox.log().filter { $0 == "POST /v1/rain/user" }.count == 1)
    #expect(try await baton("resume", run).code == 0)
  }
}
