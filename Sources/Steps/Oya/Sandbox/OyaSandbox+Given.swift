import SandboxKit
import Values

extension OyaSandbox.State {
  init(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    try switches.read(&given)
    if let list = try given.maps("regions") {
      regions = []
      for region in list {
        var region = region
        regions.append(Region(code: try region.requiredText("code"), name: try region.requiredText("name")))
        try region.finish()
      }
    }
    try shop.readProducts(&given, standard: Self.products)
    for place in shop.products.indices where shop.products[place].further["payment"] == nil {
      shop.products[place].further["payment"] = [:]
    }
    if let list = try given.maps("my_info") {
      myInfo = [:]
      for person in list { try readMyInfo(person) }
    }
    let list = try given.maps("people")
    for person in list ?? [] { try add(person, &world) }
    // Without a word about people there is one, so that every flow runs on a sandbox that nobody has prepared.
    if list == nil {
      people.append(Person(identity: "mei@example.test", authCode: nil))
      tokens.issue(kind: "user", subject: "mei@example.test", life: switches.tokenLife, accessToken: Self.madeUpToken, world: &world)
    }
    try given.finish()
  }

  /// What a run on the sandbox makes up for a secret that is called `id_token` and not set.
  private static let madeUpToken = "sandbox-id_token"

  /// Assumed: What is sold unless a scenario says otherwise: a top-up that the app's button buys, one that is not, and a plan.
  private static let products: [Shop.Product] = {
    var plan = Shop.Product("PLAN_1000SGD_YEAR", 100_000, "SGD", bytes: 0, label: "Annual plan", priceLabel: "$1000")
    plan.further["payment"] = ["type": "SUBSCRIPTION"]
    return [
      Shop.Product("1GB_15SGD", 1500, "SGD", bytes: 1_000_000_000, label: "+1GB", priceLabel: "$15", isDefault: true),
      Shop.Product("5GB_50SGD", 5000, "SGD", bytes: 5_000_000_000, label: "+5GB", priceLabel: "$50"), plan,
    ]
  }()

  private mutating func readMyInfo(_ given: GivenMap) throws(SandboxError) {
    var given = given
    let code = try given.requiredText("code")
    var person = ValueMap()
    for (member, fallback) in [("name", "TAN MEI"), ("dob", "1998-06-06"), ("uinfin", "S9315107J")] {
      person[member] = ["value": .string(try given.text(member) ?? fallback)]
    }
    if let expiry = try given.text("passexpirydate") { person["passexpirydate"] = ["value": .string(expiry)] }
    try given.finish()
    person["mailadd"] = [:]
    myInfo?[code] = .map(person)
  }

  private mutating func add(_ given: GivenMap, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let customer = try given.value("customer").map { value throws(SandboxError) in try GivenMap(value, at: "\(given.path).customer") }
    var contact: String?
    if var customer { contact = try customer.text("contact_email") }
    let identity = try given.text("email") ?? contact ?? "person-\(people.count + 1)@example.test"
    guard !people.contains(where: { $0.identity == identity }) else {
      throw SandboxError(
        "`\(identity)` is given twice; people are told apart by `email`, else by their customer's `contact_email`", at: given.path)
    }
    people.append(Person(identity: identity, authCode: try given.text("auth_code")))
    if let token = try given.text("id_token") {
      tokens.issue(kind: "user", subject: identity, life: switches.tokenLife, accessToken: token, world: &world)
    }
    try given.finish()
    if let customer { try add(customer, of: identity, &world) }
  }

