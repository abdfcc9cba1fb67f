import HTTPTypes
import SandboxKit
import Values

/// What the sandbox of one generation knows, as far as both have it.
///
/// A generation plugs in by giving its state a `shop`, the `tokens` that it gave out, and the three questions below; its routes
/// are then `ShopRoutes<State>.all + SourceRoutes<State>.all + ReferralRoutes<State>.all + PushRoutes<State>.all(at: "/…")
/// + GraphRoutes<State>.all` beside its own.
protocol OperatorState: Sendable {
  static var rules: OperatorRules { get }
  var shop: Shop { get set }
  /// The user tokens have the kind `user`, and as subject whom `customerID(of:)` knows.
  var tokens: TokenBook { get set }
  var gateway: GatewayBody { get }

  /// The customer behind the subject of a token, such as an e-mail address; nil where there is none yet.
  func customerID(of identity: String) -> String?
  /// What a customer calls themselves.
  func name(of customerID: String) -> String?
  /// The tree that GraphQL queries choose from, `["context": …]`; nil answers without data.
  func graph(of identity: String) -> Value?
}

/// What a request has failed for; the generations answer with different statuses.
enum OperatorCause: Sendable {
  case notFound, validation, notStored, tokenStore, declined, unknownProduct, invalidParameter, provider, charge
}

/// The differences between the generations, as data.
struct OperatorRules: Sendable {
  let statuses: [OperatorCause: Int]
  /// The code and the message of a declined card; nil are those of the purchase.
  let declined: OperatorTask?
  /// Whether an error of the payment provider has `code`, `declineCode` and `internalError` too.
  let hasDeclineCode: Bool
  /// Whether purchases have an `msisdn`, which is out of use.
  let hasMSISDN: Bool
  /// The type of what is not found where there is no customer: `Identity`.
  let customerType: String

  static let first = OperatorRules(
    statuses: [
      .notFound: 404, .validation: 403, .notStored: 502, .tokenStore: 507, .declined: 403, .unknownProduct: 404, .invalidParameter: 404,
      .provider: 502, .charge: 502,
    ], declined: nil, hasDeclineCode: false, hasMSISDN: true, customerType: "Identity")
  static let second = OperatorRules(
    statuses: [
      .notFound: 404, .validation: 403, .notStored: 500, .tokenStore: 500, .declined: 403, .unknownProduct: 404, .invalidParameter: 403,
      .provider: 500, .charge: 400,
    ], declined: OperatorTask("PAYMENT_SOURCE_REJECTED", "Payment source rejected. "), hasDeclineCode: true,
    hasMSISDN: false, customerType: "Identity")
}

/// What was asked for, as an error names it. Assumed: The codes that no document shows.
struct OperatorTask: Sendable {
  let code: String
  let message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  static let bundles = OperatorTask("FAILED_TO_FETCH_BUNDLES", "Failed to get bundles. ")
  static let products = OperatorTask("FAILED_TO_FETCH_PRODUCT_LIST", "Failed to fetch products")
  static let purchase = OperatorTask("FAILED_TO_PURCHASE_PRODUCT", "Failed to purchase product. ")
  static let purchases = OperatorTask("FAILED_TO_FETCH_PAYMENT_HISTORY", "Failed to get purchase history.")
  static let sources = OperatorTask("FAILED_TO_FETCH_PAYMENT_SOURCES_LIST", "Failed to list sources")
  static let addSource = OperatorTask("FAILED_TO_STORE_PAYMENT_SOURCE", "Failed to store payment source")
  static let chooseSource = OperatorTask("FAILED_TO_SET_DEFAULT_PAYMENT_SOURCE", "Failed to set default payment source")
  static let removeSource = OperatorTask("FAILED_TO_REMOVE_PAYMENT_SOURCE", "Failed to remove payment source")
  static let referrals = OperatorTask("FAILED_TO_FETCH_REFERRALS", "Failed to get referral list.")
  static let referrer = OperatorTask("FAILED_TO_FETCH_REFERRED_BY_LIST", "Failed to get referred-by list.")
  static let pushToken = OperatorTask("FAILED_TO_STORE_APPLICATION_TOKEN", "Failed to store ApplicationToken.")
  static let scan = OperatorTask("FAILED_TO_FETCH_SCAN_INFORMATION", "Failed to fetch scan information")
  static let refund = OperatorTask("FAILED_TO_REFUND_PURCHASE", "Failed to refund purchase. ")
}

