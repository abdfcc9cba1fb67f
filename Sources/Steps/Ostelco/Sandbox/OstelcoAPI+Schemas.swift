import SandboxKit
import Values

extension OstelcoSandbox.API {
  static let schemas: [(name: String, schema: Value)] = [
    ("OAuthError", object([("error", filled), ("error_description", text)])),
    (
      "TokenRequest",
      [
        "anyOf": [
          open([
            ("grant_type", ["const": "refresh_token"]), ("client_id", filled), ("refresh_token", filled),
          ]),
          open([
            ("grant_type", ["const": "authorization_code"]), ("client_id", filled), ("code", filled),
            ("code_verifier", filled), ("redirect_uri", filled),
          ]),
        ]
      ]
    ),
    (
      "Token",
      object(
        [
          ("access_token", filled), ("refresh_token", filled), ("id_token", filled),
          ("expires_in", whole), ("token_type", ["const": "Bearer"]), ("scope", text),
        ], required: ["access_token", "id_token", "expires_in", "token_type", "scope"])
    ),
    ("Revocation", open([("client_id", filled), ("token", filled)])),
    (
      "Profile",
      object(
        ["id", "email", "name", "address", "postCode", "city", "country", "referralId"].map { ($0, text) })
    ),
    (
      "ProfileChange",
      object(
        [("name", filled), ("email", filled), ("country", filled)]
          + ["id", "address", "postCode", "city", "referralId"].map { ($0, maybeText as Value) },
        required: ["name", "email", "country"])
    ),
    ("Subscription", object([("msisdn", filled), ("alias", text)])),
    (
      "Consent",
      object([("consentId", filled), ("description", text), ("accepted", flag)])
    ),
    ("Pseudonyms", object([("current", .named("Pseudonym")), ("next", .named("Pseudonym"))])),
    (
      "Pseudonym",
      object([
        ("sourceId", filled), ("pseudonym", filled), ("start", whole), ("end", whole),
      ])
    ),
    (
      "CustomerState",
      object([
        ("id", filled), ("status", ["enum": ["REGISTERED", "EKYC_REJECTED", "EKYC_APPROVED", "ACTIVE", "INACTIVE"]]),
        ("modifiedTimestamp", whole), ("scanId", maybeText),
      ])
    ),
  ]
}
