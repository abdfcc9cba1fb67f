import HTTPTypes
import StepKit
import Steps
import Testing
import Values

/// The document's examples: requests are sent as they stand there, and answers are taken as they stand there.
@Suite("The example payloads of Ostelco")
struct OstelcoPayloadTests {
  struct Payload: Sendable, CustomTestStringConvertible {
    let step: String
    let with: String
    let request: String
    /// In JSON, or a form, or nothing.
    var body: String?
    let status: Int
    let answer: String
    /// A member of the outputs, as JSON.
    let output: (name: String, json: String)

    var testDescription: String { step }
  }

  static let product =
    #"{"sku":"1GB_15SGD","price":{"amount":1500,"currency":"SGD"},"properties":{"noOfBytes":"1_000_000_000"},"presentation":{"isDefault":"true","productLabel":"+1GB","priceLabel":"$15"}}"#
  static let profile =
    #"{"id":"0c95007b-1111","email":"mei@example.test","name":"Mei Tan","address":"","postCode":"","city":"","country":"SG","referralId":"b18635c0-2222"}"#
  static let purchases =
    #"[{"id":"0b7e-free","msisdn":"","timestamp":1732150000000,"product":{"sku":"100MB_FREE_ON_JOINING","price":{"amount":0,"currency":"NOK"},"properties":{"noOfBytes":"100_000_000"},"presentation":{}},"refund":null},{"id":"ch_1Dq","msisdn":"","timestamp":1732150900000,"product":{"sku":"1GB_15SGD","price":{"amount":1500,"currency":"SGD"},"properties":{"noOfBytes":"1_000_000_000"},"presentation":{"productLabel":"+1GB","priceLabel":"$15"}},"refund":null}]"#
  static let source =
    #"[{"id":"card_1","type":"card","details":{"id":"card_1","type":"card","brand":"Visa","last4":"4242","expMonth":8,"expYear":2027,"country":"SG","funding":"credit","created":1732150800}}]"#
  static let key =
    #"{"id":"ephkey_1","object":"ephemeral_key","associated_objects":[{"type":"customer","id":"cus_1"}],"created":1732150800,"expires":1732154400,"livemode":false,"secret":"ek_test_x"}"#
  static let pseudonyms =
    #"{"current":{"sourceId":"0c95007b","pseudonym":"ps-1","start":1732147200000,"end":1732233599999},"next":{"sourceId":"0c95007b","pseudonym":"ps-2","start":1732233600000,"end":1732319999999}}"#

