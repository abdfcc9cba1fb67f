import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// The token endpoint, and that of an OpenID service, which only renews.
  enum TokenRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/oauth/token", token),
      SandboxRoute(.post, "/token", token),
    ]

    @Sendable private static func token(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let client = try client(of: call.request, state)
      // Assumed: A body that is no form has no grant.
      let form = Dictionary((call.request.form ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      switch form["grant_type"] {
      case "password" where call.request.path == "/oauth/token": return try signIn(form, client, &state, &world)
      case "refresh_token": return try renew(form, client, &state, &world)
      case nil: throw Refusal.error("invalid_request", "Missing grant type", status: 400)
      case let grant?: throw Refusal.error("unsupported_grant_type", "Unsupported grant type: \(grant)", status: 400)
      }
    }

    private static func client(of request: SandboxRequest, _ state: State) throws(SandboxReply) -> String {
      guard let pair = request.basicCredentials, !pair.user.isEmpty, !pair.password.isEmpty else { throw Refusal.invalidClient }
      if let clients = state.clients, clients[pair.user] != pair.password { throw Refusal.invalidClient }
      return pair.user
    }

    private static func signIn(
      _ form: [String: String], _ client: String, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      // Assumed: `account` is the one scope that there is.
      guard ["account", ""].contains(form["scope"] ?? "") else {
        throw Refusal.error("invalid_scope", "Invalid scope: \(form["scope"] ?? "")", status: 400)
      }
      let password = form["password"] ?? ""
      guard let position = state.user(credential: form["username"] ?? ""), !password.isEmpty else { throw Refusal.invalidGrant }
      guard state.users[position].password ?? password == password else {
        state.users[position].failedAttempts += 1
        throw Refusal.invalidGrant
      }
      state.users[position].failedAttempts = 0
      state.users[position].lastUsed = world.now.milliseconds
      let entry = issue(to: state.users[position].id, client, refresh: world.uuid(), nil, &state, &world)
      return answer(entry, at: world.now)
    }

    private static func renew(
      _ form: [String: String], _ client: String, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      // What was given to one app is none of another's.
      guard case .valid(let old) = state.tokens.refresh(form["refresh_token"], at: world.now), old.client == client else {
        throw Refusal.invalidRefreshToken
      }
      let refresh = state.switches.rotatesRefreshTokens ? world.uuid() : old.refreshToken
      // Assumed: The token before ends with it.
      state.tokens.forget(old.accessToken)
      let entry = issue(to: old.subject, client, refresh: refresh, old.family, &state, &world)
      return answer(entry, at: world.now)
    }

    private static func issue(
      to user: String, _ client: String, refresh: String?, _ family: Int64?, _ state: inout State, _ world: inout SandboxWorld
    ) -> TokenBook.Entry {
      let text = world.uuid()
      return state.tokens.issue(
        kind: "user", subject: user, client: client, scope: "account", life: state.switches.tokenLife, accessToken: text,
        refreshToken: refresh, family: family, world: &world)
    }

    private static func answer(_ entry: TokenBook.Entry, at now: Timestamp) -> SandboxReply {
      .json([
        "access_token": .string(entry.accessToken), "token_type": "bearer", "expires_in": .int(entry.expires.seconds - now.seconds),
        "refresh_token": .string(entry.refreshToken ?? ""), "scope": .string(entry.scope),
      ])
    }
  }
}
