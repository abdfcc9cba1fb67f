import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// What the document says of customers, their papers and their phones, asked of the service's stand-in.
@Suite("Customers in the sandbox of Ostelco")
struct OstelcoCustomerTests {
  // MARK: sign-up and profile

  @Test(
    "signs up with 100 MB, and a referred person with 1 GB",
    arguments: [(false, 100_000_000, "100MB_FREE_ON_JOINING"), (true, 1_000_000_000, "1GB_FREE_ON_REFERRED")])
  func signUp(isReferred: Bool, bytes: Int64, sku: String) async throws {
    let world = try await StepWorld.mei()
    try await world.signIn(as: "jo@example.test")
    let body = #"{"name": "Jo Lim", "email": "another@example.test", "country": "SG", "id": "x", "referralId": "y"}"#
    let profile = try await world.ask(.post, isReferred ? "/profile?referred_by=mei-1" : "/profile", json: body)
    #expect(profile.status == 201)
    // The address is the token's, and the ids are the service's own.
    #expect(profile.json?["email"] == "jo@example.test")
    #expect(profile.json?["id"] != "x" && profile.json?["referralId"] != "y")
    #expect(try await world.ask(.get, "/bundles").json?.listValue?.first?["balance"] == .int(bytes))
    let purchase = try await world.ask(.get, "/purchases").json?.listValue?.first
    #expect(purchase?["product"]?["sku"] == .string(sku))
    #expect(purchase?["product"]?["price"]?["amount"] == 0)
    #expect(try await world.ask(.get, "/referred/by").json == ["name": isReferred ? "Mei Tan" : .null])
    try await world.signIn(as: "mei@example.test")
    #expect(try await world.ask(.get, "/referred").json == (isReferred ? [["name": "Jo Lim"]] : []))
  }

