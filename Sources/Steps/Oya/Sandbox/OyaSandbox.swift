package import SandboxKit
package import Values

/// OYA as the sandbox answers for it: the API, the support API and the webhooks at one address.
package struct OyaSandbox: SandboxSystem {
  package let name = "oya"

  package init() {}

  package var routes: [SandboxRoute<State>] {
    EntryRoutes.all + CustomerRoutes.all + RegionRoutes.all + CheckRoutes.all + SimRoutes.all + PlanGuard.shopRoutes
      + SourceRoutes<State>.all + ReferralRoutes<State>.all + PushRoutes<State>.all(at: Oya.pushTokenPath) + GraphRoutes<State>.all
      + SupportRoutes.all + WebhookRoutes.all
  }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try State(given: given, world: &world)
  }

  /// `expire` and `revoke` of `user` or `all` tokens, `set` of switches, and `sim`: what a phone has done with the eSIMs.
  package func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {
    switch verb {
    case "expire":
      try checkClass(what, verb)
      state.tokens.expire(kind: nil, at: world.now)
    case "revoke":
      try checkClass(what, verb)
      state.tokens.revoke(kind: nil)
    case "set":
      var given = try GivenMap(what, at: "oya.set")
      try state.switches.read(&given)
      try given.finish()
    case "sim": try state.changeSims(what, at: world.now)
    default: throw SandboxError("unknown change `\(verb)`; known are `expire`, `revoke`, `set` and `sim`", at: name)
    }
  }

  /// There is one class of tokens.
  private func checkClass(_ what: Value, _ verb: String) throws(SandboxError) {
    let text = what.exposed.stringValue ?? what.typeName
    guard ["user", "all"].contains(text) else {
      throw SandboxError("`\(text)` is no class of tokens; known are `user` and `all`", at: "oya.\(verb)")
    }
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { OperatorRules.pathUnknown }
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { OperatorRules.methodRefused }
}
