import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("OYA: the shop, support and webhooks") struct OyaShopTests {
  @Test func aPurchaseAddsItsBytes() async throws {
    let world = try OyaWorld(customer: #""balance": 5"#)
    try await world.signIn()
    try await world.run("purchase-product", #"{"sku": "1GB_15SGD", "source_id": "tok_visa"}"#)
    #expect(world.steps.events.lastReply?.status == 201)
    #expect(try await world.run("get-bundles")["balance"] == 1_000_000_005)
    #expect(try await world.run("list-purchases")["purchases"]?.listValue?.first?["properties"] == [:])
    #expect(try await world.run("list-payment-sources")["sources"] == [])
  }

  @Test func aRejectedSourceComesWithItsReason() async throws {
    let world = try OyaWorld(customer: #""balance": 5"#)
    try await world.signIn()
    let failure = try await world.failure("purchase-product", #"{"sku": "1GB_15SGD", "source_id": "tok_chargeDeclinedInsufficientFunds"}"#)
    #expect(failure?.code == "oya.payment_source_rejected")
    #expect(failure?.problems == [.init(field: "decline_code", message: "insufficient_funds")])
    #expect(failure?.isRejected == true)
    #expect(failure?.answer?.body["errorCode"] == "PAYMENT_SOURCE_REJECTED")
    #expect(failure?.answer?.body["message"] == "Payment source rejected. ")
    #expect(world.customer["balance"] == 5)
    #expect(world.customer["purchases"] == [])
  }

  @Test(arguments: [
    ("1GB_15SGD", "card_9", "oya.payment_refused"), ("9GB", "tok_visa", "oya.product_not_found"),
    ("1GB_15SGD", "tok_outage", "oya.payment_failed"),
  ])
  func aPurchaseIsRefused(sku: String, source: String, code: String) async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    #expect(try await world.failure("purchase-product", #"{"sku": "\#(sku)", "source_id": "\#(source)"}"#)?.code == code)
  }

  @Test func aPlanIsBoughtOnce() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    let plan = #"{"sku": "PLAN_1000SGD_YEAR", "source_id": "tok_visa"}"#
    try await world.run("purchase-product", plan)
    #expect(try await world.failure("purchase-product", plan)?.code == "oya.already_subscribed")
    #expect(try await world.run("list-products")["products"]?.listValue?.last?["payment"] == ["type": "SUBSCRIPTION"])
  }

  @Test func aRegionThatIsApprovedOpensItsShelf() async throws {
    let world = try OyaWorld(
      customer: #""scans": [{"id": "s", "region": "no"}]"#, more: #""products": [{"sku": "NO_1GB", "segments": ["NO"]}]"#)
    try await world.signIn()
    #expect(try await world.run("list-products")["products"] == [])
    try await world.run("scan-callback", OyaIdentityTests.outcome(scan: "s"))
    #expect(try await world.run("list-products")["products"]?.listValue?.map { $0["sku"] } == ["NO_1GB"])
  }

  @Test func sourcesAreSavedChosenAndRemoved() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    #expect(try await world.run("add-payment-source", #"{"source_id": "tok_visa"}"#)["id"]?.fullyExposed == "card_1")
    try await world.run("set-default-source", #"{"source_id": "card_1"}"#)
    try await world.run("remove-source", #"{"source_id": "card_1"}"#)
    #expect(try await world.failure("remove-source", #"{"source_id": "card_1"}"#)?.code == "oya.payment_refused")
    #expect(try await world.failure("add-payment-source", #"{"source_id": "tok_chargeDeclined"}"#)?.code == "oya.payment_source_rejected")
  }

  @Test func aPushTokenIsWholeOrRefused() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    try await world.run("register-push-token", #"{"token": "t", "application_id": "a"}"#)
    #expect(world.steps.received.last == "POST /applicationToken")
    #expect(
      try await world.failure("register-push-token", #"{"token": "t", "application_id": "a", "token_type": ""}"#)?.code
        == "oya.incomplete_push_token")
    world.steps.sandbox.add(try Fault(["route": "POST /applicationToken", "status": 500]))
    #expect(try await world.failure("register-push-token", #"{"token": "t", "application_id": "a"}"#)?.code == "http.500")
  }

  @Test func aQueryChoosesFromTheContext() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    let data = try await world.run(
      "graphql", #"{"query": "query { context { customer { nickname } regions(regionCode: \"sg\") { status } } }"}"#)["data"]
    #expect(data == ["context": ["customer": ["nickname": "Mei"], "regions": [["status": "AVAILABLE"]]]])
    #expect(
      world.send(.get, "/graphql?query=query%7Bcontext%7Bcustomer%7Bid%7D%7D%7D").json == [
        "data": ["context": ["customer": ["id": "c-mei"]]]
      ])
    try await world.run("delete-customer")
    #expect(try await world.failure("graphql", #"{"query": "query { context { customer { id } } }"}"#)?.code == "oya.customer_not_found")
  }

  // MARK: support

  @Test func moneyGoesBackOnce() async throws {
    let world = try OyaWorld(customer: #""purchases": [{"id": "ch_1Dq", "sku": "1GB_15SGD"}]"#)
    let refund = { (id: String) in #"{"customer_id": "c-mei", "purchase_id": "\#(id)", "reason": "duplicate"}"# }
    // Money is not given back a second time for an answer that is lost.
    #expect(StepCatalogue.standard.step("oya/support-refund")?.about.effect == .unsafe)
    #expect(try await world.run("support-refund", refund("ch_1Dq"))["id"] == "1GB_15SGD")
    let failure = try await world.failure("support-refund", refund("ch_1Dq"))
    #expect(failure?.code == "oya.refund_refused")
    #expect(
      failure?.answer?.body["message"]
        == "Failed to refund purchase. Attempt at refunding again the purchase ch_1Dq of product 1GB_15SGD, refund re_1")
    #expect(try await world.failure("support-refund", refund("ch_0"))?.code == "oya.purchase_not_found")
    let purchases = try await world.run("support-list-purchases", #"{"customer_id": "c-mei"}"#)
    #expect(purchases["purchases"]?.listValue?.first?["refund"]?["reason"] == "duplicate")
  }

  @Test func whatWasFreeIsNotRefunded() async throws {
    let world = try OyaWorld(customer: nil)
    try await world.signIn()
    let id = try #require(
      try await world.run("create-customer", #"{"nickname": "Mei", "contact_email": "m@example.test"}"#)["id"]?.stringValue)
    let purchase = try #require(try await world.run("list-purchases")["purchases"]?.listValue?.first?["id"]?.stringValue)
    let with = #"{"customer_id": "\#(id)", "purchase_id": "\#(purchase)", "reason": "fraudulent"}"#
    #expect(try await world.failure("support-refund", with)?.code == "oya.refund_refused")
  }

  @Test(arguments: [
    "support-get-context", "support-list-subscriptions", "support-list-scans", "support-get-bundles", "support-list-purchases",
    "support-delete-customer",
  ])
  func supportNeedsItsTokenAndACustomer(step: String) async throws {
    let world = try OyaWorld(customer: "")
    #expect(try await world.failure(step, #"{"customer_id": "c-nobody"}"#)?.code == "oya.customer_not_found")
    try world.steps.sandbox.change("oya", "set", ["admin_token": "another"])
    #expect(try await world.failure(step, #"{"customer_id": "c-mei"}"#)?.code == "oya.admin_token_refused")
  }

  @Test func aPersonsTokenIsNoTokenOfSupport() throws {
    let world = try OyaWorld(customer: "")
    #expect(world.send(.get, "/support/bundles/c-mei").status == 401)
    #expect(world.send(.get, "/support/bundles/c-mei", token: nil).status == 401)
    #expect(world.send(.get, "/support/bundles/c-mei", token: "somebody").status == 200)
    #expect(world.send(.get, "/customer", token: "somebody").json?["message"] == "JWT validation failed: BAD_SIGNATURE")
  }

  @Test func customersAreFoundByAddressAndNumber() async throws {
    let world = try OyaWorld(customer: OyaIdentityTests.approved)
    #expect(try await world.run("support-find-profile", #"{"query": "mei@example.test"}"#)["profiles"]?.listValue?.count == 1)
    let number = try await world.run("support-list-subscriptions", #"{"customer_id": "c-mei"}"#)["subscriptions"]?.listValue?.first?[
      "msisdn"]?.stringValue
    #expect(try await world.run("support-find-profile", #"{"query": "\#(number ?? "")"}"#)["profiles"]?.listValue?.first?["id"] == "c-mei")
    #expect(try await world.failure("support-find-profile", #"{"query": "jo@example.test"}"#)?.code == "oya.customer_not_found")
  }

  @Test func aMessageOfSupportReachesEveryPhone() async throws {
    let world = try OyaWorld(customer: #""push_tokens": ["fcm-1", "fcm-2", "fcm-3"]"#, more: #""dead_push_tokens": ["fcm-2"]"#)
    let with = #"{"customer_id": "c-mei", "title": "Hello", "message": "You there"}"#
    try await world.run("support-notify", with)
    #expect(world.steps.events.lastReply?.body == "Message Sent")
    #expect(world.steps.sandbox.messages(.push).map(\.recipient) == ["fcm-1", "fcm-3"])
    #expect(world.customer["push_applications"]?.listValue?.count == 2)
  }

  @Test func supportSeesWhatHasHappened() async throws {
    let world = try OyaWorld(customer: #""scans": [{"id": "326aceb6"}]"#)
    try await world.run("scan-callback", OyaIdentityTests.outcome())
    let entries = try await world.run("support-get-audit-log", #"{"customer_id": "c-mei"}"#)["entries"]?.listValue
    #expect(entries?.map { $0["message"] } == ["Customer is created", "Updated JUMIO of sg to APPROVED"])
    #expect(try await world.run("support-get-audit-log", #"{"customer_id": "c-nobody"}"#)["entries"] == [])
    #expect(try await world.run("support-list-scans", #"{"customer_id": "c-mei"}"#)["scans"]?.listValue?.first?["status"] == "APPROVED")
    try await world.run("support-delete-customer", #"{"customer_id": "c-mei"}"#)
    #expect(world.overview["customers"] == [])
  }

  @Test func aHostThatTheConnectionLacksIsNamed() async throws {
    let world = try OyaWorld(customer: "", settings: #"{"support_url": "", "webhook_key": ""}"#)
    let failure = try await world.failure("support-get-bundles", #"{"customer_id": "c-mei"}"#)
    #expect(failure?.detail == "the connection has no `support_url`, which this step needs")
    #expect(
      try await world.failure("stripe-event", #"{"event": {}}"#)?.detail == "the connection has no `webhook_key`, which this step needs")
    #expect(
      try await world.failure("scan-callback", OyaIdentityTests.outcome())?.detail
        == "the connection has no `webhook_key`, which this step needs")
    let another = try OyaWorld(customer: "", settings: #"{"webhook_url": ""}"#)
    #expect(try await another.failure("scan-callback", OyaIdentityTests.outcome())?.code == "config.url")
    #expect(world.steps.received.isEmpty && another.steps.received.isEmpty)
  }

  @Test func anEventOfThePaymentProviderIsNoted() async throws {
    let world = try OyaWorld(customer: "")
    try await world.run("stripe-event", #"{"event": {"id": "evt_1", "type": "charge.succeeded", "data": {"object": {}}}}"#)
    #expect(world.overview["stripe_events"] == [["id": "evt_1", "type": "charge.succeeded"]])
    #expect(try await world.failure("stripe-event", #"{"event": {"id": 1}}"#)?.code == "oya.event_refused")
    #expect(world.send(.post, "/stripe/event", body: [:]).status == 401)
  }
}
