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
    let name = what.exposed.stringValue ?? what.typeName
    switch verb {
    case "expire":
      guard ["user", "all"].contains(name) else { throw unknown(name, verb, "`user` and `all`") }
      state.tokens.expire(kind: "user", at: world.now)
    case "revoke":
      guard ["user", "refresh", "all"].contains(name) else { throw unknown(name, verb, "`user`, `refresh` and `all`") }
      if name != "refresh" { state.tokens.revoke(kind: "user") }
      if name != "user" { state.refreshTokens.removeAll() }
    case "set":
      var given = try GivenMap(what, at: "ostelco.set")
      try state.switches.read(&given)
      try given.finish()
    default: throw SandboxError("unknown change `\(verb)`; known are `expire`, `revoke` and `set`", at: self.name)
    }
  }

  private func unknown(_ name: String, _ verb: String, _ known: String) -> SandboxError {
    SandboxError("`\(name)` is no class of tokens; known are \(known)", at: "ostelco.\(verb)")
  }

  package func overview(_ state: State) -> Value { state.overview }
  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { OperatorRules.pathUnknown }
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { OperatorRules.methodRefused }
}
