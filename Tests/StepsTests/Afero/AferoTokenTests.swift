import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("Afero's tokens")
struct AferoTokenTests {
  private static let answer = """
    {"access_token":"5b1f0c52-9b0c-4ee3-9d0a-6e6c1b8f0a11","token_type":"bearer","expires_in":16086,
     "refresh_token":"0d7a52a8-1f0d-4a8e-8e61-6a3a4a1d9c20","scope":"account"}
    """
  private static let ann = TokenGrant.user(Credentials(username: "ann@example.test", password: "hunter22"))

  private func token(
    _ grant: TokenGrant, _ script: ScriptedTransport, settings: String = #"{"base_url": "https://api.afero.test"}"#
  ) async throws -> Token {
    var given = try #require(try JSON.parse(settings).mapValue)
    given["client_id"] = "myapp"
    given["client_secret"] = given["client_secret"] ?? "secret"
    let http = ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: given), session: NoSession(), transport: script, clock: StepClock())
    return try await AferoTokenIssuer().token(for: grant, settings: given, http: http, clock: StepClock())
  }

  private func failure(_ grant: TokenGrant, _ script: ScriptedTransport) async -> StepFailure? {
    await #expect(throws: StepFailure.self) { try await token(grant, script) }
  }

  @Test("are had for a password, with the scope that is always the same")
  func password() async throws {
    let script = ScriptedTransport([.json(200, Self.answer)])
    let token = try await token(Self.ann, script)
    #expect(script.asked.map(\.line) == ["POST https://api.afero.test/oauth/token"])
    let form = script.asked.map { String(decoding: $0.body ?? [], as: UTF8.self) }
    #expect(form == ["grant_type=password&username=ann%40example.test&password=hunter22&scope=account"])
    #expect(script.asked.first?.headers[.authorization] == "Basic bXlhcHA6c2VjcmV0")
    #expect(token.accessToken == "5b1f0c52-9b0c-4ee3-9d0a-6e6c1b8f0a11")
    #expect(token.refreshToken == "0d7a52a8-1f0d-4a8e-8e61-6a3a4a1d9c20")
    #expect(token.expires == Timestamp(seconds: 1_732_150_800 + 16086))
    #expect(token.scope == "account")
  }

  @Test("are renewed by the refresh token, which stays where the answer has none")
  func refresh() async throws {
    let script = ScriptedTransport([.json(200, #"{"access_token":"t-2","token_type":"bearer","expires_in":60}"#)])
    let earlier = Token(accessToken: "t-1", expires: nil, refreshToken: "r-1")
    let token = try await token(.refresh(earlier, .user), script)
    #expect(script.asked.map { String(decoding: $0.body ?? [], as: UTF8.self) } == ["grant_type=refresh_token&refresh_token=r-1"])
    #expect(script.asked.map(\.line) == ["POST https://api.afero.test/oauth/token"])
    #expect(token.accessToken == "t-2")
    #expect(token.refreshToken == "r-1")
  }

  @Test(
    "are renewed by an OpenID service where the connection names one, and got by the API all the same",
    arguments: [
      (#"{"base_url": "https://api.afero.test", "openid_url": "https://id.afero.test/realms/x"}"#, "https://id.afero.test/realms/x/token"),
      (#"{"base_url": "https://api.afero.test", "openid_url": "https://id.afero.test/"}"#, "https://id.afero.test/token"),
      (#"{"base_url": "http://127.0.0.1:1/afero", "openid_url": "http://127.0.0.1:1/afero"}"#, "http://127.0.0.1:1/afero/token"),
      (#"{"base_url": "http://127.0.0.1:1/afero", "openid_url": "https://id.afero.test"}"#, "http://127.0.0.1:1/afero/oauth/token"),
    ])
  func openID(settings: String, url: String) async throws {
    let script = ScriptedTransport([.json(200, Self.answer), .json(200, Self.answer)])
    _ = try await token(.refresh(Token(accessToken: "t", expires: nil, refreshToken: "r"), .user), script, settings: settings)
    _ = try await token(Self.ann, script, settings: settings)
    #expect(script.asked.first?.url == url)
    #expect(script.asked.last?.url.hasSuffix("/oauth/token") == true)
  }

  @Test("go with a pair that is not encoded first, as Afero's own clients send it")
  func basic() async throws {
    let script = ScriptedTransport([.json(200, Self.answer)])
    _ = try await token(Self.ann, script, settings: #"{"base_url": "https://api.afero.test", "client_secret": "s+&"}"#)
    // base64("myapp:s+&")
    #expect(script.asked.first?.headers[.authorization] == "Basic bXlhcHA6cysm")
  }

  @Test(
    "are refused in the words of OAuth, whatever the case",
    arguments: [
      (400, #"{"error":"invalid_grant","error_description":"Bad credentials"}"#, "auth.invalid_grant"),
      (400, #"{"error":"INVALID_GRANT","error_description":"Bad credentials"}"#, "auth.invalid_grant"),
      (401, #"{"error":"unauthorized","error_description":"Bad client credentials"}"#, "auth.invalid_client"),
      (401, "", "auth.invalid_client"), (400, #"{"error":"invalid_scope"}"#, "http.400"), (503, "", "http.503"), (200, "{}", "decode"),
    ])
  func refusals(status: Int, body: String, code: String) async throws {
    let failure = await failure(Self.ann, ScriptedTransport([.json(status, body)]))
    #expect(failure?.code == code)
  }

  @Test("are not asked for with empty hands, and not for apps or codes")
  func local() async throws {
    let script = ScriptedTransport([])
    #expect(await failure(.user(Credentials(username: "", password: "x")), script)?.code == "auth.invalid_grant")
    #expect(await failure(.user(Credentials(username: "x", password: "")), script)?.code == "auth.invalid_grant")
    #expect(await failure(.client, script)?.code == "config.token")
    #expect(await failure(.code(AuthorizationCode(code: "c")), script)?.code == "config.token")
    #expect(script.asked.isEmpty)
  }

  @Test("need a name and a password, or neither, in the settings")
  func settings() throws {
    let system = try #require(StepCatalogue.standard.system("afero"))
    #expect(throws: StepFailure.self) { try system.endpoint(ValueMap(members: ["username": "ann@example.test"])) }
    let both = ValueMap(members: ["username": "a", "password": "b"])
    #expect(system.credentials(both) == Credentials(username: "a", password: "b"))
    #expect(system.signsIn(both))
    #expect(!system.signsIn(ValueMap()))
    #expect(system.credentials(ValueMap(members: ["username": "a", "password": ""])) == nil)
  }
}
