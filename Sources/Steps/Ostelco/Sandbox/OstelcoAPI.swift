import HTTPTypes
package import SandboxKit
import Values

extension OstelcoSandbox {
  package var api: APIDescription? {
    let shared = OperatorAPI(rules: .first)
    return APIDescription(
      title: "Ostelco mobile operator, first generation", version: "1",
      summary: "As the sandbox stands in for it, the tenant that signs people in included; what nobody states of the real one is assumed.",
      security: [
        (OperatorAPI.user, OperatorAPI.scheme),
        (API.admin, ["type": "http", "scheme": "bearer", "description": "The support desk's token."]),
      ],
      schemas: shared.schemas + API.schemas,
      operations: API.tenant + API.profile + shared.shop + shared.sources + shared.referrals
        + [shared.push(at: "/applicationtoken"), shared.graph, shared.callback(at: "/ekyc/callback")] + API.customer + API.checks)
  }

  /// The description of what the first generation alone has.
  enum API {
    static let admin = "adminToken"

    static var tenant: [APIOperation] {
      let required = ["client_id", "redirect_uri", "connection", "audience", "scope", "state", "code_challenge"]
      let query =
        [
          APIParameter("response_type", in: .query, "What the redirect brings.", schema: ["const": "code"], example: "code"),
          APIParameter("code_challenge_method", in: .query, "How the challenge was made.", schema: ["const": "S256"], example: "S256"),
        ]
        + required.map { name in
          let schema: Value = name == "redirect_uri" ? ["type": "string", "pattern": "^[a-z.]+://[a-z.]+/[a-z]+$"] : OperatorAPI.filled
          return APIParameter(name, in: .query, "`\(name)` of RFC 6749 and RFC 7636.", schema: schema, example: examples[name])
        }
      return [
        APIOperation(
          "login", .get, "/authorize", "Asks for a person's consent.", parameters: query,
          answers: [
            APIAnswer(302, "Back to the app, with a code or an error.", mediaType: nil),
            OperatorAPI.ok("A parameter is missing or wrong.", .named("OAuthError"), status: 400),
          ]),
        APIOperation(
          "refresh-token", .post, "/oauth/token", "Trades a code or a refresh token for an access token.",
          body: APIBody(
            schema: .named("TokenRequest"),
            example: ["grant_type": "refresh_token", "client_id": "app-1", "refresh_token": "v1.Mq3"]),
          answers: [
            OperatorAPI.ok("A token.", .named("Token")), OperatorAPI.ok("A member is missing.", .named("OAuthError"), status: 400),
            OperatorAPI.ok(
              "The code or the refresh token is not good.", .named("OAuthError"), status: 403,
              example: ["error": "invalid_grant", "error_description": "Unknown or invalid refresh token."]),
          ]),
        APIOperation(
          "revoke-refresh-token", .post, "/oauth/revoke", "Revokes a refresh token.",
          body: APIBody(schema: .named("Revocation"), example: ["client_id": "app-1", "token": "v1.Mq3"]),
          answers: [
            APIAnswer(200, "It is not good any more.", mediaType: nil),
            OperatorAPI.ok("A member is missing.", .named("OAuthError"), status: 400),
          ]),
      ]
    }

