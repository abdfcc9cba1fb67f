package import StepKit
import Values

extension Ostelco {
  /// The settings of a connection.
  package struct Settings: Sendable {
    let clientID: Secret<String>
    let baseURL: String?
    let authURL: String?
    let redirectURI: String
    let audience: String
    let scope: String
    let connection: String
    let adminToken: Secret<String>?
    let callbackKey: Secret<String>?

    /// A path of the tenant that signs people in; it is another host than the API's.
    /// - Throws: `config.url` where the connection names none: it has no default.
    func tenant(_ path: String) throws(StepFailure) -> String {
      guard let authURL, !authURL.isEmpty else {
        throw StepFailure("config.url", title: "the URL cannot be used", detail: "the connection has no `auth_url`, which this step needs")
      }
      return (authURL.hasSuffix("/") ? String(authURL.dropLast()) : authURL) + path
    }
  }
}

extension Ostelco.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    clientID = field("client_id", "The app's id at the tenant; the app is a public client, without a secret.")
    baseURL = field("base_url", "The API, such as `https://api.dev.ostelco.org`; the sandbox has its own.", format: .uri)
    authURL = field(
      "auth_url", "The tenant that signs people in, such as `https://ostelco.eu.auth0.com`; the sandbox has its own.", format: .uri)
    redirectURI = field(
      "redirect_uri", "Where the tenant sends a person back to; nobody needs to listen there.",
      default: "sg.redotter.dev.selfcare://ostelco.eu.auth0.com/ios/sg.redotter.dev.selfcare/callback", minLength: 1)
    audience = field("audience", "The API that the token is for.", default: "http://google_api", minLength: 1)
    scope = field(
      "scope", "What is asked for; without `offline_access` there is no refresh token.", default: "openid profile email offline_access")
    connection = field("connection", "Where the tenant knows people from.", default: "google-oauth2", minLength: 1)
    adminToken = field("admin_token", "The token of the support desk; `ostelco/refund-purchase` alone uses it.")
    callbackKey = field("callback_key", "The key that the gateway asks of the vendor of identity checks.")
  }
}

extension Ostelco: MobileOperator {
  package static let name = "ostelco"
  /// All lower case; the second generation writes it in camel case.
  package static let pushTokenPath = "/applicationtoken"

  // A path that the service does not have is 404 too, without its envelope, and says nothing of a profile or a card.
  package static let customerRefusals = [RefusalRule(404, needsEnvelope: true, is: profileNotFound)]
  package static let purchaseRefusals =
    [RefusalRule(404, saying: "unavailable", needsEnvelope: true, is: productUnavailable)] + sourceRefusals
  package static let sourceRefusals = [
    RefusalRule(404, saying: "Identity", is: profileNotFound), RefusalRule(404, needsEnvelope: true, is: unknownSource),
    RefusalRule(403, needsEnvelope: true, is: cardDeclined), RefusalRule(502, needsEnvelope: true, is: paymentFailed),
  ]
  package static let pushRefusals = [
    RefusalRule(400, needsEnvelope: true, is: incompleteToken), RefusalRule(404, needsEnvelope: true, is: profileNotFound),
    RefusalRule(507, is: tokenStoreFailed),
  ]
  package static let callbackRefusals = [
    RefusalRule(400, needsEnvelope: true, is: incompleteScan), RefusalRule(404, needsEnvelope: true, is: scanNotFound),
  ]

  package static func exampleGiven(_ members: String) -> String {
    #"{"users": [{"email": "mei@example.test", "name": "Mei Tan"\#(members.isEmpty ? "" : ", \(members)")}]}"#
  }
  package static let exampleSignIn = Example.Preparation("ostelco/login", with: #"{"login_hint": "mei@example.test"}"#)

  static let profileNotFound = error(
    "profile_not_found", "whoever is signed in has no profile", help: "sign them up with `ostelco/create-profile`")
}
