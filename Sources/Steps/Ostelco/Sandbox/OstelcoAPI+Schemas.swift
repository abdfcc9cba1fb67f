import SandboxKit
import Values

extension OstelcoSandbox.API {
  static let schemas: [(name: String, schema: Value)] = [
    ("OAuthError", OperatorAPI.object([("error", OperatorAPI.filled), ("error_description", OperatorAPI.text)])),
    (
      "TokenRequest",
      [
        "anyOf": [
          OperatorAPI.open([
            ("grant_type", ["const": "refresh_token"]), ("client_id", OperatorAPI.filled), ("refresh_token", OperatorAPI.filled),
          ]),
          OperatorAPI.open([
            ("grant_type", ["const": "authorization_code"]), ("client_id", OperatorAPI.filled), ("code", OperatorAPI.filled),
            ("code_verifier", OperatorAPI.filled), ("redirect_uri", OperatorAPI.filled),
          ]),
        ]
      ]
    ),
    (
      "Token",
      OperatorAPI.object(
        [
          ("access_token", OperatorAPI.filled), ("refresh_token", OperatorAPI.filled), ("id_token", OperatorAPI.filled),
          ("expires_in", OperatorAPI.whole), ("token_type", ["const": "Bearer"]), ("scope", OperatorAPI.text),
        ], required: ["access_token", "id_token", "expires_in", "token_type", "scope"])
    ),
    ("Revocation", OperatorAPI.open([("client_id", OperatorAPI.filled), ("token", OperatorAPI.filled)])),
    (
      "Profile",
      OperatorAPI.object(
        ["id", "email", "name", "address", "postCode", "city", "country", "referralId"].map { ($0, OperatorAPI.text) })
    ),
    (
      "ProfileChange",
      OperatorAPI.object(
        [("name", OperatorAPI.filled), ("email", OperatorAPI.filled), ("country", OperatorAPI.filled)]
          + ["id", "address", "postCode", "city", "referralId"].map { ($0, ["type": ["string", "null"]] as Value) },
        required: ["name", "email", "country"])
    ),
    ("Subscription", OperatorAPI.object([("msisdn", OperatorAPI.filled), ("alias", OperatorAPI.text)])),
    (
      "Consent",
      OperatorAPI.object([("consentId", OperatorAPI.filled), ("description", OperatorAPI.text), ("accepted", ["type": "boolean"])])
    ),
    ("Pseudonyms", OperatorAPI.object([("current", .named("Pseudonym")), ("next", .named("Pseudonym"))])),
    (
      "Pseudonym",
      OperatorAPI.object([
        ("sourceId", OperatorAPI.filled), ("pseudonym", OperatorAPI.filled), ("start", OperatorAPI.whole), ("end", OperatorAPI.whole),
      ])
    ),
    (
      "CustomerState",
      OperatorAPI.object([
        ("id", OperatorAPI.filled), ("status", ["enum": ["REGISTERED", "EKYC_REJECTED", "EKYC_APPROVED", "ACTIVE", "INACTIVE"]]),
        ("modifiedTimestamp", OperatorAPI.whole), ("scanId", ["type": ["string", "null"]]),
      ])
    ),
  ]
}
