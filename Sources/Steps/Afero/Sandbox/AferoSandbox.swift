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
    case "expire", "revoke": try state.tokens.change(verb, what, of: ["user"], in: name, at: world.now)
    case "set": try GivenMap.read(what, at: "afero.set") { given throws(SandboxError) in try state.switches.read(&given) }
    case "device": try state.changeDevice(what, at: "afero.device", now: world.now)
    default: throw unknownChange(verb)
    }
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { Refusal.notFound }

  // Assumed: Only the status is known.
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply {
    Refusal.error("methodNotAllowed", "Request method not supported", status: 405)
  }
}
