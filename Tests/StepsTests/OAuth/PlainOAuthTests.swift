import StepKit
import Steps
import Testing
import Values

@Suite("A plain connection with `oauth`")
struct PlainOAuthTests {
  @Test(
    "gets its first token as its settings say",
    arguments: [
      (
        #", "grant": "client_credentials", "client_secret": "s", "client_auth": "form", "scope": "a b", "audience": "api""#,
        "grant_type=client_credentials&scope=a+b&audience=api&client_id=app&client_secret=s"
      ),
      (
        #", "grant": "password", "username": "ada", "password": "pw", "legacy": true"#,
        "grant_type=password&username=ada&password=pw&client_id=app"
      ),
      (#", "grant": "refresh_token", "refresh_token": "r-own""#, "grant_type=refresh_token&refresh_token=r-own&client_id=app"),
    ])
  func firstToken(oauth: String, form: String) async throws {
    let world = try OAuthWorld([OAuthWorld.token(1), .text(200), .text(200)], oauth: oauth)
    for _ in 0..<2 { _ = try await world.get("/me") }
    #expect(world.sent == ["POST https://id.test/token \(form)", "GET https://api.test/me", "GET https://api.test/me"])
    #expect(world.carried.suffix(2) == ["Bearer t1", "Bearer t1"])
  }

  @Test("renews by the refresh token and repeats the request once")
  func renewal() async throws {
    let world = try OAuthWorld(
      [OAuthWorld.token(1), .text(401), OAuthWorld.token(2), .text(200)], oauth: #", "grant": "client_credentials", "client_secret": "s""#)
    #expect(try await world.get("/me").status == 200)
    #expect(world.sent[2] == "POST https://id.test/token grant_type=refresh_token&refresh_token=r1")
    #expect(world.carried.last == "Bearer t2")
  }

  @Test("keeps the refresh token where the answer to a renewal has none (RFC 6749 §6)")
  func kept() async throws {
    let world = try OAuthWorld(
      [OAuthWorld.token(1), .text(401), .json(200, #"{"access_token": "t2", "token_type": "Bearer"}"#), .text(200), .text(401)]
        + [OAuthWorld.token(3), .text(200)], oauth: #", "grant": "refresh_token", "refresh_token": "r0""#)
    for _ in 0..<2 { _ = try await world.get("/me") }
    #expect(world.sent[5] == "POST https://id.test/token grant_type=refresh_token&refresh_token=r1&client_id=app")
  }

  @Test("gives its token to no other origin, and to its own without being told")
  func origins() async throws {
    let world = try OAuthWorld(
      [OAuthWorld.token(1), .text(200), .text(200)], oauth: #", "grant": "client_credentials", "client_secret": "s""#)
    _ = try await world.get("https://other.test/x")
    #expect(world.carried == [nil])
  }

  @Test(
    "says what does not fit",
    arguments: [
      (#", "grant": "client_credentials""#, "", "`grant: client_credentials` needs `client_secret`"),
      (#", "grant": "refresh_token""#, "", "`grant: refresh_token` needs `refresh_token`"),
      (
        #", "grant": "password", "username": "a", "password": "b""#, "",
        "`grant: password` needs `legacy: true`: OAuth 2.1 leaves this grant out"
      ),
      ("", #", "bearer": "abc""#, "one kind of credentials goes out: `oauth` and `bearer` are given"),
    ])
  func unfit(oauth: String, more: String, detail: String) throws {
    let text = #"{"base_url": "https://a.test", "oauth": {"token_url": "/t", "client_id": "c"\#(oauth)}\#(more)}"#
    let settings = try #require(try JSON.parse(text).mapValue)
    let failure = #expect(throws: StepFailure.self) { try PlainHTTP.system.endpoint(settings) }
    #expect(failure?.detail == detail)
  }

  @Test("has one class of token, and none without `oauth`; only with it may tokens be stored")
  func classes() throws {
    func settings(_ text: String) throws -> ValueMap { try JSON.parse(text).mapValue ?? ValueMap() }
    let own = #""base_url": "https://a.test", "oauth": {"token_url": "/t", "client_id": "c""#
    #expect(PlainTokenIssuer().classes(try settings(#"{"base_url": "https://a.test"}"#)) == [])
    #expect(PlainTokenIssuer().classes(try settings("{\(own)}}")) == [.user])
    #expect(PlainTokenIssuer().classes(try settings(#"{\#(own), "grant": "client_credentials", "client_secret": "s"}}"#)) == [.client])
    #expect(try PlainHTTP.system.endpoint(settings(#"{\#(own)}, "token_store": true}"#)).base != nil)
    let failure = #expect(throws: StepFailure.self) {
      try PlainHTTP.system.endpoint(settings(#"{"base_url": "https://a.test", "token_store": true}"#))
    }
    #expect(failure?.code == "config.token_store")
    #expect(failure?.detail == "`token_store` is for connections with tokens, and this one has none")
  }

  @Test("hides what stands openly in it")
  func hidden() throws {
    let text = #"{"base_url": "https://a.test", "oauth": {"token_url": "/t", "client_id": "client-1", "client_secret": "open-secret"}}"#
    let endpoint = try PlainHTTP.system.endpoint(try #require(try JSON.parse(text).mapValue))
    #expect(endpoint.secrets.contains("open-secret"))
  }
}
