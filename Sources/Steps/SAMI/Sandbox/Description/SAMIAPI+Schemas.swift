import SandboxKit
import Values

extension SAMISandbox.API {
  static var schemas: [(name: String, schema: Value)] { common + things }

  private static let common: [(name: String, schema: Value)] = [
    (
      "Error",
      record([
        (
          "error",
          record([
            ("code", ["type": "integer"]), ("message", text),
            ("errors?", ["type": "array", "items": ["anyOf": [.named("Problem"), ["type": "array", "items": .named("Problem")]]]]),
          ])
        )
      ])
    ),
    ("Problem", record([("field", text), ("messages", ["type": "array", "items": text, "minItems": 1])])),
    ("TokenError", record([("error", ["enum": ["server_error", "invalid_request", "unauthorized_client", "unsupported_grant_type"]])])),
    (
      "Token",
      record([
        ("access_token", ["type": "string", "minLength": 1]), ("token_type", ["const": "bearer"]), ("expires_in", count),
        ("refresh_token?", text), ("scope?", text),
      ])
    ),
  ]

  private static let things: [(name: String, schema: Value)] = [
    (
      "User",
      record([
        ("id", text), ("name", text), ("email", text), ("fullName", text), ("saIdentity?", text), ("createdOn", count),
        ("modifiedOn", count),
      ])
    ),
    ("Properties", record([("uid", text), ("aid", text), ("properties", ["type": "string", "maxLength": 10_000])])),
    (
      "Device",
      record([
        ("id", text), ("uid", text), ("dtid", text), ("name", text), ("manifestVersion", ["type": "integer", "minimum": 1]),
        ("manifestVersionPolicy", ["enum": ["LATEST", "DEVICE"]]), ("needProviderAuth", flag), ("properties?", ["type": "object"]),
      ])
    ),
    ("DeviceToken", record([("accessToken", ["type": "string", "minLength": 1]), ("uid", text), ("did", text)])),
    (
      "DeviceType",
      record([
        ("id", text), ("uid", text), ("name", text), ("published", flag), ("approved", flag), ("latestVersion", count),
        ("uniqueName", text), ("vid", text), ("rsp", flag), ("issuerDn", ["type": ["string", "null"]]),
        ("description", ["type": ["string", "null"]]),
      ])
    ),
    (
      "Manifest",
      record([
        (
          "properties",
          record([
            (
              "fields",
              [
                "type": "object",
                "additionalProperties": record([("type", text), ("unit?", text), ("isCollection", flag), ("description?", text)]),
              ]
            )
          ])
        ), ("actions", ["type": "object"]),
      ])
    ),
    (
      "Message",
      record([
        ("mid", text), ("sdid?", text), ("ddid?", text), ("sdtid?", text), ("uid", text), ("mv?", count), ("ts", count), ("cts", count),
        ("data", anything),
      ])
    ),
    (
      "Statistic",
      record([
        ("count", count), ("min", number), ("max", number), ("mean", number), ("sum", number), ("variance", number), ("ts?", count),
      ])
    ),
    (
      "ExportStatus",
      record([
        ("exportId", text), ("status", ["enum": ["Received", "InProgress", "Success", "Failure", "Served", "Expired"]]), ("md5?", text),
        ("expirationDate?", count), ("fileSize?", count), ("totalMessages?", count), ("request?", ["type": "object"]),
      ])
    ),
    (
      "Subscription",
      record([
        ("id", text), ("aid", text), ("messageType", ["enum": ["message", "action"]]), ("uid", text), ("sdid?", text), ("sdtid?", text),
        ("ddid?", text), ("description?", text), ("callbackUrl", text), ("status", ["enum": ["PENDING_CALLBACK_VALIDATION", "ACTIVE"]]),
        ("createdOn", count), ("modifiedOn", count),
      ])
    ),
    (
      "Rule",
      record([
        ("id", text), ("aid", text), ("uid", text), ("name", text), ("description?", text), ("rule", ["type": "object"]),
        ("enabled", flag), ("languageVersion", count), ("createdOn", count), ("modifiedOn", count),
      ])
    ),
  ]
}
