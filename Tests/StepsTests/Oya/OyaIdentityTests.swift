import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("OYA: who somebody is, and their eSIMs") struct OyaIdentityTests {
  /// What the vendor says of a scan, with some members changed.
  static func outcome(_ changes: String = "", scan: String = "326aceb6") -> String {
    let good: Value = [
      "merchant_id_scan_reference": .string(scan), "jumio_id_scan_reference": "j-1", "id_scan_status": "SUCCESS",
      "verification_status": "APPROVED_VERIFIED", "callback_date": "2024-11-21T09:19:07.036Z", "id_dob": "1998-06-06",
      "identity_verification": ["similarity": "MATCH", "validity": "TRUE"],
    ]
    var members = good.mapValue ?? ValueMap()
    for (key, value) in (try? JSON.parse("{\(changes)}"))?.mapValue ?? ValueMap() { members[key] = value }
    return Value.map(members).json()
  }

  static let scan = #""scans": [{"id": "326aceb6"}], "push_tokens": ["fcm-1"]"#

  @Test func aScanIsCreatedAndReadAsDocumented() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    let scan = try await world.run("create-scan", #"{"region": "sg"}"#)
    #expect(world.steps.events.lastReply?.status == 201)
    let id = try #require(scan["scan_id"]?.stringValue)
    #expect(try await world.run("get-scan", #"{"region": "sg", "scan_id": "\#(id)"}"#)["status"] == "PENDING")
    #expect(try await world.failure("create-scan", #"{"region": "vu"}"#)?.code == "oya.region_not_found")
    #expect(try await world.failure("get-scan", #"{"region": "sg", "scan_id": "x"}"#)?.code == "oya.scan_not_found")
    #expect(try await world.failure("get-scan", #"{"region": "no", "scan_id": "\#(id)"}"#)?.code == "oya.scan_not_found")
    #expect(try await world.run("get-region", #"{"region": "sg"}"#)["status"] == "PENDING")
  }

  @Test func aScanOfSomebodyElseIsNotShown() async throws {
    let world = try OyaWorld(
      given:
        #"{"people": [{"auth_code": "jo", "customer": {"nickname": "Jo", "contact_email": "jo@example.test", "scans": [{"id": "s-jo"}]}}, {"email": "mei@example.test", "customer": {}}]}"#
    )
    try await world.signIn()
    #expect(try await world.failure("get-scan", #"{"region": "sg", "scan_id": "s-jo"}"#)?.code == "oya.scan_not_yours")
  }

  @Test func anApprovedScanIsPushedToThePhone() async throws {
    let world = try OyaWorld(customer: Self.scan)
    try await world.run("scan-callback", Self.outcome(#""id_expiry": "2031-01-01""#))
    let push = try #require(world.steps.sandbox.messages(.push).first)
    #expect(push.recipient == "fcm-1")
    #expect(push.body["aps"]?["alert"] == ["title": "eKYC Status", "body": "Successfully verified the identity"])
    #expect(push.body["SCAN_INFORMATION"] == #"{"scanId":"326aceb6","countryCode":"sg","status":"APPROVED"}"#)
    #expect(push.body["gcm.message_id"] == "0:1")
    try await world.signIn()
    let region = try await world.run("get-region", #"{"region": "sg"}"#)
    #expect(region["kyc_expiry_date_map"] == ["jumio": "2031-01-01"])
    #expect(region["kyc_status_map"]?["my_info"] == "PENDING")
  }

  @Test(arguments: [
    (#""id_dob": "2006-11-21""#, "APPROVED"), (#""id_dob": "2006-11-22""#, "REJECTED"), (#""id_dob": "2024-11-21""#, "REJECTED"),
    (#""id_dob": "unknown""#, "APPROVED"), (#""id_scan_status": "ERROR""#, "REJECTED"),
    (#""verification_status": "DENIED_FRAUD""#, "REJECTED"),
    (#""identity_verification": {"similarity": "NO_MATCH", "validity": "TRUE"}"#, "REJECTED"),
    (#""identity_verification": {"similarity": "MATCH", "validity": "FALSE"}"#, "REJECTED"),
  ])
  func theOutcomeOfAScan(change: String, status: String) async throws {
    let world = try OyaWorld(customer: Self.scan)
    #expect(try await world.run("scan-callback", Self.outcome(change))["status"] == .string(status))
    #expect(world.steps.sandbox.messages(.push).count == 1)
  }

  @Test func noPushTellsOfPapersThatWereNotSent() async throws {
    let world = try OyaWorld(customer: Self.scan)
    try await world.run("scan-callback", Self.outcome(#""verification_status": "NO_ID_UPLOADED""#))
    #expect(world.steps.sandbox.messages(.push).isEmpty)
  }

  @Test func aCallbackIsRefused() async throws {
    let world = try OyaWorld(customer: Self.scan, more: #""webhook_key": "webhook-k3y""#)
    #expect(try await world.failure("scan-callback", Self.outcome(scan: "unknown"))?.code == "oya.scan_not_found")
    #expect(try await world.failure("scan-callback", #"{"merchant_id_scan_reference": "326aceb6"}"#)?.code == "oya.incomplete_scan")
    try world.steps.sandbox.change("oya", "set", ["webhook_key": "another"])
    #expect(try await world.failure("scan-callback", Self.outcome())?.code == "oya.webhook_key_refused")
    #expect(try await world.failure("stripe-event", #"{"event": {"id": "e", "type": "t", "data": {}}}"#)?.code == "oya.webhook_key_refused")
    #expect(world.overview["scans"]?.listValue?.first?["status"] == "PENDING")
  }

  @Test func theKeyOfTheWebhooksIsShownNowhere() async throws {
    let world = try OyaWorld(customer: Self.scan)
    try await world.run("scan-callback", Self.outcome())
    #expect(world.steps.events.lastReply?.url.hasSuffix("/ekyc/callback?key=[secret]") == true)
  }

  @Test(arguments: [
    ("sg", #""jumio": "APPROVED""#, false), ("sg", #""jumio": "APPROVED", "address": "APPROVED""#, true),
    ("sg", #""my_info": "APPROVED", "address": "APPROVED""#, true), ("sg", #""nric_fin": "APPROVED", "address": "APPROVED""#, false),
    ("sg", #""my_info": "APPROVED", "jumio": "APPROVED", "nric_fin": "APPROVED""#, false), ("my", #""jumio": "APPROVED""#, false),
    ("my", #""jumio": "APPROVED", "address": "APPROVED""#, true), ("no", #""jumio": "APPROVED""#, true),
    ("no", #""jumio": "REJECTED""#, false),
  ])
  func aRegionIsApprovedByASet(region: String, checks: String, isApproved: Bool) async throws {
    let world = try OyaWorld(customer: #""regions": [{"code": "\#(region)", \#(checks)}]"#)
    try await world.signIn()
    let with = #"{"region": "\#(region)"}"#
    #expect(try await world.run("get-region", with)["status"] == (isApproved ? "APPROVED" : "PENDING"))
    let failure = try await world.failure("create-sim-profile", with)
    #expect(failure?.code == (isApproved ? nil : "oya.region_not_approved"))
  }

  @Test func myInfoIsACheckOfItsOwn() async throws {
    let world = try OyaWorld(customer: "", more: #""my_info": [{"code": "a"}, {"code": "child", "dob": "2010-01-01"}]"#)
    try await world.signIn()
    #expect(try await world.failure("get-myinfo", #"{"code": "b"}"#)?.code == "oya.myinfo_failed")
    let child = try await world.run("get-myinfo", #"{"code": "child"}"#)
    #expect(child["uinfin"]?["value"]?.containsSecret ?? child["uinfin"]?.containsSecret == true)
    #expect(world.steps.events.lastReply?.url.contains("/personData/[secret]") == true)
    #expect(try await world.run("get-region", #"{"region": "sg"}"#)["kyc_status_map"]?["my_info"] == "REJECTED")
    try await world.run("get-myinfo", #"{"code": "a"}"#)
    try await world.run("get-myinfo", #"{"code": "child"}"#)
    #expect(try await world.run("get-region", #"{"region": "sg"}"#)["kyc_status_map"]?["my_info"] == "APPROVED")
  }

  @Test(arguments: [
    ("S9315107J", 200), ("s9315107j", 200), (" S9315107J ", 200), ("T0000001E", 200), ("F0000001U", 200), ("G0000001P", 200),
    ("S9315107A", 403), ("T9315107J", 403), ("A9315107J", 403), ("S931510J", 403), ("NOPE", 403), ("S93151O7J", 500),
  ])
  func theChecksumOfANumber(nric: String, status: Int) async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    let failure = try await world.failure("check-nric", #"{"nric": "\#(nric)"}"#)
    #expect(failure?.code == [200: nil, 403: "oya.invalid_nric", 500: "http.500"][status] ?? "none")
    #expect(world.steps.events.lastReply?.status == status)
    #expect(world.steps.events.lastReply?.url.hasSuffix("/dave/[secret]") == true)
  }

  @Test func theRefusalOfANumberIsTheDocumentedOne() throws {
    let world = try OyaWorld(customer: "")
    #expect(
      world.send(.get, "/regions/sg/kyc/dave/NOPE").text
        == #"403 {"errorCode":"INVALID_NRIC_FIN_ID","error":{"type":"NRIC/FIN ID","id":"NOPE","message":"Invalid NRIC/FIN ID","error":null},"status":403,"message":"Invalid NRIC/FIN ID"}"#
    )
    #expect(world.send(.get, "/regions/sg/kyc/dave/S9315107J").text == "200 {}")
  }

  @Test func anAddressIsJoined() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    let address = try await world.run("save-address", #"{"region": "my", "street": "JALAN 7", "postcode": "50450"}"#)
    #expect(address["address"] == ";;;;;;;;;;;;JALAN 7;;;50450")
    #expect(world.steps.events.lastReply?.status == 204)
    #expect(world.send(.put, "/regions/sg/kyc/profile").text == #"400 {"errors":["query param address may not be null"]}"#)
    #expect(world.send(.put, "/regions/no/kyc/profile?address=x").status == 404)
  }

  // MARK: eSIMs

  static let approved = #""regions": [{"code": "no", "jumio": "APPROVED", "sim_profiles": [{"icc_id": "8947000000000001598"}]}]"#
  static let sim = #"{"region": "no", "icc_id": "8947000000000001598"}"#

  @Test(arguments: [("iphone", 0), ("android", 0), ("test", 0), ("TEST", 1), ("paper", 1), (nil, 1)] as [(String?, Int)])
  func theKindOfAProfileDecidesOnTheMail(type: String?, mails: Int) async throws {
    let world = try OyaWorld(customer: Self.approved)
    try await world.signIn()
    let sim = try await world.run("create-sim-profile", #"{"region": "no"\#(type.map { #", "profile_type": "\#($0)""# } ?? "")}"#)
    #expect(world.steps.events.lastReply?.status == 200)
    let mail = world.steps.sandbox.messages(.mail, to: "mei@example.test")
    #expect(mail.map(\.code) == Array(repeating: sim["e_sim_activation_code"]?.stringValue, count: mails))
  }

  @Test func regionsSayInstalledWhateverIsTrue() async throws {
    let world = try OyaWorld(customer: Self.approved)
    try await world.signIn()
    try world.steps.sandbox.change("oya", "sim", ["status": "DOWNLOADED"])
    #expect(try await world.run("get-region", #"{"region": "no"}"#)["sim_profiles"]?.listValue?.map { $0["status"] } == ["INSTALLED"])
    let context = try await world.run("get-context")
    #expect(
      context["regions"]?.listValue?.last { $0["region"]?["id"] == "no" }?["sim_profiles"]?.listValue?.first?["status"] == "INSTALLED")
    let real = try await world.run("list-sim-profiles", #"{"region": "no"}"#)["sim_profiles"]?.listValue?.first
    #expect(real?["status"] == "DOWNLOADED")
    #expect(real?["downloaded_on"] == "2024-11-21T01:00:00Z")
    let support = try await world.run("support-get-context", #"{"customer_id": "c-mei"}"#)
    #expect(
      support["regions"]?.listValue?.last { $0["region"]?["id"] == "no" }?["sim_profiles"]?.listValue?.first?["status"] == "DOWNLOADED")
  }

  @Test func anESIMIsRenamedReportedAndMailed() async throws {
    let world = try OyaWorld(customer: Self.approved)
    try await world.signIn()
    #expect(
      try await world.run("rename-sim-profile", #"{"region": "no", "icc_id": "8947000000000001598", "alias": "Work"}"#)["alias"] == "Work")
    let reported = try await world.run("mark-sim-installed", Self.sim)
    #expect(reported["installed_reported_by_app_on"] == "2024-11-21T01:00:00Z")
    #expect(reported["status"] == "AVAILABLE_FOR_DOWNLOAD")
    try await world.run("resend-sim-email", Self.sim)
    #expect(world.steps.sandbox.messages(.mail).count == 1)
    let numbers = try await world.run("list-subscriptions", #"{"region": "no"}"#)["subscriptions"]?.listValue
    #expect(numbers?.first?["msisdn"]?.stringValue?.hasPrefix("47") == true)
    #expect(world.send(.get, "/subscriptions").status == 404)
  }

  @Test(arguments: ["rename-sim-profile", "mark-sim-installed", "resend-sim-email"])
  func anUnknownESIMIsToldFromAnUnknownRegion(step: String) async throws {
    let world = try OyaWorld(customer: Self.approved)
    try await world.signIn()
    let alias = step == "rename-sim-profile" ? #", "alias": "x""# : ""
    #expect(
      try await world.failure(step, #"{"region": "sg", "icc_id": "8947000000000001598"\#(alias)}"#)?.code == "oya.sim_profile_not_found")
    #expect(try await world.failure(step, #"{"region": "vu", "icc_id": "1"\#(alias)}"#)?.code == "oya.region_not_found")
    #expect(try await world.failure(step, #"{"region": "..", "icc_id": "1"\#(alias)}"#)?.code == "schema.input")
  }
}
