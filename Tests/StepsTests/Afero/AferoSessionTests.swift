import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("A session with Afero")
struct AferoSessionTests {
  private static let uuid = "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77"
  private static let mobile = #""mobile_devices": [{"mobile_device_id": "\#(uuid)"}]"#
  private static let leave = #"{"user_id": "usr-1", "mobile_device_id": "\#(uuid)"}"#

  private func tokenCalls(_ world: StepWorld) -> Int { world.received.filter { $0 == "POST /oauth/token" }.count }

  @Test("signs in, and gives the token without showing it")
  func signIn() async throws {
    let world = try StepWorld("afero", given: "{\"users\": [{\(AferoWorld.ann)}]}")
    let outputs = try await world.run("afero/sign-in", #"{"username": "ANN@example.test", "password": "hunter22"}"#)
    #expect(outputs["expires_in"] == 16086)
    #expect(outputs["expires_at"] == "2024-11-21T05:28:06Z")
    #expect(outputs["scope"] == "account")
    for name in ["access_token", "refresh_token"] { #expect(outputs[name]?.containsSecret == true) }
    try await world.run("afero/get-account-info", "{}")
    #expect(world.received == ["POST /oauth/token", "GET /v1/users/me"])
  }

  @Test("refuses a wrong password, an unknown person and an unknown app")
  func refused() async throws {
    let world = try StepWorld("afero", given: "{\"users\": [{\(AferoWorld.ann)}]}")
    for with in [#"{"username": "ann@example.test", "password": "x"}"#, #"{"username": "x@y.z", "password": "hunter22"}"#] {
      #expect(await world.failure("afero/sign-in", with)?.code == "auth.invalid_grant")
    }
    #expect(world.sandbox.overview["afero"]?["users"]?.listValue?.first?["failed_attempts"] == 1)
    let strict = try StepWorld(
      "afero", given: #"{"clients": [{"client_id": "other", "client_secret": "one"}], "users": [{\#(AferoWorld.ann)}]}"#)
    let failure = await strict.failure("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    #expect(failure?.code == "auth.invalid_client")
  }

  @Test("goes on after an expired token: one token call, one repeat, and the answer is the repeat's")
  func silentRefresh() async throws {
    let world = try await AferoWorld.signedIn()
    try world.sandbox.change("afero", "expire", "user")
    let outputs = try await world.run("afero/get-account-info", "{}")
    #expect(outputs["user_id"] == "usr-1")
    #expect(world.received == ["POST /oauth/token", "GET /v1/users/me", "POST /oauth/token", "GET /v1/users/me"])
    #expect(world.sandbox.requests.map(\.status) == [200, 401, 200, 200])
  }

  @Test("ends where the renewal is refused: no third request, and nobody is signed in any more")
  func refreshRefused() async throws {
    let world = try await AferoWorld.signedIn()
    try world.sandbox.change("afero", "revoke", "all")
    let failure = await world.failure("afero/get-account-info", "{}")
    #expect(failure?.code == "auth.expired")
    #expect(failure?.cause?.code == "auth.invalid_grant")
    #expect(world.received == ["POST /oauth/token", "GET /v1/users/me", "POST /oauth/token"])
    #expect(await world.held == nil)
  }

  @Test("ends where the new token is refused as well, after one renewal")
  func secondRefusal() async throws {
    let world = try await AferoWorld.signedIn()
    world.sandbox.add(try Fault(route: "GET /v1/users/me", kind: .status(401, headers: [:], body: [])))
    let failure = await world.failure("afero/get-account-info", "{}")
    #expect(failure?.code == "auth.expired")
    #expect(tokenCalls(world) == 2)
    #expect(world.received.count == 4)
  }

  @Test("is not renewed for anything but a 401", arguments: [403, 500, 503])
  func otherStatuses(status: Int) async throws {
    let world = try await AferoWorld.signedIn()
    world.sandbox.add(try Fault(route: "GET /v1/users/me", kind: .status(status, headers: [:], body: [])))
    let failure = await world.failure("afero/get-account-info", "{}")
    #expect(failure?.code == (status == 403 ? "afero.forbidden" : "http.\(status)"))
    #expect(tokenCalls(world) == 1)
  }

  @Test("needs no log-in where the settings name a person")
  func configured() async throws {
    let world = try StepWorld(
      "afero", given: "{\"users\": [{\(AferoWorld.ann)}]}", settings: #"{"username": "ann@example.test", "password": "hunter22"}"#)
    try await world.run("afero/get-account-info", "{}")
    #expect(tokenCalls(world) == 1)
  }

  @Test("is renewed on demand by its own refresh token, or begun by one that was kept")
  func renewed() async throws {
    let world = try await AferoWorld.signedIn()
    let before = await world.held
    let outputs = try await world.run("afero/refresh-token", "{}")
    #expect(outputs["access_token"]?.fullyExposed.stringValue != before?.accessToken)
    #expect(outputs["refresh_token"]?.fullyExposed.stringValue == before?.refreshToken)
    let refresh = try #require(before?.refreshToken)
    try await world.run("afero/sign-out", "{}")
    #expect(await world.failure("afero/get-account-info", "{}")?.code == "auth.expired")
    try await world.run("afero/refresh-token", #"{"refresh_token": "\#(refresh)"}"#)
    try await world.run("afero/get-account-info", "{}")
    #expect(tokenCalls(world) == 3)
  }

  @Test("says why a refresh token is refused, and uses none that is empty")
  func renewalRefused() async throws {
    let world = try await AferoWorld.signedIn()
    #expect(await world.failure("afero/refresh-token", #"{"refresh_token": "none"}"#)?.code == "auth.invalid_grant")
    #expect(await world.failure("afero/refresh-token", #"{"refresh_token": ""}"#)?.sent == .no)
    #expect(await world.failure("afero/refresh-token", "{}")?.code == "auth.expired")
    #expect(tokenCalls(world) == 2)
  }

  @Test("uses a refresh token once where they are replaced")
  func rotation() async throws {
    let world = try await AferoWorld.signedIn(further: #", "rotates_refresh_tokens": true"#)
    let first = try #require(await world.held?.refreshToken)
    try await world.run("afero/refresh-token", "{}")
    #expect(await world.held?.refreshToken != first)
    #expect(await world.failure("afero/refresh-token", #"{"refresh_token": "\#(first)"}"#)?.code == "auth.invalid_grant")
  }

  @Test("renews at an OpenID service")
  func openID() async throws {
    let world = try await AferoWorld.signedIn(settings: #"{"openid_url": "\#(SandboxTransport.origin)/afero"}"#)
    try await world.run("afero/refresh-token", "{}")
    #expect(world.received == ["POST /oauth/token", "POST /token"])
  }

  // MARK: leaving

  @Test("ends cleanly: the installation first, then the session")
  func signOut() async throws {
    let world = try await AferoWorld.signedIn(Self.mobile)
    let outputs = try await world.run("afero/sign-out", Self.leave)
    #expect(outputs == ValueMap(members: ["disassociated": true]))
    #expect(world.received.last == "DELETE /v1/users/usr-1/mobileDevices/\(Self.uuid)")
    #expect(await world.held == nil)
    #expect(world.sandbox.overview["afero"]?["users"]?.listValue?.first?["mobile_devices"] == [])
  }

  @Test("ends with an expired token too: one attempt, no renewal, and the refusal is an output")
  func signOutExpired() async throws {
    let world = try await AferoWorld.signedIn(Self.mobile)
    try world.sandbox.change("afero", "expire", "user")
    let outputs = try await world.run("afero/sign-out", Self.leave)
    #expect(outputs["disassociated"] == false)
    #expect(outputs["error_code"] == "afero.unauthorized")
    #expect(world.received == ["POST /oauth/token", "DELETE /v1/users/usr-1/mobileDevices/\(Self.uuid)"])
    #expect(await world.held == nil)
  }

  @Test("ends whatever the answer", arguments: [403, 404, 500])
  func signOutRefused(status: Int) async throws {
    let world = try await AferoWorld.signedIn(Self.mobile)
    world.sandbox.add(
      try Fault(route: "DELETE /v1/users/{u}/mobileDevices/{m}", kind: .status(status, headers: [:], body: [])))
    #expect(try await world.run("afero/sign-out", Self.leave)["disassociated"] == false)
    #expect(await world.held == nil)
  }

  @Test("ends without a request where no installation is named, and where nobody is signed in")
  func signOutAlone() async throws {
    let world = try await AferoWorld.signedIn()
    #expect(try await world.run("afero/sign-out", "{}") == ValueMap(members: ["disassociated": false]))
    let outputs = try await world.run("afero/sign-out", Self.leave)
    #expect(outputs["error_code"] == "afero.unauthorized")
    #expect(tokenCalls(world) == 1)
    #expect(world.received.count == 1)
  }

  @Test("asks for both names of an installation, or neither", arguments: [#"{"user_id": "usr-1"}"#, #"{"mobile_device_id": "m"}"#])
  func signOutHalf(with: String) async throws {
    let world = try await AferoWorld.signedIn()
    await #expect(throws: InvalidInput.self) { try await world.run("afero/sign-out", with) }
  }

  @Test("is not renewed to disassociate an installation: a refused token is told of at once")
  func disassociate() async throws {
    let world = try await AferoWorld.signedIn(Self.mobile)
    try world.sandbox.change("afero", "expire", "user")
    let failure = await world.failure("afero/disassociate-mobile-device", Self.leave)
    #expect(failure?.code == "afero.unauthorized")
    #expect(failure?.tags == ["http.401"])
    #expect(tokenCalls(world) == 1)
    #expect(world.received.count == 2)
    // The session is left as it is: the next step renews it.
    try await world.run("afero/get-account-info", "{}")
  }

  @Test("of the settings begins with what disassociates, where that is the first step")
  func disassociateFirst() async throws {
    let world = try StepWorld(
      "afero", given: "{\"users\": [{\(AferoWorld.ann), \(Self.mobile)}]}",
      settings: #"{"username": "ann@example.test", "password": "hunter22"}"#)
    try await world.run("afero/disassociate-mobile-device", Self.leave)
    #expect(world.received == ["POST /oauth/token", "DELETE /v1/users/usr-1/mobileDevices/\(Self.uuid)"])
  }
}
