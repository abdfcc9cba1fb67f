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
      guard let body = try given.text("unauthorized_body") else { return }
      guard let known = GatewayBody(rawValue: body) else {
        throw SandboxError("`\(body)` is none of `gateway`, `text` and `empty`", at: "\(given.path).unauthorized_body")
      }
      unauthorizedBody = known
    }
  }
}

extension OstelcoSandbox {
  package var givenSchema: Value {
    var properties = Self.switchProperties
    properties["users"] = [
      "type": "array", "items": Self.userSchema,
      "description":
        "Customers; without this list there are `mei@example.test` and `jo@example.test`. Anybody else can sign in too, and has no profile.",
    ]
    properties["clients"] = [
      "type": "array", "items": ["type": "string"], "description": "The apps that the tenant knows; without this list any.",
    ]
    properties["admin_token"] = [
      "type": "string", "minLength": 1, "description": "The support desk's token; without it any that is no customer's.",
    ]
    properties["countries"] = [
      "type": "array", "items": ["type": "string"],
      "description": "Whom the operator serves; `NO` and `SG` unless given, which is assumed.",
    ]
    properties["products"] = Shop.productsSchema
    return [
      "type": "object", "description": "What Ostelco has before the first request.", "properties": .map(properties),
      "additionalProperties": false,
    ]
  }

  package var changeSchema: Value {
    [
      "type": "object",
      "properties": [
        "expire": ["enum": ["user", "all"], "description": "Access tokens end now."],
        "revoke": [
          "enum": ["user", "refresh", "all"],
          "description": "Forgets access tokens (`user`), refresh tokens (`refresh`), or both: the tenant answers 403 `invalid_grant`.",
        ],
        "set": [
          "type": "object", "description": "Turns switches; those that are not named stay.", "properties": .map(Self.switchProperties),
          "additionalProperties": false,
        ],
      ], "additionalProperties": false,
    ]
  }

  private static let switchProperties: ValueMap = {
    let switches: [(String, Value)] = [
      (
        "token_life", ["type": ["string", "number"], "description": "How long an access token lives, such as `1s`; `7200s` unless given."]
      ),
      ("consents", ["type": "boolean", "description": "Whether people agree at the tenant's page; true unless given."]),
      (
        "knows_browser",
        [
          "type": "boolean",
          "description": "Whether the tenant lets people through without a page of its own; true unless given. The real one does not.",
        ]
      ),
      (
        "unauthorized_body",
        [
          "enum": ["gateway", "text", "empty"],
          "description": "What stands in an answer with 401: JSON, a text, nothing; `gateway` unless given.",
        ]
      ),
    ]
    return switches.reduce(into: ValueMap()) { $0[$1.0] = $1.1 }
  }()

  private static var userSchema: Value {
    let text: (String) -> Value = { ["type": "string", "description": .string($0)] }
    let own: [(String, Value)] = [
      ("email", ["type": "string", "minLength": 1, "description": "Their address: whom the tenant signs in."]),
      ("name", text("Their name; the address unless given.")), ("country", text("`SG` unless given.")), ("id", text("Their id.")),
      ("referral_id", text("What they give to others.")), ("referred_by", text("The id of the customer who referred them.")),
      (
        "status",
        [
          "enum": ["REGISTERED", "EKYC_REJECTED", "EKYC_APPROVED", "ACTIVE", "INACTIVE"],
          "description": "How far they have come; `REGISTERED` unless given.",
        ]
      ),
      ("subscriptions", ["type": "array", "items": ["type": "string"], "description": "Their phone numbers, in digits."]),
      (
        "scans",
        [
          "type": "array", "description": "Identity checks that are under way.",
          "items": [
            "type": "object",
            "properties": ["id": text("The scan's id."), "country_code": text("Whose papers; `global` unless given.")],
            "required": ["id"], "additionalProperties": false,
          ],
        ]
      ),
    ]
    return [
      "type": "object", "properties": .map((own + Shop.accountProperties).reduce(into: ValueMap()) { $0[$1.0] = $1.1 }),
      "required": ["email"],
      "additionalProperties": false,
    ]
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
    let referralID = try given.text("referral_id")
    let id = signUp(
      email, name: name, country: country, referrer: referrer, id: givenID, referralID: referralID, ago: Self.longAgo, world: &world)
    let status = try given.text("status") ?? "REGISTERED"
    let subscriptions = try given.texts("subscriptions") ?? []
    change(id) { customer in
      customer.status = status
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
}
