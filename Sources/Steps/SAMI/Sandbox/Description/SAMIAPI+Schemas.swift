import SandboxKit
import Values

extension SAMISandbox.API {
  static var schemas: [(name: String, schema: Value)] { common + things }

  private static let common: [(name: String, schema: Value)] = [
    (
      "Error",
      object([
        (
          "error",
          object([
            ("code", whole), ("message", text),
            ("errors?", list(of: ["anyOf": [.named("Problem"), ["type": "array", "items": .named("Problem")]]])),
          ])
        )
      ])
    ),
    ("Problem", object([("field", text), ("messages", ["type": "array", "items": text, "minItems": 1])])),
    ("TokenError", object([("error", ["enum": ["server_error", "invalid_request", "unauthorized_client", "unsupported_grant_type"]])])),
    (
      "Token",
      object([
        ("access_token", filled), ("token_type", ["const": "bearer"]), ("expires_in", count),
        ("refresh_token?", text), ("scope?", text),
      ])
    ),
  ]

  private static let things: [(name: String, schema: Value)] = [
    (
      "User",
      object([
        ("id", text), ("name", text), ("email", text), ("fullName", text), ("saIdentity?", text), ("createdOn", count),
        ("modifiedOn", count),
      ])
    ),
    ("Properties", object([("uid", text), ("aid", text), ("properties", ["type": "string", "maxLength": 10_000])])),
    (
      "Device",
      object([
        ("id", text), ("uid?", text), ("dtid", text), ("name", text), ("manifestVersion", ["type": "integer", "minimum": 1]),
        ("manifestVersionPolicy", ["enum": ["LATEST", "DEVICE"]]), ("needProviderAuth", flag), ("properties?", free),
      ])
    ),
    ("DeviceToken", object([("accessToken", filled), ("uid", text), ("did", text)])),
    (
      "DeviceType",
      object([
        ("id", text), ("uid", text), ("name", text), ("published", flag), ("approved", flag), ("latestVersion", count),
        ("uniqueName", text), ("vid", text), ("rsp", flag), ("issuerDn", maybeText),
        ("description", maybeText),
      ])
    ),
    (
      "Manifest",
      object([
        (
          "properties",
          object([
            (
              "fields",
              [
                "type": "object",
                "additionalProperties": object([("type", text), ("unit?", text), ("isCollection", flag), ("description?", text)]),
              ]
            )
          ])
        ), ("actions", free),
      ])
    ),
    (
      "Message",
      object([
        ("mid", text), ("sdid?", text), ("ddid?", text), ("sdtid?", text), ("uid", text), ("mv?", count), ("ts", count), ("cts", count),
        ("data", anything),
      ])
    ),
    (
      "Statistic",
      object([
        ("count", count), ("min", number), ("max", number), ("mean", number), ("sum", number), ("variance", number), ("ts?", count),
      ])
    ),
    (
      "ExportStatus",
      object([
        ("exportId", text), ("status", ["enum": ["Received", "InProgress", "Success", "Failure", "Served", "Expired"]]), ("md5?", text),
        ("expirationDate?", count), ("fileSize?", count), ("totalMessages?", count), ("request?", free),
      ])
    ),
    (
      "Subscription",
      object([
        ("id", text), ("aid", text), ("messageType", ["enum": ["message", "action"]]), ("uid", text), ("sdid?", text), ("sdtid?", text),
        ("ddid?", text), ("description?", text), ("callbackUrl", text), ("status", ["enum": ["PENDING_CALLBACK_VALIDATION", "ACTIVE"]]),
        ("createdOn", count), ("modifiedOn", count),
      ])
    ),
    (
      "Rule",
      object([
        ("id", text), ("aid", text), ("uid", text), ("name", text), ("description?", text), ("rule", free),
        ("enabled", flag), ("languageVersion", count), ("createdOn", count), ("modifiedOn", count),
      ])
    ),
  ]
}
