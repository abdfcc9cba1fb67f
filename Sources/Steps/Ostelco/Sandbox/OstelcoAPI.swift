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
        (API.admin, API.bearer("The support desk's token.")),
      ],
      schemas: shared.schemas + API.schemas,
      operations: API.tenant + API.profile + shared.shop + shared.sources + shared.referrals
        + [shared.push(at: "/applicationtoken"), shared.graph, shared.callback(at: "/ekyc/callback")] + API.customer + API.checks)
  }

  /// The description of what the first generation alone has.
  enum API: APIVocabulary {
    static let admin = "adminToken"

    static var tenant: [APIOperation] {
      let required = ["client_id", "redirect_uri", "connection", "audience", "scope", "state", "code_challenge"]
      let query =
        [
          APIParameter("response_type", in: .query, "What the redirect brings.", schema: ["const": "code"], example: "code"),
          APIParameter("code_challenge_method", in: .query, "How the challenge was made.", schema: ["const": "S256"], example: "S256"),
        ]
        + required.map { name in
          let schema: Value = name == "redirect_uri" ? ["type": "string", "pattern": .string(redirectPattern)] : filled
          return APIParameter(name, in: .query, "`\(name)` of RFC 6749 and RFC 7636.", schema: schema, example: examples[name])
        }
      return [
        APIOperation(
          "login", .get, "/authorize", "Asks for a person's consent.", parameters: query,
          answers: [
            empty(302, "Back to the app, with a code or an error."),
            ok(400, "A parameter is missing or wrong.", "OAuthError"),
          ]),
        APIOperation(
          "refresh-token", .post, "/oauth/token", "Trades a code or a refresh token for an access token.",
          body: APIBody(
            alternatives: ["application/x-www-form-urlencoded"], schema: .named("TokenRequest"),
            example: ["grant_type": "refresh_token", "client_id": "app-1", "refresh_token": "v1.Mq3"]),
          answers: [
            ok("A token.", "Token"), ok(400, "A member is missing.", "OAuthError"),
            ok(
              403, "The code or the refresh token is not good.", "OAuthError",
              ["error": "invalid_grant", "error_description": "Unknown or invalid refresh token."]),
          ]),
        APIOperation(
          "revoke-refresh-token", .post, "/oauth/revoke", "Revokes a refresh token.",
          body: body("Revocation", ["client_id": "app-1", "token": "v1.Mq3"]),
          answers: [
            empty(200, "It is not good any more."),
            ok(400, "A member is missing.", "OAuthError"),
          ]),
      ]
    }

    /// An absolute URI without a fragment (RFC 6749 §3.1.2); apps have schemes of their own.
    private static let redirectPattern = "^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?@!$&'()*+,;=%-]+$"

    private static let examples: [String: Value] = [
      "client_id": "app-1", "redirect_uri": "app.example://tenant.example/callback", "connection": "google-oauth2",
      "audience": "http://google_api", "scope": "openid profile email offline_access", "state": "af0ifjsldkj",
      "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    ]

    static var profile: [APIOperation] {
      let change = body(
        "ProfileChange", ["name": "Mei Tan", "email": "mei@example.test", "country": "SG", "address": "", "postCode": "", "city": ""])
      let incomplete = APIAnswer(
        400, "Something is missing, or the body cannot be read.", schema: ["anyOf": [.named("Refusal"), .named("Unreadable")]])
      return [
        APIOperation(
          "get-profile", .get, "/profile", "Reads the profile.", security: OperatorAPI.user,
          answers: [ok("The profile.", "Profile"), OperatorAPI.unauthorized, OperatorAPI.noCustomer]),
        APIOperation(
          "create-profile", .post, "/profile", "Signs up.", security: OperatorAPI.user,
          parameters: [query("referred_by", "The id of a customer.", schema: text, isRequired: false)], body: change,
          answers: [
            ok(201, "The new profile.", "Profile"), incomplete, OperatorAPI.unauthorized,
            OperatorAPI.refusal(403, "There is one already, or the country is not served."), OperatorAPI.mediaType,
            OperatorAPI.refusal(502, "There is no such referrer."),
          ]),
        APIOperation(
          "update-profile", .put, "/profile", "Replaces the profile whose `id` is in the body.", security: OperatorAPI.user, body: change,
          answers: [
            ok("The profile; the old one where the `id` is not right.", "Profile"), incomplete,
            OperatorAPI.unauthorized, OperatorAPI.noCustomer, OperatorAPI.mediaType,
          ]),
      ]
    }

    static var customer: [APIOperation] {
      let consent = path("id", "Any id is taken.", "privacy")
      let accepted = query("accepted", "`true` unless given; anything else takes it back.", "false", schema: text, isRequired: false)
      return [
        read("list-subscriptions", "/subscriptions", "Lists the phone numbers.", list(of: .named("Subscription"))),
        APIOperation(
          "list-consents", .get, "/consents", "Lists the consents.", security: OperatorAPI.user,
          answers: [list("All of them.", "Consent"), OperatorAPI.unauthorized]),
        APIOperation(
          "set-consent", .put, "/consents/{id}", "Agrees, or takes it back.", security: OperatorAPI.user, parameters: [consent, accepted],
          answers: [ok("The consent.", "Consent"), OperatorAPI.unauthorized]),
        read("get-pseudonyms", "/customer/activePseudonyms", "Reads the pseudonyms.", .named("Pseudonyms")),
        read("get-pseudonyms-before", "/subscription/activePseudonyms", "The same, at its old path.", .named("Pseudonyms")),
        APIOperation(
          "get-stripe-key", .get, "/customer/stripe-ephemeral-key", "Gets a key of the payment provider.", security: OperatorAPI.user,
          parameters: [
            query("api_version", "The provider's version.", "2015-10-12")
          ],
          answers: [
            APIAnswer(200, "The provider's own answer.", schema: free), OperatorAPI.invalidParameter, OperatorAPI.unauthorized,
            OperatorAPI.noCustomer,
          ]),
        APIOperation(
          "refund-purchase", .put, "/refund/{email}", "Refunds a purchase.", security: admin,
          parameters: [
            path("email", "Whose.", "mei@example.test"),
            query("purchaseRecordId", "Which purchase.", "ch_1Dq"),
            APIParameter(
              "reason", in: .query, "Why.", schema: ["enum": ["duplicate", "fraudulent", "requested_by_customer"]], example: "duplicate"),
          ],
          answers: [
            ok("Refunded.", "Reference", ["id": "1GB_15SGD"]), OperatorAPI.invalidParameter,
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
          ], answers: [ok("The scan.", "Scan"), OperatorAPI.unauthorized, OperatorAPI.noCustomer]),
        APIOperation(
          "get-scan", .get, "/customer/scanStatus/{scanId}", "Reads a scan.", security: OperatorAPI.user,
          parameters: [path("scanId", "Its id.", "326aceb6")],
          answers: [
            ok("The scan.", "Scan"), OperatorAPI.unauthorized, OperatorAPI.refusal(403, "It is another customer's."),
            OperatorAPI.refusal(404, "There is no such scan."),
          ]),
      ]
    }

    private static func read(_ id: String, _ path: String, _ summary: String, _ schema: Value) -> APIOperation {
      APIOperation(
        id, .get, path, summary, security: OperatorAPI.user,
        answers: [APIAnswer(200, "What was asked for.", schema: schema), OperatorAPI.unauthorized, OperatorAPI.noCustomer])
    }
  }
}
