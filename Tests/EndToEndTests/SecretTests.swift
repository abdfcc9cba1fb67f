import FoundationEssentials
import TestKit
import Testing

/// What was given as a secret stands in nothing that a run leaves behind, however it is encoded.
@Suite(.timeLimit(.minutes(5))) struct SecretTests {
  private static let secrets = [
    "BATON_SECRET_CLIENT_ID": "cnry-id-4711/x+y==", "BATON_SECRET_CLIENT_SECRET": "cnry&secret=0815 %41é",
    "BATON_SECRET_PASSWORD": "cnry\"Pass\\word<&>'31337",
  ]
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try FileManager.default.copyItem(atPath: ProjectRoot.path + "flows", toPath: workspace.path + "/flows")
  }

  /// Every text that would betray a secret.
  private static func forms(of secret: String) -> [String] {
    let bytes = Array(secret.utf8)
    let base64 = Data(bytes).base64EncodedString()
    let url = base64.replacing("+", with: "-").replacing("/", with: "_")
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let percent = bytes.map {
      unreserved.contains($0) ? String(UnicodeScalar($0)) : "%" + (($0 < 16 ? "0" : "") + String($0, radix: 16)).uppercased()
    }.joined()
    let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let xml = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
      .replacing("'", with: "&#39;")
    let padless = [base64, url].map { String($0.prefix { $0 != "=" }) }
    return [secret, json, xml, percent, percent.replacing("%20", with: "+"), hex.joined(), hex.joined().uppercased()] + padless
  }

  private func expectNoSecret(_ name: String, in text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for (variable, secret) in Self.secrets {
      for form in Self.forms(of: secret) where text.contains(form) {
        Issue.record("\(variable) stands in \(name) as \(form)", sourceLocation: sourceLocation)
      }
    }
  }

  /// A report shows the line that failed.
  @Test func aPasswordThatTheFlowSpellsOut() async throws {
    let flow = """
      connections: { rapidsos: { client_id: cid, client_secret: plain-s3cret-4711 } }
      steps: [ { uses: rapidsos/authenticate, with: { grant: password, username: dana.reyes, password: plain-p4ss-4711%@ } } ]

      """
    try workspace.write("a.flow.yaml", flow.replacing("%@", with: ""))
    try workspace.write("wrong.flow.yaml", flow.replacing("%@", with: ", usrname: x"))
    try workspace.write("a.scenarios.yaml", "flow: a.flow.yaml\ncases: [ { name: it fails, expect: { verdict: passed } } ]\n")
    let runs = [
      try await workspace.baton("run", "a.flow.yaml", "--sandbox", "-v", "--report", "junit=r.xml", "--report", "json=r.json"),
      try await workspace.baton("test", "a.scenarios.yaml", "--report", "junit=t.xml", "--report", "json=t.json"),
      try await workspace.baton("check", "wrong.flow.yaml"), try await workspace.baton("run", "wrong.flow.yaml", "--sandbox"),
      try await workspace.baton("plan", "wrong.flow.yaml"),
      try await workspace.baton("test", "wrong.flow.yaml", "--report", "junit=w.xml", "--report", "json=w.json"),
    ]
    #expect(runs.map(\.code) == [1, 1, 2, 2, 2, 2])
    for text in try runs.map(\.everything) + ["r.xml", "r.json", "t.xml", "t.json", "w.xml", "w.json"].map(workspace.read) {
      #expect(!text.contains("4711"), "\(text)")
    }
  }

  @Test(arguments: ["run", "test"])
  func aRunThatPasses(_ command: String) async throws {
    let reports = ["--report", "junit=report.xml", "--report", "json=report.json"]
    for options in [["-v"], ["-v", "--json"]] {
      let flow = ["flows/rapidsos/onboarding.flow.yaml"] + (command == "run" ? ["--sandbox"] : [])
      let run = try await workspace.baton([command] + flow + options + reports, environment: Self.secrets)
      #expect(run.code == 0)
      #expect(run.everything.contains("onboarding"))
      expectNoSecret("the output of \(options)", in: run.everything)
      expectNoSecret("report.xml", in: try workspace.read("report.xml"))
      expectNoSecret("report.json", in: try workspace.read("report.json"))
    }
  }

  /// A provider that answers with what it was sent, in every spelling.
  @Test(arguments: ["application/json", "text/plain", "text/html"], [400, 401, 409, 500])
  func aProviderThatEchoes(_ type: String, _ status: Int) async throws {
    let server = try RawServer.answering { request in
      guard !request.line.contains("/oauth/token") else { return tokenAnswer }
      let body = Self.secrets.values.flatMap(Self.forms)
      let echo =
        type == "application/json"
        ? (try? String(decoding: JSONEncoder().encode(["errors": body]), as: UTF8.self)) ?? "" : body.joined(separator: "\n")
      return answer("\(status) No", echo, type: type)
    }
    let flow = try workspace.read("flows/rapidsos/onboarding.flow.yaml")
    let live = flow.replacing("  rapidsos:\n", with: "  rapidsos:\n    base_url: \(server.origin)\n")
    try workspace.write("live.flow.yaml", live)
    for options in [["-v"], ["-v", "--json"]] {
      let reports = ["--report", "junit=report.xml", "--report", "json=report.json"]
      let environment = Self.secrets.merging(["BATON_ANSWER_PIN": "271828"]) { $1 }
      let run = try await workspace.baton(["run", "live.flow.yaml"] + options + reports, environment: environment)
      // After a 401 that a fresh token does not cure the session is over, which is no answer about the request.
      #expect(run.code == ([401, 500].contains(status) ? 3 : 1))
      #expect(run.everything.contains("register"))
      expectNoSecret("the output of \(options)", in: run.everything)
      expectNoSecret("report.xml", in: try workspace.read("report.xml"))
      expectNoSecret("report.json", in: try workspace.read("report.json"))
      _ = try XMLChecker(try workspace.read("report.xml"))
    }
    #expect(server.received.contains { $0.line.hasPrefix("POST /v1/rain/user ") })
    #expect(
      server.received.contains { String(decoding: $0.body, as: UTF8.self).contains(#"cnry\"Pass\\word"#) }, "the password was really sent")
  }

  /// A token that a provider issued is as secret as what it was issued for.
  @Test func aTokenThatIsEchoed() async throws {
    let server = try RawServer.answering { request in
      request.line.contains("/oauth/token")
        ? tokenAnswer : answer("500 Oops", #"{"seen": "\#(request.values(of: "Authorization").first ?? "")"}"#)
    }
    try workspace.write("one.flow.yaml", FaultyServerTests.Request.emergency.flow(server.origin))
    let run = try await workspace.baton("run", "one.flow.yaml", "-v", "--json", "--report", "junit=report.xml")
    #expect(run.code == 4)
    #expect(server.received.last?.values(of: "Authorization") == ["Bearer token-of-the-test"])
    let junit = try workspace.read("report.xml")
    #expect(!run.everything.contains("token-of-the-test"))
    #expect(!junit.contains("token-of-the-test"))
  }
}
