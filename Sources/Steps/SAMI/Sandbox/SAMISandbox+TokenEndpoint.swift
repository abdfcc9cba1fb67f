import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  /// `POST /token`
  enum TokenEndpoint {
    @Sendable static func token(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard let form = call.request.form else { throw refusal("invalid_request") }
      let fields = Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      // A parameter that comes twice is refused.
      guard fields.count == form.count else { throw refusal("invalid_request") }
      switch fields["grant_type"] {
      case "client_credentials": return try clientCredentials(call.request, fields, &state, &world)
      case "authorization_code": return try code(call.request, fields, &state, &world)
      case "refresh_token": return try refresh(call.request, fields, &state, &world)
      case nil: throw refusal("invalid_request")
      case .some: throw SandboxReply.json(["error": "unsupported_grant_type"], status: 302)
      }
    }

    private static func refusal(_ code: String) -> SandboxReply { .json(["error": .string(code)], status: 400) }

    /// The application that asks: by HTTP Basic, or in the form.
    private static func client(_ request: SandboxRequest, _ fields: [String: String], _ state: State) throws(SandboxReply) -> String {
      let basic = request.basicCredentials
      let id = basic?.user ?? fields["client_id"] ?? ""
      let secret = basic?.password ?? fields["client_secret"] ?? ""
      guard !id.isEmpty, !secret.isEmpty else { throw refusal("invalid_request") }
      if let clients = state.clients, !clients.contains(where: { $0.id == id && $0.secret == secret }) {
        throw refusal("unauthorized_client")
      }
      return id
    }

    private static func clientCredentials(
      _ request: SandboxRequest, _ fields: [String: String], _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let client = try client(request, fields, state)
      let entry = state.tokens.issue(
        kind: "app", subject: "", client: client, scope: fields["scope"] ?? "read,write", life: state.switches.tokenLife, world: &world)
      return answer(entry, life: state.switches.tokenLife)
    }

    private static func code(
      _ request: SandboxRequest, _ fields: [String: String], _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let client = try client(request, fields, state)
      // Good once, whatever comes of it.
      guard let text = fields["code"], let code = state.codes.removeValue(forKey: text) else { throw refusal("invalid_request") }
      guard code.expires.map({ world.now < $0 }) ?? true, code.client.isEmpty || code.client == client else {
        throw refusal("invalid_request")
      }
      if let redirect = fields["redirect_uri"], let asked = code.redirect, redirect != asked { throw refusal("invalid_request") }
      let entry = state.issueUserToken(
        code.uid, client: client, scope: code.scope, life: state.switches.tokenLife, family: nil, &world)
      return answer(entry, life: state.switches.tokenLife)
    }

    private static func refresh(
      _ request: SandboxRequest, _ fields: [String: String], _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard case .valid(let old) = state.tokens.refresh(fields["refresh_token"], at: world.now) else { throw refusal("invalid_request") }
      if state.implicitFamilies.contains(old.family) {
        // The old token proves who asks, whether or not it has ended.
        guard request.bearerToken == old.accessToken else { throw refusal("invalid_request") }
      } else {
        guard try client(request, fields, state) == old.client else { throw refusal("unauthorized_client") }
      }
      // Assumed: The token before is good no more, and its refresh token neither.
      state.tokens.forget(old.accessToken)
      let entry = state.issueUserToken(
        old.subject, client: old.client, scope: old.scope, life: state.switches.tokenLife, family: old.family, &world)
      return answer(entry, life: state.switches.tokenLife, withScope: true)
    }

    private static func answer(_ entry: TokenBook.Entry, life: Duration, withScope: Bool = false) -> SandboxReply {
      var reply = SandboxReply.json(
        object([
          ("access_token", .string(entry.accessToken)), ("token_type", "bearer"), ("expires_in", .int(life.components.seconds)),
          ("refresh_token", entry.refreshToken.map { .string($0) }), ("scope", withScope ? .string(entry.scope) : nil),
        ]))
      reply.headers[.cacheControl] = "no-store"
      return reply
    }
  }
}
