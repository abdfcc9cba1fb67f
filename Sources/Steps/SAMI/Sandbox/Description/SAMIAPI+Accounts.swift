import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox.API {
  /// The accounts host.
  static var accounts: [APIOperation] {
    [
      APIOperation(
        "authorize", .get, "/authorize", "Asks a person for their consent; the redirect holds a token or a code.",
        parameters: [
          parameter("client_id", text, example: "app-1"), parameter("response_type", ["enum": ["token", "code"]], example: "token"),
          parameter("redirect_uri", redirect, example: "ios-app://redirect"), parameter("state", urlSafe, isRequired: false),
          parameter("scope", text, isRequired: false), parameter("client", text, isRequired: false),
        ],
        answers: [
          empty(302, "Back to the application, with a token, a code, or an error."),
          APIAnswer(200, "A page that asks a person to sign in, or to agree.", mediaType: "text/html", schema: text),
          refusal(400, "The redirect is not registered.", 400, "Invalid parameter: redirect_uri"),
        ]),
      APIOperation(
        "token", .post, "/token", "Gives the application's token, a person's for a code, and the next one of a person's.",
        body: APIBody(
          "application/x-www-form-urlencoded", schema: tokenRequest,
          example: ["grant_type": "client_credentials", "client_id": "app-1", "client_secret": "s3cr3t"]),
        answers: [
          APIAnswer(200, "A token.", schema: .named("Token")), APIAnswer(302, "Another grant.", schema: .named("TokenError")),
          APIAnswer(400, "The client or the grant is not accepted.", schema: .named("TokenError"), example: ["error": "invalid_request"]),
        ]),
      APIOperation(
        "logout", .get, "/logout", "Ends the session of the browser.",
        parameters: [parameter("redirect_uri", redirect, example: "ios-app://redirect"), parameter("state", text, isRequired: false)],
        answers: [
          empty(302, "Back to the application, with `status=logout`."),
          refusal(400, "The redirect is not registered.", 400, "Invalid parameter: redirect_uri"),
        ]),
      APIOperation(
        "revoke-token", .put, "/revokeAccessToken", "Ends the life of a person's token.",
        parameters: [parameter("client_credentials", filled, example: "app-token"), parameter("token", filled, example: "user-token")],
        answers: [
          data("It is revoked.", object([("message", text)]), ["message": "Token successfully revoked"]), refusals[0], refusals[1],
          refusals[2], refusals[3],
        ]),
    ]
  }

  /// The users, and what applications keep with them.
  static var users: [APIOperation] {
    let properties: Value = ["uid": "u-12", "aid": "app-1", "properties": "{\"goal\":10000}"]
    let kept = data("What is kept.", .named("Properties"), properties)
    return [
      operation(
        "get-self", .get, "/users/self", "Reads who is signed in.",
        data("The person.", .named("User"), SAMISandbox.User.tess.value)),
      operation(
        "list-user-devices", .get, "/users/{id}/devices", "Lists a user's devices.",
        query: SAMIPage.fields() + [.init("includeProperties", .flag)], page("devices", "Device")),
      operation(
        "list-user-device-types", .get, "/users/{id}/devicetypes", "Lists a user's device types.",
        query: SAMIPage.fields() + [.init("includeShared", .flag)], page("deviceTypes", "DeviceType")),
      operation(
        "get-user-properties", .get, "/users/{id}/properties", "Reads what the application keeps.", query: [SAMISandbox.UserRoutes.aid],
        kept),
      operation(
        "delete-user-properties", .delete, "/users/{id}/properties", "Deletes it.", query: [SAMISandbox.UserRoutes.aid],
        data("It is gone.", .named("Properties"), ["uid": "u-12", "aid": "app-1", "properties": ""])),
      operation(
        "set-user-properties", .post, "/users/{id}/properties", "Keeps a text.", body: (SAMISandbox.UserRoutes.keptFields, properties), kept
      ),
      operation(
        "update-user-properties", .put, "/users/{id}/properties", "Replaces it.", body: (SAMISandbox.UserRoutes.keptFields, properties),
        kept),
    ]
  }

  private static func parameter(_ name: String, _ schema: Value, example: Value? = nil, isRequired: Bool = true) -> APIParameter {
    APIParameter(name, in: .query, "See RFC 6749 §4.", schema: schema, example: example, isRequired: isRequired)
  }

  private static let urlSafe: Value = ["type": "string", "pattern": #"^[A-Za-z0-9\-._~]+$"#]
  private static let redirect: Value = ["type": "string", "pattern": #"^[A-Za-z][A-Za-z0-9+.\-]*://[A-Za-z0-9\-._~:/?@!$&'()*+,;=%]+$"#]

  /// A renewal may carry the old token in a header instead, which a schema of the form cannot say.
  private static let tokenRequest: Value = [
    "type": "object", "required": ["grant_type"],
    "properties": [
      "grant_type": ["enum": ["client_credentials", "authorization_code", "refresh_token"]], "client_id": text, "client_secret": text,
      "code": text, "redirect_uri": text, "refresh_token": text, "scope": text,
    ],
  ]
}
