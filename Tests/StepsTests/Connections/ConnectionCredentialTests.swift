import HTTPTypes
import StepKit
import Steps
import Synchronization
import Testing
import Values

@Suite("Cookies, Digest and proxies of a connection")
struct ConnectionCredentialTests {
  private let clock = StepClock()
  private let told = Texts()

  private func port(_ transport: ScriptedTransport, _ settings: String, effect: Effect = .unsafe, allows: String? = nil) throws
    -> ConnectedHTTP
  {
    ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: try JSON.parse(settings).mapValue ?? ValueMap()), session: NoSession(),
      transport: transport,
      clock: clock, effect: effect,
      hooks: HTTPHooks(
        allows: { _, address in
          allows.map { $0 == address.host ? nil : StepFailure("config.host", title: "the host is not allowed", detail: address.host) }
            ?? nil
        }, hide: told.append))
  }

  // MARK: cookies

  @Test("keeps cookies for the run, over steps and redirects, and sends them to its own origin alone")
  func jar() async throws {
    let script = ScriptedTransport([
      .text(302, "", [.location: "/me", .setCookie: "sid=s3ss10n-1; Path=/"]), .text(200),
      .text(200, "", [.setCookie: "sid=elsewhere; Path=/"]), .text(200), .text(200),
    ])
    let port = try port(script, #"{"base_url": "https://api.test", "cookies": true}"#)
    _ = try await port.send(HTTPCall(.post, "/login", redirects: 5))
    _ = try await port.send(HTTPCall(.get, "https://other.test/"))
    let step = port  // the next step has a port of its own over the same endpoint
    _ = try await step.send(HTTPCall(.get, "/again"))
    _ = try await step.send(HTTPCall(.get, "/own", headers: [.cookie: "mine=1"]))
    #expect(script.asked.map { $0.headers[.cookie] } == [nil, "sid=s3ss10n-1", nil, "sid=s3ss10n-1", "mine=1"])
    #expect(told.all.contains("s3ss10n-1"))
  }

  @Test("lets cookies expire by the run's clock")
  func expiry() async throws {
    let script = ScriptedTransport([.text(200, "", [.setCookie: "a=1; Max-Age=60"]), .text(200), .text(200)])
    let port = try port(script, #"{"base_url": "https://api.test", "cookies": true}"#)
    _ = try await port.send(HTTPCall(.get, "/"))
    _ = try await port.send(HTTPCall(.get, "/"))
    clock.advance(seconds: 60)
    _ = try await port.send(HTTPCall(.get, "/"))
    #expect(script.asked.map { $0.headers[.cookie] } == [nil, "a=1", nil])
  }

  @Test("keeps none unless it is told to, and sends those that it is given")
  func fixed() async throws {
    let script = ScriptedTransport([.text(200, "", [.setCookie: "b=2"]), .text(200), .text(200)])
    let port = try port(script, #"{"base_url": "https://api.test", "cookies": {"a": "1"}}"#)
    _ = try await port.send(HTTPCall(.get, "/"))
    _ = try await port.send(HTTPCall(.get, "/"))
    _ = try await port.send(HTTPCall(.get, "https://other.test/"))
    #expect(script.asked.map { $0.headers[.cookie] } == ["a=1", "a=1", nil])
  }

  @Test("gives a separate session its own jar, which begins with what there is")
  func separated() async throws {
    let script = ScriptedTransport([
      .text(200, "", [.setCookie: "a=1"]), .text(200, "", [.setCookie: "a=2"]), .text(200), .text(200),
    ])
    let first = try port(script, #"{"base_url": "https://api.test", "cookies": true}"#)
    _ = try await first.send(HTTPCall(.get, "/"))
    var second = first
    second.endpoint = first.endpoint.separated()
    _ = try await second.send(HTTPCall(.get, "/"))
    _ = try await first.send(HTTPCall(.get, "/"))
    _ = try await second.send(HTTPCall(.get, "/"))
    #expect(script.asked.map { $0.headers[.cookie] } == [nil, "a=1", "a=1", "a=2"])
  }

  @Test("shows no cookie and no token of an answer")
  func hidden() async throws {
    let script = ScriptedTransport([
      .json(
        200, #"{"access_token": "t0k3n-value", "user": {"id_token": "1d-t0k3n", "name": "Ada"}}"#, [.setCookie: "sid=s3ss10n-1; Path=/"]),
      .text(200, "", [.setCookie: "theme=dark"]),
    ])
    let port = try port(script, #"{"base_url": "https://api.test"}"#)
    var call = HTTPCall(.get, "/")
    call.secretMembers = ["access_token", "id_token"]
    call.secrets = ["hunter22"]
    let reply = try await port.send(call)
    #expect(reply.value["headers"]?["set-cookie"] == .secret("sid=s3ss10n-1; Path=/"))
    #expect(reply.value["body"]?["user"]?["name"] == "Ada")
    #expect(reply.value.redacted.json().contains("t0k3n") == false)
    #expect(told.all == ["hunter22", "s3ss10n-1", "t0k3n-value", "1d-t0k3n"])
    _ = try await port.send(call)
    #expect(told.all.count == 4)
  }

  @Test("shows nothing of what it sends to prove itself, and of nothing that is marked in its settings")
  func credentials() async throws {
    let script = ScriptedTransport(Array(repeating: .text(200), count: 3))
    var settings = try #require(
      try JSON.parse(#"{"base_url": "https://api.test", "cookies": {"sid": "c00k1e-value", "theme": "dark"}}"#).mapValue)
    settings["headers"] = ["X-Key": .secret("h34der-value"), "X-Open": "seen"]
    let port = ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: settings), session: NoSession(), transport: script, clock: clock,
      hooks: HTTPHooks(hide: told.append))
    _ = try await port.send(HTTPCall(.get, "/", headers: [.authorization: "Bearer 0wn-t0ken-value"]))
    _ = try await port.send(HTTPCall(.get, "/", headers: [.authorization: "Basic short"]))
    #expect(Set(told.all) == ["c00k1e-value", "h34der-value", "0wn-t0ken-value"])
  }

  @Test("has what a step is given, and what it gives, shown nowhere")
  func stepSecrets() async throws {
    let port = try port(ScriptedTransport([.text(200)]), #"{"base_url": "https://api.test"}"#)
    let ports = Ports(
      http: port, clock: clock, random: ZeroRandom(), prompt: AnswerList(["4nswer-value"]), session: NoSession(), settings: ValueMap(),
      log: { _ in })
    _ = try await AnyStep(HTTPStep.self).run(
      ([("url", "/"), ("method", "POST"), ("json", ["deep": [.secret("g1ven-value")]])] as [(String, Value)]).asMap, ports)
    _ = try await AnyStep(PromptStep.self).run(([("text", "?"), ("secret", true)] as [(String, Value)]).asMap, ports)
    #expect(told.all == ["g1ven-value", "4nswer-value"])
  }

  // MARK: Digest

  private static let challenge = #"Digest realm="r", nonce="abc", qop="auth", algorithm=SHA-256"#

  @Test("answers a Digest challenge with one more request, body and all")
  func digest() async throws {
    let script = ScriptedTransport([.text(401, "", [.wwwAuthenticate: Self.challenge]), .text(200)])
    let port = try port(script, #"{"base_url": "https://api.test/v1", "digest": {"username": "u", "password": "hunter22"}}"#)
    let reply = try await port.send(HTTPCall(.post, "/x?y=1", body: .json([1])))
    #expect(reply.status == 200)
    #expect(script.asked.map { $0.body } == [Array("[1]".utf8), Array("[1]".utf8)])
    let answers = script.asked.map { $0.headers[.authorization] }
    #expect(answers.first == .some(nil))
    let answer = try #require(answers.last ?? nil)
    #expect(
      answer.hasPrefix(#"Digest username="u", realm="r", nonce="abc", uri="/v1/x?y=1", algorithm=SHA-256, qop=auth, nc=00000001, cnonce=""#)
    )
    #expect(told.all == ["hunter22"])
  }

  @Test("takes the second 401 as it is")
  func refusedDigest() async throws {
    let script = ScriptedTransport(Array(repeating: .text(401, "", [.wwwAuthenticate: Self.challenge]), count: 5))
    let port = try port(script, #"{"base_url": "https://api.test", "digest": {"username": "u", "password": "p"}}"#)
    #expect(try await port.send(HTTPCall(.get, "/")).status == 401)
    #expect(script.asked.count == 2)
  }

  @Test("proves itself to its own origin alone", arguments: ["https://other.test/", "http://api.test/", "https://api.test:8443/"])
  func foreignChallenge(url: String) async throws {
    let script = ScriptedTransport(Array(repeating: .text(401, "", [.wwwAuthenticate: Self.challenge]), count: 5))
    let port = try port(script, #"{"base_url": "https://api.test", "digest": {"username": "u", "password": "p"}}"#)
    #expect(try await port.send(HTTPCall(.get, url)).status == 401)
    #expect(script.asked.count == 1)
    // Nor to where it is sent by a redirect.
    let redirect = ScriptedTransport([
      .text(302, "", [.location: "https://other.test/"]), .text(401, "", [.wwwAuthenticate: Self.challenge]),
    ])
    var call = HTTPCall(.get, "/", redirects: 5)
    call.digest = DigestCredentials(username: "u", password: "p")
    #expect(try await self.port(redirect, #"{"base_url": "https://api.test"}"#).send(call).status == 401)
    #expect(redirect.asked.count == 2)
  }

  @Test("refuses Digest for what is sent once, before anything leaves")
  func digestOnce() async throws {
    let script = ScriptedTransport([])
    let port = try port(script, #"{"base_url": "https://api.test", "digest": {"username": "u", "password": "p"}}"#, effect: .once)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.post, "/")) }
    #expect(failure?.code == "config.request")
    #expect(failure?.sent == .no && script.asked.isEmpty)
  }

  // MARK: proxies

  @Test("goes through a stated proxy only where that host is allowed", arguments: [("proxy.test", false), ("api.test", true)])
  func proxies(refusedHost: String, isSent: Bool) async throws {
    let script = ScriptedTransport([.text(200), .text(200)])
    let settings = #"{"base_url": "https://api.test", "proxy": "http://\#(isSent ? "api.test" : "proxy.test"):3128"}"#
    let port = try port(script, settings, allows: "api.test")
    if isSent {
      _ = try await port.send(HTTPCall(.get, "/"))
      #expect(script.asked.first?.proxy == .server(try ProxyServer("http://api.test:3128")))
    } else {
      let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
      #expect(failure?.code == "config.host" && failure?.detail == refusedHost)
      #expect(script.asked.isEmpty)
    }
  }
}

/// Texts as they come in.
private final class Texts: Sendable {
  private let state = Mutex<[String]>([])
  var all: [String] { state.withLock { $0 } }
  @Sendable func append(_ texts: [String]) { state.withLock { $0 += texts } }
}

extension [(String, Value)] {
  fileprivate var asMap: ValueMap {
    var map = ValueMap()
    for (key, value) in self { map[key] = value }
    return map
  }
}
