import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("Signing in and out at Ostelco")
struct OstelcoSessionTests {
  @Test("asks with PKCE and a state, reads the redirect, and exchanges the code")
  func login() async throws {
    let world = try StepWorld.ostelco()
    let token = try await world.signIn(as: "mei@example.test")
    #expect(token["token_type"] == "Bearer")
    #expect(token["expires_in"] == 7200)
    #expect(token["scope"] == "openid profile email offline_access")
    #expect(world.received == ["GET /authorize", "POST /oauth/token"])
  }

  @Test("asks for what the document says, under its names")
  func consent() async throws {
    let asked = try await OstelcoScript.run("login", #"{"login_hint": "mei@example.test"}"#, [.text(200, "a page")]).asked
    let url = try #require(asked.first?.url)
    let redirect = AuthorizationRedirect(url)
    #expect(
      redirect.pairs.map(\.name) == [
        "response_type", "client_id", "redirect_uri", "connection", "audience", "scope", "state", "code_challenge", "code_challenge_method",
        "login_hint",
      ])
    #expect(redirect["response_type"] == "code")
    #expect(redirect["client_id"] == "app-1")
    #expect(redirect["connection"] == "google-oauth2")
    #expect(redirect["audience"] == "http://google_api")
    #expect(redirect["scope"] == "openid profile email offline_access")
    #expect(redirect["code_challenge_method"] == "S256")
  }

  @Test("gives a token with the documented claims, which live as long as it does")
  func claims() async throws {
    let world = try StepWorld.ostelco()
    let token = try await world.signIn(as: "mei@example.test")["access_token"]?.exposed.stringValue ?? ""
    let claims = try #require(TokenClaims(token)?.claims)
    #expect(claims["iss"] == "https://auth-dev.oya.world/")
    #expect(claims["sub"] == "google-oauth2|1081")
    #expect(claims["aud"] == ["http://google_api", "https://auth-dev.oya.world/userinfo"])
    #expect(claims["https://ostelco/email"] == "mei@example.test")
    #expect(claims["exp"] == .int(1_732_150_800 + 7200))
  }

