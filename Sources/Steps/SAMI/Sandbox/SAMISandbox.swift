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
    case "expire": state.tokens.expire(kind: try kind(what, verb, ["user", "app", "all"]), at: world.now)
    case "revoke":
      let kind = try kind(what, verb, ["user", "app", "device", "all"])
      if kind == nil || kind == "device" { state.deviceTokens = [:] }
      if kind != "device" { state.tokens.revoke(kind: kind) }
    case "set":
      var given = try GivenMap(what, at: "sami.set")
      try state.switches.read(&given)
      try given.finish()
    default: throw SandboxError("unknown change `\(verb)`; known are `expire`, `revoke` and `set`", at: "sami")
    }
  }

  /// Nil is every kind.
  private func kind(_ what: Value, _ verb: String, _ known: [String]) throws(SandboxError) -> String? {
    let name = what.exposed.stringValue ?? what.typeName
    guard known.contains(name) else {
      let list = known.map { "`\($0)`" }.joined(separator: ", ")
      throw SandboxError("`\(name)` is no kind of tokens; known are \(list)", at: "sami.\(verb)")
    }
    return name == "all" ? nil : name
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Refusal.notFound }

  // Assumed: Only the status is known.
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { Refusal.error(405, "Method Not Allowed") }
}
