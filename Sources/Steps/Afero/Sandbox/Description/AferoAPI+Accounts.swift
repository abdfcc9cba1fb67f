import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox.API {
  /// Two endpoints: an OpenID service renews, and does nothing else.
  static var tokens: [APIOperation] {
    [("sign-in", "/oauth/token", tokenRequest), ("refresh-token", "/token", renewal)].map { id, path, form in
      APIOperation(
        id, .post, path, "Gives a token for a password or a refresh token; the app proves itself by HTTP Basic.", security: "app",
        body: APIBody("application/x-www-form-urlencoded", schema: form.schema, example: form.example),
        answers: [
          ok("A token.", "Token"), ok(400, "The credentials or the grant are not accepted.", "Error"),
          ok(401, "The app is not accepted.", "Error"),
        ])
    }
  }

  private static let renewal: (schema: Value, example: Value) = (
    open([("grant_type", ["const": "refresh_token"]), ("refresh_token", filled)]),
    ["grant_type": "refresh_token", "refresh_token": "0d7a52a8-1f0d-4a8e-8e61-6a3a4a1d9c20"]
  )

  private static let tokenRequest: (schema: Value, example: Value) = (
    [
      "oneOf": [
        open(
          [
            ("grant_type", ["const": "password"]), ("username", filled),
            ("password", filled), ("scope", ["const": "account"]),
          ], required: ["grant_type", "username", "password"]), renewal.schema,
      ]
    ],
    ["grant_type": "password", "username": "ann@example.test", "password": "hunter22", "scope": "account"]
  )

  static var accounts: [APIOperation] {
    let own = AferoSandbox.Form.object([.init("description", AferoSandbox.Form.anyText, isRequired: true)])
    let person = reference("userId", "The person.", "usr-1")
    return [
      APIOperation(
        "create-account", .post, "/v1/accounts", "Creates an account with its first person.",
        body: body(
          AferoSandbox.newAccount,
          [
            "account": ["type": "CUSTOMER", "description": "Primary Account"], "user": ["firstName": "Ann", "lastName": "Lee"],
            "credential": ["credentialId": "ann@example.test", "password": "hunter22", "type": "email", "verified": false],
          ]),
        answers: [
          ok("Created, where `create_status` says so.", "Account"), ok(201, "Created.", "Account"), invalid,
          ok(409, "Somebody has the address, where `duplicate_status` says so.", "Error"),
        ]),
      operation(
        "set-account-description", .put, "/description", "Renames the account.",
        body: body(own, ["description": "Cabin by the lake"]), ok("Renamed.", "Description")),
      APIOperation(
        "get-account-info", .get, "/v1/users/me", "Reads who is signed in.", security: user,
        answers: [ok("The person.", "User"), unauthorized]),
      APIOperation(
        "update-device-info", .post, "/v1/users/{userId}/mobileDevices", "Registers an installation of the app.", security: user,
        parameters: [person],
        body: body(
          AferoSandbox.mobileDevice,
          [
            "platform": "IOS", "mobileDeviceId": "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77", "appId": "com.example.house",
            "pushId": "nzHA3g==", "extendedData": ["app_identifier": "com.example.house", "system_os_version": "17.1"],
          ]),
        answers: [
          empty(200, "Registered, where `mobile_device_status` says so."), empty(201, "Registered."),
          empty("Registered, where `mobile_device_status` says so."), invalid, unauthorized, forbidden,
        ]),
      APIOperation(
        "disassociate-mobile-device", .delete, "/v1/users/{userId}/mobileDevices/{mobileDeviceId}", "Forgets an installation.",
        security: user,
        parameters: [person, reference("mobileDeviceId", "The installation.", "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77")],
        answers: [empty("Forgotten.")] + guarded),
      operation(
        "get-conclave-access", .post, "/conclaveAccess", "Opens the stream of events.",
        body: body(.object([.init("user", .flag)]), ["user": true]), ok("Hosts and tokens.", "Conclave")),
      activities("list-activity", "", []), activities("list-device-activity", "/devices/{deviceId}", [device]),
    ]
  }

  private static func activities(_ id: String, _ path: String, _ parameters: [APIParameter]) -> APIOperation {
    let page = [
      query(
        "endTimestamp", "The newest moment; now unless given.", schema: ["type": "integer", "minimum": 0, "maximum": .int(1 << 53)],
        isRequired: false),
      query(
        "limit", "How many at most; 40 unless given.", schema: ["type": "integer", "minimum": 1, "maximum": 2_147_483_647],
        isRequired: false),
      query("filter", "Which ones.", schema: text, isRequired: false),
    ]
    return APIOperation(
      id, .get, "/v1/accounts/{accountId}\(path)/activity", "Reads what has happened, the newest first.", security: user,
      parameters: [account] + parameters + page, answers: [list("A page.", "Activity"), invalid] + guarded)
  }

  static var credentials: [APIOperation] {
    let address = APIParameter(
      "credentialId", in: .path, "The address.", schema: ["type": "string", "minLength": 1, "pattern": "^[A-Za-z0-9@.]+$"],
      example: "ann@example.test")
    let base = "/credentials/{credentialId}"
    return [
      APIOperation(
        "reset-password", .post, "/v1\(base)/passwordReset", "Sends a mail with a code.", parameters: [address],
        answers: [empty("It is sent, or nobody is told that it is not."), notFound]),
      APIOperation(
        "update-password-with-code", .post, "/v1/shortvalues/{code}/passwordReset", "Replaces a password by a code.",
        parameters: [reference("code", "The code.", "482913")], body: body(AferoSandbox.password, ["password": "newhunter22"]),
        answers: [empty("Replaced."), invalid, notFound]),
      operation(
        "update-password", .put, "\(base)/password", "Replaces one's own password.", at: [address],
        body: body(AferoSandbox.password, ["password": "newhunter22"]), empty("Replaced.")),
      operation(
        "resend-verification", .post, "\(base)/resendVerification", "Sends the mail that proves an address.", at: [address],
        body: body(
          .object([.init("credentialId", AferoSandbox.Form.filledText, isRequired: true)]), ["credentialId": "ann@example.test"]),
        empty(201, "It is sent.")),
    ]
  }

  static var sharing: [APIOperation] {
    [
      operation("get-user-summary", .get, "/accountUserSummary", "Lists who may use the account.", ok("They.", "Summary")),
      operation("list-access", .get, "/userAccountAccess", "Lists who may use the account.", list("They.", "AccountUser")),
      operation(
        "revoke-access", .delete, "/userAccountAccess/{userId}", "Ends what somebody may do.",
        at: [reference("userId", "The person.", "usr-2")], empty("It is over.")),
      operation(
        "invite-user", .post, "/invitations", "Asks somebody to share the account.",
        body: body(
          AferoSandbox.invitation,
          [
            "targetEmail": "bo@example.test", "targetLocale": "en_US", "sourceAccountId": "acc-1", "sourceUserId": "usr-1",
            "startAccessTimestamp": 0, "endAccessTimestamp": 0, "accountPrivilegesDto": ["canWrite": true, "owner": false],
            "customMessage": "Welcome",
          ]), empty("It is sent.")),
      operation(
        "revoke-invitation", .delete, "/invitations/{id}", "Takes an invitation back.",
        at: [reference("id", "The invitation.", "inv-1")], empty("It is gone.")),
    ]
  }
}
