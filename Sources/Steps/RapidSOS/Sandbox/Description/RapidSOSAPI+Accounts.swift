import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox.API {
  /// Tokens, registration, and the proof of a phone.
  static var accounts: [APIOperation] {
    [
      APIOperation(
        "authenticate", .post, "/oauth/token", "Gets a token for the app, or for a person.",
        body: APIBody("application/x-www-form-urlencoded", schema: .named("TokenRequest"), example: tokenRequest),
        answers: [
          APIAnswer(200, "A token; numbers are texts.", schema: .named("Token")),
          APIAnswer(400, "Another grant.", schema: .named("Text")),
          APIAnswer(
            401, "The client (a fault) or the person (a text) is not accepted.", schema: ["anyOf": [.named("Fault"), .named("Text")]]),
          APIAnswer(415, "The body is no form.", schema: .named("Text")),
          APIAnswer(429, "Too many wrong passwords.", schema: .named("Text")),
        ]),
      APIOperation(
        "register", .post, "/v1/rain/user", "Registers a person.", security: client,
        body: body("NewUser", ["username": "dana.reyes", "password": "correct-horse", "email": "dana@example.test"]),
        answers: [
          ok("Registered, where `create_status` says so.", "User"), ok(201, "Registered.", "User"), invalid, unauthorized, wrongClass,
        ]),
      APIOperation(
        "reset-password", .post, "/v1/rain/password-reset", "Sends an e-mail to set a new password.", security: client,
        body: body("PasswordReset", ["email": "dana@example.test"]),
        answers: [ok("It is sent.", "Nothing", [:]), invalid, unauthorized, wrongClass, notFound]),
      APIOperation(
        "request-pin", .post, "/v1/rain/caller-ids", "Sends a PIN by SMS.", security: user,
        body: body("NewCallerID", ["caller_id": "12345678888"]),
        answers: [
          ok("It is sent.", "CallerID", ["caller_id": "12345678888", "id": 8]),
          ok(201, "It is sent, where `pin_request_status` says so.", "CallerID"), invalid, unauthorized, wrongClass,
        ]),
      APIOperation(
        "validate-pin", .patch, "/v1/rain/caller-ids", "Proves a phone with its PIN.", security: user,
        body: body("PINProof", ["caller_id": "12345678888", "validation_code": "482913"]),
        answers: [ok("The phone is proven.", "CallerID"), invalid, unauthorized, wrongClass, notFound]),
    ]
  }

  private static let tokenRequest: Value = ["grant_type": "client_credentials", "client_id": "cid-1", "client_secret": "s3cr3t"]

  static let accountSchemas: [(name: String, schema: Value)] = [
    ("Text", object([("detail", text)])),
    ("Refusal", object([("detail", ["anyOf": [text, .named("Messages")]])])),
    (
      "Messages",
      [
        "type": "object", "minProperties": 1, "description": "By the dotted path of the field.",
        "additionalProperties": ["type": "array", "items": text, "minItems": 1],
      ]
    ),
    ("Fault", object([("fault", object([("faultstring", text), ("detail", object([("errorcode", text)]))]))])),
    ("Nothing", object([])),
    (
      "TokenRequest",
      [
        "oneOf": [
          form([("grant_type", ["const": "client_credentials"])]),
          form([("grant_type", ["const": "password"]), ("username", filled), ("password", filled)]),
        ]
      ]
    ),
    (
      "Token",
      object(
        [
          ("access_token", filled), ("token_type", ["const": "BearerToken"]), ("issued_at", digits), ("expires_in", digits),
          ("refresh_token", filled), ("refresh_token_issued_at", digits), ("refresh_token_expires_in", ["const": "0"]),
        ], required: ["access_token", "token_type", "issued_at", "expires_in"])
    ),
    (
      "NewUser",
      object([
        ("username", ["type": "string", "minLength": 7, "maxLength": 150]),
        ("password", ["type": "string", "minLength": 8, "maxLength": 150]),
        ("email", ["type": "string", "format": "email"]),
      ])
    ),
    (
      "User",
      object([
        ("id", id), ("username", text), ("email", ["type": "string", "format": "email"]),
        ("created", time),
        ("modified", maybeTime),
      ])
    ),
    ("PasswordReset", object([("email", ["type": "string", "format": "email"])])),
    ("NewCallerID", object([("caller_id", number)])),
    ("PINProof", object([("caller_id", number), ("validation_code", text)])),
    ("CallerID", object([("caller_id", ["type": "string", "pattern": "^[0-9]{10,15}$"]), ("id", id)])),
  ]
  private static let digits: Value = ["type": "string", "pattern": "^[0-9]+$"]
  private static let number: Value = ["type": "string", "pattern": #"^\+?[0-9]{10,15}$"#]

  /// The pair may be in HTTP Basic instead, which a schema of the form cannot say. Further fields are ignored (RFC 6749 §3.2).
  private static func form(_ members: [(String, Value)]) -> Value {
    open(members + [("client_id", filled), ("client_secret", filled)])
  }
}
