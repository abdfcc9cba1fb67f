import SandboxKit
package import Values

extension OstelcoSandbox {
  /// What scenarios want otherwise; `change` sets them in the middle of a run.
  struct Switches: Sendable {
    var tokenLife = Duration.seconds(7200)
    /// Whether people agree at the tenant's page.
    var consents = true
    /// Whether the tenant lets people through without a page of its own.
    var knowsBrowser = true
    var unauthorizedBody = GatewayBody.gateway

    mutating func read(_ given: inout GivenMap) throws(SandboxError) {
      tokenLife = try given.span("token_life") ?? tokenLife
      consents = try given.flag("consents") ?? consents
      knowsBrowser = try given.flag("knows_browser") ?? knowsBrowser
      unauthorizedBody = try given.choice("unauthorized_body", of: GatewayBody.self) ?? unauthorizedBody
    }
  }
}

extension OstelcoSandbox {
  /// How far a customer has come.
  enum Standing: String, CaseIterable {
    case registered = "REGISTERED"
    case rejected = "EKYC_REJECTED"
    case approved = "EKYC_APPROVED"
    case active = "ACTIVE"
    case inactive = "INACTIVE"
  }

  package var givenSchema: Value { World.given }
  package var changeSchema: Value { World.change }

  /// What scenarios give of this system and change.
  private enum World: SchemaVocabulary {
    static var given: Value {
      world(
        "What Ostelco has before the first request.",
        switches + [
          (
            "users",
            list(
              of: user,
              "Customers; without this list there are `mei@example.test` and `jo@example.test`. Anybody else can sign in too, and has no profile."
            )
          ), ("clients", list(of: text, "The apps that the tenant knows; without this list any.")),
          ("admin_token", filled.described("The support desk's token; without it any that is no customer's.")),
          ("countries", list(of: text, "Whom the operator serves; `NO` and `SG` unless given, which is assumed.")),
          ("products", Shop.Given.products),
        ])
    }

    static var change: Value {
      closed([
        tokens("expire", of: ["user"], "Access tokens end now."),
        tokens(
          "revoke", of: ["user", "refresh"],
          "Forgets access tokens (`user`), refresh tokens (`refresh`), or both: the tenant answers 403 `invalid_grant`."),
        setting(switches),
      ])
    }

    private static let switches = described([
      ("token_life", duration, "How long an access token lives, such as `1s`; `7200s` unless given."),
      ("consents", flag, "Whether people agree at the tenant's page; true unless given."),
      (
        "knows_browser", flag,
        "Whether the tenant lets people through without a page of its own; true unless given. The real one does not."
      ),
      (
        "unauthorized_body", ["enum": .list(GatewayBody.allCases.map { .string($0.rawValue) })],
        "What stands in an answer with 401: JSON, a text, nothing; `gateway` unless given."
      ),
    ])

    private static var user: Value {
      closed(
        [
          ("email", filled.described("Their address: whom the tenant signs in.")),
          ("name", text.described("Their name; the address unless given.")),
          ("country", text.described("`SG` unless given.")), ("id", text.described("Their id.")),
          ("referral_id", text.described("What they give to others.")),
          ("referred_by", text.described("The id of the customer who referred them.")),
          (
            "status", names(Standing.self, "How far they have come; `REGISTERED` unless given.")
          ), ("subscriptions", list(of: text, "Their phone numbers, in digits.")),
          (
            "scans",
            list(
              of: closed(
                [("id", text.described("The scan's id.")), ("country_code", text.described("Whose papers; `global` unless given."))],
                required: ["id"]),
              "Identity checks that are under way.")
          ),
        ] + Shop.Given.account, required: ["email"])
    }
  }
}

extension OstelcoSandbox.State {
  mutating func add(_ given: GivenMap, _ world: inout SandboxWorld) throws(SandboxError) {
    var given = given
    let email = try given.requiredText("email")
    guard customer(email) == nil else { throw SandboxError("`\(email)` is given twice", at: "\(given.path).email") }
    let name = try given.text("name") ?? email
    let country = try given.text("country") ?? "SG"
    let referrer = try given.text("referred_by")
    let givenID = try given.text("id")
    guard !customers.contains(where: { $0.id == givenID }) else { throw SandboxError("the id is given twice", at: "\(given.path).id") }
    let referralID = try given.text("referral_id")
    let id = signUp(
      email, name: name, country: country, referrer: referrer, id: givenID, referralID: referralID, ago: Self.longAgo, world: &world)
    let status = try given.choice("status", of: OstelcoSandbox.Standing.self) ?? .registered
    let subscriptions = try given.texts("subscriptions") ?? []
    change(id) { customer in
      customer.status = status.rawValue
      customer.subscriptions = subscriptions
    }
    for var scan in try given.maps("scans") ?? [] {
      let scanID = try scan.requiredText("id")
      scans.append(ScanRecord(id: scanID, customerID: id, countryCode: try scan.text("country_code") ?? "global"))
      try scan.finish()
    }
    try shop.readAccount(&given, of: id, world: &world)
    try given.finish()
  }

  /// Whoever has referred somebody may be given below them.
  func checkReferrer(of given: GivenMap) throws(SandboxError) {
    var given = given
    guard let referrer = try given.text("referred_by"), !customers.contains(where: { $0.id == referrer }) else { return }
    throw SandboxError("there is no user with the id `\(referrer)`", at: "\(given.path).referred_by")
  }
}
