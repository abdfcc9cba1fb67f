import SandboxKit
import Values

extension OyaSandbox.API {
  static var schemas: [(name: String, schema: Value)] { OperatorAPI(rules: .second).schemas + entrySchemas + customerSchemas }

  private static let entrySchemas: [(name: String, schema: Value)] = [
    ("AppleRefusal", object([("status", ["const": 400]), ("error", object([("error", ["const": "invalid_grant"])]))])),
    ("Nothing", object([])),
    ("Pong", object([("timestamp", count)])),
    ("UUID", object([("uuid", ["type": "string", "format": "uuid"])])),
    ("Token", object([("token", filled)])),
  ]

  private static let customerSchemas: [(name: String, schema: Value)] = [
    (
      "Customer",
      object([
        ("id", filled), ("nickname", filled), ("contactEmail", filled), ("createdOn?", time), ("analyticsId", filled),
        ("referralId", filled),
      ])
    ),
    ("Context", object([("customer", .named("Customer")), ("regions", list(of: .named("RegionDetails")))])),
    (
      "RegionDetails",
      object([
        ("region", object([("id", filled), ("name", filled)])), ("status", ["enum": ["PENDING", "APPROVED", "AVAILABLE"]]),
        ("kycStatusMap", checks(["enum": ["PENDING", "REJECTED", "APPROVED"]])), ("kycExpiryDateMap", checks(text)),
        ("simProfiles", list(of: .named("SimProfile"))),
      ])
    ),
    (
      "SimProfile",
      object([
        ("iccId", filled), ("eSimActivationCode", ["type": "string", "pattern": #"^LPA:1\$[^$]+\$[^$]+$"#]),
        ("status", ["enum": ["NOT_READY", "AVAILABLE_FOR_DOWNLOAD", "DOWNLOADED", "INSTALLED", "ENABLED", "DELETED"]]), ("alias", text),
        ("requestedOn", time), ("downloadedOn", maybeTime), ("installedOn", maybeTime), ("installedReportedByAppOn", maybeTime),
        ("deletedOn", maybeTime),
      ])
    ),
    (
      "Subscription",
      object([("msisdn", ["type": "string", "pattern": "^[0-9]+$"]), ("analyticsId", filled), ("lastActiveOn", maybeTime)])
    ),
    ("MyInfoConfig", object([("url", ["type": "string", "format": "uri"])])),
    (
      "MyInfoPerson",
      [
        "type": "object",
        "properties": .map(
          ["name", "dob", "uinfin", "passexpirydate"].reduce(into: ValueMap()) { $0[$1] = object([("value", text)]) }),
        "required": ["name", "dob", "uinfin"],
      ]
    ),
    ("AuditEntry", object([("timestamp", count), ("severity", ["enum": ["INFO", "WARN", "ERROR"]]), ("message", text)])),
    (
      "StripeEvent",
      ["type": "object", "properties": ["id": text, "type": text, "data": free], "required": ["id", "type", "data"]]
    ),
  ]

  private static func checks(_ schema: Value) -> Value {
    object(OyaSandbox.Check.allCases.map { ($0.rawValue, schema) }, required: [])
  }
}
