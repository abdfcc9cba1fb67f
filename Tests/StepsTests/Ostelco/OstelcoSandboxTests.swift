import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// What the document says of the service, asked of its stand-in.
@Suite("The sandbox of Ostelco")
struct OstelcoSandboxTests {
  private func world(_ members: String = "", switches: String = "") async throws -> StepWorld {
    let user = #"{"email": "mei@example.test", "name": "Mei Tan", "id": "mei-1"\#(members.isEmpty ? "" : ", \(members)")}"#
    let world = try StepWorld.ostelco(#"{"users": [\#(user)]\#(switches.isEmpty ? "" : ", \(switches)")}"#)
    try await world.signIn(as: "mei@example.test")
    return world
  }

  // MARK: refusals

  @Test("answers a missing profile as the document shows it")
  func noProfile() async throws {
    let world = try StepWorld.ostelco(#"{"users": []}"#)
    try await world.signIn(as: "mei@example.test")
    let reply = try await world.ask(.get, "/profile")
    #expect(
      reply.text
        == #"404 {"errorCode":"FAILED_TO_FETCH_PAYMENT_PROFILE","error":{"type":"Identity","id":"mei@example.test","error":null,"message":"Identity - mei@example.test not found."},"status":404,"message":"Failed to fetch profile."}"#
    )
    #expect(
      try await world.ask(.get, "/bundles").json?["message"] == "Failed to get bundles. Identity - mei@example.test not found.")
    #expect(try await world.ask(.get, "/products").json?["message"] == "Failed to fetch products")
  }

