package import SandboxKit
package import Values

/// Afero cloud Client API as the sandbox answers for it.
package struct AferoSandbox: SandboxSystem {
  package let name = "afero"

  package init() {}

  package struct State: Sendable {}

  package var routes: [SandboxRoute<State>] { [] }

  package func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try given.finish()
    return State()
  }

  package func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {
    throw SandboxError("unknown change `\(verb)`", at: name)
  }

  package func overview(_ state: State) -> Value { [:] }
  package func pathUnknown(_ request: SandboxRequest) -> SandboxReply { .json(["error": "not found"], status: 404) }
  package func methodRefused(_ request: SandboxRequest) -> SandboxReply { .json(["error": "method not allowed"], status: 405) }
}
