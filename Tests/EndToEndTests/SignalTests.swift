import Glibc
import TestKit
import Testing

/// Ctrl-C in the middle of a request: what is to be tidied up is tidied up, and the reports are there.
@Suite(.timeLimit(.minutes(5))) struct SignalTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func flow(_ server: RawServer) -> String {
    """
    connections: { api: { system: http, base_url: "\(server.origin)" } }
    steps:
      - id: slow
        get: /slow
      - id: never
        get: /never
    finally:
      - id: tidy
        post: /tidy

    """
  }

  /// A server that tells when a request has come, and answers none whose path is in `hanging`.
  private func server(hanging: [String]) throws -> (RawServer, AsyncStream<String>, AsyncStream<String>.Continuation) {
    let (arrivals, arrival) = AsyncStream<String>.makeStream()
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        let path = request.line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        arrival.yield(path)
        guard !hanging.contains(path) else { return connection.waitForClose() }
        connection.send(answer())
      }
    }
    return (server, arrivals, arrival)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func theFirstEndsTheRunInOrder(_ signal: Int32) async throws {
    let (server, arrivals, arrival) = try server(hanging: ["/slow"])
    try workspace.write("slow.flow.yaml", flow(server))
    let process = try workspace.start(["run", "slow.flow.yaml", "--report", "junit=report.xml"], whenEnded: { arrival.finish() })
    for await path in arrivals where path == "/slow" { break }
    process.signal(signal)
    let run = try await process.end()
    #expect(run.code == 128 + signal)
    #expect(server.received.map(\.line) == ["GET /slow HTTP/1.1", "POST /tidy HTTP/1.1"])
    try expectGolden(masked(run.stdout), "cancelled.txt")
    #expect(run.stderr == "")
    let junit = try XMLChecker(try workspace.read("report.xml"))
    #expect(junit.elements("testcase").count == 1)
    #expect(junit.elements("error").count == 1)
    #expect(junit.elements("property").contains { $0.attributes == ["name": "verdict", "value": "cancelled"] })
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func theSecondEndsItAtOnce(_ signal: Int32) async throws {
    let (server, arrivals, arrival) = try server(hanging: ["/slow", "/tidy"])
    try workspace.write("slow.flow.yaml", flow(server))
    let process = try workspace.start(["run", "slow.flow.yaml"], whenEnded: { arrival.finish() })
    for await path in arrivals {
      process.signal(signal)
      if path == "/tidy" { break }
    }
    let run = try await process.end()
    #expect(run.code == 128 + signal)
    #expect(server.received.map(\.line) == ["GET /slow HTTP/1.1", "POST /tidy HTTP/1.1"])
    #expect(run.duration < .seconds(25), "half a minute of grace is not for the impatient")
  }

  @Test func manyFlowsAtOnce() async throws {
    let (server, arrivals, arrival) = try server(hanging: ["/slow"])
    for name in ["a", "b", "c"] { try workspace.write("\(name).flow.yaml", flow(server)) }
    let arguments = ["test", ".", "--jobs", "2", "--report", "junit=report.xml"]
    let process = try workspace.start(arguments, whenEnded: { arrival.finish() })
    var hanging = 0
    for await path in arrivals where path == "/slow" {
      hanging += 1
      if hanging == 2 { break }
    }
    process.signal(SIGINT)
    let run = try await process.end()
    #expect(run.code == 130)
    #expect(server.count(of: "GET") == 2)
    #expect(server.count(of: "POST") == 2, "each that began has tidied up")
    #expect(try XMLChecker(try workspace.read("report.xml")).elements("testcase").count >= 2)
  }

  /// An emergency that was under way when the signal came is in doubt, and doubt is worse than a cancel.
  @Test func anEmergencyUnderWay() async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        guard !request.line.contains("/oauth/token") else {
          connection.send(tokenAnswer)
          continue
        }
        arrival.yield()
        return connection.waitForClose()
      }
    }
    let flow = FaultyServerTests.Request.emergency.flow(server.origin)
    try workspace.write("one.flow.yaml", flow)
    let process = try workspace.start(["run", "one.flow.yaml", "--json"], whenEnded: { arrival.finish() })
    for await _ in arrivals { break }
    process.signal(SIGINT)
    let run = try await process.end()
    #expect(run.code == 4)
    let report = try JSONValue(run.stdout)
    #expect(report["verdict"] == .string("indeterminate"))
    #expect(report["error"]?["sent"] == .string("maybe"))
    #expect(server.count(of: "POST") == 1)
  }
}
