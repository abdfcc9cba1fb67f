import FoundationEssentials
import Synchronization
import TestKit
import Testing

/// One token for many: however many steps or processes find that it has ended, it is renewed once.
@Suite(.timeLimit(.minutes(5))) struct TokenTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func flow(_ origin: String, _ steps: String, oauth: String = "grant: refresh_token, refresh_token: r0") -> String {
    """
    connections:
      api:
        system: http
        base_url: "\(origin)"
        token_store: true
        oauth: { token_url: /token, client_id: app, \(oauth) }
    steps:
    \(steps)

    """
  }

  private static let folder = ".local/state/baton/tokens"

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: "\(workspace.path)/\(Self.folder)") }

  /// The sealed entries of the store.
  private func entries() throws -> [String] { try names().filter { $0.hasSuffix(".sealed") } }

  // MARK: - in one run

  @Test func aHundredStepsRenewOnce() async throws {
    let numbers = (1...100).map(String.init).joined(separator: ", ")
    try workspace.write(
      "a.flow.yaml",
      "inputs: { numbers: { type: array, items: { type: integer }, default: [\(numbers)] } }\n"
        + flow(
          "https://api.example.test",
          """
            - id: all
              for_each: { in: "${{ inputs.numbers }}", as: number, key: number, concurrency: 100, max_items: 100 }
              steps:
                - { id: item, get: "/items/{number}", with: { path: { number: "${{ number }}" } } }
          """, oauth: "grant: client_credentials, client_secret: s3cr3t-of-the-app"))
    try workspace.write(
      "a.scenarios.yaml",
      """
      flow: a.flow.yaml
      cases:
        - name: the token has ended for all of them
          routes:
            - { route: POST /token, times: 1, json: { access_token: t1, token_type: Bearer, expires_in: 3600, refresh_token: r1 } }
            - { route: POST /token, json: { access_token: t2, token_type: Bearer, expires_in: 3600, refresh_token: r2 } }
            - { route: "GET /items/{number}", times: 100, status: 401, delay: 1s }
            - { route: "GET /items/{number}", json: {} }
          expect:
            verdict: passed
            requests:
              POST /token: { count: 2, that: "request.body.grant_type in ['client_credentials', 'refresh_token']" }
              "GET /items/{number}": 200
          then:
            run: { expect: { verdict: passed, requests: { POST /token: 0, "GET /items/{number}": 100 } } }

      """)
    let test = try await workspace.baton("test", "a.scenarios.yaml")
    #expect(test.code == 0, "\(test)")
  }

  // MARK: - across processes

  @Test func twentyProcessesRenewOnce() async throws {
    let world = RotatingWorld()
    let server = try RawServer { world.serve($0) }
    try workspace.write("a.flow.yaml", flow(server.origin, "  - { id: me, get: /me }"))
    #expect(try await workspace.baton("run", "a.flow.yaml").code == 0)
    world.expire()
    let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<20 { group.addTask { [workspace] in try await workspace.start(["run", "a.flow.yaml"]).end().code } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: 0, count: 20))
    #expect(world.refreshed == ["r0", "r1"])
  }

  @Test func aStoredTokenServesTheNextRunAndIsNowhereToBeRead() async throws {
    let world = RotatingWorld()
    let server = try RawServer { world.serve($0) }
    try workspace.write("a.flow.yaml", flow(server.origin, "  - { id: me, get: /me }"))
    for _ in 0..<3 {
      let run = try await workspace.baton("run", "a.flow.yaml", "-v")
      #expect(run.code == 0, "\(run)")
      #expect(!run.everything.contains("secret-token"))
    }
    #expect(world.refreshed == ["r0"])
    #expect(try entries().count == 1)
    for name in try names() {
      #expect(!(try workspace.read("\(Self.folder)/\(name)")).contains("secret-token"))
    }
  }

  @Test func aSessionThatIsOverIsNotKept() async throws {
    let world = RotatingWorld()
    let server = try RawServer { world.serve($0) }
    try workspace.write("a.flow.yaml", flow(server.origin, "  - { id: me, get: /me }"))
    _ = try await workspace.baton("run", "a.flow.yaml")
    #expect(try entries().count == 1)
    world.refuseAll()
    let run = try await workspace.baton("run", "a.flow.yaml")
    #expect(run.code == 3)
    #expect(run.everything.contains("auth.expired"))
    #expect(try entries().isEmpty)
    #expect(world.refreshed == ["r0", "r1"])
  }

  @Test func aKeyThatIsGoneIsToldBeforeAnythingIsSent() async throws {
    let world = RotatingWorld()
    let server = try RawServer { world.serve($0) }
    try workspace.write("a.flow.yaml", flow(server.origin, "  - { id: me, get: /me }"))
    let key = ["BATON_STATE_KEY": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="]
    #expect(try await workspace.baton(["run", "a.flow.yaml"], environment: key).code == 0)
    let count = server.received.count
    let run = try await workspace.baton("run", "a.flow.yaml")
    #expect(run.everything.contains("was sealed with the key in `BATON_STATE_KEY`, which is not there"), "\(run)")
    #expect(server.received.count == count)
  }

  @Test func onlyConnectionsWithTokensKeepThem() async throws {
    try workspace.write(
      "a.flow.yaml",
      "connections: { api: { system: http, base_url: \"https://a.test\", token_store: true } }\nsteps: [ { id: me, get: /me } ]\n")
    let check = try await workspace.baton("check", "a.flow.yaml")
    #expect(check.code == 2)
    #expect(check.stderr.contains("the connection `api`: `token_store` is for connections with tokens, and this one has none"))
  }
}

/// A server whose refresh tokens are good for one use.
private final class RotatingWorld: Sendable {
  private struct State {
    var refreshed: [String] = []
    var isExpired = false
    var isRefusing = false
  }

  private let state = Mutex(State())

  var refreshed: [String] { state.withLock { $0.refreshed } }
  /// The token that is out is refused from now on.
  func expire() { state.withLock { $0.isExpired = true } }
  func refuseAll() { state.withLock { $0.isRefusing = true } }

  func serve(_ connection: RawConnection) {
    while let request = connection.readRequest() {
      connection.send(request.line.hasPrefix("POST /token") ? token(String(decoding: request.body, as: UTF8.self)) : me(request))
    }
  }

  private func token(_ form: String) -> String {
    state.withLock { state in
      let sent = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }.map { String($0.dropFirst(14)) } ?? ""
      guard sent == "r\(state.refreshed.count)" else { return answer("400 Bad Request", #"{"error": "invalid_grant"}"#) }
      state.refreshed.append(sent)
      state.isExpired = false
      let number = state.refreshed.count
      return answer(
        "200 OK",
        #"{"access_token": "secret-token-\#(number)", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r\#(number)"}"#)
    }
  }

  private func me(_ request: RawRequest) -> String {
    state.withLock { state in
      let isGood = request.values(of: "Authorization") == ["Bearer secret-token-\(state.refreshed.count)"]
      return isGood && !state.isExpired && !state.isRefusing ? answer() : answer("401 Unauthorized", "{}")
    }
  }
}
