import SandboxKit
import Values

extension Shop {
  /// Reads `products` of what a scenario gives; without it the shop sells `standard`.
  mutating func readProducts(_ given: inout GivenMap, standard: [Product]) throws(SandboxError) {
    products = standard
    guard let list = try given.maps("products") else { return }
    products = []
    for product in list { products.append(try Product(given: product)) }
  }

  /// Reads a customer's `balance`, `sources` and `purchases` into the account of that id, which is open.
  mutating func readAccount(_ given: inout GivenMap, of id: String, world: inout SandboxWorld) throws(SandboxError) {
    if let balance = try given.int("balance") {
      if account(id).bundles.isEmpty { addBundle(0, to: id, world: &world) }
      accounts[id]?.bundles[0].balance = Int64(balance)
    }
    for name in try given.texts("sources") ?? [] {
      var wallet = account(id).wallet
      _ = wallet.profile(&world)
      _ = wallet.add(name, world: &world)
      accounts[id]?.wallet = wallet
    }
    for purchase in try given.maps("purchases") ?? [] { try read(purchase, of: id, &world) }
  }

  /// A purchase of the past: its bytes are used up.
  private mutating func read(_ given: GivenMap, of id: String, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let sku = try given.requiredText("sku")
    guard let product = products.first(where: { $0.sku == sku }) else {
      throw SandboxError("there is no product `\(sku)`", at: "\(given.path).sku")
    }
    let ago = try given.span("ago") ?? .zero
    let charge = try given.text("id") ?? "ch_\(world.secret(length: 14))"
    accounts[id]?.purchases.append(Purchase(id: charge, at: world.now.advanced(by: .zero - ago), product: product))
    try given.finish()
  }

  /// What scenarios give of a shop.
  enum Given: SchemaVocabulary {
    static let products = list(
      of: closed(
        [
          ("sku", filled.described("Its id.")), ("amount", count.described("Its price in minor units; 0 unless given.")),
          ("currency", text.described("`SGD` unless given.")),
          ("bytes", count.described("How much it adds to the balance; nothing unless given.")),
          ("label", text.described("Its name for people.")),
          ("price_label", text.described("Its price for people.")),
          ("default", flag.described("Whether the app's button buys it; it does not unless given.")),
          ("segments", list(of: text, "To whom it is offered, such as `SG`; everybody unless given.")),
        ], required: ["sku"]), "What is sold, instead of the usual products.")

    /// Of what `readAccount` reads: members of a customer's schema.
    static let account: [(String, Value)] = [
      ("balance", whole.described("Bytes that are left.")),
      (
        "sources",
        list(
          of: filled,
          "Saved payment sources: a token becomes a card, `card_1` first. What comes of charging one is told by its name.")
      ),
      (
        "purchases",
        list(
          of: closed(
            [
              ("sku", text.described("What.")), ("id", text.described("The charge's id.")),
              ("ago", duration.described("How long ago, such as `24h`; now unless given.")),
            ], required: ["sku"]), "What was bought before, oldest first.")
      ),
    ]
  }
}

extension Shop.Product {
  init(
    _ sku: String, _ amount: Int64, _ currency: String, bytes: Int64?, label: String? = nil, priceLabel: String? = nil,
    isDefault: Bool = false,
    segments: [String]? = nil
  ) {
    var properties = ValueMap()
    properties["noOfBytes"] = bytes.map { .string(Self.underscored($0)) }
    var presentation = ValueMap()
    if isDefault { presentation["isDefault"] = "true" }
    presentation["productLabel"] = label.map { .string($0) }
    presentation["priceLabel"] = priceLabel.map { .string($0) }
    self.init(
      sku: sku, amount: amount, currency: currency, properties: properties, presentation: presentation, segments: segments)
  }

  fileprivate init(given: GivenMap) throws(SandboxError) {
    var given = given
    let sku = try given.requiredText("sku")
    let amount = try given.int("amount") ?? 0
    let currency = try given.text("currency") ?? "SGD"
    let bytes = try given.int("bytes")
    let label = try given.text("label")
    let priceLabel = try given.text("price_label")
    let isDefault = try given.flag("default") ?? false
    let segments = try given.texts("segments")
    try given.finish()
    self.init(
      sku, Int64(amount), currency, bytes: bytes.map { Int64($0) }, label: label, priceLabel: priceLabel, isDefault: isDefault,
      segments: segments)
  }

  /// `1_000_000_000`
  private static func underscored(_ number: Int64) -> String {
    let digits = Array(String(number))
    return String(
      digits.enumerated().flatMap { position, digit in
        position > 0 && (digits.count - position) % 3 == 0 ? ["_", digit] : [digit]
      })
  }
}
