import HTTPTypes
import StepKit
import Steps
import Testing
import Values

/// Every documented answer that is an error, and the code that flows see.
@Suite("Errors of Ostelco")
struct OstelcoErrorTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let step: String
    let status: Int
    let body: String
    let code: String
    var detail: String?
    var isRejected = true

    var testDescription: String { "\(step) \(status) → \(code)" }
  }

  static func envelope(_ code: String, _ status: Int, _ message: String, nested: String = "null") -> String {
    #"{"errorCode":"\#(code)","error":\#(nested),"status":\#(status),"message":"\#(message)"}"#
  }

  static let noProfile = envelope(
    "FAILED_TO_FETCH_PAYMENT_PROFILE", 404, "Failed to fetch profile.",
    nested: #"{"type":"Identity","id":"mei@example.test","error":null,"message":"Identity - mei@example.test not found."}"#)
  static let declined = envelope(
    "FAILED_TO_PURCHASE_PRODUCT", 403, "Failed to purchase product. ",
    nested:
      #"{"description":"Failed to authorize the charge for customerId cus_1 sourceId card_1 amount 1500 currency SGD","message":"Your card was declined.","error":null}"#
  )
  static let unavailable = envelope(
    "FAILED_TO_PURCHASE_PRODUCT", 404, "Failed to purchase product. ", nested: #"{"message":"Product X is unavailable","error":null}"#)
  static let noSource = envelope(
    "FAILED_TO_PURCHASE_PRODUCT", 404, "Failed to purchase product. ",
    nested: #"{"description":"Invalid","message":"No such source: x","error":null}"#)
  static let outage = envelope("FAILED_TO_PURCHASE_PRODUCT", 502, "Failed to purchase product. ")
  static let gateway =
    #"{"code":16,"message":"JWT validation failed: TIME_CONSTRAINT_FAILURE","details":[{"@type":"type.googleapis.com/google.rpc.DebugInfo","stackEntries":[],"detail":"auth"}]}"#

  static let needProfile = [
    "get-profile", "get-bundles", "list-products", "list-purchases", "list-subscriptions", "list-payment-sources", "list-referrals",
    "get-referrer", "list-consents", "set-consent", "get-pseudonyms", "get-stripe-key", "get-customer-state", "create-scan", "graphql",
    "update-profile", "purchase-product", "add-payment-source", "set-default-source", "remove-source", "register-push-token", "get-scan",
  ]

  /// What the framework says of a path that the service does not have.
  static let noPath = #"{"code":404,"message":"HTTP 404 Not Found"}"#
  static let noCountry = envelope(
    "FAILED_TO_CREATE_SCANID", 404, "Failed to create new scanId",
    nested: #"{"type":"Country","id":"nowhere","error":null,"message":"Country - nowhere not found."}"#)

  static let answers: [Answer] =
    needProfile.map {
      Answer(
        step: $0, status: 404, body: noProfile, code: "ostelco.profile_not_found",
        detail: "Failed to fetch profile. Identity - mei@example.test not found.")
    } + needProfile.map { Answer(step: $0, status: 503, body: "<html>", code: "http.503", detail: "", isRejected: false) }
    // A wrong `base_url` is no missing profile, product or source, and a firewall is no bank.
    + (needProfile + ["scan-callback", "refund-purchase"]).map {
      Answer(step: $0, status: 404, body: noPath, code: "http.404", detail: "HTTP 404 Not Found", isRejected: false)
    }
    + ["create-profile", "purchase-product", "get-scan", "refund-purchase"].map {
      Answer(step: $0, status: 403, body: "Forbidden", code: "http.403", detail: "Forbidden", isRejected: false)
    } + [
      Answer(
        step: "create-scan", status: 404, body: noCountry, code: "ostelco.unknown_country",
        detail: "Failed to create new scanId Country - nowhere not found."),
      Answer(
        step: "purchase-product", status: 403, body: declined, code: "ostelco.card_declined",
        detail:
          "Failed to purchase product. Your card was declined. Failed to authorize the charge for customerId cus_1 sourceId card_1 amount 1500 currency SGD"
      ),
      Answer(
        step: "purchase-product", status: 404, body: unavailable, code: "ostelco.product_unavailable",
        detail: "Failed to purchase product. Product X is unavailable"),
      Answer(step: "purchase-product", status: 404, body: noSource, code: "ostelco.unknown_source"),
      Answer(step: "purchase-product", status: 502, body: outage, code: "ostelco.payment_failed", isRejected: false),
      // A proxy's 502 says nothing of the purchase.
      Answer(step: "purchase-product", status: 502, body: "Bad Gateway", code: "http.502", detail: "Bad Gateway", isRejected: false),
      Answer(step: "add-payment-source", status: 403, body: declined, code: "ostelco.card_declined"),
      Answer(step: "add-payment-source", status: 404, body: noSource, code: "ostelco.unknown_source"),
      Answer(step: "remove-source", status: 404, body: noSource, code: "ostelco.unknown_source"),
      Answer(step: "set-default-source", status: 502, body: outage, code: "ostelco.payment_failed", isRejected: false),
      Answer(
        step: "create-profile", status: 400,
        body: envelope("X", 400, "Incomplete profile description. Profile must contain name and email"), code: "ostelco.incomplete_profile",
        detail: "Incomplete profile description. Profile must contain name and email"),
      Answer(
        step: "create-profile", status: 403, body: envelope("X", 403, "Failed", nested: #"{"message":"Unsupported country: XX"}"#),
        code: "ostelco.unsupported_country", detail: "Failed Unsupported country: XX"),
      Answer(
        step: "create-profile", status: 403, body: envelope("X", 403, "Failed", nested: #"{"message":"Identity - x already exists."}"#),
        code: "ostelco.already_exists"),
      Answer(
        step: "create-profile", status: 403, body: envelope("X", 403, "Failed", nested: #"{"message":"Referred by self"}"#),
        code: "ostelco.referred_by_self"),
      Answer(
        step: "create-profile", status: 502, body: envelope("X", 502, "Failed", nested: #"{"message":"Subscriber - x not found."}"#),
        code: "ostelco.unknown_referrer"),
      Answer(step: "create-profile", status: 502, body: envelope("X", 502, "Failed"), code: "http.502", isRejected: false),
      Answer(
        step: "update-profile", status: 400, body: envelope("X", 400, "Incomplete profile description"), code: "ostelco.incomplete_profile"),
      Answer(
        step: "register-push-token", status: 400, body: envelope("X", 400, "Incomplete ApplicationToken"), code: "ostelco.incomplete_token"),
      Answer(
        step: "register-push-token", status: 507, body: envelope("X", 507, "no"), code: "ostelco.token_store_failed", isRejected: false),
      Answer(step: "get-scan", status: 403, body: envelope("X", 403, "Not allowed"), code: "ostelco.scan_not_allowed"),
      Answer(step: "get-scan", status: 404, body: envelope("X", 404, "ScanInformation - x not found."), code: "ostelco.scan_not_found"),
      Answer(step: "scan-callback", status: 400, body: envelope("X", 400, "no"), code: "ostelco.incomplete_scan"),
      Answer(step: "scan-callback", status: 404, body: envelope("X", 404, "no"), code: "ostelco.scan_not_found"),
      Answer(
        step: "refund-purchase", status: 403,
        body: envelope(
          "FAILED_TO_REFUND_PURCHASE", 403,
          "Failed to refund purchase. Attempt at refunding again the purchase ch_1Dq of product 1GB_15SGD, refund re_1"),
        code: "ostelco.refund_refused",
        detail: "Failed to refund purchase. Attempt at refunding again the purchase ch_1Dq of product 1GB_15SGD, refund re_1"),
      Answer(step: "refund-purchase", status: 404, body: envelope("X", 404, "no"), code: "ostelco.purchase_not_found"),
      Answer(
        step: "refund-purchase", status: 401, body: gateway, code: "http.401", detail: "JWT validation failed: TIME_CONSTRAINT_FAILURE"),
      Answer(
        step: "list-products", status: 400, body: #"{"errors":["bad query"]}"#, code: "http.400", detail: "bad query", isRejected: false),
      Answer(
        step: "graphql", status: 200, body: #"{"errors":[{"message":"Invalid Syntax"}]}"#, code: "ostelco.graphql_failed",
        detail: "Invalid Syntax"),
      Answer(step: "graphql", status: 200, body: #"{"errors":[{"code":7}]}"#, code: "ostelco.graphql_failed"),
      Answer(step: "graphql", status: 200, body: #"{"data":null,"errors":[]}"#, code: "ostelco.profile_not_found"),
      Answer(step: "graphql", status: 200, body: "{}", code: "ostelco.profile_not_found"),
      Answer(step: "get-bundles", status: 200, body: #"{"id":"5f1c"}"#, code: "decode", isRejected: false),
      Answer(step: "list-purchases", status: 200, body: #"[{"id":1}]"#, code: "decode", isRejected: false),
    ]

  @Test("have a code of their own, and keep the status as a tag", arguments: answers)
  func codes(answer: Answer) async throws {
    let run = try await OstelcoScript.run(answer.step, nil, [.json(answer.status, answer.body)])
    guard case .failure(let failure) = run.outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == answer.code)
    if let detail = answer.detail { #expect(failure.detail == detail) }
    #expect(failure.sent == .yes)
    #expect(failure.isRejected == answer.isRejected)
    #expect(failure.answer?.status == answer.status)
    if answer.status != 200 { #expect(([failure.code] + failure.tags).contains("http.\(answer.status)")) }
  }

  @Test("are declared by the step that raises them", arguments: answers)
  func declared(answer: Answer) throws {
    guard answer.code.hasPrefix("ostelco.") else { return }
    let step = try #require(StepCatalogue.standard.step("ostelco/\(answer.step)"))
    #expect(step.errors.map(\.code).contains(answer.code))
  }

  @Test(
    "of a 401 come through whatever it holds",
    arguments: [gateway, "Credentials are required to access this resource.", ""], [true, false])
  func unauthorized(body: String, isJSON: Bool) async throws {
    let run = try await OstelcoScript.run("scan-callback", nil, [isJSON ? .json(401, body) : .text(401, body)])
    guard case .failure(let failure) = run.outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == "http.401")
  }

  @Test("do not show the source that was charged")
  func secrets() async throws {
    let world = try StepWorld.ostelco()
    try await world.signIn(as: "mei@example.test")
    let failure = await world.failure("ostelco/purchase-product", #"{"sku": "1GB_15SGD", "source_id": "src_eclined-very-secret"}"#)
    #expect(failure?.code == "ostelco.card_declined")
    let urls = world.events.events.compactMap { if case .sending(let exchange) = $0 { exchange.url } else { nil } }
    #expect(urls.contains { $0.contains("/purchase") })
    #expect(!urls.contains { $0.contains("very-secret") })
  }
}
