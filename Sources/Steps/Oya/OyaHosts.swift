import HTTPTypes
import StepKit
import Values

extension Oya {
  /// The three hosts of OYA, each with its own proof of who asks.
  package enum Host: Sendable {
    /// A person's token, or none.
    case api
    /// The token of a member of support.
    case support
    /// An API key in the query.
    case webhooks

    /// The settings that it takes.
    var needs: [NeededSetting] {
      switch self {
      case .api: []
      case .support: ["support_url", "admin_token"]
      case .webhooks: ["webhook_url", "webhook_key"]
      }
    }

    /// Sends a call to the host.
    /// - Throws: `config.url` and `config.token` where the connection lacks a setting of the host, and what the request raises.
    func send(_ call: HTTPCall, _ ports: Ports) async throws(StepFailure) -> HTTPReply {
      var call = call
      switch self {
      case .api: break
      case .support:
        call.target = try base("support_url", ports.settings) + call.target
        call.headers[.authorization] = "Bearer \(try proof("admin_token", ports.settings))"
        call.secretHeaders = [.authorization]
        call.token = TokenClass.none
      case .webhooks:
        let key = try proof("webhook_key", ports.settings)
        call.target = try base("webhook_url", ports.settings) + call.target
        call.query.append(("key", key))
        call.hidden.append(key)
        call.secrets.append(key)
        call.token = TokenClass.none
      }
      return try await ports.http.send(call)
    }

    func base(_ setting: String, _ settings: ValueMap) throws(StepFailure) -> String {
      guard let url = Settings.base(setting, settings) else {
        throw StepFailure(
          "config.url", title: "the URL cannot be used", detail: "the connection has no `\(setting)`, which this step needs")
      }
      return url
    }

    func proof(_ setting: String, _ settings: ValueMap) throws(StepFailure) -> String {
      guard let text = Settings.text(setting, settings) else {
        throw StepFailure("config.token", title: "no token can be had", detail: "the connection has no `\(setting)`, which this step needs")
      }
      return text
    }
  }
}
