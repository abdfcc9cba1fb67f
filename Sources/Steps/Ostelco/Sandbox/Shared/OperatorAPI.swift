import HTTPTypes
import SandboxKit
import Values

/// The description of what both generations have: operations with the statuses of a generation's rules, and the schemas that
/// they name. A generation's `api` is these beside its own.
struct OperatorAPI: APIVocabulary {
  static let user = "userToken"
  static let scheme: Value = bearer("A customer's token.")

  let rules: OperatorRules

  // MARK: answers

  static func refusal(_ status: Int, _ about: String, example: Value? = nil) -> APIAnswer {
    APIAnswer(status, about, schema: .named("Refusal"), example: example)
  }

  static let unauthorized = APIAnswer(
    401, "The token is missing, unknown or expired.", schema: .named("Unauthorized"),
    example: [
      "code": 16, "message": "JWT validation failed: TIME_CONSTRAINT_FAILURE",
      "details": [["@type": "type.googleapis.com/google.rpc.DebugInfo", "stackEntries": [], "detail": "auth"]],
    ])
  static let noCustomer = refusal(404, "There is no customer yet.")
  static let invalidParameter = APIAnswer(400, "A parameter is missing.", schema: .named("Invalid"))
  static let unreadable = APIAnswer(400, "The body cannot be read.", schema: .named("Unreadable"))
  static let mediaType = APIAnswer(415, "The body is of another type.", schema: .named("Unreadable"))

  /// What a payment may come to: one answer for each status.
  func payment(_ further: [(OperatorCause, String)] = []) -> [APIAnswer] {
    let causes: [(OperatorCause, String)] =
      [
        (.notFound, "There is no customer yet"), (.declined, "the card was declined"), (.invalidParameter, "there is no such source"),
        (.provider, "the payment provider failed"),
      ] + further
    var order: [Int] = []
    var texts: [Int: [String]] = [:]
    for (cause, text) in causes {
      let status = rules.status(cause)
      if texts[status] == nil { order.append(status) }
      texts[status, default: []].append(text)
    }
    return order.map { status in
      let schema: Value = status == 400 ? ["anyOf": [.named("Refusal"), .named("Invalid")]] : .named("Refusal")
      return APIAnswer(status, (texts[status] ?? []).joined(separator: ", or ") + ".", schema: schema)
    }
  }

  // MARK: operations

  /// Balance, products, purchases.
  var shop: [APIOperation] {
    [
      APIOperation(
        "get-bundles", .get, "/bundles", "Reads the data balance.", security: Self.user,
        answers: [
          APIAnswer(200, "The bundles.", schema: Self.list(of: .named("Bundle")), example: [["id": "5f1c", "balance": 1_100_000_000]]),
          Self.unauthorized,
          Self.noCustomer,
        ]),
      APIOperation(
        "list-products", .get, "/products", "Lists what the customer is offered.", security: Self.user,
        answers: [Self.list("The products.", "Product"), Self.unauthorized, Self.noCustomer]),
      APIOperation(
        "purchase-product", .post, "/products/{sku}/purchase", "Buys a product, by `sourceId` or the default source.", security: Self.user,
        parameters: [
          Self.path("sku", "The product.", "1GB_15SGD", schema: Self.text),
          Self.query("sourceId", "What pays; the default source unless given.", schema: Self.text, isRequired: false),
          Self.query("saveCard", "`true` keeps a new source.", "true", schema: Self.text, isRequired: false),
        ],
        answers: [Self.ok(201, "Bought.", "Reference", ["id": "1GB_15SGD"]), Self.unauthorized]
          + payment([(.unknownProduct, "there is no such product")])),
      APIOperation(
        "list-purchases", .get, "/purchases", "Lists what was bought, in no order.", security: Self.user,
        answers: [Self.list("The purchases.", "Purchase"), Self.unauthorized, Self.noCustomer]),
    ]
  }