  static let payloads: [Payload] = [
    Payload(
      step: "refresh-token", with: #"{"refresh_token":"v1.Mq3"}"#, request: "POST /oauth/token",
      body: #"{"grant_type":"refresh_token","client_id":"app-1","refresh_token":"v1.Mq3"}"#, status: 200,
      answer:
        #"{"access_token":"eyJ.new","id_token":"eyJ.id","expires_in":7200,"token_type":"Bearer","scope":"openid profile email offline_access"}"#,
      output: ("refresh_token", #""v1.Mq3""#)),
    Payload(
      step: "create-profile", with: #"{"name":"Mei Tan","email":"mei@example.test","country":"SG"}"#, request: "POST /profile",
      body: #"{"name":"Mei Tan","email":"mei@example.test","country":"SG","address":"","postCode":"","city":""}"#, status: 201,
      answer: profile,
      output: ("referral_id", #""b18635c0-2222""#)),
    Payload(
      step: "create-profile", with: #"{"name":"Mei Tan","email":"m@example.test","country":"SG","referred_by":"0c95 1"}"#,
      request: "POST /profile?referred_by=0c95%201",
      body: #"{"name":"Mei Tan","email":"m@example.test","country":"SG","address":"","postCode":"","city":""}"#, status: 201,
      answer: profile,
      output: ("id", #""0c95007b-1111""#)),
    Payload(
      step: "get-profile", with: "{}", request: "GET /profile", status: 200, answer: profile, output: ("post_code", #""""#)),
    Payload(
      step: "update-profile",
      with: #"{"id":"0c95007b-1111","name":"Mei Tan","email":"mei@example.test","country":"SG","referral_id":"b18635c0-2222"}"#,
      request: "PUT /profile",
      body:
        #"{"id":"0c95007b-1111","name":"Mei Tan","email":"mei@example.test","address":"","postCode":"","city":"","country":"SG","referralId":"b18635c0-2222"}"#,
      status: 200, answer: profile, output: ("name", #""Mei Tan""#)),
    Payload(
      step: "get-bundles", with: "{}", request: "GET /bundles", status: 200, answer: #"[{"id":"5f1c","balance":1100000000}]"#,
      output: ("balance_text", #""1.1 GB""#)),
    Payload(
      step: "list-products", with: "{}", request: "GET /products", status: 200, answer: "[\(product)]",
      output: ("default_label", #""+1GB $15""#)),
    Payload(
      step: "purchase-product", with: #"{"sku":"1GB_15SGD","source_id":"src_18eY"}"#,
      request: "POST /products/1GB_15SGD/purchase?sourceId=src_18eY", status: 201, answer: #"{"id":"1GB_15SGD"}"#,
      output: ("id", #""1GB_15SGD""#)),
    // The description says that the answer is the product.
    Payload(
      step: "purchase-product", with: #"{"sku":"1GB_15SGD","save_card":true}"#, request: "POST /products/1GB_15SGD/purchase?saveCard=true",
      status: 201, answer: product, output: ("id", #""1GB_15SGD""#)),
    Payload(
      step: "list-payment-sources", with: "{}", request: "GET /paymentSources", status: 200, answer: source,
      output: (
        "sources",
        #"[{"id":"card_1","type":"card","details":{"id":"card_1","type":"card","brand":"Visa","last4":"4242","exp_month":8,"exp_year":2027,"country":"SG","funding":"credit","created":1732150800}}]"#
      )),
    Payload(
      step: "add-payment-source", with: #"{"source_id":"tok_visa"}"#, request: "POST /paymentSources?sourceId=tok_visa", status: 201,
      answer: #"{"id":"card_1"}"#, output: ("id", #""card_1""#)),
    Payload(
      step: "set-default-source", with: #"{"source_id":"card_1"}"#, request: "PUT /paymentSources?sourceId=card_1", status: 200,
      answer: #"{"id":"card_1"}"#, output: ("id", #""card_1""#)),
    Payload(
      step: "remove-source", with: #"{"source_id":"card_1"}"#, request: "DELETE /paymentSources?sourceId=card_1", status: 200,
      answer: #"{"id":"card_1"}"#, output: ("id", #""card_1""#)),
    Payload(
      step: "register-push-token", with: #"{"token":"fcm-9x","application_id":"sg.redotter.dev.selfcare.9725FE65"}"#,
      request: "POST /applicationtoken", body: #"{"token":"fcm-9x","applicationID":"sg.redotter.dev.selfcare.9725FE65","tokenType":"FCM"}"#,
      status: 201, answer: #"{"token":"fcm-9x","applicationID":"sg.redotter.dev.selfcare.9725FE65","tokenType":"FCM"}"#,
      output: ("application_id", #""sg.redotter.dev.selfcare.9725FE65""#)),
    Payload(
      step: "create-scan", with: "{}", request: "GET /customer/new-ekyc-scanId/global", status: 200,
      answer: #"{"scanId":"326aceb6","countryCode":"global","status":"PENDING","scanResult":null}"#, output: ("scan_id", #""326aceb6""#)),
    Payload(
      step: "get-scan", with: #"{"scan_id":"326aceb6"}"#, request: "GET /customer/scanStatus/326aceb6", status: 200,
      answer:
        #"{"scanId":"326aceb6","countryCode":"global","status":"APPROVED","scanResult":{"vendorScanReference":"j-1","verificationStatus":"APPROVED_VERIFIED","time":1732150800000,"type":null,"country":"SGP","firstName":null,"lastName":null,"dob":null,"rejectReason":null}}"#,
      output: ("status", #""APPROVED""#)),
    Payload(
      step: "get-customer-state", with: "{}", request: "GET /customer/customerState", status: 200,
      answer: #"{"status":"REGISTERED","modifiedTimestamp":1732150800000,"scanId":null,"id":"0c95007b-1111"}"#,
      output: ("modified_timestamp", "1732150800000")),
    Payload(
      step: "scan-callback",
      with: """
        {"jumio_id_scan_reference":"j-1","id_scan_status":"SUCCESS","verification_status":"APPROVED_VERIFIED",
         "callback_date":"2024-11-21T09:19:07.036Z","id_country":"SGP","merchant_id_scan_reference":"326aceb6",
         "identity_verification":{"similarity":"MATCH","validity":"TRUE"}}
        """, request: "POST /ekyc/callback",
      body: """
        jumioIdScanReference=j-1&idScanStatus=SUCCESS&verificationStatus=APPROVED_VERIFIED&callbackDate=2024-11-21T09%3A19%3A07.036Z\
        &idCountry=SGP&merchantIdScanReference=326aceb6\
        &identityVerification=%7B%22similarity%22%3A%22MATCH%22%2C%22validity%22%3A%22TRUE%22%7D
        """, status: 200, answer: #"{"scanId":"326aceb6","countryCode":"global","status":"APPROVED","scanResult":null}"#,
      output: ("status", #""APPROVED""#)),
    Payload(
      step: "list-subscriptions", with: "{}", request: "GET /subscriptions", status: 200, answer: #"[{"msisdn":"6590001234","alias":""}]"#,
      output: ("subscriptions", #"[{"msisdn":"6590001234","alias":""}]"#)),
    Payload(
      step: "list-referrals", with: "{}", request: "GET /referred", status: 200, answer: #"[{"name":"Jo Lim"}]"#,
      output: ("referrals", #"[{"name":"Jo Lim"}]"#)),
    Payload(
      step: "get-referrer", with: "{}", request: "GET /referred/by", status: 200, answer: #"{"name":"Jo Lim"}"#,
      output: ("name", #""Jo Lim""#)),
    Payload(
      step: "list-consents", with: "{}", request: "GET /consents", status: 200,
      answer: #"[{"consentId":"privacy","description":"Grant permission to process personal data","accepted":false}]"#,
      output: ("consents", #"[{"consent_id":"privacy","description":"Grant permission to process personal data","accepted":false}]"#)),
    Payload(
      step: "set-consent", with: #"{"consent_id":"privacy","accepted":false}"#, request: "PUT /consents/privacy?accepted=false",
      status: 200,
      answer: #"{"consentId":"privacy","description":"Grant permission to process personal data","accepted":false}"#,
      output: ("accepted", "false")),
    Payload(
      step: "get-pseudonyms", with: "{}", request: "GET /customer/activePseudonyms", status: 200, answer: pseudonyms,
      output: ("next", #"{"source_id":"0c95007b","pseudonym":"ps-2","start":1732233600000,"end":1732319999999}"#)),
    Payload(
      step: "get-stripe-key", with: #"{"api_version":"2015-10-12"}"#, request: "GET /customer/stripe-ephemeral-key?api_version=2015-10-12",
      status: 200, answer: key, output: ("secret", #""ek_test_x""#)),
    Payload(
      step: "refund-purchase", with: #"{"email":"mei@example.test","purchase_id":"ch_1Dq","reason":"requested_by_customer"}"#,
      request: "PUT /refund/mei%40example.test?purchaseRecordId=ch_1Dq&reason=requested_by_customer", status: 200,
      answer: #"{"id":"1GB_15SGD"}"#, output: ("id", #""1GB_15SGD""#)),
    Payload(
      step: "graphql", with: #"{"query":"query { context { bundles { id balance } } }"}"#, request: "POST /graphql",
      body: #"{"query":"query { context { bundles { id balance } } }"}"#, status: 200,
      answer: #"{"data":{"context":{"bundles":[{"id":"5f1c","balance":1100000000}]}}}"#,
      output: ("data", #"{"context":{"bundles":[{"id":"5f1c","balance":1100000000}]}}"#)),
  ]

  @Test("go out and come in as they stand there", arguments: payloads)
  func payload(payload: Payload) async throws {
    let run = try await OstelcoScript.run(payload.step, payload.with, [.json(payload.status, payload.answer)])
    let sent = try #require(run.asked.first)
    #expect("\(sent.method) \(sent.url.dropFirst("http://127.0.0.1:1/ostelco".count))" == payload.request)
    #expect(sent.body.map { String(decoding: $0, as: UTF8.self) } == payload.body)
    let outputs = try run.outcome.get()
    #expect(outputs[payload.output.name]?.fullyExposed == (try JSON.parse(payload.output.json)))
  }

  @Test("without a bundle there is nothing left, which is a balance too", arguments: ["ostelco", "oya"])
  func noBundle(system: String) async throws {
    let run = try await OstelcoScript.run("get-bundles", "{}", [.json(200, "[]")])
    let outputs = try run.outcome.get()
    #expect(outputs["bundles"] == [])
    #expect(outputs["balance"] == 0)
    #expect(outputs["balance_text"] == "Zero KB")
    let output = try #require(StepCatalogue.standard.step("\(system)/get-bundles")).output()
    #expect(output.field("balance")?.isRequired == true)
    #expect(output.field("balance_text")?.isRequired == true)
  }

  @Test("purchases come sorted, the latest first, with their day in GMT")
  func sorted() async throws {
    let run = try await OstelcoScript.run("list-purchases", "{}", [.json(200, Self.purchases)])
    let purchases = try #require(try run.outcome.get()["purchases"]?.listValue)
    #expect(purchases.map { $0["id"] } == ["ch_1Dq", "0b7e-free"])
    #expect(purchases.map { $0["date"] } == ["21 November 2024", "21 November 2024"])
    #expect(purchases[0]["refund"] == .null || purchases[0]["refund"] == nil)
  }

  @Test("what the payment provider adds to its key is passed on")
  func furtherMembers() async throws {
    let answer = #"{"id":"ephkey_1","secret":"ek_test_x","api_version":"2015-10-12"}"#
    let run = try await OstelcoScript.run("get-stripe-key", #"{"api_version":"2015-10-12"}"#, [.json(200, answer)])
    #expect(try run.outcome.get()["api_version"] == "2015-10-12")
  }

  @Test("a profile that came back old is an error, and names what differs")
  func unchanged() async throws {
    let with = #"{"id":"another","name":"Mei Tan-Lim","email":"mei@example.test","country":"SG"}"#
    let run = try await OstelcoScript.run("update-profile", with, [.json(200, Self.profile)])
    guard case .failure(let failure) = run.outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == "ostelco.profile_unchanged")
    #expect(failure.detail == "`id`, `name` came back with another value than was sent")
  }

  @Test("an id that would leave its place in the path is not sent", arguments: ["..", ".", ""])
  func segments(id: String) async throws {
    for (step, with) in [
      ("purchase-product", #"{"sku":"\#(id)"}"#), ("get-scan", #"{"scan_id":"\#(id)"}"#), ("set-consent", #"{"consent_id":"\#(id)"}"#),
      ("create-scan", #"{"country_code":"\#(id)"}"#), ("refund-purchase", #"{"email":"\#(id)","purchase_id":"x","reason":"duplicate"}"#),
    ] {
      let run = try await OstelcoScript.run(step, with, [])
      #expect(run.asked.isEmpty, "\(step)")
    }
  }
}
