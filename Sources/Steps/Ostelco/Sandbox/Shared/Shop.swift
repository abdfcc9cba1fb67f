import SandboxKit
import Values

/// What the operator sells, and what each customer has of it.
struct Shop: Sendable {
  /// Something that can be bought.
  struct Product: Sendable {
    let sku: String
    let amount: Int64
    let currency: String
    /// Under the wire's names.
    var properties: ValueMap
    var presentation: ValueMap
    /// To whom it is offered, such as `SG`; nil is everybody, and an empty list nobody.
    var segments: [String]?
    /// Members that one generation has, such as `payment`.
    var further = ValueMap()

    var bytes: Int64 { properties["noOfBytes"]?.stringValue.flatMap { Int64($0.filter { $0 != "_" }) } ?? 0 }

    var value: Value {
      var map = ValueMap()
      map["sku"] = .string(sku)
      map["price"] = ["amount": .int(amount), "currency": .string(currency)]
      map["properties"] = .map(properties)
      map["presentation"] = .map(presentation)
      for (key, value) in further { map[key] = value }
      return .map(map)
    }
  }

  struct Bundle: Sendable {
    let id: String
    var balance: Int64
    /// Members that one generation has, such as `lastConsumedOn`.
    var further = ValueMap()

    var value: Value {
      var map = ValueMap()
      map["id"] = .string(id)
      map["balance"] = .int(balance)
      for (key, value) in further { map[key] = value }
      return .map(map)
    }
  }

  struct Purchase: Sendable {
    /// The charge's.
    let id: String
    let at: Timestamp
    /// As it was then.
    let product: Product
    /// Null until there is one.
    var refund = Value.null
    var further = ValueMap()

    func value(_ rules: OperatorRules) -> Value {
      var map = ValueMap()
      map["id"] = .string(id)
      if rules.hasMSISDN { map["msisdn"] = "" }
      map["timestamp"] = .int(at.milliseconds)
      map["product"] = product.value
      map["refund"] = refund
      for (key, value) in further { map[key] = value }
      return .map(map)
    }
  }

  /// What one customer has.
  struct Account: Sendable {
    /// What they are offered.
    var segments: Set<String> = []
    var bundles: [Bundle] = []
    /// In the order in which they were made.
    var purchases: [Purchase] = []
    var wallet = Wallet()
    /// The customer who has referred this one.
    var referrer: String?
    /// By application id.
    var pushTokens: [(applicationID: String, token: String, type: String)] = []
  }

  var products: [Product] = []
  /// By customer id.
  var accounts: [String: Account] = [:]
  /// Customer ids in the order in which they came.
  private(set) var order: [String] = []
}

extension Shop {
  mutating func open(_ account: Account, for id: String) {
    accounts[id] = account
    order.append(id)
  }

  /// Forgets a customer and all that they have.
  mutating func close(_ id: String) {
    accounts[id] = nil
    order.removeAll { $0 == id }
  }

  func account(_ id: String) -> Account { accounts[id] ?? Account() }

  /// What a customer is offered.
  func offers(for id: String) -> [Product] {
    let segments = account(id).segments
    return products.filter { product in product.segments.map { !segments.isDisjoint(with: $0) } ?? true }
  }

  /// Gives a product to a customer: the purchase is kept, and its bytes are added to the first bundle. No two purchases of a
  /// customer have the same millisecond, so that the latest one is told from the others although the clock stands.
  @discardableResult
  mutating func deliver(_ product: Product, to id: String, charge: String, at now: Timestamp) -> Purchase {
    let latest = account(id).purchases.map(\.at).max(by: { $0.milliseconds < $1.milliseconds })
    let at = latest.map { $0.milliseconds < now.milliseconds ? now : $0.advanced(by: .milliseconds(1)) } ?? now
    let purchase = Purchase(id: charge, at: at, product: product)
    accounts[id]?.purchases.append(purchase)
    if let bundle = account(id).bundles.first {
      let (sum, isTooLarge) = bundle.balance.addingReportingOverflow(product.bytes)
      accounts[id]?.bundles[0].balance = isTooLarge ? .max : sum
    }
    return purchase
  }

  /// Without any purchase, as on signing up.
  mutating func addBundle(_ bytes: Int64, to id: String, world: inout SandboxWorld) {
    accounts[id]?.bundles.append(Bundle(id: String(world.uuid().prefix(8)), balance: bytes))
  }

  /// For overviews: everything but the ids of payment sources.
  func overview(of id: String) -> ValueMap {
    let account = account(id)
    var map = ValueMap()
    map["balance"] = .int(account.bundles.first?.balance ?? 0)
    map["purchases"] = .list(account.purchases.map(\.overview))
    map["sources"] = .int(Int64(account.wallet.sources.count))
    map["push_applications"] = .list(account.pushTokens.map { .string($0.applicationID) })
    return map
  }
}

extension Shop.Purchase {
  fileprivate var overview: Value {
    ["id": .string(id), "sku": .string(product.sku), "refunded": .bool(refund != .null)]
  }
}
