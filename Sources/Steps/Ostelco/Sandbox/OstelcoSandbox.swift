package import SandboxKit
package import Values

/// Ostelco, first generation, as the sandbox answers for it: the API and the tenant that signs people in, under one host.
///
/// What may be given, and changed in the middle of a run, stands in `givenSchema` and `changeSchema`. What comes of a payment is
/// told by the name of its source: see `Wallet`.
package struct OstelcoSandbox: SandboxSystem {
  package let name = "ostelco"

  package init() {}

  package var routes: [SandboxRoute<State>] {
    TenantRoutes.all + ProfileRoutes.all + ShopRoutes<State>.all + SourceRoutes<State>.all + ReferralRoutes<State>.all
      + PushRoutes<State>.all(at: "/applicationtoken") + GraphRoutes<State>.all + CustomerRoutes.all + IdentityRoutes.all
      + RefundRoutes.all
  }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try State(given: given, world: &world)
  }

  /// `expire` of access tokens, `revoke` of `user`, `refresh` or `all`, and `set` of switches.
  package func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {
    switch verb {
    case "expire": try state.tokens.change(verb, what, of: ["user"], in: name, at: world.now)
    case "revoke":
      let kind = try state.tokens.change(verb, what, of: ["user", "refresh"], in: name, at: world.now)
      if kind != "user" { state.refreshTokens.removeAll() }
    case "set": try GivenMap.read(what, at: "ostelco.set") { given throws(SandboxError) in try state.switches.read(&given) }
    default: throw unknownChange(verb)
    }
  }

  package func overview(_ state: State) -> Value { state.overview }
  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { OperatorRules.pathUnknown }
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { OperatorRules.methodRefused }
}
