import FoundationEssentials
import Glibc
import TestKit
import Testing

/// Ctrl-C in the middle of a request that must not leave twice: the record says what is known, and no more.
@Suite(.timeLimit(.minutes(10))) struct DurableSignalTests {
  private let seat: Seat
  private let scene: Scene

  init() async throws {
    seat = await Seat.take()
    scene = try Scene()
  }

  private static let route = "/v1/rem/trigger"

  private static let emergency =
    TestText.emergency + """
        - post: /after
          connection: rapidsos
          with: { token: client }
      finally:
        - post: ORIGIN/tidy

      """

  enum Moment: String, CaseIterable, Sendable {
    case held, firstByte, header, halfBody

    var reply: Scene.Reply {
      switch self {
      case .held: .hold
      case .firstByte: .begin("H")
      case .header: .begin("HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\n")
      case .halfBody: .begin("HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\n{\"alert_id\": ")
      }
    }
  }

  @Test(arguments: Moment.allCases, [SIGINT, SIGTERM])
  func inTheMiddleOfIt(_ moment: Moment, _ signal: Int32) async throws {
    try scene.flow(Self.emergency)
    scene.reply(Self.route, moment.reply)
    let run = try await scene.baton("run", "a.flow.yaml", "--json", signalled: signal, at: Self.route)
    #expect(run.code == 4, "\(run)")
    let report = try JSONValue(run.stdout)
    #expect(report["verdict"] == .string("indeterminate"))
    #expect(scene.count("/tidy") == 1)
    #expect(scene.count("/after") == 0)
    let unresolved = try await scene.baton("runs", "--unresolved")
    #expect(unresolved.code == 1)
    #expect(unresolved.stdout.contains("incident-1"))
    let id = try await scene.run()
    let shown = try await scene.baton("show", id).stdout
    #expect(shown.contains("unknown"), "\(shown)")
    #expect(try await scene.baton("resume", id).code == 4)
    #expect(try await scene.baton("run", "a.flow.yaml").code == 4)
    #expect(scene.count(Self.route) == 1)
    #expect(try await scene.baton("resolve", id, "--delivered", "--reason", "told by phone").code == 0)
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
  }

  /// The token is fetched before anything of the step leaves.
  @Test(arguments: [SIGINT, SIGTERM])
  func whileTheTokenIsFetched(_ signal: Int32) async throws {
    try scene.flow(Self.emergency)
    scene.reply("/oauth/token", .hold, .answer(tokenAnswer))
    let run = try await scene.baton("run", "a.flow.yaml", signalled: signal, at: "/oauth/token")
    #expect(run.code == 128 + signal, "\(run)")
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
    // The key is free.
    #expect(try await scene.baton("run", "a.flow.yaml").code == 0)
    #expect(scene.count(Self.route) == 1)
  }

  /// A server that takes the connection and never shakes hands: nothing of the request has left.
  @Test(arguments: [SIGINT, SIGTERM])
  func beforeTheFirstByte(_ signal: Int32) async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    let server = try RawServer { connection in
      arrival.yield()
      connection.waitForClose()
    }
    try scene.flow("steps:\n  - id: fire\n    post: https://127.0.0.1:\(server.port)/pay\n    effect: once\n")
    let process = try scene.workspace.start(["run", "a.flow.yaml", "--json"], whenEnded: { arrival.finish() })
    for await _ in arrivals { break }
    process.signal(signal)
    let run = try await process.end()
    #expect(run.code == 128 + signal, "\(run)")
    #expect(server.received.isEmpty)
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
    let id = try await scene.run()
    #expect(try await scene.story(id)["verdict"] == .string("cancelled"))
  }

  /// What is merely unsafe is in doubt too: nobody knows whether the payment was made, as after a crash.
  @Test(arguments: [SIGINT, SIGTERM])
  func aPlainRequest(_ signal: Int32) async throws {
    try scene.flow("steps:\n  - id: pay\n    post: /pay\n  - post: /after\n")
    scene.reply("/pay", .hold, .fine)
    let run = try await scene.baton("run", "a.flow.yaml", "--json", signalled: signal, at: "/pay")
    #expect(run.code == 128 + signal || run.code == 4, "\(run)")
    #expect(run.stdout.contains("maybe"), "\(run)")
    let id = try await scene.run()
    let resumed = try await scene.baton("resume", id)
    #expect(resumed.code != 0, "\(resumed)")
    #expect(scene.count("/pay") == 1, "never by itself")
    #expect(resumed.code == 4, "\(resumed)")
    #expect(try await scene.baton("runs", "--unresolved").code == 1)
    #expect(try await scene.baton("resolve", id, "--not-delivered", "--reason", "none").code == 0)
    let end = try await scene.baton("resume", id)
    #expect(end.code == 0, "\(end)")
    #expect([scene.count("/pay"), scene.count("/after")] == [2, 1])
  }

  /// A second signal ends the process at once, and the doubt is there all the same.
  @Test func theSecondSignal() async throws {
    try scene.flow(Self.emergency)
    scene.reply(Self.route, .hold)
    scene.reply("/tidy", .hold, .fine)
    let (process, arrivals) = try scene.start(["run", "a.flow.yaml"])
    for await path in arrivals where path != "/oauth/token" {
      process.signal(SIGINT)
      if path == "/tidy" { break }
    }
    _ = try await process.end()
    #expect(try await scene.baton("runs", "--unresolved").code == 1)
    #expect(try await scene.baton("resume", try await scene.run()).code == 4)
    #expect(try await scene.baton("run", "a.flow.yaml").code == 4)
    #expect(scene.count(Self.route) == 1)
  }
}
