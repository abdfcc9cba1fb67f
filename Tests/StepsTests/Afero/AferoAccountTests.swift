import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("Afero's accounts in the sandbox")
struct AferoAccountTests {
  private func create(_ password: String, first: String = "Ann", email: String = "ann@example.test") -> String {
    #"{"credential_id": "\#(email)", "password": "\#(password)", "first_name": "\#(first)", "last_name": "Lee"}"#
  }

  @Test("are made with a password of 6 to 255 characters", arguments: [(5, false), (6, true), (255, true), (256, false)])
  func lengths(count: Int, isTaken: Bool) async throws {
    let world = try StepWorld("afero")
    let failure = await world.failure("afero/create-account", create(String(repeating: "x", count: count)))
    #expect(failure?.code == (isTaken ? nil : "afero.validation_failed"))
    #expect(
      failure?.problems ?? [] == (isTaken ? [] : [.init(field: "credential.password", message: "length must be between 6 and 255")]))
  }

  @Test("are refused for people without a name, under the server's own spelling of the field")
  func names() async throws {
    let failure = await (try StepWorld("afero")).failure("afero/create-account", create("hunter22", first: ""))
    #expect(failure?.problems == [.init(field: "user.firstname", message: "may not be empty")])
    #expect(failure?.answer?.body["fieldErrors"]?.listValue?.first?["error"] == "NotEmpty")
  }

  @Test("have one person for each address, whatever its case", arguments: [400, 409])
  func duplicates(status: Int) async throws {
    let world = try StepWorld("afero", given: #"{"duplicate_status": \#(status)}"#)
    try await world.run("afero/create-account", create("hunter22"))
    let failure = await world.failure("afero/create-account", create("hunter33", email: "ANN@example.test"))
    #expect(failure?.code == "afero.already_exists")
    #expect(failure?.tags == ["http.\(status)"])
  }

  @Test("let people in who have not proven their address, and mail them")
  func unverified() async throws {
    let world = try StepWorld("afero")
    let made = try await world.run("afero/create-account", create("hunter22"))
    #expect(made["account_id"] == "acc-1")
    #expect(made["created_timestamp"] == 1_732_150_800_000)
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    let info = try await world.run("afero/get-account-info", "{}")
    #expect(info["credential"]?["verified"] == false)
    #expect(info["account_access"]?.listValue?.first?["privileges"] == ["owner": true, "can_write": true])
    try await world.run("afero/resend-verification", #"{"account_id": "acc-1", "credential_id": "ann@example.test"}"#)
    #expect(world.sandbox.messages(.mail, to: "ann@example.test").map(\.subject) == ["Verify your address", "Verify your address"])
  }

  @Test("are renamed by their owner, and found renamed")
  func rename() async throws {
    let world = try await AferoWorld.signedIn()
    try await world.run("afero/set-account-description", #"{"account_id": "acc-1", "description": "Cabin by the lake"}"#)
    let info = try await world.run("afero/get-account-info", "{}")
    #expect(info["account_access"]?.listValue?.first?["account"]?["description"] == "Cabin by the lake")
  }

  @Test("are another's business for those who have no access, and not there where there are none")
  func foreign() async throws {
    let world = try await AferoWorld.signedIn().adding
    #expect(await world.failure("afero/list-devices", #"{"account_id": "acc-9"}"#)?.code == "afero.not_found")
    #expect(await world.failure("afero/list-devices", #"{"account_id": "acc-2"}"#)?.code == "afero.forbidden")
  }

  @Test("let a guest read, a writer write, and the owner alone share", arguments: ["{}", #"{"can_write": true}"#, #"{"owner": true}"#])
  func privileges(access: String) async throws {
    let rights = try #require(try JSON.parse(access).mapValue)
    let extra = access == "{}" ? "" : ", " + access.dropFirst().dropLast()
    let world = try StepWorld(
      "afero",
      given: """
        {"users": [{"username": "bo@example.test", "devices": [{"device_id": "dev-1"}]},
          {\(AferoWorld.ann), "access": [{"account_id": "acc-1"\(extra)}]}]}
        """)
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    try await world.run("afero/list-devices", #"{"account_id": "acc-1"}"#)
    let write = await world.failure("afero/rename-device", #"{"account_id": "acc-1", "device_id": "dev-1", "friendly_name": "Fan"}"#)
    #expect(write?.code == (rights.isEmpty ? "afero.forbidden" : nil))
    let share = await world.failure(
      "afero/invite-user", #"{"account_id": "acc-1", "target_email": "cy@example.test", "source_user_id": "usr-2"}"#)
    #expect(share?.code == (rights["owner"] == true ? nil : "afero.forbidden"))
  }

  // MARK: passwords

  @Test("give back a forgotten password by a code of one mail, which is good once")
  func recovery() async throws {
    let world = try await AferoWorld.signedIn()
    try await world.run("afero/send-password-recovery-email", #"{"credential_id": "ann@example.test"}"#)
    let code = try #require(world.sandbox.messages(.mail, to: "ann@example.test").last?.code)
    let with = #"{"code": "\#(code)", "password": "newhunter22"}"#
    try await world.run("afero/update-password-with-code", with)
    #expect(await world.failure("afero/update-password-with-code", with)?.code == "afero.not_found")
    let old = await world.failure("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    #expect(old?.code == "auth.invalid_grant")
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "newhunter22"}"#)
  }

  @Test("replace a code by the next one, and tell a bad password from a bad code")
  func codes() async throws {
    let world = try StepWorld("afero", given: #"{"users": [{"username": "ann@example.test", "reset_code": "111111"}]}"#)
    #expect(
      await world.failure("afero/update-password-with-code", #"{"code": "111111", "password": "x"}"#)?.code == "afero.validation_failed")
    try await world.run("afero/reset-password", #"{"credential_id": "ann@example.test"}"#)
    let stale = await world.failure("afero/update-password-with-code", #"{"code": "111111", "password": "newhunter22"}"#)
    #expect(stale?.code == "afero.not_found")
  }

  @Test("may keep it to themselves whether somebody has an address", arguments: [true, false])
  func unknown(isTold: Bool) async throws {
    let world = try StepWorld("afero", given: #"{"reveals_unknown_credential": \#(isTold)}"#)
    let failure = await world.failure("afero/reset-password", #"{"credential_id": "nobody@example.test"}"#)
    #expect(failure?.code == (isTold ? "afero.not_found" : nil))
    #expect(world.sandbox.messages().isEmpty)
  }

  @Test("let people change their own password and nobody else's")
  func update() async throws {
    let world = try await AferoWorld.signedIn().adding
    let own = #"{"account_id": "acc-1", "credential_id": "ann@example.test", "password": "newhunter22"}"#
    try await world.run("afero/update-password", own)
    #expect(
      await world.failure("afero/update-password", own.replacing("ann@", with: "bo@"))?.code == "afero.forbidden")
    #expect(
      await world.failure("afero/update-password", own.replacing("ann@", with: "cy@"))?.code == "afero.not_found")
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "newhunter22"}"#)
  }

  // MARK: installations and sharing

  @Test("register installations by UUIDs, under one's own id")
  func installations() async throws {
    let world = try await AferoWorld.signedIn()
    let good = #"{"user_id": "usr-1", "platform": "IOS", "mobile_device_id": "7e5b1c64-0b6b-4b7e-8e2c-5b9c2e0f1a77"}"#
    try await world.run("afero/update-device-info", good)
    #expect(
      await world.failure("afero/update-device-info", good.replacing("usr-1", with: "acc-1"))?.code == "afero.forbidden")
    let bad = await world.failure("afero/update-device-info", good.replacing("7e5b1c64", with: "x"))
    #expect(bad?.problems.map(\.field) == ["mobileDeviceId"])
    // Both spellings of a UUID are one.
    let gone = #"{"user_id": "usr-1", "mobile_device_id": "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77"}"#
    try await world.run("afero/disassociate-mobile-device", gone)
    #expect(await world.failure("afero/disassociate-mobile-device", gone)?.code == "afero.not_found")
  }

  @Test("are shared by a mail, and the invitation can be taken back")
  func invitations() async throws {
    let world = try await AferoWorld.signedIn()
    let with = #"{"account_id": "acc-1", "target_email": "bo@example.test", "source_user_id": "usr-1", "custom_message": "Welcome"}"#
    try await world.run("afero/invite-user", with)
    #expect(world.sandbox.messages(.mail, to: "bo@example.test").map(\.text) == ["Welcome"])
    let summary = try await world.run("afero/get-user-summary", #"{"account_id": "acc-1"}"#)
    let invitation = try #require(summary["invitations"]?.listValue?.first)
    #expect(invitation["credential_id"] == "bo@example.test")
    #expect(invitation["expires_timestamp"] == 1_732_750_800_000)
    let id = try #require(invitation["value"]?.stringValue)
    try await world.run("afero/revoke-invitation", #"{"account_id": "acc-1", "invitation_id": "\#(id)"}"#)
    #expect(try await world.run("afero/get-user-summary", #"{"account_id": "acc-1"}"#)["invitations"] == [])
    let foreign = await world.failure("afero/invite-user", with.replacing("usr-1", with: "usr-7"))
    #expect(foreign?.problems.map(\.field) == ["sourceUserId"])
  }

  @Test("are used by others until that is revoked")
  func access() async throws {
    let world = try StepWorld(
      "afero",
      given: """
        {"users": [{\(AferoWorld.ann)}, {"username": "bo@example.test", "access": [{"account_id": "acc-1", "can_write": true}]}]}
        """)
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    let users = try await world.run("afero/list-access", #"{"account_id": "acc-1"}"#)
    #expect(users["users"]?.listValue?.map { $0["user_id"] } == ["usr-1", "usr-2"])
    try await world.run("afero/revoke-access", #"{"account_id": "acc-1", "user_id": "usr-2"}"#)
    #expect(await world.failure("afero/revoke-access", #"{"account_id": "acc-1", "user_id": "usr-2"}"#)?.code == "afero.not_found")
    #expect(await world.failure("afero/revoke-access", #"{"account_id": "acc-1", "user_id": "usr-1"}"#)?.code == "afero.forbidden")
  }

  @Test("open their stream of events to those who may see it")
  func conclave() async throws {
    let world = try await AferoWorld.signedIn()
    let outputs = try await world.run("afero/get-conclave-access", #"{"account_id": "acc-1"}"#)
    let token = try #require(outputs["tokens"]?.listValue?.first)
    #expect(token["channel_id"] == "acc-1")
    #expect(token["client"]?["user_id"] == "usr-1")
  }
}

extension StepWorld {
  /// The same world with Bo in it, whose account is `acc-2`.
  fileprivate var adding: StepWorld {
    get async throws {
      let bo = #"{"credential_id": "bo@example.test", "password": "hunter22", "first_name": "Bo", "last_name": "Lee"}"#
      try await run("afero/create-account", bo)
      return self
    }
  }
}
