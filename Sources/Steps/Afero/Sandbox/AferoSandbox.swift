import HTTPTypes
package import SandboxKit
package import Values

/// Afero's cloud as the sandbox answers for it.
///
/// What may be given, and changed in the middle of a run, stands in `givenSchema` and `changeSchema`.
package struct AferoSandbox: SandboxSystem {
  package let name = "afero"

  package init() {}

  package var routes: [SandboxRoute<State>] {
    TokenRoutes.all + AccountRoutes.all + CredentialRoutes.all + ActivityRoutes.all + DeviceRoutes.all + AspectRoutes.all
      + ActionRoutes.all + ProfileRoutes.all + KeptRoutes.all + RuleRoutes.all + SharingRoutes.all
  }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try State(given: given, world: &world)
  }

  /// `expire` and `revoke` of tokens, `set` of switches, and `device` for what becomes of one.
  package func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {
    switch verb {
    case "expire":
      try checkTokens(what, verb)
      state.tokens.expire(kind: nil, at: world.now)
    case "revoke":
      try checkTokens(what, verb)
      state.tokens.revoke(kind: nil)
    case "set":
      var given = try GivenMap(what, at: "afero.set")
      try state.switches.read(&given)
      try given.finish()
    case "device": try state.changeDevice(what, at: "afero.device", now: world.now)
    default: throw SandboxError("unknown change `\(verb)`; known are `expire`, `revoke`, `set` and `device`", at: "afero")
    }
  }

  private func checkTokens(_ what: Value, _ verb: String) throws(SandboxError) {
    let name = what.exposed.stringValue ?? what.typeName
    guard ["user", "all"].contains(name) else {
      throw SandboxError("`\(name)` is no class of tokens; known are `user` and `all`", at: "afero.\(verb)")
    }
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Refusal.notFound }

  // Assumed: Only the status is known.
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply {
    Refusal.error("methodNotAllowed", "Request method not supported", status: 405)
  }
}
