package import StepKit
import Values

/// `oauth/device-code`: the request that a sign-in on another device begins with (RFC 8628 §3.1).
package enum OAuthDeviceCodeStep: StepHandler {
  package static let about = About(
    "oauth/device-code", "Asks for a code that a person enters on another device to sign in.", effect: .idempotent,
    needs: [.setting("oauth.client_id", or: "client_id")])
  package static let errors = OAuthRefusal.all
  package static let example = Example(
    with: #"{"device_authorization_url": "/oauth/device", "client_id": "cid", "scope": "profile"}"#,
    outputs: """
      {"device_code": "*", "user_code": "WDJB-MJHT", "verification_uri": "https://id.example.test/device", "expires_in": 600,
       "interval": 5}
      """)

  package struct Input: Sendable {
    let deviceAuthorizationURL: String
    let clientID: Secret<String>?
    let clientSecret: Secret<String>?
    let clientAuth: OAuthClient.Authentication?
    let scope: String?
    let audience: String?
  }

  package struct Output: Sendable {
    let deviceCode: Secret<String>
    let userCode: String
    let verificationURI: String
    let verificationUriComplete: String?
    let expiresIn: Int
    let interval: Int
  }

  /// - Throws: `auth.*` for what the server refuses in the words of OAuth, `http.*` for any other refusal, `decode`.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    let client = try OAuthParty(ports).client(input.clientID, input.clientSecret, input.clientAuth)
    var form = OAuthClient.scopeForm(input.scope, input.audience)
    // With HTTP Basic too the id is a parameter of its own (RFC 8628 §3.1).
    if client.secret != nil, client.authentication == .basic { form.append(("client_id", client.id)) }
    var call = client.tokenRequest(to: input.deviceAuthorizationURL, form: form, effect: nil)
    call.secretMembers.insert("device_code")
    let reply = try await ports.http.send(call)
    guard reply.isSuccess, reply.body["error"] == nil else { throw OAuthRefusal.failure(reply) }
    return Output(try Wire.decode(reply))
  }

  /// The answer (RFC 8628 §3.2); some call the address `verification_url`.
  struct Wire: Sendable {
    let deviceCode: Secret<String>
    let userCode: String
    let verificationURI: String?
    let verificationURL: String?
    let verificationUriComplete: String?
    let expiresIn: NumberOrText?
    let interval: NumberOrText?
  }
}

extension OAuthDeviceCodeStep.Output {
  fileprivate init(_ wire: OAuthDeviceCodeStep.Wire) {
    deviceCode = wire.deviceCode
    userCode = wire.userCode
    verificationURI = wire.verificationURI ?? wire.verificationURL ?? ""
    verificationUriComplete = wire.verificationUriComplete
    expiresIn = wire.expiresIn?.whole ?? 600
    interval = wire.interval?.whole ?? 5
  }
}

extension OAuthDeviceCodeStep.Wire: DescribedRecord {
  init(_ field: inout Fields) {
    deviceCode = field("device_code", "The code.", minLength: 1)
    userCode = field("user_code", "What the person enters.", minLength: 1)
    verificationURI = field("verification_uri", "Where.")
    verificationURL = field("verification_url", "Where, as some call it.")
    verificationUriComplete = field("verification_uri_complete", "Where, with the code in it.")
    expiresIn = field("expires_in", "Seconds.")
    interval = field("interval", "Seconds.")
  }
}

extension OAuthDeviceCodeStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceAuthorizationURL = field(
      "device_authorization_url", "The device authorization endpoint: an absolute URL, or a path below the connection's base URL.",
      minLength: 1)
    clientID = field("client_id", "The client's id; that of the connection's `oauth` without it.")
    clientSecret = field("client_secret", "Its secret; a public client has none.")
    clientAuth = field("client_auth", "Whether id and secret go as HTTP `basic`, as they do without it, or in the `form`.")
    scope = field("scope", "The scopes asked for, with spaces between them.")
    audience = field("audience", "For whom the token is, where the server asks for it.")
  }
}

extension OAuthDeviceCodeStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceCode = field("device_code", "For `oauth/token` with `grant: device_code`.")
    userCode = field("user_code", "What the person enters.")
    verificationURI = field("verification_uri", "Where they enter it.")
    verificationUriComplete = field("verification_uri_complete", "The same with the code in it, such as for a QR code.")
    expiresIn = field("expires_in", "Seconds until both codes end.")
    interval = field("interval", "Seconds between two asks for the token.")
  }
}