  private mutating func add(_ given: GivenMap, of identity: String, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let nickname = try given.text("nickname") ?? "Mei"
    let email = try given.text("contact_email") ?? identity
    let referrer = try given.text("referred_by").map { code throws(SandboxError) in
      guard let friend = customers.first(where: { $0.referralID == code }) else {
        throw SandboxError("there is no customer with the `referral_id` `\(code)` above", at: "\(given.path).referred_by")
      }
      return friend.id
    }
    let givenID = try given.text("id")
    guard !customers.contains(where: { $0.id == givenID }) else { throw SandboxError("the id is given twice", at: "\(given.path).id") }
    let position = addCustomer(
      identity, nickname: nickname, contactEmail: email, id: givenID, referralID: try given.text("referral_id"),
      referrer: referrer, world: &world)
    let id = customers[position].id
    // Whoever is given has nothing but what is given.
    shop.accounts[id]?.purchases = []
    shop.accounts[id]?.bundles[0].balance = 0
    try shop.readAccount(&given, of: id, world: &world)
    shop.describePurchases(of: id)
    for region in try given.maps("regions") ?? [] { try add(region, of: position, &world) }
    for scan in try given.maps("scans") ?? [] { try addScan(scan, of: id) }
    for (place, token) in (try given.texts("push_tokens") ?? []).enumerated() {
      shop.accounts[id]?.pushTokens.append(("world.oya.app.\(place + 1)", token, "FCM"))
    }
    try given.finish()
  }

  private mutating func add(_ given: GivenMap, of position: Int, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let code = try known(try given.requiredText("code"), at: given.path)
    var begun = OyaSandbox.Progress(region: code)
    for check in OyaSandbox.Check.all(in: code) {
      let key = check.rawValue.lowercased()
      if let status = try given.choice(key, of: OyaSandbox.Check.Status.self) { begun.set(check, status) }
    }
    customers[position].progress.append(begun)
    if begun.isApproved { shop.accounts[customers[position].id]?.segments.insert(code.uppercased()) }
    for sim in try given.maps("sim_profiles") ?? [] {
      var sim = sim
      var card = OyaSandbox.SimCard(region: code, iccID: try sim.text("icc_id"), world: &world)
      card.alias = try sim.text("alias") ?? ""
      if let status = try sim.choice("status", of: OyaSandbox.SimCard.Status.self) { card.set(status, at: world.now) }
      try sim.finish()
      customers[position].sims.append(card)
    }
    try given.finish()
  }

  private mutating func addScan(_ given: GivenMap, of customerID: String) throws(SandboxError) {
    var given = given
    let region = try known(try given.text("region") ?? "sg", at: given.path)
    scans.append(ScanRecord(id: try given.requiredText("id"), customerID: customerID, countryCode: region))
    try given.finish()
  }

  private func known(_ code: String, at path: String) throws(SandboxError) -> String {
    guard region(code) != nil else {
      throw SandboxError("there is no region `\(code)`; known are \(regions.map { "`\($0.code)`" }.joined(separator: ", "))", at: path)
    }
    return code
  }

  /// `{ status, icc_id? }`: all eSIMs unless one is named.
  mutating func changeSims(_ what: Value, at now: Timestamp) throws(SandboxError) {
    var given = try GivenMap(what, at: "oya.sim")
    guard let status = try given.choice("status", of: OyaSandbox.SimCard.Status.self) else {
      throw SandboxError("`status` is missing", at: given.path)
    }
    let iccID = try given.text("icc_id")
    try given.finish()
    for position in customers.indices {
      for place in customers[position].sims.indices
      where iccID ?? customers[position].sims[place].iccID == customers[position].sims[place].iccID {
        customers[position].sims[place].set(status, at: now)
      }
    }
  }

  var overview: Value {
    [
      "customers": .list(
        customers.map { customer in
          var map = ValueMap()
          map["id"] = .string(customer.id)
          map["nickname"] = .string(customer.nickname)
          map["contact_email"] = .string(customer.contactEmail)
          for (key, value) in shop.overview(of: customer.id) { map[key] = value }
          map["regions"] = .list(
            customer.progress.map {
              [
                "code": .string($0.region), "approved": .bool($0.isApproved), "checks": $0.statusMap,
                "has_address": .bool($0.address != nil),
              ]
            })
          map["sim_profiles"] = .list(
            customer.sims.map { ["icc_id": .string($0.iccID), "status": .string($0.status.rawValue), "alias": .string($0.alias)] })
          return .map(map)
        }),
      "scans": .list(scans.map { ["id": .string($0.id), "region": .string($0.countryCode), "status": .string($0.status)] }),
      "mails": .list(mails), "pushes": .list(pushes), "stripe_events": .list(stripeEvents),
    ]
  }
}
