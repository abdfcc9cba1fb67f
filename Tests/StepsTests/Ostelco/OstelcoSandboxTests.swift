import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// What the document says of the service's shop, asked of its stand-in.
@Suite("The sandbox of Ostelco")
struct OstelcoSandboxTests {
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
    let world = try await StepWorld.mei()
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
    let world = try await StepWorld.mei(switches: #""unauthorized_body": "\#(body)""#)
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
    let world = try await StepWorld.mei()
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
    let world = try await StepWorld.mei()
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase").status == 403)
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase?sourceId=tok_visa&saveCard=true").status == 201)
    #expect(try await world.ask(.get, "/paymentSources").json?.listValue?.count == 1)
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase").status == 201)
  }

  @Test("buys again on a repeat: there is no key")
  func again() async throws {
    let world = try await StepWorld.mei()
    for _ in 0..<3 { #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase?sourceId=tok_visa").status == 201) }
    let ids = try await world.ask(.get, "/purchases").json?.listValue?.compactMap { $0["id"]?.stringValue } ?? []
    #expect(Set(ids).count == 4)
  }

  @Test("gives a free product without a charge")
  func free() async throws {
    let world = try await StepWorld.mei(switches: #""products": [{"sku": "GIFT", "bytes": 5}]"#)
    #expect(try await world.ask(.post, "/products/GIFT/purchase").status == 201)
    let last = try await world.ask(.get, "/purchases").json?.listValue?.last
    #expect(last?["id"]?.stringValue?.hasPrefix("ZERO_CHARGE_") == true)
  }

  @Test(
    "saves a source that is named with what is free, and charges it nothing",
    arguments: [("tok_visa", 201), ("tok_chargeCustomerFail", 201), ("src_review", 201), ("tok_chargeDeclined", 403), ("tok_invalid", 404)])
  func freeWithSource(source: String, status: Int) async throws {
    let world = try await StepWorld.mei(switches: #""products": [{"sku": "GIFT", "bytes": 5}]"#)
    #expect(try await world.ask(.post, "/products/GIFT/purchase?sourceId=\(source)").status == status)
    #expect(try await world.ask(.get, "/purchases").json?.listValue?.count == (status == 201 ? 2 : 1))
    #expect(try await world.ask(.get, "/paymentSources").json == [])
  }

  @Test("adds no more to a balance than it can hold")
  func fullBalance() async throws {
    let world = try await StepWorld.mei(#""balance": \#(Int64.max)"#)
    #expect(try await world.ask(.post, "/products/1GB_15SGD/purchase?sourceId=tok_visa").status == 201)
    let bundles = try await world.run("ostelco/get-bundles", "{}")
    #expect(bundles["balance"] == .int(.max))
    #expect(bundles["balance_text"] == "9.22 EB")
  }

  @Test("offers what is meant for the customer's country", arguments: [("SG", ["1GB_15SGD", "3GB_30SGD"]), ("NO", ["1GB_249NOK"])])
  func offers(country: String, skus: [String]) async throws {
    let world = try await StepWorld.mei(#""country": "\#(country)""#)
    #expect(try await world.ask(.get, "/products").json?.listValue?.compactMap { $0["sku"]?.stringValue } == skus)
  }

  @Test("lists sources, the newest first, and takes tokens once as cards")
  func sources() async throws {
    let world = try await StepWorld.mei(#""sources": ["tok_visa", "src_18eY"]"#)
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
    let world = try await StepWorld.mei(#""purchases": [{"sku": "1GB_15SGD", "id": "ch_1Dq"}]"#, switches: #""admin_token": "desk""#)
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

  // MARK: the rest

  @Test(
    "answers GraphQL with what was asked for, or says what is wrong",
    arguments: [
      ("query { context { bundles { balance } } }", #"{"data":{"context":{"bundles":[{"balance":100000000}]}}}"#),
      ("{ context { b: bundles { n: balance } } }", #"{"data":{"context":{"b":[{"n":100000000}]}}}"#),
      ("query Q { context { customer { name } } }", #"{"data":{"context":{"customer":{"name":"Mei Tan"}}}}"#),
      // One product of the two is the default.
      (
        "query { context { products { presentation { isDefault } } } }",
        #"{"data":{"context":{"products":[{"presentation":{"isDefault":"true"}},{"presentation":{"isDefault":null}}]}}}"#
      ),
      (
        "query { context { nonsense } }",
        #"{"errors":[{"message":"Validation error of type FieldUndefined: Field 'nonsense' is undefined"}]}"#
      ),
      ("query {", #"{"errors":[{"message":"Invalid Syntax"}]}"#), ("", #"{"errors":[{"message":"Invalid Syntax"}]}"#),
    ])
  func graph(query: String, answer: String) async throws {
    let reply = try await StepWorld.mei().ask(.post, "/graphql", json: #"{"query": "\#(query)"}"#)
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
    let bundles = try await StepWorld.mei(#""balance": \#(bytes)"#).run("ostelco/get-bundles", "{}")
    #expect(bundles["balance_text"] == .string(text))
  }

  @Test(
    "says what of a scenario's world it does not know",
    arguments: [
      #"{"usrs": []}"#, #"{"users": [{"name": "x"}]}"#, #"{"users": [{"email": "a"}, {"email": "a"}]}"#, #"{"unauthorized_body": "x"}"#,
      #"{"users": [{"email": "a", "purchases": [{"sku": "x"}]}]}"#, #"{"products": [{"price": 1}]}"#,
      #"{"users": [{"email": "a", "id": "a-1"}, {"email": "b", "referred_by": "a"}]}"#,
      #"{"users": [{"email": "a", "id": "x"}, {"email": "b", "id": "x"}]}"#, #"{"users": [{"email": "a", "status": "GONE"}]}"#,
    ])
  func given(given: String) {
    #expect(throws: SandboxError.self) { try StepWorld.ostelco(given) }
  }

  @Test("takes a referrer who is given further down")
  func givenReferrer() async throws {
    let world = try StepWorld.ostelco(
      #"{"users": [{"email": "b@example.test", "referred_by": "a-1"}, {"email": "a@example.test", "id": "a-1", "name": "Ann"}]}"#)
    try await world.signIn(as: "b@example.test")
    #expect(try await world.run("ostelco/get-referrer", "{}")["name"] == "Ann")
  }
}
