import HTTPTypes
import SandboxKit
import Testing
import Values

@Suite struct RapidSOSTokenTests {
  @Test func aClientTokenHasTextsForNumbers() throws {
    let reply = try RapidSOSWorld().form("grant_type=client_credentials&client_id=cid-1&client_secret=s3cr3t")
    #expect(reply.status == 200)
    #expect(reply.headers[.contentType] == "application/json")
    let body = try #require(reply.json?.mapValue)
    #expect(body.map(\.key.text) == ["access_token", "token_type", "issued_at", "expires_in"])
    #expect(body["access_token"]?.stringValue?.count == 28)
    #expect(body["token_type"] == "BearerToken")
    #expect(body["issued_at"] == "1732179601050")
    #expect(body["expires_in"] == "3599")
  }

  @Test func aUserTokenComesWithARefreshToken() throws {
    let reply = try RapidSOSWorld(given: RapidSOSWorld.user).logIn()
    #expect(reply.status == 200)
    let body = try #require(reply.json?.mapValue)
    #expect(
      body.map(\.key.text) == [
        "access_token", "token_type", "issued_at", "expires_in", "refresh_token", "refresh_token_issued_at", "refresh_token_expires_in",
      ])
    #expect(body["refresh_token_issued_at"] == "1732179601050")
    #expect(body["refresh_token_expires_in"] == "0")
  }

  private static let badClient =
    #"401 {"fault":{"faultstring":"Invalid client identifier","detail":{"errorcode":"oauth.v2.InvalidClientIdentifier"}}}"#

  @Test(arguments: [
    ("grant_type=client_credentials&client_id=cid-1&client_secret=s3cr3t", true),
    ("grant_type=client_credentials&client_id=cid-1&client_secret=other", false),
    ("grant_type=client_credentials&client_id=cid-2&client_secret=s3cr3t", false),
    ("grant_type=client_credentials&client_id=cid-1", false), ("grant_type=client_credentials", false),
  ])
  func namedClientsAreTheOnlyOnes(form: String, isAccepted: Bool) throws {
    let world = try RapidSOSWorld(given: ["clients": [["client_id": "cid-1", "client_secret": "s3cr3t"]]])
    let reply = world.form(form)
    #expect(isAccepted ? reply.status == 200 : reply.text == Self.badClient)
  }

  @Test(arguments: [
    ("client_id=any&client_secret=thing", true), ("client_id=any&client_secret=", false), ("client_id=&client_secret=x", false),
  ])
  func withoutNamedClientsAnyPairWillDo(pair: String, isAccepted: Bool) throws {
    let reply = try RapidSOSWorld().form("grant_type=client_credentials&\(pair)")
    #expect(isAccepted ? reply.status == 200 : reply.text == Self.badClient)
  }

  // `cid-1:s3cr3t`, `cid-1:wrong` and `cid-1`.
  @Test(arguments: [("Y2lkLTE6czNjcjN0", 200), ("Y2lkLTE6d3Jvbmc=", 401), ("Y2lkLTE=", 401), ("?", 401)])
  func theClientMayBeInBasic(credentials: String, status: Int) throws {
    let world = try RapidSOSWorld(given: ["clients": [["client_id": "cid-1", "client_secret": "s3cr3t"]]])
    #expect(world.form("grant_type=client_credentials", basic: credentials).status == status)
  }

  @Test func anotherGrantAndAnotherMediaTypeAreRefused() throws {
    let world = try RapidSOSWorld()
    #expect(world.form("grant_type=implicit&client_id=a&client_secret=b").text == #"400 {"detail":"Unsupported grant type."}"#)
    #expect(world.send(.post, "/oauth/token", ["grant_type": "password"]).status == 415)
  }

  // MARK: Log-in

  private static let wrong = #"401 {"detail":"Invalid user credentials."}"#
  private static let tooMany = #"429 {"detail":"Too many requests. Please try again later"}"#

  @Test func theThirdWrongPasswordIsToldToWait() throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    #expect(world.logIn(password: "wrong").text == Self.wrong)
    #expect(world.logIn(password: "wrong").text == Self.wrong)
    #expect(world.logIn(password: "wrong").text == Self.tooMany)
    #expect(world.logIn().text == Self.tooMany)
    world.move(.seconds(59))
    #expect(world.logIn().text == Self.tooMany)
    world.move(.seconds(1))
    #expect(world.logIn().status == 200)
  }

  @Test func theRightPasswordStartsTheCountAnew() throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    for _ in 0..<2 { _ = world.logIn(password: "wrong") }
    #expect(world.logIn().status == 200)
    #expect(world.logIn(password: "wrong").text == Self.wrong)
    #expect(world.logIn("nobody.here").text == Self.wrong)
  }

  @Test func aUserGivenWithoutAPasswordIsLetIn() throws {
    let world = try RapidSOSWorld(given: ["users": [["username": "ada.lovelace"]]])
    #expect(world.logIn("ada.lovelace", password: "anything").status == 200)
    #expect(world.logIn("ada.lovelace", password: "").text == Self.wrong)
  }

  // MARK: Bearers

  private static let invalid =
    #"401 {"fault":{"faultstring":"Invalid Access Token","detail":{"errorcode":"keymanagement.service.invalid_access_token"}}}"#
  private static let expired =
    #"401 {"fault":{"faultstring":"Access Token expired","detail":{"errorcode":"keymanagement.service.access_token_expired"}}}"#
  private static let wrongClass = #"403 {"detail":"You do not have permission to perform this action."}"#

  @Test func aTokenEndsWithItsLife() throws {
    let world = try RapidSOSWorld(given: ["users": RapidSOSWorld.user["users"] ?? [], "token_life": 1])
    #expect(world.logIn().json?["expires_in"] == "1")
    let token = world.userToken()
    world.move(.milliseconds(999))
    #expect(world.send(.get, "/v1/rain/personal-info", token: token).status == 200)
    world.move(.milliseconds(1))
    #expect(world.send(.get, "/v1/rain/personal-info", token: token).text == Self.expired)
  }

  @Test func aRevokedTokenIsUnknown() throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    let (user, client) = (world.userToken(), world.clientToken())
    try world.sandbox.change("rapidsos", "revoke", "user")
    #expect(world.send(.get, "/v1/rain/personal-info", token: user).text == Self.invalid)
    #expect(world.send(.post, "/v1/rem/trigger", [:], token: client).status == 400)
    #expect(world.send(.get, "/v1/rain/personal-info", token: world.userToken()).status == 200)
  }

  @Test func tokensExpireOnDemand() throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    let (user, client) = (world.userToken(), world.clientToken())
    #expect(world.sandbox.answer(SandboxRequest(.post, "/_sandbox/tokens/expire")).reply.status == 204)
    #expect(world.send(.get, "/v1/rain/personal-info", token: user).text == Self.expired)
    #expect(world.send(.post, "/v1/rem/trigger", [:], token: client).text == Self.expired)
  }

  @Test(arguments: [nil, "", "made-up"])
  func aTokenNobodyGaveOutIsInvalid(token: String?) throws {
    #expect(try RapidSOSWorld().send(.get, "/v1/rain/personal-info", token: token).text == Self.invalid)
  }

  @Test(arguments: [
    (HTTPRequest.Method.post, "/v1/rain/user", false), (.post, "/v1/rem/trigger", false), (.post, "/v1/rain/caller-ids", true),
    (.patch, "/v1/rain/caller-ids", true), (.get, "/v1/rain/personal-info", true),
  ])
  func eachOperationTakesOneClassOfToken(method: HTTPRequest.Method, path: String, isForUsers: Bool) throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    #expect(world.send(method, path, [:], token: isForUsers ? world.clientToken() : world.userToken()).text == Self.wrongClass)
    #expect(world.send(method, path, [:], token: isForUsers ? world.userToken() : world.clientToken()).status != 403)
    #expect(world.send(method, path, [:]).text == Self.invalid)
  }

  @Test func anUnknownClassOrChangeIsRefused() throws {
    let world = try RapidSOSWorld()
    #expect(throws: SandboxError("`access` is no class of tokens; known are `client`, `user` and `all`", at: "rapidsos.expire")) {
      try world.sandbox.change("rapidsos", "expire", "access")
    }
    #expect(throws: SandboxError("unknown change `burn`; known are `expire`, `revoke` and `set`", at: "rapidsos")) {
      try world.sandbox.change("rapidsos", "burn", "all")
    }
  }
}
