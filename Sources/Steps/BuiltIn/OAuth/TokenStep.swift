package import StepKit
package import Values

/// `oauth/token`: one request to a token endpoint (RFC 6749).
package enum OAuthTokenStep: StepHandler {
  // A code, and a refresh token that rotates, are good for one use: whoever sends one twice may lose the session. A
  // request for a client's or a person's token goes out as idempotent.
  package static let about = About(
    "oauth/token", "Asks an OAuth 2.0 server for a token, and signs in where it is kept.", effect: .unsafe, signsIn: true,
    needs: [.setting("oauth.token_url", or: "token_url"), .setting("oauth.client_id", or: "client_id"), .tokens(if: "keep")])
  package static let errors = OAuthRefusal.all
  package static let example = Example(
    with: """
      {"token_url": "/oauth/token", "grant": "client_credentials", "client_id": "cid", "client_secret": "s3cr3t", "client_auth": "form"}
      """,
    outputs: #"{"access_token": "*", "token_type": "BearerToken", "expires_in": 3599}"#)

  /// What the token is asked for with, in the words of RFC 6749 and RFC 8628.
  package enum Grant: String, Choice {
    case clientCredentials = "client_credentials"
    case password
    case refreshToken = "refresh_token"
    case authorizationCode = "authorization_code"
    /// One ask, which raises `auth.pending` until the person has agreed; or, with `wait`, as many as it takes.
    case deviceCode = "device_code"
  }

  package struct Input: Sendable {
    let tokenURL: String?
    let grant: Grant
    let clientID: Secret<String>?
    let clientSecret: Secret<String>?
    let clientAuth: OAuthClient.Authentication?
    let scope: String?
    let audience: String?
    let username: Secret<String>?
    let password: Secret<String>?
    let legacy: Bool
    let refreshToken: Secret<String>?
    let code: Secret<String>?
    let redirectURI: String?
    let codeVerifier: Secret<String>?
    let deviceCode: Secret<String>?
    let wait: Bool
    let interval: Int?
    let expiresIn: Int?
    let keep: Bool
  }

  package struct Output: Sendable {
    let accessToken: Secret<String>
    let tokenType: String?
    let expiresIn: Int?
    let refreshToken: Secret<String>?
    let idToken: Secret<String>?
    let scope: String?
  }

  /// A kept token of the app signs nobody in.
  package static func signsIn(_ literals: ValueMap) -> Bool? {
    guard let keep = literals["keep"] else { return false }
    guard let isKept = keep.exposed.boolValue, let grant = literals["grant"]?.stringValue else { return nil }
    return isKept && grant != Grant.clientCredentials.rawValue
  }

  /// Each grant takes its own fields: those that it needs are required, those of the others are no keys.
  package static func refine(_ shape: RecordShape, literals: ValueMap, settings: ValueMap) -> RecordShape {
    guard let grant = literals["grant"]?.stringValue.flatMap(Grant.init(rawValue:)) else { return shape }
    var refined = shape
    for other in Grant.allCases where other != grant {
      refined.fields.removeAll { field in
        other.fields.contains { $0.name == field.name } && !grant.fields.contains { $0.name == field.name }
      }
    }
    for field in grant.fields where field.isNeeded {
      // A connection may have the client's secret.
      if settings.isEmpty || field.name != "client_secret" { refined = refined.requiring(field.name) }
    }
    return refined
  }
}

extension OAuthTokenStep.Grant {
  /// The fields that only this grant, or few, take.
  var fields: [(name: String, isNeeded: Bool)] {
    switch self {
    case .clientCredentials: [("client_secret", true), ("scope", false), ("audience", false)]
    case .password:
      [("username", true), ("password", true), ("legacy", true), ("client_secret", false), ("scope", false), ("audience", false)]
    case .refreshToken: [("refresh_token", true), ("client_secret", false), ("scope", false)]
    case .authorizationCode: [("code", true), ("redirect_uri", false), ("code_verifier", false), ("client_secret", false)]
    case .deviceCode:
      [("device_code", true), ("client_secret", false), ("wait", false), ("interval", false), ("expires_in", false)]
    }
  }
}

extension OAuthTokenStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    tokenURL = field(
      "token_url", "The token endpoint: an absolute URL, or a path below the connection's base URL; that of its `oauth` without it.",
      minLength: 1)
    grant = field("grant", "What the token is asked for with.")
    clientID = field("client_id", "The client's id; that of the connection's `oauth` without it.")
    clientSecret = field("client_secret", "Its secret; a public client has none.")
    clientAuth = field(
      "client_auth", "Whether id and secret go as HTTP `basic`, as they do without it, or in the `form`, as a client without secret does.")
    scope = field("scope", "The scopes asked for, with spaces between them.")
    audience = field("audience", "For whom the token is, where the server asks for it.")
    username = field("username", "The person's name, where `grant` is `password`.")
    password = field("password", "Their password, where `grant` is `password`.")
    legacy = field("legacy", "Must be true where `grant` is `password`, which OAuth 2.1 leaves out.", default: false)
    refreshToken = field("refresh_token", "The token to trade in, where `grant` is `refresh_token`.")
    code = field("code", "The code of the redirect, where `grant` is `authorization_code`.")
    redirectURI = field("redirect_uri", "The redirect's address, as the authorization request named it.")
    codeVerifier = field("code_verifier", "The text whose hash the authorization request carried (PKCE, RFC 7636).")
    deviceCode = field("device_code", "The code of the device, where `grant` is `device_code`.")
    wait = field("wait", "Whether it asks until the person has agreed, where `grant` is `device_code`.", default: false)
    interval = field("interval", "Seconds between two asks, as `oauth/device-code` gives them; 5 without it.", minimum: 0)
    expiresIn = field("expires_in", "Seconds until the code ends, as `oauth/device-code` gives them.", minimum: 0)
    keep = field("keep", "Whether the connection uses the token from now on, and renews it.", default: false)
  }
}

extension OAuthTokenStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    accessToken = field("access_token", "The token.")
    tokenType = field("token_type", "Its type, such as `Bearer`.")
    expiresIn = field("expires_in", "Its life in seconds.")
    refreshToken = field("refresh_token", "Trades for the next token.")
    idToken = field("id_token", "Who has signed in, as a JSON Web Token (OpenID Connect).")
    scope = field("scope", "The scopes that were granted, where they are not those asked for.")
  }
}