  @Test(
    "is refused in words of its own: somebody goes back, a page is shown, an audience or an app is unknown",
    arguments: [
      (#"{"consents": false}"#, "{}", "auth.denied"), (#"{"knows_browser": false}"#, "{}", "ostelco.login_needed"),
      ("{}", #"{"audience": "http://elsewhere"}"#, "auth.denied"), (#"{"clients": ["another"]}"#, "{}", "http.400"),
      ("{}", #"{"connection": "facebook"}"#, "auth.denied"),
    ])
  func refusals(given: String, settings: String, code: String) async throws {
    let world = try StepWorld.ostelco(given, settings: settings)
    #expect(await world.failure("ostelco/login", "{}")?.code == code)
    #expect(await world.userToken() == nil)
  }

  @Test("takes no redirect that answers another request")
  func wrongState() async throws {
    let location = "sg.redotter.dev.selfcare://ostelco.eu.auth0.com/ios/sg.redotter.dev.selfcare/callback?code=c&state=other"
    let run = try await OstelcoScript.run("login", "{}", [.text(302, "", [.location: location])])
    guard case .failure(let failure) = run.outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == "auth.state")
    #expect(run.asked.count == 1)
  }

  @Test("a refused sign-in leaves nobody signed in")
  func replaced() async throws {
    let world = try StepWorld.ostelco()
    try await world.signIn(as: "mei@example.test")
    try world.sandbox.change("ostelco", "set", ["consents": false])
    #expect(await world.failure("ostelco/login", "{}")?.code == "auth.denied")
    #expect(await world.failure("ostelco/get-bundles", "{}")?.code == "auth.expired")
  }

  @Test("renews, and keeps the refresh token")
  func refresh() async throws {
    let world = try StepWorld.ostelco()
    let first = try await world.signIn(as: "mei@example.test")
    let second = try await world.run("ostelco/refresh-token", "{}")
    #expect(first["access_token"] != second["access_token"])
    #expect(first["refresh_token"] == second["refresh_token"])
    try await world.run("ostelco/get-bundles", "{}")
  }

  @Test("signs in by a refresh token that was got elsewhere")
  func elsewhere() async throws {
    let world = try StepWorld.ostelco()
    let kept = try await world.signIn(as: "mei@example.test")["refresh_token"]?.exposed.stringValue ?? ""
    try await world.run("ostelco/logout", "{}")
    #expect(await world.failure("ostelco/get-bundles", "{}")?.code == "auth.expired")
    let token = try await world.run("ostelco/refresh-token", #"{"refresh_token": "\#(kept)"}"#)
    #expect(token["refresh_token"]?.exposed == .string(kept))
    #expect(token["id_token"] != nil)
    try await world.run("ostelco/get-bundles", "{}")
  }

  @Test("a revoked refresh token is refused with 403, and signs out", arguments: [true, false])
  func revoked(isGiven: Bool) async throws {
    let world = try StepWorld.ostelco()
    let kept = try await world.signIn(as: "mei@example.test")["refresh_token"]?.exposed.stringValue ?? ""
    try await world.run("ostelco/revoke-refresh-token", "{}")
    // The access token lives on.
    try await world.run("ostelco/get-bundles", "{}")
    let failure = await world.failure("ostelco/refresh-token", isGiven ? #"{"refresh_token": "\#(kept)"}"# : "{}")
    #expect(failure?.code == (isGiven ? "auth.invalid_grant" : "auth.expired"))
    let refusal = isGiven ? failure : failure?.cause
    #expect(refusal?.tags == ["http.403"])
    #expect(refusal?.detail == "`invalid_grant`: Unknown or invalid refresh token.")
    #expect(await world.userToken() == nil)
  }

  @Test("there is nothing to revoke or to renew where nobody is signed in")
  func nobody() async throws {
    let world = try StepWorld.ostelco()
    #expect(await world.failure("ostelco/revoke-refresh-token", "{}")?.code == "ostelco.no_refresh_token")
    #expect(await world.failure("ostelco/refresh-token", "{}")?.code == "auth.expired")
    #expect(world.received == [])
  }

  @Test("without `offline_access` there is no refresh token, and the end of the token is the end")
  func withoutRefresh() async throws {
    let world = try StepWorld.ostelco(settings: #"{"scope": "openid"}"#)
    #expect(try await world.signIn(as: "mei@example.test")["refresh_token"] == nil)
    world.clock.advance(seconds: 7200)
    #expect(await world.failure("ostelco/get-bundles", "{}")?.code == "auth.expired")
    #expect(world.received.filter { $0 == "POST /oauth/token" }.count == 1)
  }

  @Test("a 401 costs one refresh and one repeat, whatever it holds", arguments: ["gateway", "text", "empty"])
  func repeated(body: String) async throws {
    let world = try StepWorld.ostelco(#"{"unauthorized_body": "\#(body)"}"#)
    try await world.signIn(as: "mei@example.test")
    try world.sandbox.change("ostelco", "expire", "user")
    let bundles = try await world.run("ostelco/get-bundles", "{}")
    #expect(bundles["balance"] == 100_000_000)
    #expect(
      world.received == ["GET /authorize", "POST /oauth/token", "GET /bundles", "POST /oauth/token", "GET /bundles"])
  }

  @Test("requests that are refused at the same time share one refresh")
  func shared() async throws {
    let world = try StepWorld.ostelco()
    try await world.signIn(as: "mei@example.test")
    try world.sandbox.change("ostelco", "expire", "user")
    async let bundles = world.run("ostelco/get-bundles", "{}")
    async let products = world.run("ostelco/list-products", "{}")
    async let purchases = world.run("ostelco/list-purchases", "{}")
    _ = try await (bundles, products, purchases)
    #expect(world.received.filter { $0 == "POST /oauth/token" }.count == 2)
  }

  @Test("a log-out sends nothing, and nothing of one person is there for the next")
  func switching() async throws {
    let world = try StepWorld.ostelco(
      #"{"users": [{"email": "a@example.test", "purchases": [{"sku": "1GB_15SGD"}]}, {"email": "b@example.test"}]}"#)
    try await world.signIn(as: "a@example.test")
    let first = try await world.run("ostelco/list-purchases", "{}")
    let count = world.received.count
    #expect(try await world.run("ostelco/logout", "{}")["auth_state"] == "login")
    #expect(world.received.count == count)
    try await world.signIn(as: "b@example.test")
    let second = try await world.run("ostelco/list-purchases", "{}")
    #expect(first["purchases"]?.listValue?.count == 2)
    #expect(second["purchases"]?.listValue?.count == 1)
  }
}
