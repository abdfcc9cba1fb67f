import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// `/v1/rain/personal-info`.
  enum ProfileRoutes {
    static let all: [SandboxRoute<State>] = [SandboxRoute(.get, "/v1/rain/personal-info", fetch)]

    /// A new user has nothing but an id.
    @Sendable private static func fetch(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let token = try state.tokens.bearer(.user, of: call.request, at: world.now)
      guard let user = state.users.first(where: { $0.id == token.userID }) else { throw Refusal.notFound }
      var body = ValueMap()
      body["id"] = .int(user.id)
      for (section, value) in user.profile { body[section] = value }
      return .json(.map(body))
    }
  }
}
