import HTTPTypes
package import StepKit
package import Values

extension Oya {
  /// The settings of a connection.
  package struct Settings: Sendable {
    let baseURL: String?
    let supportURL: String?
    let webhookURL: String?
    let mode: Mode?
    let idToken: Secret<String>?
    let adminToken: Secret<String>?
    let webhookKey: Secret<String>?

    /// The token of somebody who has signed in at Firebase already; nil where the connection holds none. Empty counts as none.
    package static func credentials(_ settings: ValueMap) -> Credentials? {
      guard let token = text("id_token", settings) else { return nil }
      return Credentials(username: "id_token", password: token)
    }

    /// Whether a connection with such settings has a user without a step that signs in. The value may be unknown yet: that it
    /// is given is enough.
    package static func signsIn(_ settings: ValueMap) -> Bool { settings["id_token"] != nil }

    /// Where the connection leads, with its mode on every request to the API.
    static func endpoint(_ settings: ValueMap) throws(StepFailure) -> ConnectionEndpoint {
      var endpoint = try ConnectionEndpoint(settings: settings)
      if let mode = text("mode", settings) { try endpoint.headers.append("x-mode", mode) }
      return endpoint
    }

    /// The URL of a host without the slash at its end; nil where the setting is missing or empty.
    static func base(_ name: String, _ settings: ValueMap) -> String? {
      text(name, settings).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    /// The text of a setting; nil where it is missing or empty.
    static func text(_ name: String, _ settings: ValueMap) -> String? {
      settings[name]?.exposed.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// Which of OYA's servers answers: the one in use, or the one that a new release is tried out on.
  enum Mode: String, Choice {
    case direct = "prime-direct"
    case canary = "prime-canary"
  }
}

extension Oya.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    baseURL = field("base_url", "The API, such as `https://api.dev.oya.world`; the sandbox has its own.", format: .uri)
    supportURL = field(
      "support_url", "The support API, such as `https://houston-api.dev.oya.world`; the sandbox has its own.", format: .uri)
    webhookURL = field(
      "webhook_url", "The host of the webhooks, such as `https://alvin-api.dev.oya.world`; the sandbox has its own.", format: .uri)
    mode = field("mode", "Which server answers, sent as `x-mode`; OYA chooses where it is left out.")
    idToken = field("id_token", "A Firebase ID token that was got elsewhere: its person is signed in without a step.")
    adminToken = field("admin_token", "The token of a member of support, for the `support-` steps.")
    webhookKey = field("webhook_key", "The API key of the webhooks, for `scan-callback` and `stripe-event`.")
  }
}
