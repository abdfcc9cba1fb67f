import HTTPTypes
import StepKit
import Synchronization
import Testing
import Values

@Suite("The HTTP port of a connection")
struct ConnectedHTTPTests {
  // MARK: what is sent

  @Test("joins base and target, encodes the query, and adds the connection's headers")
  func request() async throws {
    let script = ScriptedTransport([.json(200, "{}")])
    let port = try http(script, settings: #"{"base_url": "https://api.test/v1", "headers": {"X-App": "baton"}, "bearer": "abc"}"#)
    _ = try await port.send(HTTPCall(.get, "/users?a=1", query: [("q", "a b&c")]))
    let sent = try #require(script.asked.first)
    #expect(sent.url == "https://api.test/v1/users?a=1&q=a%20b%26c")
    #expect(sent.headers[HTTPField.Name.authorization] == "Bearer abc")
    #expect(sent.headers[try #require(HTTPField.Name("x-app"))] == "baton")
    #expect(sent.body == nil)
    #expect(sent.redirects == 0)
  }

  @Test("writes a body as JSON, exposing its secrets, or as a form")
  func bodies() async throws {
    let script = ScriptedTransport([.text(204), .text(204), .text(204)])
    let port = try http(script)
    _ = try await port.send(HTTPCall(.post, "/", body: .json(["pin": .secret("48 29"), "n": 1.0])))
    _ = try await port.send(HTTPCall(.post, "/", body: .form([("a b", "c&d"), ("e", "")])))
    _ = try await port.send(HTTPCall(.post, "/", headers: [.contentType: "text/csv"], body: .bytes([97], contentType: "text/plain")))
    #expect(script.asked.map { String(decoding: $0.body ?? [], as: UTF8.self) } == [#"{"pin":"48 29","n":1}"#, "a+b=c%26d&e=", "a"])
    #expect(script.asked.map { $0.headers[.contentType] } == ["application/json", "application/x-www-form-urlencoded", "text/csv"])
  }

  @Test(
    "gives nothing of the connection to another origin",
    arguments: [
      ("https://api.test/x", true), ("https://API.test:443/x", true), ("/x", true), ("https://other.test/x", false),
      ("http://api.test/x", false), ("https://api.test:8443/x", false), ("https://api.test.evil.test/x", false),
    ])
  func origins(target: String, isOwn: Bool) async throws {
    let script = ScriptedTransport([.text(200)])
    let issuer = NumberedTokens()
    let port = try http(
      script, settings: #"{"base_url": "https://api.test", "headers": {"X-Api-Key": "k"}}"#, token: .client, session: issuer)
    _ = try await port.send(HTTPCall(.get, target))
    let headers = try #require(script.asked.first).headers
    #expect((headers[.authorization] == "Bearer t1") == isOwn)
    #expect((headers[try #require(HTTPField.Name("x-api-key"))] == "k") == isOwn)
    #expect(issuer.log == (isOwn ? ["token client"] : []))
  }

  @Test(
    "refuses what cannot be a header, and never repeats it",
    arguments: [
      ("X-A", "a\r\nX-B: b"), ("X-A", "a\0"), ("X A", "a"), ("X-A\n", "a"), ("", "a"),
    ])
  func headers(name: String, value: String) {
    var fields = HTTPFields()
    let failure = #expect(throws: StepFailure.self) { try fields.append(name, value) }
    #expect(failure?.code == "config.header")
    #expect(failure?.detail.contains("X-B") == false)
    #expect(fields.isEmpty)
  }

  @Test("hides in reports what a URL holds of secrets")
  func hiddenURL() async throws {
    let script = ScriptedTransport([
      .success(TransportReply(status: 200, headers: [:], body: [], url: "https://api.test/?key=a%2Fb&x=1"))
    ])
    let events = EventLog()
    let port = try http(script, hooks: HTTPHooks(observe: events.append))
    let reply = try await port.send(HTTPCall(.get, "/", query: [("key", "a/b"), ("x", "1")], hidden: ["a/b"]))
    #expect(reply.url == "https://api.test/?key=[secret]&x=1")
    guard case .sending(let exchange) = events.events.first else { throw UnknownStep(name: "no event") }
    #expect(exchange.url == "https://api.test/?key=[secret]&x=1")
    #expect(script.asked.first?.url == "https://api.test/?key=a%2Fb&x=1")
  }

  // MARK: what comes back

  @Test(
    "reads a body by its media type",
    arguments: [
      ("application/json", #"{"a":1}"#, ["a": 1]),
      ("application/problem+json; charset=utf-8", "[true]", [true]),
      ("text/plain", #"{"a":1}"#, #"{"a":1}"#),
      ("application/json", "", .null),
      ("", "x", "x"),
    ] as [(String, String, Value)])
  func reading(type: String, body: String, value: Value) async throws {
    let script = ScriptedTransport([.text(200, body, type.isEmpty ? [:] : [.contentType: type])])
    #expect(try await http(script).send(HTTPCall(.get, "/")).body == value)
  }

  @Test("fails with the place where a 2xx is no JSON, and keeps the text of any other status")
  func notJSON() async throws {
    let script = ScriptedTransport([.json(200, #"{"a": }"#), .json(502, "<html>")])
    let port = try http(script)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == "decode")
    #expect(failure?.sent == .yes)
    #expect(failure?.detail.hasSuffix("at byte 6") == true)
    #expect(failure?.answer?.body == #"{"a": }"#)
    #expect(try await port.send(HTTPCall(.get, "/")).body == "<html>")
  }

  @Test("does not read what is still compressed because nobody asked for it")
  func compressed() async throws {
    let script = ScriptedTransport([.json(200, "\u{1F}gzip", [.contentEncoding: "gzip"]), .json(200, "{}", [.contentEncoding: "gzip"])])
    var call = HTTPCall(.get, "/")
    call.options.isCompressed = false
    #expect(try await http(script).send(call).body == "\u{1F}gzip")
    call.options.isCompressed = true
    #expect(try await http(script).send(call).body == [:])
  }

  @Test("takes a 2xx of what is sent once for success, whatever its body")
  func onceIsLenient() async throws {
    let reply = try await http(ScriptedTransport([.json(202, "accepted")])).send(HTTPCall(.post, "/", effect: .once))
    #expect(reply.status == 202)
    #expect(reply.body == "accepted")
  }

  @Test(
    "says in the codes of flows why there was no answer",
    arguments: [
      (TransportFailure.Reason.dns, "network.dns"), (.connect, "network.connect"), (.connectTimeout, "timeout.connect"),
      (.timeout, "timeout.attempt"), (.tlsCertificate, "tls.certificate"), (.reset, "network.reset"), (.bodyTooLarge, "decode.too_large"),
      (.cancelled, "cancelled"),
    ])
  func failures(reason: TransportFailure.Reason, code: String) async throws {
    let events = EventLog()
    let script = ScriptedTransport([.failure(TransportFailure(reason, sent: .maybe, message: "no luck"))])
    let port = try http(script, hooks: HTTPHooks(observe: events.append))
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == code)
    #expect(failure?.sent == .maybe)
    #expect(events.events.count == 2)
  }

  // MARK: 401

  @Test("answers a 401 with one new token and one repeat")
  func repeated() async throws {
    let script = ScriptedTransport([.text(401), .text(200)])
    let tokens = NumberedTokens()
    let events = EventLog()
    let port = try http(script, token: .user, session: tokens, hooks: HTTPHooks(observe: events.append))
    #expect(try await port.send(HTTPCall(.post, "/", effect: .unsafe)).status == 200)
    #expect(script.asked.map { $0.headers[.authorization] } == ["Bearer t1", "Bearer t2"])
    #expect(tokens.log == ["token user", "replacement for t1"])
    #expect(events.repeats == [false, true])
  }

  @Test("gives up after the second 401: the tokens are forgotten")
  func expired() async throws {
    let script = ScriptedTransport([.text(401), .json(401, #"{"fault":{}}"#), .text(200)])
    let tokens = NumberedTokens()
    let port = try http(script, token: .user, session: tokens)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.tags == ["http.401"])
    #expect(failure?.answer?.body == ["fault": [:]])
    #expect(failure?.isRejected == true)
    #expect(script.asked.count == 2)
    #expect(tokens.log == ["token user", "replacement for t1", "forget user"])
  }

  @Test("keeps the refusal of the new token as the cause")
  func refusedReplacement() async throws {
    let script = ScriptedTransport([.text(401)])
    let tokens = NumberedTokens(refusal: StepFailure("auth.invalid_grant", title: "wrong password"))
    let port = try http(script, token: .user, session: tokens)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.cause?.code == "auth.invalid_grant")
    #expect(failure?.answer?.status == 401)
    #expect(tokens.log == ["token user", "replacement for t1", "forget user"])
  }

  @Test("does not call a session expired when the token could not be asked for")
  func unreachableReplacement() async throws {
    let tokens = NumberedTokens(refusal: StepFailure("network.connect", title: "no connection"))
    let port = try http(ScriptedTransport([.text(401)]), token: .user, session: tokens)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == "network.connect")
    #expect(failure?.isRejected == true)
    #expect(tokens.log == ["token user", "replacement for t1"])
  }

  @Test("never repeats what is sent once: the 401 comes through")
  func once() async throws {
    let script = ScriptedTransport([.text(401), .text(200)])
    let tokens = NumberedTokens()
    let port = try http(script, token: .client, effect: .once, session: tokens)
    #expect(try await port.send(HTTPCall(.post, "/")).status == 401)
    #expect(script.asked.map(\.delivery) == [.once])
    #expect(tokens.log == ["token client"])
  }

  @Test("says of a token that cannot be had before the request that nothing was sent")
  func noTokenNothingSent() async throws {
    let script = ScriptedTransport([])
    let tokens = NumberedTokens(firstRefusal: StepFailure("timeout.attempt", title: "no answer", sent: .maybe))
    let port = try http(script, token: .client, effect: .once, session: tokens)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.post, "/")) }
    #expect(failure?.sent == .no)
    #expect(script.asked.isEmpty)
  }

  @Test("leaves a 401 alone where the call brought its own credentials, or asked for no token")
  func ownCredentials() async throws {
    let script = ScriptedTransport([.text(401), .text(401)])
    let tokens = NumberedTokens()
    let port = try http(script, token: .client, session: tokens)
    #expect(try await port.send(HTTPCall(.get, "/", headers: [.authorization: "Bearer mine"])).status == 401)
    #expect(try await port.send(HTTPCall(.get, "/", token: TokenClass.none)).status == 401)
    #expect(tokens.log.isEmpty)
    #expect(script.asked.map { $0.headers[.authorization] } == ["Bearer mine", nil])
  }

  // MARK: redirects

  @Test("hands over a redirect unless the call follows it")
  func notFollowed() async throws {
    let script = ScriptedTransport([.text(302, "", [.location: "/next"])])
    #expect(try await http(script).send(HTTPCall(.get, "/")).status == 302)
    #expect(script.asked.count == 1)
  }

  @Test("follows within its origin with credentials, and beyond it without")
  func followed() async throws {
    let script = ScriptedTransport([
      .text(307, "", [.location: "/next"]), .text(302, "", [.location: "https://other.test/x"]), .text(200),
    ])
    let port = try http(script, settings: #"{"base_url": "https://api.test", "headers": {"X-Api-Key": "k"}}"#, token: .client)
    let own = try #require(HTTPField.Name("X-Own"))
    _ = try await port.send(HTTPCall(.post, "/a", headers: [own: "1"], body: .json([1]), redirects: 5))
    #expect(script.asked.map(\.url) == ["https://api.test/a", "https://api.test/next", "https://other.test/x"])
    #expect(script.asked.map(\.method) == [.post, .post, .get])
    #expect(script.asked.map { $0.headers[.authorization] } == ["Bearer t1", "Bearer t1", nil])
    #expect(script.asked.map { $0.headers[own] } == ["1", "1", nil])
    #expect(script.asked.map { $0.body == nil } == [false, false, true])
  }

  @Test("stops a redirect that leads from https to http, or goes on for ever")
  func stopped() async throws {
    let down = try http(ScriptedTransport([.text(302, "", [.location: "http://api.test/x"])]))
    let failure = await #expect(throws: StepFailure.self) { try await down.send(HTTPCall(.get, "/", redirects: 5)) }
    #expect(failure?.detail == "a redirect leads from https to http")
    let loop = ScriptedTransport(Array(repeating: .text(302, "", [.location: "/"]), count: 9))
    let port = try http(loop)
    let endless = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/", redirects: 5)) }
    #expect(endless?.detail == "more than 5 redirects")
    #expect(loop.asked.count == 6)
  }

  @Test("does not follow for what is sent once")
  func onceStays() async throws {
    let script = ScriptedTransport([.text(307, "", [.location: "/next"]), .text(200)])
    #expect(try await http(script, effect: .once).send(HTTPCall(.post, "/", redirects: 5)).status == 307)
    #expect(script.asked.count == 1)
  }

  // MARK: who may be asked

  @Test(
    "lets an emergency go to this machine alone; nothing is sent, no token is fetched",
    arguments: [
      ("http://127.0.0.1:9", true), ("http://localhost", true), ("http://[::1]:9", true), ("https://api.test", false),
      ("http://127.0.0.1.evil.test", false),
    ])
  func emergency(base: String, isSent: Bool) async throws {
    let script = ScriptedTransport([.text(202)])
    let tokens = NumberedTokens()
    var port = try http(script, settings: #"{"base_url": "\#(base)"}"#, token: .client, effect: .once, session: tokens)
    port.staysHere = true
    if isSent {
      #expect(try await port.send(HTTPCall(.post, "/v1/rem/trigger")).status == 202)
    } else {
      let sending = port
      let failure = await #expect(throws: StepFailure.self) { try await sending.send(HTTPCall(.post, "/v1/rem/trigger")) }
      #expect(failure?.code == "config.emergency_host")
      #expect(failure?.sent == .no)
      #expect(tokens.log.isEmpty)
    }
    #expect(script.asked.count == (isSent ? 1 : 0))
  }

  @Test("asks for every address whether it is allowed, redirects included")
  func allowed() async throws {
    let script = ScriptedTransport([.text(302, "", [.location: "https://evil.test/x"]), .text(200)])
    let hooks = HTTPHooks(allows: { _, address in
      address.host == "api.test" ? nil : StepFailure("config.host", title: "the host is not allowed", detail: address.host)
    })
    let port = try http(script, hooks: hooks)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/", redirects: 5)) }
    #expect(failure?.detail == "evil.test")
    #expect(script.asked.count == 1)
  }

  @Test("lets the engine stop a request before it is sent")
  func admission() async throws {
    let script = ScriptedTransport([.text(200)])
    let hooks = HTTPHooks(admit: { _ throws(StepFailure) in throw StepFailure("budget.requests", title: "no requests are left") })
    let port = try http(script, hooks: hooks)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == "budget.requests")
    #expect(script.asked.isEmpty)
  }

  @Test("passes the last word before the first byte only for what is sent once", arguments: [(Effect.once, true), (.unsafe, false)])
  func lastWord(effect: Effect, isAsked: Bool) async throws {
    let script = ScriptedTransport([.text(200)])
    let port = try http(script, effect: effect, hooks: HTTPHooks(beforeFirstByte: { $0.method == "GET" }))
    _ = try await port.send(HTTPCall(.post, "/"))
    #expect(script.asked.first?.willSend.map { $0() } == (isAsked ? false : nil))
  }

  private func http(
    _ transport: ScriptedTransport, settings: String = #"{"base_url": "https://api.test"}"#, token: TokenClass = .none,
    effect: Effect = .unsafe, session: any SessionPort = NumberedTokens(), hooks: HTTPHooks = HTTPHooks()
  ) throws -> ConnectedHTTP {
    let settings = try JSON.parse(settings).mapValue ?? ValueMap()
    return ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: settings), session: session, transport: transport, clock: StepClock(), effect: effect,
      token: token, hooks: hooks)
  }
}

/// A session that gives `t1` first and `t2` as its replacement, and writes down what it was asked.
final class NumberedTokens: SessionPort {
  private let entries = Mutex<[String]>([])
  private let refusal: StepFailure?
  private let firstRefusal: StepFailure?

  init(refusal: StepFailure? = nil, firstRefusal: StepFailure? = nil) {
    self.refusal = refusal
    self.firstRefusal = firstRefusal
  }

  var log: [String] { entries.withLock { $0 } }
  private func note(_ line: String) { entries.withLock { $0.append(line) } }

  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    note("token \(tokenClass.rawValue)")
    if let firstRefusal { throw firstRefusal }
    return Token(accessToken: "t1", expires: nil)
  }

  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw .none }

  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    note("replacement for \(rejected.accessToken)")
    if let refusal { throw refusal }
    return Token(accessToken: "t2", expires: nil)
  }

  func forget(_ tokenClass: TokenClass) async { note("forget \(tokenClass.rawValue)") }
}

extension EventLog {
  /// Of each request that was sent, whether it was a repeat.
  fileprivate var repeats: [Bool] {
    events.compactMap { if case .sending(let exchange) = $0 { exchange.isRepeat } else { nil } }
  }
}