    private static let examples: [String: Value] = [
      "client_id": "app-1", "redirect_uri": "app.example://tenant.example/callback", "connection": "google-oauth2",
      "audience": "http://google_api", "scope": "openid profile email offline_access", "state": "af0ifjsldkj",
      "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    ]

    static var profile: [APIOperation] {
      let body = APIBody(
        schema: .named("ProfileChange"),
        example: ["name": "Mei Tan", "email": "mei@example.test", "country": "SG", "address": "", "postCode": "", "city": ""])
      let incomplete = APIAnswer(
        400, "Something is missing, or the body cannot be read.", schema: ["anyOf": [.named("Refusal"), .named("Unreadable")]])
      return [
        APIOperation(
          "get-profile", .get, "/profile", "Reads the profile.", security: OperatorAPI.user,
          answers: [OperatorAPI.ok("The profile.", .named("Profile")), OperatorAPI.unauthorized, OperatorAPI.noCustomer]),
        APIOperation(
          "create-profile", .post, "/profile", "Signs up.", security: OperatorAPI.user, body: body,
          answers: [
            OperatorAPI.ok("The new profile.", .named("Profile"), status: 201), incomplete, OperatorAPI.unauthorized,
            OperatorAPI.refusal(403, "There is one already, or the country is not served."), OperatorAPI.mediaType,
            OperatorAPI.refusal(502, "There is no such referrer."),
          ]),
        APIOperation(
          "update-profile", .put, "/profile", "Replaces the profile whose `id` is in the body.", security: OperatorAPI.user, body: body,
          answers: [
            OperatorAPI.ok("The profile; the old one where the `id` is not right.", .named("Profile")), incomplete,
            OperatorAPI.unauthorized, OperatorAPI.noCustomer, OperatorAPI.mediaType,
          ]),
      ]
    }

    static var customer: [APIOperation] {
      let consent = APIParameter("id", in: .path, "Any id is taken.", schema: OperatorAPI.filled, example: "privacy")
      return [
        read("list-subscriptions", "/subscriptions", "Lists the phone numbers.", OperatorAPI.list("Subscription")),
        read("list-consents", "/consents", "Lists the consents.", OperatorAPI.list("Consent")),
        APIOperation(
          "set-consent", .put, "/consents/{id}", "Agrees, or takes it back.", security: OperatorAPI.user, parameters: [consent],
          answers: [OperatorAPI.ok("The consent.", .named("Consent")), OperatorAPI.unauthorized, OperatorAPI.noCustomer]),
        read("get-pseudonyms", "/customer/activePseudonyms", "Reads the pseudonyms.", .named("Pseudonyms")),
        read("get-pseudonyms-before", "/subscription/activePseudonyms", "The same, at its old path.", .named("Pseudonyms")),
        APIOperation(
          "get-stripe-key", .get, "/customer/stripe-ephemeral-key", "Gets a key of the payment provider.", security: OperatorAPI.user,
          parameters: [
            APIParameter("api_version", in: .query, "The provider's version.", schema: OperatorAPI.filled, example: "2015-10-12")
          ],
          answers: [
            OperatorAPI.ok("The provider's own answer.", ["type": "object"]), OperatorAPI.invalidParameter, OperatorAPI.unauthorized,
            OperatorAPI.noCustomer,
          ]),
        APIOperation(
          "refund-purchase", .put, "/refund/{email}", "Refunds a purchase.", security: admin,
          parameters: [
            APIParameter("email", in: .path, "Whose.", schema: OperatorAPI.filled, example: "mei@example.test"),
            APIParameter("purchaseRecordId", in: .query, "Which purchase.", schema: OperatorAPI.filled, example: "ch_1Dq"),
            APIParameter(
              "reason", in: .query, "Why.", schema: ["enum": ["duplicate", "fraudulent", "requested_by_customer"]], example: "duplicate"),
          ],
          answers: [
            OperatorAPI.ok("Refunded.", .named("Reference"), example: ["id": "1GB_15SGD"]), OperatorAPI.invalidParameter,
            OperatorAPI.unauthorized, OperatorAPI.refusal(403, "It is refunded already, or was free."),
            OperatorAPI.refusal(404, "There is no such customer, purchase, or reason."),
          ]),
      ]
    }

    static var checks: [APIOperation] {
      [
        read("get-customer-state", "/customer/customerState", "Reads how far the customer has come.", .named("CustomerState")),
        APIOperation(
          "create-scan", .get, "/customer/new-ekyc-scanId/{countryCode}", "Begins an identity check.", security: OperatorAPI.user,
          parameters: [
            APIParameter(
              "countryCode", in: .path, "Three letters, or `global`.", schema: ["type": "string", "pattern": "^([A-Za-z]{3}|global)$"],
              example: "global")
          ], answers: [OperatorAPI.ok("The scan.", .named("Scan")), OperatorAPI.unauthorized, OperatorAPI.noCustomer]),
        APIOperation(
          "get-scan", .get, "/customer/scanStatus/{scanId}", "Reads a scan.", security: OperatorAPI.user,
          parameters: [APIParameter("scanId", in: .path, "Its id.", schema: OperatorAPI.filled, example: "326aceb6")],
          answers: [
            OperatorAPI.ok("The scan.", .named("Scan")), OperatorAPI.unauthorized, OperatorAPI.refusal(403, "It is another customer's."),
            OperatorAPI.refusal(404, "There is no such scan."),
          ]),
      ]
    }

    private static func read(_ id: String, _ path: String, _ summary: String, _ schema: Value) -> APIOperation {
      APIOperation(
        id, .get, path, summary, security: OperatorAPI.user,
        answers: [OperatorAPI.ok("What was asked for.", schema), OperatorAPI.unauthorized, OperatorAPI.noCustomer])
    }
  }
}
