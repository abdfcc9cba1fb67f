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
    case "expire": state.tokens.expire(try tokenClass(what, verb), at: world.now)
    case "revoke": state.tokens.revoke(try tokenClass(what, verb))
    case "set":
      var given = try GivenMap(what, at: "rapidsos.set")
      try state.switches.read(&given)
      try given.finish()
    default: throw SandboxError("unknown change `\(verb)`; known are `expire`, `revoke` and `set`", at: "rapidsos")
    }
  }

  /// Nil is every class.
  private func tokenClass(_ what: Value, _ verb: String) throws(SandboxError) -> Token.Class? {
    let name = what.exposed.stringValue ?? what.typeName
    guard name == "all" || Token.Class(rawValue: name) != nil else {
      throw SandboxError("`\(name)` is no class of tokens; known are `client`, `user` and `all`", at: "rapidsos.\(verb)")
    }
    return Token.Class(rawValue: name)
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Refusal.notFound }

  // Assumed: Only the status is known.
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { Refusal.detail("Method not allowed.", status: 405) }
}
