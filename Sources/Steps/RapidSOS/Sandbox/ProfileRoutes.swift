import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// `/v1/rain/personal-info`.
  enum ProfileRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/v1/rain/personal-info", fetch),
      // The guide's words say POST, its code PATCH.
      SandboxRoute(.patch, "/v1/rain/personal-info", update),
    ]

    @Sendable private static func fetch(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      .json(profile(of: state.users[try position(call, state, world)]))
    }

    /// Assumed: A section that is sent takes the place of the old one as a whole, the others stay.
    @Sendable private static func update(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try position(call, state, world)
      for (name, section) in try Sections.profile.read(call.request, at: world.now) { state.users[position].profile[name] = section }
      return .json(profile(of: state.users[position]))
    }

    private static func position(_ call: SandboxCall, _ state: State, _ world: SandboxWorld) throws(SandboxReply) -> Int {
      let user = try state.tokens.rapidSOSUser("user", of: call.request, at: world.now, state.switches)
      guard let position = state.users.firstIndex(where: { $0.id == user }) else { throw Refusal.notFound }
      return position
    }

    /// A new user has nothing but an id.
    private static func profile(of user: State.User) -> Value {
      var body = ValueMap()
      body["id"] = .int(user.id)
      for (section, value) in user.profile { body[section] = value }
      return .map(body)
    }
  }
}
