import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("SAMI's tokens")
struct SAMITokenTests {
  private static let code = #"{"access_token":"3a","token_type":"bearer","expires_in":3600,"refresh_token":"r-82"}"#

  private static func leading(to location: String) -> Result<TransportReply, TransportFailure> {
    .text(302, "", [.location: location])
  }

  private static let state = "AAAAAAAAAAAAAAAAAAAAAA"

  @Test("an implicit consent is asked for as documented, and its token is used from then on")
  func consent() async throws {
    let script = try await SAMIScript(
      [
        Self.leading(
          to: "ios-app://redirect#expires_in=7200&token_type=bearer&refresh_token=r-81&access_token=2f6c0d&state=\(Self.state)"),
        .json(200, #"{"data":{"id":"u-12","name":"tstep"}}"#),
      ], token: nil)
    let outputs = try await script.run("authorize", #"{"client": "mobile", "scope": "read"}"#)
    #expect(outputs["access_token"] == .secret("2f6c0d"))
    #expect(outputs["expires_at"] == "2024-11-21T03:00:00Z")
    #expect(outputs["token_type"] == "bearer")
    try await script.run("get-self", "{}")
    #expect(
      script.asked == [
        "GET https://accounts.test/authorize?client_id=app-1&response_type=token&redirect_uri=ios-app%3A%2F%2Fredirect&client=mobile&scope=read&state=\(Self.state)",
        "GET https://api.test/v1.1/users/self",
      ])
    #expect(script.authorization(0) == nil)
    #expect(script.authorization(1) == "Bearer 2f6c0d")
  }

  @Test(
    "an answer that is no consent has a name",
    arguments: [
      (Self.leading(to: "ios-app://redirect#error=access_denied&state=\(Self.state)"), "auth.denied"),
      (Self.leading(to: "ios-app://redirect#error=server_error&state=\(Self.state)"), "auth.denied"),
      (Self.leading(to: "ios-app://redirect#access_token=abc&state=other"), "auth.state"),
      (Self.leading(to: "ios-app://redirect#access_token=abc"), "auth.state"),
      (Self.leading(to: "https://accounts.test/login"), "sami.sign_in_needed"),
      (Self.leading(to: "ios-app://redirect#state=\(Self.state)"), "sami.sign_in_needed"),
      (.text(200, "<h1>Sign in</h1>"), "sami.sign_in_needed"),
      (.json(400, #"{"error":{"code":400,"message":"Invalid parameter: redirect_uri"}}"#), "sami.bad_redirect"),
      (.text(400, "Invalid parameter: redirect_uri"), "sami.bad_redirect"), (.text(500, "no valid redirect_uri"), "http.500"),
    ])
  func refusedConsent(answer: Result<TransportReply, TransportFailure>, code: String) async throws {
    let script = try await SAMIScript([answer], token: nil)
    #expect(await script.failure("authorize", "{}")?.code == code)
    #expect(await script.session.held(.user) == nil)
  }

  @Test("a token of the implicit grant is renewed with the old one, and stays what it is")
  func implicitRenewal() async throws {
    let script = try await SAMIScript([.json(200, Self.code), .json(200, Self.code)])
    let outputs = try await script.run("refresh-token", "{}")
    #expect(outputs["token_type"] == "bearer")
    #expect(outputs["access_token"] == .secret("3a"))
    try await script.run("refresh-token", "{}")
    #expect(script.asked.first == "POST https://accounts.test/token grant_type=refresh_token&refresh_token=r-81")
    #expect(script.authorization(0) == "bearer 2f6c0d")
    #expect(script.authorization(1) == "bearer 3a")
  }

  @Test("a code's token is renewed with the application's secret")
  func codeRenewal() async throws {
    let script = try await SAMIScript([.json(200, Self.code), .json(200, Self.code)], token: nil)
    try await script.run("exchange-code", #"{"code": "c-1"}"#)
    try await script.run("refresh-token", "{}")
    #expect(
      script.asked == [
        "POST https://accounts.test/token grant_type=authorization_code&code=c-1&redirect_uri=ios-app%3A%2F%2Fredirect",
        "POST https://accounts.test/token grant_type=refresh_token&refresh_token=r-82",
      ])
    // app-1:s3cr3t
    #expect([script.authorization(0), script.authorization(1)] == ["Basic YXBwLTE6czNjcjN0", "Basic YXBwLTE6czNjcjN0"])
  }

  @Test(
    "the token of a sign-in elsewhere is taken on",
    arguments: [
      (#"{"refresh_token": "r-9"}"#, "Basic YXBwLTE6czNjcjN0"), (#"{"refresh_token": "r-9", "access_token": "old"}"#, "bearer old"),
    ])
  func takenOn(with: String, authorization: String) async throws {
    let script = try await SAMIScript([.json(200, Self.code)], token: nil)
    try await script.run("refresh-token", with)
    #expect(script.authorization(0) == authorization)
    #expect(await script.session.held(.user)?.accessToken == "3a")
  }

  @Test(
    "a renewal that is refused is the end of the session, and a broken server is not",
    arguments: [
      (400, #"{"error":"invalid_request"}"#, "auth.expired", false),
      (401, #"{"error":{"code":401,"message":"no"}}"#, "auth.expired", false),
      (400, #"{"error":"server_error"}"#, "http.400", true), (503, "{}", "http.503", true),
    ])
  func refusedRenewal(status: Int, body: String, code: String, isKept: Bool) async throws {
    let script = try await SAMIScript([.json(status, body)])
    #expect(await script.failure("refresh-token", "{}")?.code == code)
    #expect((await script.session.held(.user) != nil) == isKept)
  }

  @Test(
    "a code or a client that is refused has a name",
    arguments: [
      ("exchange-code", #"{"code": "c"}"#, "invalid_request", "auth.invalid_grant"),
      ("exchange-code", #"{"code": "c"}"#, "unauthorized_client", "auth.denied"),
      ("get-app-token", "{}", "unauthorized_client", "auth.denied"), ("get-app-token", "{}", "invalid_request", "http.400"),
    ])
  func refusedToken(step: String, with: String, error: String, code: String) async throws {
    let script = try await SAMIScript([.json(400, #"{"error":"\#(error)"}"#)], token: nil)
    #expect(await script.failure(step, with)?.code == code)
  }

  @Test("the application's token is asked for with its secret, and used for what it may")
  func application() async throws {
    let script = try await SAMIScript(
      [
        .json(200, #"{"access_token":"a-2","token_type":"bearer","expires_in":3600}"#),
        .json(200, #"{"data":[],"total":0,"offset":0,"count":0}"#),
      ], token: nil)
    let outputs = try await script.run("get-app-token", #"{"scope": "read"}"#)
    #expect(outputs["refresh_token"] == nil)
    #expect(outputs["expires_in"] == 3600)
    try await script.run("list-subscriptions", "{}")
    #expect(script.asked.first == "POST https://accounts.test/token grant_type=client_credentials&scope=read")
    #expect(script.authorization(1) == "Bearer a-2")
  }

  @Test("a device's token takes the place of the person's, and is never renewed")
  func device() async throws {
    let script = try await SAMIScript([.json(401, #"{"error":{"code":401,"message":"Please provide a valid authorization header"}}"#)])
    let failure = await script.failure("get-device", #"{"id": "d-31", "token": "dtk-77"}"#)
    #expect(failure?.code == "sami.token_refused")
    #expect(failure?.tags == ["http.401"])
    #expect(script.authorization(0) == "bearer dtk-77")
    #expect(script.asked.count == 1)
    #expect(await script.session.held(.user) != nil)
  }

  @Test("a revocation carries both tokens in its URL, and shows neither")
  func revocation() async throws {
    let script = try await SAMIScript([.json(200, #"{"data":{"message":"Token successfully revoked"}}"#)])
    let outputs = try await script.run("revoke-token", "{}")
    #expect(outputs["message"] == "Token successfully revoked")
    #expect(script.asked == ["PUT https://accounts.test/revokeAccessToken?client_credentials=app-token&token=2f6c0d"])
    let shown = script.events.events.compactMap { if case .sending(let exchange) = $0 { exchange.url } else { nil } }
    #expect(shown == ["https://accounts.test/revokeAccessToken?client_credentials=[secret]&token=[secret]"])
  }

  private static let unauthorized: Result<TransportReply, TransportFailure> = .json(
    401, #"{"error":{"code":401,"message":"Please provide a valid authorization header"}}"#)
  private static let newToken: Result<TransportReply, TransportFailure> = .json(
    200, #"{"access_token":"a-2","token_type":"bearer","expires_in":3600}"#)

  @Test("a revocation is asked for again where the application's token was refused, and with a new one")
  func repeatedRevocation() async throws {
    let script = try await SAMIScript([
      Self.unauthorized, Self.newToken, .json(200, #"{"data":{"message":"Token successfully revoked"}}"#),
    ])
    try await script.run("revoke-token", "{}")
    let url = "https://accounts.test/revokeAccessToken?client_credentials"
    #expect(
      script.asked == [
        "PUT \(url)=app-token&token=2f6c0d", "POST https://accounts.test/token grant_type=client_credentials",
        "PUT \(url)=a-2&token=2f6c0d",
      ])
    #expect(await script.session.held(.user)?.accessToken == "2f6c0d")
  }

  @Test(
    "where no other one can be had, or that is refused as well, the session has ended",
    arguments: [
      ([unauthorized, .json(400, #"{"error":"unauthorized_client"}"#)], "the token was refused, and no new one could be had"),
      ([unauthorized, newToken, unauthorized], "a new token was refused as well"),
    ] as [([Result<TransportReply, TransportFailure>], String)])
  func refusedRevocation(answers: [Result<TransportReply, TransportFailure>], detail: String) async throws {
    let script = try await SAMIScript(answers)
    let failure = await script.failure("revoke-token", "{}")
    #expect(failure?.code == "auth.expired")
    #expect(failure?.detail == detail)
    #expect(failure?.tags == ["http.401"])
    #expect(failure?.answer?.status == 401)
    #expect(script.transport.asked.count == answers.count)
    #expect(await script.session.held(.client) == nil)
  }

  @Test(
    "a token that comes in a text instead of JSON is shown to nobody",
    arguments: [("refresh-token", "{}"), ("create-device-token", #"{"id": "d-31"}"#)])
  func textToken(step: String, with: String) async throws {
    let script = try await SAMIScript([.text(200, "access_token=3a9f")])
    let failure = await script.failure(step, with)
    #expect(failure?.code == "decode")
    #expect(failure?.answer?.body.containsSecret == true)
  }

  @Test(
    "what SAMI says against a revocation has a name that the step declares",
    arguments: [(400, 4001, "sami.validation_failed"), (403, 403, "sami.forbidden"), (404, 404, "sami.not_found")])
  func refusalOfRevocation(status: Int, code: Int, name: String) async throws {
    let script = try await SAMIScript([.json(status, #"{"error":{"code":\#(code),"message":"no"}}"#)])
    #expect(await script.failure("revoke-token", "{}")?.code == name)
    #expect(StepCatalogue.standard.step("sami/revoke-token")?.errors.map(\.code).contains(name) == true)
  }

  @Test("there is nothing to revoke where nobody is signed in")
  func nothingToRevoke() async throws {
    let script = try await SAMIScript([], token: nil)
    #expect(await script.failure("revoke-token", "{}")?.code == "sami.no_token")
    #expect(script.asked == [])
  }

  @Test("a log-out leaves the token, unless it is to be forgotten", arguments: [false, true])
  func logOut(forget: Bool) async throws {
    let script = try await SAMIScript([Self.leading(to: "ios-app://redirect?status=logout&state=xyz")])
    let outputs = try await script.run("logout", #"{"state": "xyz", "forget": \#(forget)}"#)
    #expect(outputs["status"] == "logout")
    #expect(script.asked == ["GET https://accounts.test/logout?redirect_uri=ios-app%3A%2F%2Fredirect&state=xyz"])
    #expect((await script.session.held(.user) == nil) == forget)
  }

  @Test("a log-out that is refused forgets the token all the same, where it is to be forgotten", arguments: [false, true])
  func refusedLogOut(forget: Bool) async throws {
    let script = try await SAMIScript([.text(503)])
    #expect(await script.failure("logout", #"{"forget": \#(forget)}"#)?.code == "http.503")
    #expect((await script.session.held(.user) == nil) == forget)
  }
}