  /// Payment sources.
  var sources: [APIOperation] {
    let source = [Self.query("sourceId", "The token or the source.", "tok_visa")]
    let saved = "Reference"
    return [
      APIOperation(
        "list-payment-sources", .get, "/paymentSources", "Lists the saved sources, the newest first.", security: Self.user,
        answers: [Self.list("The sources.", "PaymentSource"), Self.unauthorized, Self.noCustomer]),
      APIOperation(
        "add-payment-source", .post, "/paymentSources", "Saves a source.", security: Self.user, parameters: source,
        answers: [Self.ok(201, "Saved.", saved, ["id": "card_1"]), Self.unauthorized] + sourceRefusals),
      APIOperation(
        "set-default-source", .put, "/paymentSources", "Chooses the source that pays.", security: Self.user, parameters: source,
        answers: [Self.ok("Chosen.", saved), Self.unauthorized] + sourceRefusals),
      APIOperation(
        "remove-source", .delete, "/paymentSources", "Removes a source.", security: Self.user, parameters: source,
        answers: [Self.ok("Removed.", saved), Self.unauthorized] + sourceRefusals),
    ]
  }

  /// The parameter's own refusal shares its status with nothing of the first generation.
  private var sourceRefusals: [APIAnswer] {
    let refusals = payment()
    return refusals.contains { $0.status == 400 } ? refusals : refusals + [Self.invalidParameter]
  }

  var referrals: [APIOperation] {
    [
      APIOperation(
        "list-referrals", .get, "/referred", "Lists whom the customer has referred.", security: Self.user,
        answers: [Self.list("Their names.", "Person"), Self.unauthorized, Self.noCustomer]),
      APIOperation(
        "get-referrer", .get, "/referred/by", "Reads who has referred the customer.", security: Self.user,
        answers: [Self.ok("The name, or null.", "Person", ["name": .null]), Self.unauthorized, Self.noCustomer]),
    ]
  }

  func push(at path: String) -> APIOperation {
    APIOperation(
      "register-push-token", .post, path, "Registers an installation for push messages.", security: Self.user,
      body: Self.body("PushToken", ["token": "fcm-9x", "applicationID": "sg.redotter.dev.selfcare.9725FE65", "tokenType": "FCM"]),
      answers: [
        Self.ok(201, "Registered.", "PushToken"),
        APIAnswer(400, "A member is missing, or the body cannot be read.", schema: ["anyOf": [.named("Refusal"), .named("Unreadable")]]),
        Self.unauthorized, Self.noCustomer, Self.mediaType, Self.refusal(rules.status(.tokenStore), "The token could not be stored."),
      ])
  }

  var graph: APIOperation {
    APIOperation(
      "graphql", .post, "/graphql", "Asks for several things at once.", security: Self.user,
      body: Self.body("GraphQuery", ["query": "query { context { bundles { id balance } } }"]),
      answers: [
        APIAnswer(200, "The data, or errors; neither where there is no customer.", schema: Self.free), Self.unreadable, Self.unauthorized,
        Self.mediaType,
      ])
  }

  func callback(at path: String) -> APIOperation {
    APIOperation(
      "scan-callback", .post, path, "The vendor of identity checks calls back.",
      body: APIBody("application/x-www-form-urlencoded", schema: .named("ScanCallback"), example: Self.callbackExample),
      answers: [
        Self.ok("The scan.", "Scan"), Self.refusal(400, "A field is missing, or cannot be read."),
        Self.refusal(404, "There is no such scan."), Self.mediaType,
      ])
  }

  static let callbackExample: Value = [
    "jumioIdScanReference": "j-1", "idScanStatus": "SUCCESS", "verificationStatus": "APPROVED_VERIFIED",
    "callbackDate": "2024-11-21T09:19:07.036Z", "idCountry": "SGP", "merchantIdScanReference": "326aceb6",
    "identityVerification": #"{"similarity":"MATCH","validity":"TRUE"}"#,
  ]
}
