import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// What needs no token: signs of life, and the way to one.
  enum EntryRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/ping", ping),
      SandboxRoute(.get, "/uuid", uuid),
      SandboxRoute(.post, "/appleId/authorize", authorize),
      SandboxRoute(.get, "/graphql", graph),
    ]

    @Sendable private static func ping(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      .json(["timestamp": .int(world.now.milliseconds)])
    }

    @Sendable private static func uuid(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      .json(["uuid": .string(world.uuid())])
    }

    /// A code belongs to whoever was given with it; any other to the first person without one, who comes to be where nobody
    /// was given at all.
    @Sendable private static func authorize(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let members = try call.request.jsonMembers()
      guard case .string(let code)? = members["authCode"], !code.isEmpty else { throw OperatorRules.unreadable }
      if state.people.isEmpty { state.people.append(State.Person(identity: "mei@example.test", authCode: nil)) }
      let owner = state.people.first { $0.authCode == code } ?? state.people.first { $0.authCode == nil }
      guard let owner else { throw .json(["status": 400, "error": ["error": "invalid_grant"]], status: 400) }
      let now = world.now.seconds
      let life = state.switches.tokenLife
      let token = mintedJWT(
        [
          "iss": "firebase-adminsdk@oya-sandbox.example.test", "sub": "firebase-adminsdk@oya-sandbox.example.test",
          "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
          "uid": .string(owner.identity),
          "iat": .int(now), "exp": .int(now + life.components.seconds),
        ], world: &world)
      state.tokens.issue(kind: "user", subject: owner.identity, life: life, accessToken: token, world: &world)
      return .json(["token": .string(token)])
    }

    @Sendable private static func graph(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let identity = try state.identity(of: call.request, at: world.now)
      return GraphRoutes<State>.answer(try call.request.required("query"), .null, identity, state)
    }
  }
}
