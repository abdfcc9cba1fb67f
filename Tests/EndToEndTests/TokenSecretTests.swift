import FoundationEssentials
import Synchronization
import TestKit
import Testing

/// What authorization servers answer is in no report, and a session goes on where its run does.
@Suite(.timeLimit(.minutes(5))) struct TokenSecretTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func flow(_ origin: String, _ steps: String, oauth: String = "") -> String {
    """
    connections:
      api:
        system: http
        base_url: "\(origin)"
        oauth: { token_url: /token, client_id: app\(oauth) }
    steps:
    \(steps)

    """
  }

  /// Every byte that a run has left behind or told.
  private func everything(_ outcome: Ended, _ reports: [String]) throws -> String {
    var text = outcome.everything
    for name in reports { text += try workspace.read(name) }
    let state = "\(workspace.path)/.local/state/baton"
    for name in try FileManager.default.subpathsOfDirectory(atPath: state) {
      guard let bytes = FileManager.default.contents(atPath: "\(state)/\(name)") else { continue }
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  @Test(arguments: [
    ("/authorize", "response_type: token"), ("/authorize", "response_type: code"), ("/authorize-forged", "response_type: token"),
  ])
  func whatARedirectBringsIsNowhere(path: String, type: String) async throws {
    let server = try RawServer.answering { Self.respond($0) }
    try workspace.write(
      "a.flow.yaml",
      flow(
        server.origin,
        """
          - id: consent
            uses: oauth/authorize
            connection: api
            with: { authorization_url: \(path), redirect_uri: "https://app.test/cb", \(type) }
          - { id: broken, get: /broken, with: { token: none } }
        """))
    let run = try await workspace.baton("run", "a.flow.yaml", "-v", "--report", "json=o.json", "--report", "junit=o.xml")
    #expect(run.code == (path == "/authorize" ? 3 : 1), "\(run)")
    #expect(!(try everything(run, ["o.json", "o.xml"])).contains("canary"))
  }

  @Test(arguments: ["/token-form", "/token-camel", "/token-text"])
  func whatATokenEndpointSaysInItsOwnWayIsNowhere(path: String) async throws {
    let server = try RawServer.answering { Self.respond($0) }
    try workspace.write(
      "a.flow.yaml",
      flow(server.origin, "  - { id: me, get: /me }").replacing("/token", with: path)
        .replacing("client_id: app", with: "client_id: app, grant: refresh_token, refresh_token: r0-of-the-settings"))
    let run = try await workspace.baton("run", "a.flow.yaml", "-v", "--report", "json=o.json", "--report", "junit=o.xml")
    #expect(run.everything.contains("decode"), "\(run)")
    #expect(!(try everything(run, ["o.json", "o.xml"])).contains("canary"))
  }

  @Test func aRunThatIsGoneOnWithIsSignedIn() async throws {
    let isBroken = Mutex(true)
    let server = try RawServer.answering { request in
      request.line.hasPrefix("GET /me") && isBroken.withLock(\.self) ? answer("500 Broken", "{}") : Self.respond(request)
    }
    try workspace.write(
      "a.flow.yaml",
      flow(
        server.origin,
        """
          - id: token
            uses: oauth/token
            connection: api
            with: { grant: authorization_code, code: the-code, keep: true }
          - { id: me, get: /me }
        """))
    let run = try await workspace.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 3, "\(run)")
    isBroken.withLock { $0 = false }
    let id = try #require(run.everything.firstMatch(of: /resume ([0-9a-z]{4}-[0-9a-z]{4})/)?.1)
    let again = try await workspace.baton("resume", String(id))
    #expect(again.code == 0, "\(again)")
    #expect(server.received.filter { $0.line.hasPrefix("POST /token") }.count == 1)
    #expect(server.received.last?.values(of: "Authorization") == ["Bearer canary-acc"])
  }

  @Test(arguments: ["token_url", "revocation_url"])
  func theHostsOfALogInAreKnownBeforeTheRun(name: String) async throws {
    try workspace.write("baton.yaml", "environments:\n  qa: { hosts: [api.example.test] }\n")
    let urls = ["token_url", "revocation_url"].map { "\($0): \"https://\($0 == name ? "login" : "api").example.test/x\"" }
    let head = """
      connections:
        api:
          system: http
          base_url: "https://api.example.test"
          oauth: { client_id: app, audience: "https://else.example.test", \(urls.joined(separator: ", ")) }

      """
    try workspace.write("a.flow.yaml", head + "steps:\n  - { id: me, get: /me, with: { token: none } }\n")
    let run = try await workspace.baton("run", "a.flow.yaml", "--env", "qa")
    #expect(run.code == 2, "\(run)")
    #expect(run.stderr.contains("error[host-not-allowed]: the environment `qa` does not allow the host `login.example.test`"), "\(run)")
    #expect(!run.stderr.contains("the host `else.example.test`"))
  }

  private static let token = #"{"access_token": "canary-acc", "refresh_token": "canary-ref", "token_type": "Bearer"}"#

  private static func respond(_ request: RawRequest) -> String {
    let path = request.line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    let pairs = path.split(separator: "?").dropFirst().first?.split(separator: "&") ?? []
    func sent(_ name: String) -> Substring { pairs.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1) ?? "" }
    switch path.prefix(while: { $0 != "?" }) {
    case "/authorize" where sent("response_type") == "token":
      return redirect("#access_token=canary%2Dacc&id_token=canary-idt&token_type=bearer&state=\(sent("state"))")
    case "/authorize": return redirect("?code=canary%2Dcode&state=\(sent("state"))")
    case "/authorize-forged": return redirect("#access_token=canary%2Dacc&state=forged")
    case "/token": return answer("200 OK", token)
    case "/token-camel": return answer("200 OK", #"{"accessToken": "canary-acc", "refreshToken": "canary-ref"}"#)
    case "/token-form": return plain("access_token=canary%2Dacc&refresh_token=canary-ref&token_type=bearer")
    case "/token-text": return plain("canary-acc")
    case "/broken": return answer("500 Broken", "{}")
    default: return answer("200 OK", "{}")
    }
  }

  private static func redirect(_ rest: String) -> String {
    "HTTP/1.1 302 Found\r\nLocation: https://app.test/cb\(rest)\r\nContent-Length: 0\r\n\r\n"
  }

  private static func plain(_ body: String) -> String { answer("200 OK", body, type: "text/plain") }
}
