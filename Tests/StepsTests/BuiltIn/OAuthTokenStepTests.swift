import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("The step `oauth/token`")
struct OAuthTokenStepTests {
  private static let token = #"{"access_token": "at", "token_type": "Bearer", "expires_in": 3600}"#
  private static let verifier = String(repeating: "v", count: 43)
  private let step = AnyStep(OAuthTokenStep.self)

  private func with(_ grant: String, _ more: String = "") -> String {
    #"{"token_url": "/token", "grant": "\#(grant)", "client_id": "app" \#(more)}"#
  }

  private func sent(_ with: String) async throws -> TransportRequest {
    let ports = StepPorts(transport: ScriptedTransport([.json(200, Self.token)]))
    _ = try await ports.run(step, with)
    return try #require(ports.transport.asked.first)
  }

  @Test(
    "asks as each grant is asked for",
    arguments: [
      (
        "client_credentials", #", "client_secret": "s", "client_auth": "form", "scope": "a b", "audience": "api""#,
        "grant_type=client_credentials&scope=a+b&audience=api&client_id=app&client_secret=s"
      ),
      (
        "password", #", "username": "ada", "password": "p&q", "legacy": true"#,
        "grant_type=password&username=ada&password=p%26q&client_id=app"
      ),
      ("refresh_token", #", "refresh_token": "rt""#, "grant_type=refresh_token&refresh_token=rt&client_id=app"),
      (
        "authorization_code", #", "code": "c", "redirect_uri": "http://localhost/cb", "code_verifier": "\#(verifier)""#,
        "grant_type=authorization_code&code=c&redirect_uri=http%3A%2F%2Flocalhost%2Fcb&code_verifier=\(verifier)&client_id=app"
      ),
      (
        "device_code", #", "device_code": "dc""#,
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=dc&client_id=app"
      ),
    ])
  func forms(grant: String, more: String, body: String) async throws {
    let request = try await sent(with(grant, more))
    #expect(request.method == .post)
    #expect(request.url == "https://id.test/token")
    #expect(request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true)
    #expect(request.headers[.accept] == "application/json")
    #expect(String(decoding: request.body ?? [], as: UTF8.self) == body)
  }

  @Test("shows id and secret as HTTP Basic, each encoded so that forms and URLs read it alike (RFC 6749 §2.3.1)")
  func basic() async throws {
    let request = try await sent(with("client_credentials", #", "client_secret": "a b:c""#))
    // base64 of `app:a%20b%3Ac`
    #expect(request.headers[.authorization] == "Basic YXBwOmElMjBiJTNBYw==")
    #expect(String(decoding: request.body ?? [], as: UTF8.self) == "grant_type=client_credentials")
  }

  @Test(
    "sends a code and a refresh token once at most, and the others again where the transport has to",
    arguments: [
      ("client_credentials", #", "client_secret": "s""#, Delivery.repeatable),
      ("password", #", "username": "a", "password": "b", "legacy": true"#, .repeatable),
      ("refresh_token", #", "refresh_token": "rt""#, .single), ("authorization_code", #", "code": "c""#, .single),
    ])
  func delivery(grant: String, more: String, delivery: Delivery) async throws {
    #expect(try await sent(with(grant, more)).delivery == delivery)
  }

  @Test("gives tokens as secrets, and a life in seconds that is a number or a text")
  func outputs() async throws {
    let answer = #"{"access_token": "at", "token_type": "Bearer", "expires_in": "3599", "refresh_token": "rt", "scope": "a"}"#
    let ports = StepPorts(transport: ScriptedTransport([.json(200, answer)]))
    let outputs = try await ports.run(step, with("refresh_token", #", "refresh_token": "old""#))
    #expect(
      .map(outputs)
        == ["access_token": .secret("at"), "token_type": "Bearer", "expires_in": 3599, "refresh_token": .secret("rt"), "scope": "a"]
        as Value)
    #expect(ports.events.lastReply?.body["access_token"] == .secret("at"))
  }

  @Test(
    "raises what the server refuses in the codes of flows",
    arguments: [
      (401, #"{"error": "invalid_client"}"#, "auth.invalid_client", "`invalid_client`"),
      (400, #"{"error": "invalid_client", "error_description": "unknown"}"#, "auth.invalid_client", "`invalid_client`: unknown"),
      (401, "{}", "auth.invalid_client", ""), (400, #"{"error": "invalid_grant"}"#, "auth.invalid_grant", "`invalid_grant`"),
      (400, #"{"error": "expired_token"}"#, "auth.invalid_grant", "`expired_token`"),
      (200, #"{"error": "bad_verification_code"}"#, "auth.invalid_grant", "`bad_verification_code`"),
      (400, #"{"error": "unauthorized_client"}"#, "auth.denied", "`unauthorized_client`"),
      (400, #"{"error": "access_denied"}"#, "auth.denied", "`access_denied`"),
      (400, #"{"error": "authorization_pending"}"#, "auth.pending", "`authorization_pending`"),
      (400, #"{"error": "slow_down"}"#, "auth.pending", "`slow_down`"),
      (400, #"{"error": "invalid_scope"}"#, "http.400", "`invalid_scope`"), (503, "{}", "http.503", ""),
      (200, #"{"error": "teapot"}"#, "decode", "the server answered 200 with the error `teapot`"),
    ])
  func refusals(status: Int, body: String, code: String, detail: String) async throws {
    let ports = StepPorts(transport: ScriptedTransport([.json(status, body)]))
    let failure = await ports.failure(step, with("authorization_code", #", "code": "c""#))
    #expect(failure?.code == code)
    #expect(failure?.detail == detail)
    // The server did not act, so the same code may be sent again.
    #expect(failure?.isRejected == (status != 503 && code != "http.400"))
  }

  @Test("does not take an answer without a token for one")
  func noToken() async throws {
    let ports = StepPorts(transport: ScriptedTransport([.json(200, #"{"token_type": "Bearer"}"#)]))
    #expect(await ports.failure(step, with("authorization_code", #", "code": "c""#))?.code == "decode")
  }

  @Test(
    "takes of each grant's fields those that it needs, and no others",
    arguments: [
      ("client_credentials", "", ["`client_secret` is missing"]),
      ("password", #", "username": "a", "password": "b""#, ["`legacy` is missing"]), ("refresh_token", "", ["`refresh_token` is missing"]),
      ("authorization_code", #", "code": "c", "username": "a""#, ["unknown key `username`"]),
      ("device_code", "", ["`device_code` is missing"]),
      ("implicit", "", ["`grant` must be one of `client_credentials`, `password`, `refresh_token`, `authorization_code`, `device_code`"]),
    ])
  func fields(grant: String, more: String, messages: [String]) async {
    await #expect(throws: InvalidInput(messages: messages)) { try await StepPorts().run(step, with(grant, more)) }
  }

  @Test(
    "refuses before it sends",
    arguments: [
      (
        "password", #", "username": "a", "password": "b", "legacy": false"#,
        "`grant: password` needs `legacy: true`: OAuth 2.1 leaves this grant out"
      ),
      ("refresh_token", #", "refresh_token": """#, "`grant: refresh_token` needs `refresh_token`"),
      (
        "authorization_code", #", "code": "c", "code_verifier": "short""#,
        "`code_verifier` must have 43 to 128 characters, only letters, digits, `-`, `.`, `_` and `~`"
      ),
    ])
  func refused(grant: String, more: String, detail: String) async {
    let ports = StepPorts()
    let failure = await ports.failure(step, with(grant, more))
    #expect(failure?.code == "schema.input")
    #expect(failure?.detail == detail)
    #expect(ports.transport.asked.isEmpty)
  }

  @Test("puts no secret into its refusals")
  func hidden() async {
    let ports = StepPorts()
    let failure = await ports.failure(step, with("authorization_code", #", "code": "c0de", "code_verifier": "sh0rt""#))
    #expect(failure?.detail.contains("sh0rt") == false)
  }
}
