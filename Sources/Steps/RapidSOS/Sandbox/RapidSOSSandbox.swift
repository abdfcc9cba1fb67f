import HTTPTypes
package import SandboxKit
package import Values

/// RapidSOS as the sandbox answers for it.
///
/// Given: `users` (`username`, and `password`, `email`, `verified_phones` where they matter; a user without a password
/// is let in with any), `clients` (`client_id`, `client_secret`; without them any pair is accepted), `token_life`,
/// `pin` (every PIN, instead of predictable ones), `requires_verified_number` and `call_flows` (for each further name the
/// variables that it requires, such as `location.latitude`).
package struct RapidSOSSandbox: SandboxSystem {
  package let name = "rapidsos"

  package init() {}

  package var routes: [SandboxRoute<State>] {
    TokenRoutes.all + UserRoutes.all + CallerIDRoutes.all + ProfileRoutes.all + TriggerRoutes.all
  }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try State(given: given, world: &world)
  }

  /// `expire` and `revoke`, of `client`, `user` or `all` tokens.
  package func change(
    _ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld
  ) throws(SandboxError) {
    let name = what.exposed.stringValue ?? what.typeName
    guard name == "all" || Token.Class(rawValue: name) != nil else {
      throw SandboxError("`\(name)` is no class of tokens; known are `client`, `user` and `all`", at: "rapidsos.\(verb)")
    }
    let kind = Token.Class(rawValue: name)
    switch verb {
    case "expire": state.tokens.expire(kind, at: world.now)
    case "revoke": state.tokens.revoke(kind)
    default: throw SandboxError("unknown change `\(verb)`; known are `expire` and `revoke`", at: "rapidsos")
    }
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Refusal.notFound }

  // Assumed: Only the status is known.
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { Refusal.detail("Method not allowed.", status: 405) }
}