  @Test(
    "refuses profiles",
    arguments: [
      ("jo@example.test", "", #"{"name": "", "email": "e", "country": "SG"}"#, 400),
      ("jo@example.test", "", #"{"name": "n", "country": "SG"}"#, 400), ("jo@example.test", "", "[]", 400),
      ("jo@example.test", "", #"{"name": "n", "email": "e", "country": "XX"}"#, 403),
      ("mei@example.test", "", #"{"name": "n", "email": "e", "country": "SG"}"#, 403),
      ("jo@example.test", "?referred_by=jo@example.test", #"{"name": "n", "email": "e", "country": "SG"}"#, 403),
      ("jo@example.test", "?referred_by=nobody", #"{"name": "n", "email": "e", "country": "SG"}"#, 502),
    ])
  func refusedProfiles(user: String, query: String, body: String, status: Int) async throws {
    let world = try await StepWorld.mei()
    try await world.signIn(as: user)
    #expect(try await world.ask(.post, "/profile\(query)", json: body).status == status)
  }

  @Test("changes a profile by the id in the body, and answers 200 with the old one where that is not right")
  func update() async throws {
    let world = try await StepWorld.mei()
    let old = try await world.ask(.put, "/profile", json: #"{"id": "wrong", "name": "New", "email": "mei@example.test", "country": "SG"}"#)
    #expect(old.status == 200)
    #expect(old.json?["name"] == "Mei Tan")
    let new = try await world.ask(.put, "/profile", json: #"{"id": "mei-1", "name": "New", "email": "mei@example.test", "country": "SG"}"#)
    #expect(new.json?["name"] == "New")
    #expect(try await world.ask(.put, "/profile", json: #"{"id": "mei-1", "name": "New", "country": "SG"}"#).status == 400)
  }

  // MARK: identity check

  private static let callback = "jumioIdScanReference=j-1&idScanStatus=SUCCESS&callbackDate=2024-11-21T09:19:07.036Z"
  private static let match = "%7B%22similarity%22%3A%22MATCH%22%2C%22validity%22%3A%22TRUE%22%7D"

  @Test(
    "approves papers that are good and whose face is the right one, and nothing else",
    arguments: [
      ("APPROVED_VERIFIED", match, "APPROVED", "EKYC_APPROVED"), ("APPROVED_VERIFIED", "", "REJECTED", "EKYC_REJECTED"),
      ("APPROVED_VERIFIED", "%7B%22similarity%22%3A%22NO_MATCH%22%2C%22validity%22%3A%22TRUE%22%7D", "REJECTED", "EKYC_REJECTED"),
      ("APPROVED_VERIFIED", "%7B%22similarity%22%3A%22MATCH%22%2C%22validity%22%3A%22FALSE%22%7D", "REJECTED", "EKYC_REJECTED"),
      ("DENIED_FRAUD", match, "REJECTED", "EKYC_REJECTED"),
    ])
  func callbacks(verdict: String, identity: String, scan: String, state: String) async throws {
    let world = try await StepWorld.mei(#""scans": [{"id": "s-1"}]"#)
    let form =
      "\(Self.callback)&verificationStatus=\(verdict)&merchantIdScanReference=s-1"
      + (identity.isEmpty ? "" : "&identityVerification=\(identity)")
    let reply = try await world.ask(.post, "/ekyc/callback", form: form)
    #expect(reply.status == 200)
    #expect(reply.json?["status"] == .string(scan))
    #expect(try await world.ask(.get, "/customer/scanStatus/s-1").json == reply.json)
    let customer = try await world.ask(.get, "/customer/customerState").json
    #expect(customer?["status"] == .string(state))
    #expect(customer?["scanId"] == (scan == "APPROVED" ? "s-1" : .null))
  }

  @Test("lets a rejection change nobody but the registered", arguments: ["EKYC_APPROVED", "ACTIVE", "INACTIVE"])
  func rejection(status: String) async throws {
    let world = try await StepWorld.mei(#""scans": [{"id": "s-1"}], "status": "\#(status)""#)
    let form = "\(Self.callback)&verificationStatus=DENIED_FRAUD&merchantIdScanReference=s-1"
    #expect(try await world.ask(.post, "/ekyc/callback", form: form).json?["status"] == "REJECTED")
    #expect(try await world.ask(.get, "/customer/customerState").json?["status"] == .string(status))
  }

  @Test(
    "refuses a callback that lacks a field, and leaves everything as it was",
    arguments: ["jumioIdScanReference", "idScanStatus", "verificationStatus", "callbackDate", "merchantIdScanReference"])
  func incomplete(field: String) async throws {
    let world = try await StepWorld.mei(#""scans": [{"id": "s-1"}]"#)
    let form = "\(Self.callback)&verificationStatus=DENIED_FRAUD&merchantIdScanReference=s-1"
      .replacing("\(field)=", with: "other=")
    #expect(try await world.ask(.post, "/ekyc/callback", form: form).status == 400)
    #expect(try await world.ask(.get, "/customer/customerState").json?["status"] == "REGISTERED")
    #expect(try await world.ask(.get, "/customer/scanStatus/s-1").json?["status"] == "PENDING")
  }

  @Test("shows a scan to its owner alone")
  func otherScan() async throws {
    let world = try StepWorld.ostelco(#"{"users": [{"email": "a@example.test", "scans": [{"id": "s-1"}]}, {"email": "b@example.test"}]}"#)
    try await world.signIn(as: "b@example.test")
    let reply = try await world.ask(.get, "/customer/scanStatus/s-1")
    #expect(reply.status == 403)
    #expect(reply.json?["error"]?["message"] == "Not allowed")
    #expect(try await world.ask(.get, "/customer/scanStatus/s-2").status == 404)
  }

  // MARK: the rest

  @Test(
    "gives pseudonyms for today and tomorrow, without a gap between them",
    arguments: ["/customer/activePseudonyms", "/subscription/activePseudonyms"])
  func pseudonyms(path: String) async throws {
    let pair = try await StepWorld.mei().ask(.get, path).json
    let (end, start) = (pair?["current"]?["end"]?.intValue ?? 0, pair?["next"]?["start"]?.intValue ?? 0)
    #expect(start == end + 1)
    #expect(pair?["current"]?["start"] == 1_732_147_200_000)
  }

  @Test("takes any consent, agreed to unless the query says otherwise")
  func consents() async throws {
    let world = try await StepWorld.mei()
    #expect(try await world.ask(.put, "/consents/privacy").json?["accepted"] == true)
    #expect(try await world.ask(.put, "/consents/privacy?accepted=false").json?["accepted"] == false)
    #expect(try await world.ask(.put, "/consents/anything").status == 200)
    #expect(try await world.ask(.get, "/consents").json?.listValue?.map { $0["accepted"] } == [false])
    #expect(world.sandbox.overview["ostelco"]?["customers"]?.listValue?.first?["consents"] == ["privacy": false, "anything": true])
  }

  @Test("keeps what somebody agrees to before they have a profile")
  func earlyConsents() async throws {
    let world = try StepWorld.ostelco(#"{"users": []}"#)
    try await world.signIn(as: "jo@example.test")
    #expect(try await world.run("ostelco/list-consents", "{}")["consents"]?.listValue?.map { $0["accepted"] } == [false])
    try await world.run("ostelco/set-consent", #"{"consent_id": "privacy"}"#)
    try await world.run("ostelco/create-profile", #"{"name": "Jo", "email": "jo@example.test", "country": "SG"}"#)
    #expect(try await world.run("ostelco/list-consents", "{}")["consents"]?.listValue?.map { $0["accepted"] } == [true])
  }

  @Test("keeps one push token for each installation")
  func push() async throws {
    let world = try await StepWorld.mei()
    for token in ["first", "second"] {
      let body = #"{"token": "\#(token)", "applicationID": "app.1", "tokenType": "FCM"}"#
      #expect(try await world.ask(.post, "/applicationtoken", json: body).status == 201)
    }
    #expect(world.sandbox.overview["ostelco"]?["customers"]?.listValue?.first?["push_applications"] == ["app.1"])
    let incomplete = try await world.ask(.post, "/applicationtoken", json: #"{"token": "t", "applicationID": "app.1"}"#)
    #expect(incomplete.status == 400)
    #expect(incomplete.json?["message"] == "Incomplete ApplicationToken")
    // Its path is all lower case in this generation.
    #expect(try await world.ask(.post, "/applicationToken", json: "{}").status == 404)
  }
}
