import HTTPTypes
package import SandboxKit
package import Values

/// SecureNode as the sandbox answers for it: below `/api`, unless a scenario gives another `prefix`.
///
/// What may be given, and changed in the middle of a run, stands in `givenSchema` and `changeSchema`.
package struct SecureNodeSandbox: SandboxSystem {
  package let name = "securenode"
  package let prefix = "/api"

  package init() {}

  package var routes: [SandboxRoute<State>] { DirectoryRoutes.all + EventRoutes.all + DeviceRoutes.all }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try State(given: given, world: &world)
  }

  /// `brand` adds or changes one, `remove_brand` forgets one without a trace, `set` turns switches.
  package func change(
    _ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld
  ) throws(SandboxError) {
    switch verb {
    case "brand":
      let now = state.stamp(world.now)
      try GivenMap.read(what, at: "securenode.brand") { given throws(SandboxError) in try state.putBrand(&given, at: now) }
    case "remove_brand":
      guard let number = what.exposed.stringValue, state.removeBrand(number) else {
        throw SandboxError("no brand has this number", at: "securenode.remove_brand")
      }
    case "set":
      try GivenMap.read(what, at: "securenode.set") { given throws(SandboxError) in try state.switches.read(&given, at: world.now) }
    default: throw unknownChange(verb)
    }
  }

  package func overview(_ state: State) -> Value { state.overview }

  // Assumed: A path that is not there is the web server's to refuse, without the API's envelope.
  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { .text("Not Found", status: 404) }

  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { .text("Method Not Allowed", status: 405) }
}
