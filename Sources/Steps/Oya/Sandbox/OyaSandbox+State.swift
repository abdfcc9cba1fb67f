import SandboxKit
import Values

extension OyaSandbox {
  /// What OYA knows.
  package struct State: Sendable {
    /// Somebody who can sign in, whether or not they have signed up.
    struct Person: Sendable {
      /// Their address at the identity provider, by which OYA knows them.
      let identity: String
      /// Nil takes any code that is nobody else's.
      let authCode: String?
    }

    struct Customer: Sendable {
      let id: String
      let identity: String
      var nickname: String
      var contactEmail: String
      let created: Timestamp
      let analyticsID: String
      let referralID: String
      var progress: [Progress] = []
      var sims: [SimCard] = []
      var audit: [Value] = []
    }

    struct Region: Sendable {
      let code: String
      let name: String
    }

    var people: [Person] = []
    var customers: [Customer] = []
    // Assumed: Where OYA is an operator beside Singapore and Malaysia.
    var regions = [
      Region(code: "sg", name: "Singapore"), Region(code: "my", name: "Malaysia"), Region(code: "no", name: "Norway"),
      Region(code: "us", name: "United States"),
    ]
    var scans: [ScanRecord] = []
    /// Persons by their code at MyInfo; nil knows one person, whatever the code.
    var myInfo: [String: Value]?
    var stripeEvents: [Value] = []
    /// What went out, for overviews; the newest ones.
    var mails: [Value] = []
    var pushes: [Value] = []
    var shop = Shop()
    var tokens = TokenBook()
    var switches = Switches()

    func position(of customerID: String) -> Int? { customers.firstIndex { $0.id == customerID } }
    func region(_ code: String) -> Region? { regions.first { $0.code == code } }
  }
}

extension OyaSandbox.State: OperatorState {
  static let rules = OperatorRules.second
  var gateway: GatewayBody { switches.unauthorized }

  func customerID(of identity: String) -> String? { customers.first { $0.identity == identity }?.id }
  func name(of customerID: String) -> String? { position(of: customerID).map { customers[$0].nickname } }

  func graph(of identity: String) -> Value? {
    guard let customer = customers.first(where: { $0.identity == identity }) else { return nil }
    let account = shop.account(customer.id)
    return [
      "context": [
        "customer": customer.value, "bundles": .list(account.bundles.map(\.value)),
        "regions": .list(regions.map { details(of: $0, for: customer) }), "products": .list(shop.offers(for: customer.id).map(\.value)),
        "purchases": .list(account.purchases.map { $0.value(Self.rules) }),
      ]
    ]
  }
}

extension OyaSandbox.State.Customer {
  var value: Value {
    [
      "id": .string(id), "nickname": .string(nickname), "contactEmail": .string(contactEmail), "createdOn": .string(created.text),
      "analyticsId": .string(analyticsID), "referralId": .string(referralID),
    ]
  }

  /// Of a region that the customer has begun with.
  func progress(in region: String) -> OyaSandbox.Progress? { progress.first { $0.region == region } }

  mutating func note(_ message: String, severity: String = "INFO", at now: Timestamp) {
    audit.append(["timestamp": .int(now.milliseconds), "severity": .string(severity), "message": .string(message)])
  }
}

extension OyaSandbox.State {
  /// A region as a customer sees it.
  /// - Parameter isReal: each eSIM has its own status, as support sees it.
  func details(of region: Region, for customer: Customer, isReal: Bool = false) -> Value {
    let begun = customer.progress(in: region.code)
    let progress = begun ?? OyaSandbox.Progress(region: region.code)
    // Assumed: A region that nobody has begun with is listed as one that is there to be had.
    let status = begun == nil ? "AVAILABLE" : progress.isApproved ? "APPROVED" : "PENDING"
    return [
      "region": ["id": .string(region.code), "name": .string(region.name)], "status": .string(status), "kycStatusMap": progress.statusMap,
      "kycExpiryDateMap": progress.expiryMap,
      "simProfiles": .list(customer.sims.filter { $0.region == region.code }.map { $0.value(isShownInstalled: !isReal) }),
    ]
  }

  /// Takes note of a check; when it completes a region, the customer is offered what is sold there.
  mutating func set(
    _ check: OyaSandbox.Check, _ status: OyaSandbox.Check.Status, in region: String, of position: Int, expiry: String? = nil,
    at now: Timestamp
  ) {
    if customers[position].progress(in: region) == nil { customers[position].progress.append(OyaSandbox.Progress(region: region)) }
    guard let place = customers[position].progress.firstIndex(where: { $0.region == region }) else { return }
    let wasApproved = customers[position].progress[place].isApproved
    customers[position].progress[place].set(check, status)
    if let expiry, status == .approved { customers[position].progress[place].expiries[check] = expiry }
    customers[position].note("Updated \(check.rawValue) of \(region) to \(status.rawValue)", at: now)
    guard !wasApproved, customers[position].progress[place].isApproved else { return }
    customers[position].note("Approved for region - \(region)", at: now)
    shop.accounts[customers[position].id]?.segments.insert(region.uppercased())
  }

  /// Signs somebody up: their account begins with a free product.
  mutating func addCustomer(
    _ identity: String, nickname: String, contactEmail: String, id: String? = nil, referralID: String? = nil, referrer: String? = nil,
    world: inout SandboxWorld
  ) -> Int {
    let customer = Customer(
      id: id ?? world.uuid(), identity: identity, nickname: nickname, contactEmail: contactEmail, created: world.now,
      analyticsID: world.uuid(), referralID: referralID ?? world.uuid())
    customers.append(customer)
    var account = Shop.Account()
    account.referrer = referrer
    shop.open(account, for: customer.id)
    shop.addBundle(0, to: customer.id, world: &world)
    shop.accounts[customer.id]?.bundles[0].further["lastConsumedOn"] = .null
    shop.deliver(Self.welcome, to: customer.id, charge: world.uuid(), at: world.now)
    shop.describePurchases(of: customer.id)
    customers[customers.count - 1].note("Customer is created", at: world.now)
    return customers.count - 1
  }

  /// Forgets a customer; the person can sign up anew.
  mutating func removeCustomer(_ id: String) {
    customers.removeAll { $0.id == id }
    scans.removeAll { $0.customerID == id }
    shop.close(id)
  }

  private static let welcome = Shop.Product(
    "2GB_FREE_ON_JOINING", 0, "SGD", bytes: 2_147_483_648, label: "2GB Welcome Pack", priceLabel: "Free", segments: [])
}

extension Shop {
  /// Purchases of the second generation have properties.
  mutating func describePurchases(of id: String) {
    for place in account(id).purchases.indices { accounts[id]?.purchases[place].further["properties"] = [:] }
  }
}
