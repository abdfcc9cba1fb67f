import SandboxKit
import Values

extension OyaSandbox {
  /// What nobody states of OYA, or what scenarios want otherwise; `change` sets them in the middle of a run.
  struct Switches: Sendable {
    /// Firebase's own: its tokens live for an hour.
    var tokenLife = Duration.seconds(3600)
    /// Where a 401 comes from.
    var unauthorized = GatewayBody.gateway
    /// Push tokens that FCM has forgotten: sending to one deletes it.
    var deadPushTokens: Set<String> = []
    /// Nil accepts any that is no person's.
    var adminToken: String?
    /// Nil accepts any.
    var webhookKey: String?

    mutating func read(_ given: inout GivenMap) throws(SandboxError) {
      tokenLife = try given.span("token_life") ?? tokenLife
      unauthorized = try given.choice("unauthorized", of: GatewayBody.self) ?? unauthorized
      if let tokens = try given.texts("dead_push_tokens") { deadPushTokens = Set(tokens) }
      adminToken = try given.text("admin_token") ?? adminToken
      webhookKey = try given.text("webhook_key") ?? webhookKey
    }
  }
}
