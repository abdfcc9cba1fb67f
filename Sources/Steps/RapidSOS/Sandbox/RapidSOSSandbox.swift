import HTTPTypes
package import SandboxKit
package import Values

/// RapidSOS as the sandbox answers for it.
///
/// What may be given, and changed in the middle of a run, stands in `givenSchema` and `changeSchema`.
package struct RapidSOSSandbox: SandboxSystem {
  package let name = "rapidsos"

  package init() {}

  package var routes: [SandboxRoute<State>] {
    TokenRoutes.all + UserRoutes.all + CallerIDRoutes.all + ProfileRoutes.all + SavedRoutes.locations.all + SavedRoutes.devices.all
      + TriggerRoutes.all + MediaRoutes.all
  }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try State(given: given, world: &world)
  }

  /// `expire` and `revoke` of `client`, `user` or `all` tokens, and `set` of switches.
  package func change(
    _ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld
  ) throws(SandboxError) {
    switch verb {
    case "expire", "revoke": try state.tokens.change(verb, what, of: Self.tokenClasses, in: name, at: world.now)
    case "set": try GivenMap.read(what, at: "rapidsos.set") { given throws(SandboxError) in try state.switches.read(&given) }
    default: throw unknownChange(verb)
    }
  }

  static let tokenClasses = ["client", "user"]

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Refusal.notFound }

  // Assumed: Only the status is known.
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { Refusal.detail("Method not allowed.", status: 405) }
}
