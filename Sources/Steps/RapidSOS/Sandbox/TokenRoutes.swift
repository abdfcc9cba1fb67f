import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// `POST /oauth/token`: both classes of token.
  enum TokenRoutes {
    static let all: [SandboxRoute<State>] = [SandboxRoute(.post, "/oauth/token", authenticate)]

    @Sendable private static func authenticate(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      // Assumed: What a request that is no form, or has another grant, gets.
      guard let form = call.request.form else { throw Refusal.detail("Unsupported media type.", status: 415) }
      let fields = Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      try checkClient(fields, call.request, state)
      switch fields["grant_type"] {
      case "client_credentials":
        let life = state.switches.tokenLife
        return answer(state.tokens.issue(kind: "client", subject: "", life: life, world: &world), life: life)
      case "password": return try logIn(fields, &state, &world)
      default: throw Refusal.detail("Unsupported grant type.", status: 400)
      }
    }

    /// The pair is in the form, or in HTTP Basic.
    private static func checkClient(
      _ fields: [String: String], _ request: SandboxRequest, _ state: State
    ) throws(SandboxReply) {
      let basic = request.basicCredentials
      let id = fields["client_id"] ?? basic?.user ?? ""
      let secret = fields["client_secret"] ?? basic?.password ?? ""
      guard !id.isEmpty, !secret.isEmpty else { throw Refusal.invalidClient }
      if let clients = state.clients, clients[id] != secret { throw Refusal.invalidClient }
    }

    private static func logIn(
      _ fields: [String: String], _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let username = fields["username"] ?? ""
      let password = fields["password"] ?? ""
      if state.logins.isBlocked(username, at: world.now) { throw tooManyRequests }
      guard let user = state.user(named: username), !password.isEmpty, user.password ?? password == password else {
        if state.logins.wrongPassword(username, at: world.now, state.switches) { throw tooManyRequests }
        throw Refusal.detail("Invalid user credentials.", status: 401)
      }
      state.logins.forget(username)
      let life = state.switches.tokenLife
      let token = state.tokens.issue(kind: "user", subject: String(user.id), life: life, world: &world)
      return answer(token, life: life, refreshToken: world.secret(length: 28))
    }

    private static let tooManyRequests = Refusal.detail("Too many requests. Please try again later", status: 429)

    /// Numbers are texts here, as in the recorded answers.
    private static func answer(_ token: TokenBook.Entry, life: Duration, refreshToken: String? = nil) -> SandboxReply {
      let issued = Value.string(String(token.issued.seconds * 1000 + Int64(token.issued.nanoseconds / 1_000_000)))
      var body = ValueMap()
      body["access_token"] = .string(token.accessToken)
      body["token_type"] = "BearerToken"
      body["issued_at"] = issued
      body["expires_in"] = .string(String(life.components.seconds))
      if let refreshToken {
        body["refresh_token"] = .string(refreshToken)
        body["refresh_token_issued_at"] = issued
        body["refresh_token_expires_in"] = "0"
      }
      return .json(.map(body))
    }
  }
}
