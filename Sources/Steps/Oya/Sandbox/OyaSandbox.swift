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
    case "expire", "revoke": try state.tokens.change(verb, what, of: ["user"], in: name, at: world.now)
    case "set": try GivenMap.read(what, at: "oya.set") { given throws(SandboxError) in try state.switches.read(&given) }
    case "sim": try state.changeSims(what, at: world.now)
    default: throw unknownChange(verb)
    }
  }

  package func overview(_ state: State) -> Value { state.overview }

  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { OperatorRules.pathUnknown }
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { OperatorRules.methodRefused }
}
