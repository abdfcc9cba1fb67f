import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

enum StepCatalogueEntry {
  static func errors(of step: String) -> [String]? { StepCatalogue.standard.step(step)?.errors.map(\.code) }
}

@Suite("OYA: people and customers") struct OyaCustomerTests {
  @Test func aContextThatIsNotThereMeansToSignUp() async throws {
    let world = try OyaWorld(customer: nil)
    try await world.signIn()
    let failure = try await world.failure("get-context")
    #expect(failure?.code == "oya.customer_not_found")
    #expect(failure?.tags == ["http.404"])
    #expect(failure?.detail.contains("Identity - mei@example.test not found.") == true)
    let customer = try await world.run("create-customer", #"{"nickname": "Mei", "contact_email": "mei@example.test"}"#)
    #expect(customer["created_on"] == "2024-11-21T01:00:00Z")
    let context = try await world.run("get-context")
    #expect(context["customer"]?["id"] == customer["id"])
    #expect(context["regions"]?.listValue?.map { $0["status"] } == ["AVAILABLE", "AVAILABLE", "AVAILABLE", "AVAILABLE"])
  }

  @Test func signingUpSendsTheDocumentedRequestAndGivesFreeData() async throws {
    let world = try OyaWorld(customer: nil)
    try await world.signIn()
    try await world.run("create-customer", #"{"nickname": "Mei", "contact_email": "mei@example.test"}"#)
    #expect(world.steps.events.lastReply?.url.hasSuffix("/customer?nickname=Mei&contactEmail=mei%40example.test") == true)
    #expect(world.steps.events.lastReply?.status == 201)
    #expect(try await world.run("get-bundles")["balance"] == 2_147_483_648)
    let purchase = try await world.run("list-purchases")["purchases"]?.listValue?.first
    #expect(purchase?["product"]?["sku"] == "2GB_FREE_ON_JOINING")
    #expect(purchase?["properties"] == [:])
    #expect(purchase?["msisdn"] == nil)
  }

  @Test(arguments: [
    (#"{"nickname": "Mei", "contact_email": "m@example.test"}"#, "oya.already_exists")
  ])
  func whoeverHasSignedUpIsRefused(with: String, code: String) async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    #expect(try await world.failure("create-customer", with)?.code == code)
  }

  @Test func referralsAreKnownByTheirCode() async throws {
    let world = try OyaWorld(
      given:
        #"{"people": [{"email": "jo@example.test", "auth_code": "jo", "customer": {"nickname": "Jo", "referral_id": "r-jo"}}, {"email": "mei@example.test"}]}"#
    )
    try await world.signIn()
    let with = { (code: String) in #"{"nickname": "Mei", "contact_email": "m@example.test", "referred_by": "\#(code)"}"# }
    #expect(try await world.failure("create-customer", with("mei@example.test"))?.code == "oya.not_referrable")
    #expect(try await world.failure("create-customer", with("r-nobody"))?.code == "http.500")
    try await world.run("create-customer", with("r-jo"))
    #expect(try await world.run("get-referrer")["name"] == "Jo")
    try await world.run("authorize-apple", #"{"auth_code": "jo"}"#)
    #expect(try await world.run("list-referrals")["referrals"] == [["name": "Mei"]])
  }

  @Test func anUpdateLeavesWhatIsLeftOut() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    #expect(try await world.run("update-customer", #"{"nickname": "Ah Mei"}"#)["contact_email"] == "mei@example.test")
    #expect(try await world.run("update-customer", #"{"contact_email": "m@example.test"}"#)["nickname"] == "Ah Mei")
  }

  @Test func aDeletedCustomerIsGoneAndMaySignUpAgain() async throws {
    let world = try OyaWorld(customer: #""sources": ["tok_visa"]"#)
    try await world.signIn()
    try await world.run("delete-customer")
    #expect(world.steps.events.lastReply?.status == 204)
    for step in ["get-context", "get-customer", "delete-customer", "list-regions", "get-bundles", "list-products", "list-payment-sources"] {
      #expect(try await world.failure(step)?.code == "oya.customer_not_found", "\(step)")
    }
    #expect(world.send(.delete, "/customer").json?["errorCode"] == "FAILED_TO_REMOVE_CUSTOMER")
    try await world.run("create-customer", #"{"nickname": "Mei", "contact_email": "m@example.test"}"#)
    #expect(try await world.run("list-payment-sources")["sources"] == [])
  }

  // MARK: tokens

  @Test func theCustomTokenBecomesThePersonsToken() async throws {
    let world = try OyaWorld(customer: "")
    let token = try await world.run("authorize-apple", #"{"auth_code": "c0ffee.0.mei"}"#)
    #expect(token["token"]?.containsSecret == true)
    #expect(token["expires_at"] == "2024-11-21T02:00:00Z")
    #expect(world.steps.events.lastReply?.value["body"]?["token"]?.containsSecret == true)
    try await world.run("get-customer")
    world.steps.clock.advance(seconds: 3600)
    let failure = try await world.failure("get-customer")
    #expect(failure?.code == "auth.expired")
    #expect(failure?.sent == .no)
    #expect(world.steps.received == ["POST /oya/appleId/authorize", "GET /oya/customer"].map { $0.replacing("/oya", with: "") })
  }

  @Test(arguments: ["gateway", "text", "empty"])
  func aTokenThatIsForgottenEndsTheSession(body: String) async throws {
    let world = try OyaWorld(customer: "", more: #""unauthorized": "\#(body)""#)
    try await world.signIn()
    try world.steps.sandbox.change("oya", "revoke", "user")
    #expect(try await world.failure("get-customer")?.code == "auth.expired")
    #expect(try await world.failure("get-customer")?.detail.contains("nobody is signed in") == true)
  }

  @Test func aTokenOfTheSettingsThatIsRefusedIsSentOnce() async throws {
    let world = try OyaWorld(customer: "", settings: #"{"id_token": "id-of-nobody"}"#)
    let failure = try await world.failure("get-customer")
    #expect(failure?.code == "auth.expired")
    #expect(failure?.sent == .yes)
    #expect(failure?.detail.contains("new token") == false)
    #expect(world.steps.received == ["GET /customer"])
  }

  @Test func aCodeIsGoodForItsOwner() async throws {
    let world = try OyaWorld(given: #"{"people": [{"auth_code": "one", "customer": {"id": "c-1"}}]}"#)
    let failure = try await world.failure("authorize-apple", #"{"auth_code": "two"}"#)
    #expect(failure?.code == "auth.invalid_grant")
    try await world.run("authorize-apple", #"{"auth_code": "one"}"#)
    #expect(try await world.run("get-customer")["id"] == "c-1")
  }

  @Test func aTokenOfTheSettingsNeedsNoStep() async throws {
    let world = try OyaWorld(customer: "", settings: #"{"id_token": "id-of-mei", "mode": "prime-direct"}"#)
    #expect(try await world.run("get-customer")["id"] == "c-mei")
    #expect(world.steps.endpoint.headers.first { $0.name.canonicalName == "x-mode" }?.value == "prime-direct")
    let system = try #require(StepCatalogue.standard.system("oya"))
    #expect(system.signsIn(world.steps.settings))
    #expect(!system.signsIn(ValueMap()))
  }

  @Test func aSandboxThatNobodyHasPreparedKnowsTheTokenThatARunMakesUp() async throws {
    let settings = #"{"id_token": "sandbox-id_token"}"#
    let world = try OyaWorld(given: "{}", settings: settings)
    #expect(try await world.failure("get-context")?.code == "oya.customer_not_found")
    try await world.run("create-customer", #"{"nickname": "Mei", "contact_email": "mei@example.test"}"#)
    #expect(try await world.run("get-context")["customer"]?["nickname"] == "Mei")
    // The code of Apple is the same person's.
    try await world.signIn()
    #expect(try await world.run("get-context")["customer"]?["nickname"] == "Mei")
    for given in [#"{"people": []}"#, #"{"people": [{"id_token": "another"}]}"#] {
      #expect(try await OyaWorld(given: given, settings: settings).failure("get-context")?.code == "auth.expired")
    }
  }

  @Test func aTokenOfTheSettingsThatHasEndedIsToldWithoutARequest() async throws {
    // {"exp": 1}
    let world = try OyaWorld(customer: "", settings: #"{"id_token": "e30.eyJleHAiOjF9.x"}"#)
    let failure = try await world.failure("get-customer")
    #expect(failure?.code == "auth.invalid_grant")
    #expect(failure?.detail.contains("1970-01-01T00:00:01Z") == true)
    #expect(world.steps.received.isEmpty)
  }

  @Test func aModeIsOneOfTwo() throws {
    let shape = try #require(StepCatalogue.standard.system("oya")).settings()
    let settings = try #require(try JSON.parse(#"{"mode": "prime"}"#).mapValue)
    #expect(shape.violations(in: settings).map(\.message) == ["`mode` must be one of `prime-direct`, `prime-canary`"])
  }
}
