import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("The steps of OAuth")
struct OAuthStepTests {
  private static let callback = "https://app.test/cb"
  private let ask = #"{"authorization_url": "https://id.test/authorize", "redirect_uri": "\#(callback)""#

  private func redirect(_ location: String, _ status: Int = 302) -> Result<TransportReply, TransportFailure> {
    .text(status, "", [.location: location])
  }

  // MARK: oauth/token with keep

  @Test("a kept token is the connection's from then on, and is renewed")
  func keep() async throws {
    let world = try OAuthWorld([OAuthWorld.token(1), .text(200), .text(401), OAuthWorld.token(2), .text(200)])
    let outputs = try await world.run("oauth/token", #"{"grant": "authorization_code", "code": "c0de", "keep": true}"#)
    #expect(outputs["access_token"] == .secret("t1"))
    for _ in 0..<2 { _ = try await world.get("/me") }
    #expect(world.carried.compactMap { $0 } == ["Bearer t1", "Bearer t1", "Bearer t2"])
    #expect(world.sent[0] == "POST https://id.test/token grant_type=authorization_code&code=c0de&client_id=app")
  }

  @Test("nothing is asked for where nobody could keep the token: a code would be spent")
  func keptByNobody() async throws {
    let world = try OAuthWorld([], oauth: nil)
    let with = #"{"token_url": "/t", "client_id": "a", "grant": "authorization_code", "code": "c", "keep": true}"#
    let failure = await world.failure("oauth/token", with)
    #expect(failure?.code == "config.token")
    #expect(failure?.detail.contains("give a plain one `oauth`") == true)
    #expect(world.sent.isEmpty)
  }

  @Test("says before the run whether it signs somebody in")
  func signsIn() throws {
    let step = try #require(StepCatalogue.standard.step("oauth/token"))
    func literals(_ text: String) throws -> ValueMap { try JSON.parse(text).mapValue ?? ValueMap() }
    #expect(step.signsIn(try literals(#"{"grant": "device_code"}"#)) == false)
    #expect(step.signsIn(try literals(#"{"grant": "device_code", "keep": true}"#)) == true)
    #expect(step.signsIn(try literals(#"{"grant": "client_credentials", "keep": true}"#)) == false)
  }

  @Test("who is not named by the step is named by the connection, and a client's secret goes with no other client")
  func party() async throws {
    let world = try OAuthWorld(
      [OAuthWorld.token(1), OAuthWorld.token(2)], oauth: #", "client_secret": "s", "client_auth": "form""#)
    try await world.run("oauth/token", #"{"grant": "client_credentials"}"#)
    try await world.run("oauth/token", #"{"grant": "refresh_token", "refresh_token": "r", "client_id": "other"}"#)
    #expect(
      world.sent == [
        "POST https://id.test/token grant_type=client_credentials&client_id=app&client_secret=s",
        "POST https://id.test/token grant_type=refresh_token&refresh_token=r&client_id=other",
      ])
  }

  // MARK: device codes

  @Test("a device's code is asked for (RFC 8628 §3.1), by whatever name its address has")
  func deviceCode() async throws {
    let answer = #"{"device_code": "dc", "user_code": "AB-CD", "verification_url": "https://id.test/d", "expires_in": "900"}"#
    let world = try OAuthWorld([.json(200, answer)], oauth: #", "client_secret": "s""#)
    let outputs = try await world.run("oauth/device-code", #"{"device_authorization_url": "https://id.test/device", "scope": "a"}"#)
    let expected: Value = [
      "device_code": .secret("dc"), "user_code": "AB-CD", "verification_uri": "https://id.test/d", "expires_in": 900, "interval": 5,
    ]
    #expect(Value.map(outputs) == expected)
    #expect(world.sent == ["POST https://id.test/device scope=a&client_id=app"])
  }

  @Test("waiting asks by the interval, and five seconds slower each time that it is told so")
  func polling() async throws {
    func refusal(_ code: String) -> Result<TransportReply, TransportFailure> { .json(400, #"{"error": "\#(code)"}"#) }
    let world = try OAuthWorld([refusal("authorization_pending"), refusal("slow_down"), refusal("slow_down"), OAuthWorld.token(1)])
    let start = world.clock.elapsed()
    try await world.run("oauth/token", #"{"grant": "device_code", "device_code": "dc", "wait": true, "interval": 2, "expires_in": 60}"#)
    #expect(world.clock.elapsed() - start == .seconds(2 + 2 + 7 + 12))
    #expect(world.sent.count == 4)
  }

  @Test("waiting ends with the code, and with whatever is no pending answer")
  func pollingEnds() async throws {
    let pending = Array(repeating: Result<TransportReply, TransportFailure>.json(400, #"{"error": "authorization_pending"}"#), count: 9)
    let world = try OAuthWorld(pending)
    let with = #"{"grant": "device_code", "device_code": "dc", "wait": true, "interval": 5, "expires_in": 16}"#
    #expect(await world.failure("oauth/token", with)?.code == "auth.invalid_grant")
    #expect(world.sent.count == 3)
    let refused = try OAuthWorld([.json(400, #"{"error": "access_denied"}"#)])
    #expect(await refused.failure("oauth/token", with)?.code == "auth.denied")
  }

  // MARK: authorization requests

  @Test("a code is asked for with PKCE by S256 and a state, and the redirect is not followed")
  func authorize() async throws {
    let world = try OAuthWorld([redirect("\(Self.callback)?code=c%2F1&state=AAAAAAAAAAAAAAAAAAAAAA")], more: #", "follow": true"#)
    let outputs = try await world.run("oauth/authorize", ask + #", "scope": "a b"}"#)
    let verifier = String(repeating: "A", count: 43)
    #expect(outputs["code"] == .secret("c/1"))
    #expect(outputs["code_verifier"] == .secret(.string(verifier)))
    #expect(outputs["redirect_uri"] == "https://app.test/cb")
    #expect(
      world.sent == [
        "GET https://id.test/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fapp.test%2Fcb&scope=a%20b"
          + "&state=AAAAAAAAAAAAAAAAAAAAAA&code_challenge=\(ProofKey(verifier: verifier).challenge)&code_challenge_method=S256"
      ])
  }

  @Test("a token is taken from the fragment, as a secret")
  func implicit() async throws {
    let world = try OAuthWorld([redirect("\(Self.callback)#access_token=at&token_type=Bearer&expires_in=60&state=s", 303)])
    let outputs = try await world.run("oauth/authorize", ask + #", "response_type": "token", "state": "s"}"#)
    #expect(outputs["access_token"] == .secret("at"))
    #expect(outputs["expires_in"] == 60)
    #expect(!world.sent[0].contains("code_challenge"))
  }

  @Test(
    "a refusal is told by its kind",
    arguments: [
      ("https://app.test/cb?error=access_denied&error_description=no&state=s", "auth.denied"),
      ("https://app.test/cb?code=c&state=forged", "auth.state"), ("https://app.test/cb?code=c", "auth.state"),
      ("https://id.test/login?next=1", "auth.interaction"), ("/login", "auth.interaction"),
      ("https://app.test.evil.test/cb?code=c&state=s", "auth.interaction"), ("https://app.test/cb?state=s", "schema.input"),
    ])
  func refusals(location: String, code: String) async throws {
    let world = try OAuthWorld([redirect(location)])
    #expect(await world.failure("oauth/authorize", ask + #", "state": "s"}"#)?.code == code)
  }

  @Test(
    "a page is for a person, an error for the caller",
    arguments: [
      (200, "text/html", "<form>", "auth.interaction"), (400, "application/json", #"{"error": "invalid_client"}"#, "auth.invalid_client"),
      (400, "application/json", #"{"error": "invalid_request"}"#, "http.400"), (503, "text/plain", "later", "http.503"),
    ])
  func pages(status: Int, type: String, body: String, code: String) async throws {
    let world = try OAuthWorld([.text(status, body, [.contentType: type])])
    #expect(await world.failure("oauth/authorize", ask + "}")?.code == code)
  }

  @Test("further parameters go along, but not in the place of the step's own")
  func parameters() async throws {
    let world = try OAuthWorld([redirect("\(Self.callback)?code=c&state=s")])
    try await world.run("oauth/authorize", ask + #", "state": "s", "parameters": {"prompt": "none"}}"#)
    #expect(world.sent[0].hasSuffix("&prompt=none"))
    let failure = await world.failure("oauth/authorize", ask + #", "parameters": {"code_challenge_method": "plain"}}"#)
    #expect(failure?.detail == "`parameters.code_challenge_method` is stated by the step already")
  }

  @Test("an address is read by its pairs, and sends nothing")
  func parseRedirect() async throws {
    let world = try OAuthWorld([])
    let outputs = try await world.run("oauth/parse-redirect", #"{"url": "app://cb?xcode=no&code=a%20b&state=s#x", "state": "s"}"#)
    let expected: Value = ["code": .secret("a b"), "state": "s"]
    #expect(Value.map(outputs) == expected)
    #expect(await world.failure("oauth/parse-redirect", #"{"url": "app://cb?code=c&state=t", "state": "s"}"#)?.code == "auth.state")
    #expect(world.sent.isEmpty)
  }

  // MARK: leaving

  @Test("a token is given back (RFC 7009)")
  func revoke() async throws {
    let world = try OAuthWorld(
      [.text(200), .json(400, #"{"error": "unsupported_token_type"}"#)], oauth: #", "revocation_url": "https://id.test/revoke""#)
    try await world.run("oauth/revoke", #"{"token": "rt", "token_type_hint": "refresh_token"}"#)
    #expect(world.sent == ["POST https://id.test/revoke token=rt&token_type_hint=refresh_token&client_id=app"])
    #expect(await world.failure("oauth/revoke", #"{"token": "rt"}"#)?.code == "auth.denied")
  }

  @Test("whoever signs out gives the refresh token back, and nobody is signed in, even where the server is gone", arguments: [true, false])
  func signOut(isThere: Bool) async throws {
    let world = try OAuthWorld(
      [OAuthWorld.token(1), isThere ? .text(200) : .text(503)], oauth: #", "revocation_url": "https://id.test/revoke""#)
    try await world.run("oauth/token", #"{"grant": "authorization_code", "code": "c", "keep": true}"#)
    if isThere {
      #expect(try await world.run("oauth/sign-out", "{}")["revoked"] == true)
    } else {
      #expect(await world.failure("oauth/sign-out", "{}")?.code == "http.503")
    }
    #expect(world.sent.last == "POST https://id.test/revoke token=r1&token_type_hint=refresh_token&client_id=app")
    #expect(await world.session.held(.user) == nil)
    await #expect(throws: StepFailure.self) { try await world.get("/me") }
  }

  @Test("the examples of steps that need a server of their own answer with the documented outputs")
  func examples() async throws {
    let device = #"{"device_code": "d", "user_code": "WDJB-MJHT", "verification_uri": "https://id.example.test/device", "expires_in": 600}"#
    let code = redirect("https://app.example.test/callback?code=c&state=AAAAAAAAAAAAAAAAAAAAAA")
    for (name, answer) in [("oauth/authorize", code), ("oauth/device-code", .json(200, device)), ("oauth/revoke", .text(200))] {
      let step = try #require(StepCatalogue.standard.step(name))
      let outputs = try await StepPorts(transport: ScriptedTransport([answer])).run(step, step.example.with)
      let expected = try #require(try JSON.parse(step.example.outputs).mapValue)
      #expect(outputs.map(\.key.text).sorted() == expected.map(\.key.text).sorted())
      for (key, value) in expected where value != "*" { #expect(outputs[key]?.fullyExposed == value) }
    }
  }
}
