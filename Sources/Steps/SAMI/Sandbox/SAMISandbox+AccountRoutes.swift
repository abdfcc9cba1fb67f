import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  /// The accounts host: consent, tokens, log-out.
  enum AccountRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/authorize", authorize),
      SandboxRoute(.post, "/token", TokenEndpoint.token),
      SandboxRoute(.get, "/logout", logOut),
      SandboxRoute(.put, "/revokeAccessToken", revoke),
    ]

    static let badRedirect = Refusal.error(400, "Invalid parameter: redirect_uri")

    @Sendable private static func authorize(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let request = call.request
      let redirect = try redirect(request.query("redirect_uri"), of: request.query("client_id"), state)
      let type = request.query("response_type") ?? ""
      let mark: Character = type == "token" ? "#" : redirect.contains("?") ? "&" : "?"
      let sent = request.query("state")
      func back(_ pairs: [(String, String)]) -> SandboxReply {
        leading(to: redirect, mark, pairs + (sent.map { [("state", $0)] } ?? []))
      }
      guard let client = request.query("client_id"), !client.isEmpty, ["token", "code"].contains(type),
        sent.map(isURLSafe) ?? true
      else { throw back([("error", "invalid_request")]) }
      if let known = state.clients, !known.contains(where: { $0.id == client }) { throw back([("error", "unauthorized_client")]) }
      guard let uid = state.account else { return page("Sign in") }
      switch state.switches.consent {
      case .granted: break
      case .asked: return page("Grant access")
      case .denied: return back([("error", "access_denied")])
      }
      let scope = request.query("scope") ?? "read,write"
      guard type == "token" else {
        let code = world.secret(length: 32)
        state.codes[code] = State.Code(
          uid: uid, client: client, scope: scope, redirect: redirect, expires: world.now.advanced(by: .seconds(60)))
        return back([("code", code)])
      }
      let token = state.issueUserToken(
        uid, client: client, scope: scope, life: state.switches.implicitLife, family: nil, &world)
      state.implicitFamilies.insert(token.family)
      return back([
        ("expires_in", String(state.switches.implicitLife.components.seconds)), ("token_type", "bearer"),
        ("refresh_token", token.refreshToken ?? ""), ("access_token", token.accessToken),
      ])
    }

    @Sendable private static func logOut(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let redirect = try redirect(call.request.query("redirect_uri"), of: nil, state)
      if state.switches.logoutRevokesTokens, let uid = state.account { state.tokens.revoke(subject: uid) }
      state.account = nil
      let sent = call.request.query("state")
      return leading(
        to: redirect, redirect.contains("?") ? "&" : "?", [("status", "logout")] + (sent.map { [("state", $0)] } ?? []))
    }

    // Assumed: What is refused, and how.
    @Sendable private static func revoke(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let query = try query(call.request, [.id("client_credentials"), .id("token")])
      let app = query["client_credentials"]?.stringValue
      guard case .valid(let entry) = state.tokens.access(app, at: world.now), entry.kind == "app" else { throw Refusal.unauthorized }
      let family: Int64
      switch state.tokens.access(query["token"]?.stringValue, at: world.now) {
      case .valid(let token), .expired(let token):
        guard token.client == entry.client else { throw Refusal.forbidden("applications") }
        family = token.family
      case .unknown: throw Refusal.notFound
      }
      state.tokens.revoke(family: family)
      return .json(["data": ["message": "Token successfully revoked"]])
    }

    /// - Throws: 400 for a redirect that is not registered, or is none.
    private static func redirect(_ text: String?, of client: String?, _ state: State) throws(SandboxReply) -> String {
      guard let text, text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/[A-Za-z0-9\-._~:\/?@!$&'()*+,;=%]+/) != nil else {
        throw badRedirect
      }
      guard let clients = state.clients else { return text }
      let known = clients.filter { client == nil || $0.id == client || !clients.contains { $0.id == client } }.flatMap(\.redirects)
      guard known.contains(text) else { throw badRedirect }
      return text
    }

    private static func isURLSafe(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9\-._~]+/) != nil }

    private static func leading(to redirect: String, _ mark: Character, _ pairs: [(String, String)]) -> SandboxReply {
      // What is sent back may hold anything.
      let text = pairs.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
      return SandboxReply(status: 302, headers: [.location: "\(redirect)\(mark)\(text)"])
    }

    private static func encoded(_ text: String) -> String {
      text.utf8.map { byte in
        let scalar = Unicode.Scalar(byte)
        let isSafe =
          byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-._~,".unicodeScalars.contains(scalar))
        return isSafe ? String(Character(scalar)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
    }

    private static func page(_ title: String) -> SandboxReply {
      SandboxReply(
        status: 200, headers: [.contentType: "text/html; charset=utf-8"],
        body: Array("<!DOCTYPE html><title>\(title)</title><h1>\(title)</h1>".utf8))
    }
  }
}

extension SAMISandbox.State {
  /// - Parameter family: nil is a new consent.
  mutating func issueUserToken(
    _ uid: String, client: String, scope: String, life: Duration, family: Int64?, _ world: inout SandboxWorld
  ) -> TokenBook.Entry {
    let refresh = world.secret(length: 32)
    return tokens.issue(
      kind: "user", subject: uid, client: client, scope: scope, life: life, refreshToken: refresh,
      refreshLife: life + switches.refreshGrace, family: family, world: &world)
  }
}
