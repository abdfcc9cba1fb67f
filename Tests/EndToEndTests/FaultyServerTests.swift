import Synchronization
import TestKit
import Testing

/// What is said of a request whose answer never came as it should: the code, the exit code, and whether it left.
@Suite(.timeLimit(.minutes(5))) struct FaultyServerTests {
  enum Request: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
    /// An emergency step: a request that is sent once, and whose loss is a doubt.
    case emergency = "emergency"

    var method: String { self == .get ? "GET" : "POST" }

    func flow(_ origin: String, attemptTimeout: String = "15s") -> String {
      switch self {
      case .get, .post:
        """
        connections: { api: { system: http, base_url: "\(origin)" } }
        steps:
          - id: step
            \(method.lowercased()): /thing
            attempt_timeout: \(attemptTimeout)

        """
      case .emergency:
        """
        connections:
          rapidsos: { base_url: "\(origin)", client_id: an-id, client_secret: a-secret-of-the-test }
        steps:
          - id: step
            uses: rapidsos/trigger-call-flow
            attempt_timeout: \(attemptTimeout)
            dedupe_key: incident-1
            with:
              call_flow: kronos_contacts
              variables:
                location: { latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }
                user: { full_name: Dana Reyes, phone_number: (234) 567-8888 }
                company: Baton

        """
      }
    }
  }

  /// What the server does with the request; tokens are answered properly.
  enum Fault: String, CaseIterable, Sendable {
    case closes, resets, answers503, hangs, truncates, answersNonsense, contradictsItself, floodsHeaders, floodsTheBody

    func serve(_ connection: RawConnection) {
      while let request = connection.readRequest() {
        if request.line.contains("/oauth/token") {
          connection.send(tokenAnswer)
          continue
        }
        switch self {
        case .closes: return
        case .resets: return connection.reset()
        case .answers503: connection.send(answer("503 Service Unavailable", #"{"detail": "maintenance"}"#))
        case .hangs: return connection.waitForClose()
        case .truncates:
          connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"alert_id\": ")
          return
        case .answersNonsense:
          connection.send("SSH-2.0-OpenSSH_9.2\r\n")
          return
        case .contradictsItself:
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ")
          return
        case .floodsHeaders:
          connection.send("HTTP/1.1 200 OK\r\n")
          while connection.send("X-More: \(String(repeating: "x", count: 1000))\r\n") {}
          return
        case .floodsTheBody:
          connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
          let chunk = "100000\r\n\(String(repeating: "x", count: 1 << 20))\r\n"
          while connection.send(chunk) {}
          return
        }
      }
    }

    /// The error's code, and what is known of the request.
    var expected: (code: String, sent: String) {
      switch self {
      case .closes, .resets, .truncates: ("network.reset", "maybe")
      case .answers503: ("http.503", "yes")
      case .hangs: ("timeout.attempt", "maybe")
      case .answersNonsense, .contradictsItself, .floodsHeaders: ("network.protocol", "maybe")
      case .floodsTheBody: ("decode.too_large", "maybe")
      }
    }
  }

  @Test(arguments: Request.allCases, Fault.allCases)
  func theServerFails(_ request: Request, _ fault: Fault) async throws {
    let workspace = try Workspace()
    let server = try RawServer { fault.serve($0) }
    try workspace.write("one.flow.yaml", request.flow(server.origin, attemptTimeout: fault == .hangs ? waitForAnswer : "15s"))
    let run = try await workspace.baton("run", "one.flow.yaml", "--json")
    let report = try JSONValue(run.stdout)
    let error = report["error"]
    switch request {
    case .get, .post:
      #expect(run.code == 3)
      #expect(report["verdict"] == .string("errored"))
      #expect(report["code"] == .string(fault.expected.code))
      #expect(error?["code"] == .string(fault.expected.code))
    case .emergency:
      #expect(run.code == 4)
      #expect(report["verdict"] == .string("indeterminate"))
      #expect(report["code"] == .string("indeterminate"))
      #expect(error?["cause"]?["code"] == .string(fault.expected.code))
      #expect(report["steps"]?.items.first?["status"] == .string("indeterminate"))
    }
    #expect(error?["sent"] == .string(fault.expected.sent))
    #expect(error?["step"] == .string("step"))
    #expect(report["outputs"] == .map([:]))
    #expect(server.count(of: request.method) == 1, "sent once, whatever became of it")
    #expect(server.received.count == (request == .emergency ? 2 : 1))
  }

  @Test(arguments: Request.allCases)
  func nobodyListens(_ request: Request) async throws {
    let run = try await run(request, "http://127.0.0.1:\(try closedPort())")
    try expectUnsent(run, "network.connect")
    #expect(run.stderr.contains("connection refused by 127.0.0.1:"))
  }

  @Test(.disabled(if: TestCertificates.absence != nil, "there is no `openssl` command in the path"), arguments: Request.allCases)
  func aCertificateThatNobodyVouchesFor(_ request: Request) async throws {
    let server = try TLSServer("selfSigned", try TestCertificates.shared.get())
    let run = try await run(request, "https://localhost:\(server.port)")
    try expectUnsent(run, "tls.certificate")
    #expect(run.stderr.contains("the certificate of `localhost` is not trusted (self-signed certificate)"))
  }

  /// The token came; then the server went away. Nothing of the emergency left, and nobody need doubt it.
  @Test func theServerGoesAfterTheToken() async throws {
    let own = Mutex<RawServer?>(nil)
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      own.withLock { $0 }?.stopListening()
      connection.send(tokenAnswer)
    }
    own.withLock { $0 = server }
    let run = try await run(.emergency, server.origin)
    own.withLock { $0 = nil }
    try expectUnsent(run, "network.connect")
    #expect(server.received.map(\.line) == ["POST /oauth/token HTTP/1.1"])
  }

  /// A refusal that is whole is no doubt: the provider says that it did not act.
  @Test func anEmergencyThatIsRefused() async throws {
    let server = try RawServer.answering { request in
      request.line.contains("/oauth/token") ? tokenAnswer : answer("404 Not Found", #"{"detail": "no such call flow"}"#)
    }
    let run = try await run(.emergency, server.origin)
    #expect(run.code == 1)
    let report = try JSONValue(run.stdout)
    #expect(report["code"] == .string("rapidsos.unknown_call_flow"))
    #expect(report["error"]?["sent"] == .string("yes"))
    #expect(report["error"]?["rejected"] == .bool(true))
    #expect(server.count(of: "POST") == 1)
  }

  /// What a person reads when nobody knows.
  @Test func theDoubtInWords() async throws {
    let workspace = try Workspace()
    let server = try RawServer { Fault.closes.serve($0) }
    try workspace.write("one.flow.yaml", Request.emergency.flow(server.origin))
    let run = try await workspace.baton("run", "one.flow.yaml")
    #expect(run.code == 4)
    try expectGolden(masked(run.stdout), "indeterminate.txt")
    try expectGolden(masked(run.stderr), "indeterminate-block.txt")
    let help = try await workspace.baton("--help").stdout
    for command in Set(run.everything.matches(of: #/`?baton (\w+)/#).map(\.1)) {
      #expect(help.contains("\n  \(command) "), "`baton \(command)` is advised and does not exist")
    }
  }

  @Test func everyRequestIsCounted() async throws {
    let server = try RawServer.answering { request in
      request.line.contains("/oauth/token") ? tokenAnswer : answer("202 Accepted", #"{"alert_id": "al_1"}"#)
    }
    let run = try await run(.emergency, server.origin)
    #expect(run.code == 0)
    #expect(server.received.count == 2)
    let report = try JSONValue(run.stdout)
    #expect(report["requests"] == .number(2))
  }

  private func run(_ request: Request, _ origin: String) async throws -> Ended {
    let workspace = try Workspace()
    try workspace.write("one.flow.yaml", request.flow(origin))
    return try await workspace.baton("run", "one.flow.yaml", "--json")
  }

  private func expectUnsent(_ run: Ended, _ code: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(run.code == 3, sourceLocation: sourceLocation)
    let report = try JSONValue(run.stdout)
    #expect(report["verdict"] == .string("errored"), sourceLocation: sourceLocation)
    #expect(report["code"] == .string(code), sourceLocation: sourceLocation)
    #expect(report["error"]?["sent"] == .string("no"), sourceLocation: sourceLocation)
  }
}