extension OperatorRules {
  func status(_ cause: OperatorCause) -> Int { statuses[cause] ?? 500 }

  /// The application's envelope.
  func refusal(_ task: OperatorTask, _ cause: OperatorCause, nested: Value = .null, adding detail: String = "") -> SandboxReply {
    Self.refusal(task, status(cause), nested: nested, adding: detail)
  }

  static func refusal(_ task: OperatorTask, _ status: Int, nested: Value = .null, adding detail: String = "") -> SandboxReply {
    .json(
      [
        "errorCode": .string(task.code), "error": nested, "status": .int(Int64(status)), "message": .string(task.message + detail),
      ], status: status)
  }

  /// An error of the store: something is not there.
  static func missing(_ type: String, _ id: String) -> Value {
    ["type": .string(type), "id": .string(id), "error": .null, "message": .string("\(type) - \(id) not found.")]
  }

  /// An error of the payment provider.
  func payment(_ description: String, _ message: String, declined: String? = nil) -> Value {
    var map = ValueMap()
    map["description"] = .string(description)
    map["message"] = .string(message)
    map["error"] = .null
    if hasDeclineCode {
      map["code"] = declined == nil ? .null : "card_declined"
      map["declineCode"] = declined.map { .string($0) } ?? .null
      map["internalError"] = .null
    }
    return .map(map)
  }

  /// The framework's refusal of a parameter or a body.
  static func invalid(_ messages: String...) -> SandboxReply {
    .json(["errors": .list(messages.map { .string($0) })], status: 400)
  }

  static let pathUnknown = SandboxReply.json(["code": 404, "message": "HTTP 404 Not Found"], status: 404)
  static let methodRefused = SandboxReply.json(["code": 405, "message": "HTTP 405 Method Not Allowed"], status: 405)
  static let mediaTypeRefused = SandboxReply.json(["code": 415, "message": "HTTP 415 Unsupported Media Type"], status: 415)
  static let unreadable = SandboxReply.json(["code": 400, "message": "Unable to process JSON"], status: 400)
}

extension OperatorState {
  /// Who asks.
  /// - Throws: a 401 in the words of the gateway.
  func identity(of request: SandboxRequest, at now: Timestamp) throws(SandboxReply) -> String {
    guard let text = request.bearerToken else { throw gateway.refusal(of: .missing) }
    switch tokens.access(text, at: now) {
    case .valid(let entry) where entry.kind == "user": return entry.subject
    case .expired: throw gateway.refusal(of: .expired)
    case .valid, .unknown: throw gateway.refusal(of: .unknown)
    }
  }

  /// The customer who asks.
  /// - Throws: 401, and the 404 of a task where there is no customer yet.
  func customer(of request: SandboxRequest, at now: Timestamp, for task: OperatorTask) throws(SandboxReply) -> String {
    let identity = try identity(of: request, at: now)
    guard let id = customerID(of: identity) else { throw noCustomer(identity, task) }
    return id
  }

  func noCustomer(_ identity: String, _ task: OperatorTask) -> SandboxReply {
    let nested = OperatorRules.missing(Self.rules.customerType, identity)
    let detail = task.message.hasSuffix(" ") ? nested["message"]?.stringValue ?? "" : ""
    return Self.rules.refusal(task, .notFound, nested: nested, adding: detail)
  }
}

extension SandboxRequest {
  /// The members of a JSON body.
  /// - Throws: 415 for another media type, 400 for what is no object.
  func jsonMembers() throws(SandboxReply) -> ValueMap {
    guard mediaType == "application/json" else { throw OperatorRules.mediaTypeRefused }
    guard case .map(let members)? = json else { throw OperatorRules.unreadable }
    return members
  }

  /// A parameter of the query that must be there.
  /// - Throws: 400.
  func required(_ name: String) throws(SandboxReply) -> String {
    guard let value = query(name), !value.isEmpty else { throw OperatorRules.invalid("query param \(name) may not be null") }
    return value
  }
}
