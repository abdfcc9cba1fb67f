import HTTPTypes
package import SandboxKit
package import Values

/// SAMI as the sandbox answers for it: the API below `/v1.1`, the accounts host beside it.
///
/// What may be given, and changed in the middle of a run, stands in `givenSchema` and `changeSchema`.
package struct SAMISandbox: SandboxSystem {
  package let name = "sami"

  package init() {}

  package var routes: [SandboxRoute<State>] {
    AccountRoutes.all + UserRoutes.all + DeviceRoutes.all + DeviceTypeRoutes.all + MessageRoutes.all + AnalyticsRoutes.all
      + ExportRoutes.all + SubscriptionRoutes.all + RuleRoutes.all
  }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try State(given: given, world: &world)
  }

  /// `expire` of `user`, `app` or `all` tokens, `revoke` of those and of a `device`'s, and `set` of switches.
  package func change(
    _ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld
  ) throws(SandboxError) {
    switch verb {
    case "expire": try state.tokens.change(verb, what, of: ["user", "app"], in: name, at: world.now)
    case "revoke":
      let kind = try state.tokens.change(verb, what, of: ["user", "app", "device"], in: name, at: world.now)
      if kind == nil || kind == "device" { state.deviceTokens = [:] }
    case "set": try GivenMap.read(what, at: "sami.set") { given throws(SandboxError) in try state.switches.read(&given) }
    default: throw unknownChange(verb)
    }
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Refusal.notFound }

  // Assumed: Only the status is known.
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { Refusal.error(405, "Method Not Allowed") }
}
