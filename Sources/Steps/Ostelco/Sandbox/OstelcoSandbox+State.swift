import SandboxKit
import Values

extension OstelcoSandbox {
  /// What the operator knows.
  package struct State: Sendable {
    /// Somebody with a profile.
    struct Customer: Sendable {
      let id: String
      /// The token's address: whose profile it is.
      let identity: String
      var email: String
      var name: String
      var address = ""
      var postCode = ""
      var city = ""
      var country: String
      let referralID: String
      var status = "REGISTERED"
      var modified: Timestamp
      /// The scan that was approved.
      var scanID: String?
      var subscriptions: [String] = []
    }

    /// What a refresh token is good for.
    struct Refresh: Sendable {
      let identity: String
      let client: String
      let scope: String
    }

    /// A code that waits to be exchanged.
    struct Code: Sendable {
      let identity: String
      let client: String
      let redirectURI: String
      let scope: String
      let challenge: String
      let expires: Timestamp
    }

    var customers: [Customer] = []
    var shop = Shop()
    var tokens = TokenBook()
    var refreshTokens: [String: Refresh] = [:]
    var codes: [String: Code] = [:]
    var scans: [ScanRecord] = []
    /// What people have agreed to, by address and the consent's id.
    private var consents: [String: ValueMap] = [:]
    /// The number behind `google-oauth2|` by address.
    private var subjects: [String: Int64] = [:]
    var switches = Switches()
    /// Nil is any app.
    private(set) var clients: [String]?
    /// Nil is any token that is no user's.
    private(set) var adminToken: String?
    private(set) var countries: Set<String> = ["NO", "SG"]

    init(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) {
      var given = given
      try switches.read(&given)
      clients = try given.texts("clients")
      adminToken = try given.text("admin_token")
      countries = try given.texts("countries").map { Set($0) } ?? countries
      try shop.readProducts(&given, standard: Self.standardProducts)
      let users = try given.maps("users")
      for user in users ?? [] { try add(user, &world) }
      for user in users ?? [] { try checkReferrer(of: user) }
      // Without a word about users there are two, so that every flow runs on a sandbox that nobody has prepared.
      if users == nil {
        signUp("mei@example.test", name: "Mei Tan", country: "SG", referrer: nil, ago: Self.longAgo, world: &world)
        signUp("jo@example.test", name: "Jo Lim", country: "SG", referrer: nil, ago: Self.longAgo, world: &world)
      }
      try given.finish()
    }

    /// When the customers that a scenario gives have signed up.
    static let longAgo = Duration.seconds(30 * 86_400)

    func customer(_ identity: String) -> Customer? { customers.first { $0.identity == identity } }

    /// Whether each consent is accepted, by its id.
    func consents(of identity: String) -> ValueMap { consents[identity] ?? ValueMap(members: ["privacy": false]) }

    mutating func agree(to id: String, _ isAccepted: Bool, as identity: String) {
      var agreed = consents(of: identity)
      agreed[id] = .bool(isAccepted)
      consents[identity] = agreed
    }

    /// The id of somebody at the tenant.
    mutating func subject(of identity: String, world: inout SandboxWorld) -> String {
      let number = subjects[identity] ?? 1080 + world.nextID(of: "ostelco.subject")
      subjects[identity] = number
      return "google-oauth2|\(number)"
    }

    mutating func change(_ id: String, _ edit: (inout Customer) -> Void) {
      guard let position = customers.firstIndex(where: { $0.id == id }) else { return }
      edit(&customers[position])
    }

    /// A new customer, with a bundle and the free product that signing up brings.
    @discardableResult
    mutating func signUp(
      _ identity: String, name: String, country: String, referrer: String?, id: String? = nil, referralID: String? = nil,
      ago: Duration = .zero, world: inout SandboxWorld
    ) -> String {
      let id = id ?? world.uuid()
      customers.append(
        Customer(
          id: id, identity: identity, email: identity, name: name, country: country, referralID: referralID ?? world.uuid(),
          modified: world.now.advanced(by: .zero - ago)))
      var account = Shop.Account()
      account.segments = [country]
      account.referrer = referrer
      shop.open(account, for: id)
      shop.addBundle(0, to: id, world: &world)
      // Assumed: Norwegian currency for what is free, as in the recorded answers.
      let free =
        referrer == nil
        ? Shop.Product("100MB_FREE_ON_JOINING", 0, "NOK", bytes: 100_000_000)
        : Shop.Product("1GB_FREE_ON_REFERRED", 0, "NOK", bytes: 1_000_000_000)
      shop.deliver(free, to: id, charge: world.uuid(), at: world.now.advanced(by: .zero - ago))
      return id
    }

    // Assumed: what is sold to whom; the first is the guide's.
    private static let standardProducts = [
      Shop.Product("1GB_15SGD", 1500, "SGD", bytes: 1_000_000_000, label: "+1GB", priceLabel: "$15", isDefault: true, segments: ["SG"]),
      Shop.Product("3GB_30SGD", 3000, "SGD", bytes: 3_000_000_000, label: "+3GB", priceLabel: "$30", segments: ["SG"]),
      Shop.Product(
        "1GB_249NOK", 24_900, "NOK", bytes: 1_000_000_000, label: "+1GB", priceLabel: "249 kr", isDefault: true, segments: ["NO"]),
    ]
  }
}

extension OstelcoSandbox.State: OperatorState {
  static var rules: OperatorRules { .first }
  var gateway: GatewayBody { switches.unauthorizedBody }
  func customerID(of identity: String) -> String? { customer(identity)?.id }
  func name(of customerID: String) -> String? { customers.first { $0.id == customerID }?.name }

  func graph(of identity: String) -> Value? {
    guard let customer = customer(identity) else { return nil }
    let account = shop.account(customer.id)
    return [
      "context": [
        "customer": customer.profile, "bundles": .list(account.bundles.map(\.value)),
        "products": .list(shop.offers(for: customer.id).map(\.value)),
        "purchases": .list(account.purchases.map { $0.value(Self.rules) }),
        "subscriptions": .list(customer.subscriptionValues),
      ]
    ]
  }

  /// What tests and scenarios may see; tokens, codes and payment sources are not in it.
  var overview: Value {
    [
      "customers": .list(
        customers.map { customer in
          var map = shop.overview(of: customer.id)
          map["profile"] = customer.profile
          map["status"] = .string(customer.status)
          map["consents"] = .map(consents(of: customer.identity))
          return .map(map)
        }),
      "scans": .list(scans.map { ["id": .string($0.id), "status": .string($0.status)] }),
    ]
  }
}

extension OstelcoSandbox.State.Customer {
  var profile: Value {
    [
      "id": .string(id), "email": .string(email), "name": .string(name), "address": .string(address), "postCode": .string(postCode),
      "city": .string(city), "country": .string(country), "referralId": .string(referralID),
    ]
  }

  var subscriptionValues: [Value] { subscriptions.map { ["msisdn": .string($0), "alias": ""] } }
}