  @Test("answers a declined charge as the document shows it")
  func declined() async throws {
    let world = try await world()
    let reply = try await world.ask(.post, "/products/1GB_15SGD/purchase?sourceId=tok_chargeDeclined")
    #expect(
      reply.text
        == #"403 {"errorCode":"FAILED_TO_PURCHASE_PRODUCT","error":{"description":"Failed to authorize the charge for customerId cus_1 sourceId card_1 amount 1500 currency SGD","message":"Your card was declined.","error":null},"status":403,"message":"Failed to purchase product. "}"#
    )
  }

  @Test(
    "answers without a good token in the words of one of three places",
    arguments: [
      ("gateway", "application/json"), ("text", "text/plain; charset=utf-8"), ("empty", nil),
    ])
  func unauthorized(body: String, type: String?) async throws {
    let world = try await world(switches: #""unauthorized_body": "\#(body)""#)
    let reply = try await world.ask(.get, "/bundles", token: "nonsense")
    #expect(reply.status == 401)
    #expect(reply.headers[.contentType] == type)
    #expect(reply.body.isEmpty == (body == "empty"))
    if body == "text" { #expect(reply.headers[.wwwAuthenticate] == #"Bearer realm="realm""#) }
  }

  // MARK: purchases

  @Test(
    "lets the name of a source tell what comes of it",
    arguments: [
      ("tok_visa", 201), ("src_18eY", 201), ("tok_chargeDeclined", 403), ("tok_chargeCustomerFail", 403), ("src_review", 403),
      ("tok_outage", 502), ("tok_invalid", 404), ("nonsense", 404), ("card_9", 404),
    ])
  func outcomes(source: String, status: Int) async throws {
    let world = try await world()
    let before = try await world.ask(.get, "/bundles").json?.listValue?.first?["balance"]?.intValue ?? 0
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase?sourceId=\(source)").status == status)
    let after = try await world.ask(.get, "/bundles").json?.listValue?.first?["balance"]?.intValue ?? 0
    #expect(after - before == (status == 201 ? 1_000_000_000 : 0))
    #expect(try await world.ask(.get, "/purchases").json?.listValue?.count == (status == 201 ? 2 : 1))
    // Nothing is saved unless it is asked for.
    #expect(try await world.ask(.get, "/paymentSources").json == [])
  }

  @Test("keeps a card that is to be kept, and charges the default source where none is named")
  func saving() async throws {
    let world = try await world()
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase").status == 403)
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase?sourceId=tok_visa&saveCard=true").status == 201)
    #expect(try await world.ask(.get, "/paymentSources").json?.listValue?.count == 1)
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase").status == 201)
  }

  @Test("buys again on a repeat: there is no key")
  func again() async throws {
    let world = try await world()
    for _ in 0..<3 { #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase?sourceId=tok_visa").status == 201) }
    let ids = try await world.ask(.get, "/purchases").json?.listValue?.compactMap { $0["id"]?.stringValue } ?? []
    #expect(Set(ids).count == 4)
  }

  @Test("gives a free product without a charge")
  func free() async throws {
    let world = try await world(switches: #""products": [{"sku": "GIFT", "bytes": 5}]"#)
    #expect(try await world.ask(.post, "/products/GIFT/purchase").status == 201)
    let last = try await world.ask(.get, "/purchases").json?.listValue?.last
    #expect(last?["id"]?.stringValue?.hasPrefix("ZERO_CHARGE_") == true)
  }

  @Test("offers what is meant for the customer's country", arguments: [("SG", ["1GB_15SGD", "3GB_30SGD"]), ("NO", ["1GB_249NOK"])])
  func offers(country: String, skus: [String]) async throws {
    let world = try await world(#""country": "\#(country)""#)
    #expect(try await world.ask(.get, "/products").json?.listValue?.compactMap { $0["sku"]?.stringValue } == skus)
  }

  @Test("lists sources, the newest first, and takes tokens once as cards")
  func sources() async throws {
    let world = try await world(#""sources": ["tok_visa", "src_18eY"]"#)
    let listed = try await world.ask(.get, "/paymentSources").json?.listValue ?? []
    #expect(listed.map { $0["id"] } == ["src_18eY", "card_1"])
    #expect(listed.map { $0["type"] } == ["source", "card"])
    #expect(try await world.ask(.put, "/paymentSources?sourceId=src_18eY").text == #"200 {"id":"src_18eY"}"#)
    #expect(try await world.ask(.delete, "/paymentSources?sourceId=src_18eY").status == 200)
    #expect(try await world.ask(.delete, "/paymentSources?sourceId=src_18eY").status == 404)
    #expect(try await world.ask(.post, "/paymentSources").status == 400)
  }

  @Test("refunds a purchase once, for the support desk")
  func refund() async throws {
    let world = try await world(#""purchases": [{"sku": "1GB_15SGD", "id": "ch_1Dq"}]"#, switches: #""admin_token": "desk""#)
    let target = "/refund/mei%40example.test?purchaseRecordId=ch_1Dq&reason=duplicate"
    #expect(try await world.ask(.put, target).status == 401)
    #expect(try await world.ask(.put, target, token: "desk").text == #"200 {"id":"1GB_15SGD"}"#)
    #expect(
      try await world.ask(.put, target, token: "desk").text
        == #"403 {"errorCode":"FAILED_TO_REFUND_PURCHASE","error":null,"status":403,"message":"Failed to refund purchase. Attempt at refunding again the purchase ch_1Dq of product 1GB_15SGD, refund re_1"}"#
    )
    #expect(try await world.ask(.put, "/refund/nobody?purchaseRecordId=ch_1Dq&reason=duplicate", token: "desk").status == 404)
    #expect(try await world.ask(.get, "/purchases").json?.listValue?.last?["refund"]?["reason"] == "duplicate")
  }

  // MARK: sign-up and profile

  @Test(
    "signs up with 100 MB, and a referred person with 1 GB",
    arguments: [(false, 100_000_000, "100MB_FREE_ON_JOINING"), (true, 1_000_000_000, "1GB_FREE_ON_REFERRED")])
  func signUp(isReferred: Bool, bytes: Int64, sku: String) async throws {
    let world = try await world()
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
    let world = try await world()
    try await world.signIn(as: user)
    #expect(try await world.ask(.post, "/profile\(query)", json: body).status == status)
  }

  @Test("changes a profile by the id in the body, and answers 200 with the old one where that is not right")
  func update() async throws {
    let world = try await world()
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
    let world = try await world(#""scans": [{"id": "s-1"}]"#)
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
    let world = try await world(#""scans": [{"id": "s-1"}], "status": "\#(status)""#)
    let form = "\(Self.callback)&verificationStatus=DENIED_FRAUD&merchantIdScanReference=s-1"
    #expect(try await world.ask(.post, "/ekyc/callback", form: form).json?["status"] == "REJECTED")
    #expect(try await world.ask(.get, "/customer/customerState").json?["status"] == .string(status))
  }

  @Test(
    "refuses a callback that lacks a field, and leaves everything as it was",
    arguments: ["jumioIdScanReference", "idScanStatus", "verificationStatus", "callbackDate", "merchantIdScanReference"])
  func incomplete(field: String) async throws {
    let world = try await world(#""scans": [{"id": "s-1"}]"#)
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
    let pair = try await world().ask(.get, path).json
    let (end, start) = (pair?["current"]?["end"]?.intValue ?? 0, pair?["next"]?["start"]?.intValue ?? 0)
    #expect(start == end + 1)
    #expect(pair?["current"]?["start"] == 1_732_147_200_000)
  }

  @Test("takes any consent, agreed to unless the query says otherwise")
  func consents() async throws {
    let world = try await world()
    #expect(try await world.ask(.put, "/consents/privacy").json?["accepted"] == true)
    #expect(try await world.ask(.put, "/consents/privacy?accepted=false").json?["accepted"] == false)
    #expect(try await world.ask(.put, "/consents/anything").status == 200)
  }

  @Test("keeps one push token for each installation")
  func push() async throws {
    let world = try await world()
    for token in ["first", "second"] {
      let body = #"{"token": "\#(token)", "applicationID": "app.1", "tokenType": "FCM"}"#
      #expect(try await world.ask(.post, "/applicationtoken", json: body).status == 201)
    }
    let incomplete = try await world.ask(.post, "/applicationtoken", json: #"{"token": "t", "applicationID": "app.1"}"#)
    #expect(incomplete.status == 400)
    #expect(incomplete.json?["message"] == "Incomplete ApplicationToken")
    // Its path is all lower case in this generation.
    #expect(try await world.ask(.post, "/applicationToken", json: "{}").status == 404)
  }

  @Test(
    "answers GraphQL with what was asked for, or says what is wrong",
    arguments: [
      ("query { context { bundles { balance } } }", #"{"data":{"context":{"bundles":[{"balance":100000000}]}}}"#),
      ("{ context { b: bundles { n: balance } } }", #"{"data":{"context":{"b":[{"n":100000000}]}}}"#),
      ("query Q { context { customer { name } } }", #"{"data":{"context":{"customer":{"name":"Mei Tan"}}}}"#),
      (
        "query { context { nonsense } }",
        #"{"errors":[{"message":"Validation error of type FieldUndefined: Field 'nonsense' is undefined"}]}"#
      ),
      ("query {", #"{"errors":[{"message":"Invalid Syntax"}]}"#), ("", #"{"errors":[{"message":"Invalid Syntax"}]}"#),
    ])
  func graph(query: String, answer: String) async throws {
    let reply = try await world().ask(.post, "/graphql", json: #"{"query": "\#(query)"}"#)
    #expect(reply.text == "200 \(answer)")
  }

  @Test(
    "shows the balance in decimal units",
    arguments: [
      (0, "Zero KB"), (1, "1 byte"), (999, "999 bytes"), (1500, "2 KB"), (999_499, "999 KB"), (999_500, "1 MB"), (1_250_000, "1.3 MB"),
      (150_500_000, "150.5 MB"), (100_000_000, "100 MB"), (999_960_000, "1 GB"), (2_147_483_648, "2.15 GB"), (1_100_000_000, "1.1 GB"),
      (-1_100_000_000, "-1.1 GB"), (5_000_000_000_000, "5 TB"),
    ])
  func balances(bytes: Int, text: String) async throws {
    let bundles = try await world(#""balance": \#(bytes)"#).run("ostelco/get-bundles", "{}")
    #expect(bundles["balance_text"] == .string(text))
  }

  @Test("answers each described operation's example with a described status")
  func described() async throws {
    let api = try #require(OstelcoSandbox().api)
    let world = try await world(#""purchases": [{"sku": "1GB_15SGD", "id": "ch_1Dq"}], "scans": [{"id": "326aceb6"}]"#)
    for operation in api.operations {
      var path = operation.path
      for parameter in operation.parameters where parameter.place == .path {
        path = path.replacing("{\(parameter.name)}", with: PercentEncoding.component(parameter.example?.scalarText ?? ""))
      }
      let query = operation.parameters.filter { $0.place == .query }.map {
        "\($0.name)=\(PercentEncoding.component($0.example?.scalarText ?? ""))"
      }
      if !query.isEmpty { path += "?\(query.joined(separator: "&"))" }
      let isForm = operation.body?.mediaType == "application/x-www-form-urlencoded"
      let form = operation.body?.example?.mapValue?.map { (name: $0.key.text, value: $0.value.scalarText ?? "") } ?? []
      let reply = try await world.ask(
        operation.method, path, json: isForm ? nil : operation.body?.example?.json(), form: isForm ? PercentEncoding.form(form) : nil,
        token: operation.security == "adminToken" ? "desk" : nil)
      #expect(operation.answers.map(\.status).contains(reply.status), "\(operation.id): \(reply.text)")
      let bad = try await world.ask(operation.method, path, token: "nonsense")
      if operation.security == "userToken" { #expect(bad.status == 401, "\(operation.id)") }
    }
    #expect(Set(api.operations.map { "\($0.method) \($0.path)" }).count == api.operations.count)
    #expect(OstelcoSandbox().routes.count == api.operations.count)
  }

  @Test(
    "redirects to the addresses that it describes, and to no others",
    arguments: [
      ("sg.redotter.dev.selfcare://ostelco.eu.auth0.com/ios/sg.redotter.dev.selfcare/callback", true), ("app:/cb?from=here", true),
      ("https://app.test/cb#part", false), ("callback", false), ("1app://cb", false), ("app:", false), ("app://a b", false),
      ("app://\u{e9}", false),
    ])
  func redirects(address: String, isTaken: Bool) async throws {
    let login = try #require(OstelcoSandbox().api?.operations.first { $0.id == "login" })
    let described = try #require(login.parameters.first { $0.name == "redirect_uri" })
    let schema = FieldConstraint.conforms(try SchemaShape(described.schema))
    #expect(schema.violations(in: .string(address), at: []).isEmpty == isTaken)
    let query = login.parameters.map { parameter in
      "\(parameter.name)=\(PercentEncoding.component(parameter.name == "redirect_uri" ? address : parameter.example?.scalarText ?? ""))"
    }
    #expect(try await world().ask(.get, "/authorize?\(query.joined(separator: "&"))").status == (isTaken ? 302 : 400))
  }

  @Test("takes a token request as JSON and as a form, as it describes")
  func tokenRequests() async throws {
    let api = try #require(OstelcoSandbox().api).openAPI(server: "/")
    let content = api["paths"]?["/oauth/token"]?["post"]?["requestBody"]?["content"]?.mapValue
    #expect(content?.map(\.key.text) == ["application/json", "application/x-www-form-urlencoded"])
    let world = try await world()
    let refresh = try #require(await world.userToken()?.refreshToken)
    let json = #"{"grant_type": "refresh_token", "client_id": "app-1", "refresh_token": "\#(refresh)"}"#
    #expect(try await world.ask(.post, "/oauth/token", json: json).status == 200)
    let form = PercentEncoding.form([("grant_type", "refresh_token"), ("client_id", "app-1"), ("refresh_token", refresh)])
    #expect(try await world.ask(.post, "/oauth/token", form: form).status == 200)
  }

  @Test(
    "says what of a scenario's world it does not know",
    arguments: [
      #"{"usrs": []}"#, #"{"users": [{"name": "x"}]}"#, #"{"users": [{"email": "a"}, {"email": "a"}]}"#, #"{"unauthorized_body": "x"}"#,
      #"{"users": [{"email": "a", "purchases": [{"sku": "x"}]}]}"#, #"{"products": [{"price": 1}]}"#,
    ])
  func given(given: String) {
    #expect(throws: SandboxError.self) { try StepWorld.ostelco(given) }
  }
}
